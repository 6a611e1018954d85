// The command line of `neuronify`.
#pragma once

#include "frontend/frontend.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace neuronify::tool {

enum class Command { port, verify, assess, query, explain };

struct Options {
  Command command = Command::port;
  std::vector<std::string>
      inputs; ///< files; also folders for assess, names for query, codes for explain
  std::vector<std::string> trailing; ///< behind `--`: for verify the programs' arguments
  frontend::Options frontend;
  std::string output;
  bool force = false;
  unsigned jobs = 0;      ///< 0: one per core
  unsigned timeout = 300; ///< seconds for each program run; for assess, for each file read
  std::string json, html, trace, compiler;
  std::vector<std::string> results; ///< files of verify --json, for assess
  std::string tolerance;            ///< as NEURONIFY_TOLERANCE; empty: the defaults
  bool precise_math = false, check_original = false, verbose = false;
  std::string fp64 = "demote";   ///< or "df32" or "error"
  std::vector<std::string> emit; ///< "cpp", "nki"; empty: what the command does by default
  std::vector<std::string> dump; ///< "ir", "kernel", "tile"
  std::string print_after;       ///< name of a pass, or "all"

  /// NKI Python beside C++; verify then runs it too.
  bool emits_nki() const {
    return emit.empty() ? command == Command::port
                        : std::find(emit.begin(), emit.end(), "nki") != emit.end();
  }
};

/// Reads the command line. Prints help, the version and what is wrong itself; nullopt ends the
/// program with `exit_code` (2 for wrong usage).
std::optional<Options> read_command_line(int argc, char **argv, int &exit_code);

} // namespace neuronify::tool
