// The NKI Python form of ported kernels, run by a Python process beside the program.
#pragma once

#include "host/device_memory.h"
#include "host/vector_types.h"

#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace neuronify {

/// One launch as its NKI form sees it.
struct NkiLaunch {
  std::string mangled, source; ///< symbol and file of the kernel
  dim3 grid, block;
  size_t dynamic_shared = 0;
  bool precise = false;
  std::span<void *const> arguments; ///< addresses of the arguments
  std::function<const DeviceAllocation *(std::string_view mangled)> variable;
};

/// Runs launches on `neuronify_lanes.run`, which tells what each kernel takes and then answers
/// requests. Memory goes through files, in and out.
class NkiSide {
public:
  /// `folder` has the ported modules; nothing starts before it is needed.
  NkiSide(std::string folder, std::string python)
      : folder_(std::move(folder)), python_(std::move(python)) {}
  ~NkiSide() { stop(); }
  NkiSide(const NkiSide &) = delete;
  NkiSide &operator=(const NkiSide &) = delete;

  explicit operator bool() const { return !folder_.empty(); }
  /// Has the kernel an NKI form? Starts Python; `error` where that fails.
  bool has(const std::string &mangled, const std::string &source, std::string &error);
  /// Runs the launch on `memory` in place. Returns what went wrong, or "".
  std::string run(const NkiLaunch &launch, const DeviceMemory &memory);

  /// Ends Python and removes what lies around.
  void stop();

private:
  struct Parameter {
    std::string form, symbol;
    int argument = -1;
    size_t offset = 0, size = 0;
  };
  struct Request;
  std::string start();
  bool read_line(std::string &line);
  std::string fail(const std::string &what);

  std::string folder_, python_, scratch_, problem_;
  std::map<std::string, std::vector<Parameter>> kernels_; ///< by mangled name and source
  FILE *to_ = nullptr, *from_ = nullptr;
  pid_t process_ = 0;
  bool started_ = false;
};

} // namespace neuronify
