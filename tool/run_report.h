// What a ported program reports about its launches (docs/report.md), read back.
#pragma once

#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace neuronify::tool {

struct LaunchResult {
  std::string kernel, mapping, verdict, message, bound;
  std::string nki; ///< what became of its NKI form; "" where nobody asked
  std::string file;
  unsigned line = 0;
  uint64_t launch = 0;
  std::array<uint64_t, 3> grid{}, block{};
  uint64_t max_ulp = 0;
  uint64_t near_zero = 0;                 ///< values that match by the absolute tolerance only
  double max_relative = 0, predicted = 0; ///< seconds on one core
  std::string difference;                 ///< the first one, as a sentence; "" where there is none
  std::vector<std::string> findings;      ///< of --check-original, with their places
  bool good() const { return verdict == "match"; }
};

struct RunReport {
  bool present = false; ///< the program wrote one
  std::vector<LaunchResult> launches;
  std::vector<std::string> messages;
  std::string running;    ///< the kernel of a launch that began and did not end
  std::string end;        ///< "exit", "signal 11", or "" where it just stops
  llvm::json::Array rows; ///< the launch records as they are
};

/// Reads FILE, or FILE.part where the program did not come to its end. Lines that are no JSON are
/// skipped.
RunReport read_report(const std::string &path);

} // namespace neuronify::tool
