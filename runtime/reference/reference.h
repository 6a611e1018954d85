// The other side of every comparison: original kernels, thread by thread on the CPU.
//
// Loaded at run time from libneuronify-reference.so (which brings LLVM), so that ported programs
// that do not compare need no LLVM. This header includes none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neuronify::reference {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// What `--check-original` looks for, each its own option.
struct Checks {
  bool shared_races = false; ///< two threads touch a shared byte, one writes, no barrier between
  bool divergent_barriers =
      true;                   ///< some threads of a block wait at a barrier that others never reach
  bool out_of_bounds = false; ///< a global access outside every allocation
  bool uninitialized = false; ///< a read of shared memory that nobody wrote
  /// Global memory whose last writer is wanted: Result::writer.
  const void *watched = nullptr;
  size_t watched_bytes = 0;
};

/// Who wrote to watched memory last, and how many writes there were.
struct Writer {
  Dim3 block, thread;
  std::string file;
  unsigned line = 0;
  uint64_t writes = 0;
};

/// One thing that is wrong with the original program.
struct Finding {
  std::string kind;    ///< "race", "divergent barrier", "out of bounds", "uninitialized read"
  std::string message; ///< a sentence, with both threads where there are two
  std::string file;
  unsigned line = 0;
  Dim3 block, thread;
};

/// The environment of a launch: what the reference needs to know of device memory.
struct Memory {
  /// Device address of a `__device__` / `__constant__` variable by mangled name, or null.
  std::function<void *(std::string_view mangled)> symbol;
  /// Allocation that contains `address`: its start and size; size 0 where there is none.
  std::function<std::pair<const void *, size_t>(const void *address)> allocation;
};

struct Result {
  bool ok = false;
  std::string error; ///< why it could not run, a sentence
  std::vector<Finding> findings;
  std::optional<Writer> writer{}; ///< none: nobody wrote there
  /// What its threads printed: by block and thread (x fastest), and in each as the program runs.
  std::string output{};
  /// Whether a thread ended the launch, and CUDA's words for it (error says it as a sentence).
  enum class Stop : uint8_t { none, assertion, trap } stopped = Stop::none;
  std::string stop_text{};
};

/// Original kernels of one translation unit.
class Module {
public:
  virtual ~Module() = default;
  /// Runs kernel `mangled` over the whole grid, block after block (x fastest), in place.
  /// `arguments` are the addresses of the arguments as cudaLaunchKernel takes them.
  virtual Result run(std::string_view mangled, Dim3 grid, Dim3 block, uint32_t dynamic_shared_bytes,
                     std::span<void *const> arguments, const Memory &memory,
                     const Checks &checks) = 0;
};

/// Loads device bitcode as Clang made it (nvptx64). Null and `error` where that is not possible.
/// Exported with C linkage as `neuronify_reference_load` for dlsym.
using LoadFunction = std::unique_ptr<Module> (*)(const void *bitcode, size_t size,
                                                 std::string *error);

} // namespace neuronify::reference
