// Device bitcode to host code: the part of the reference that knows LLVM. This header does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace neuronify::reference {

/// A place in the original program.
struct Site {
  std::string file;
  unsigned line = 0;
};

/// A `__device__` or `__constant__` variable of the module; its address comes from the runtime.
struct DeviceVariable {
  std::string mangled;
  size_t size = 0;
};

/// Constant data that the compiled code carries (string literals, constant tables).
struct ConstantObject {
  const void *address = nullptr;
  size_t size = 0;
};

struct CompiledKernel {
  const void *entry = nullptr; ///< ThreadEntry where `waits`, else BlockEntry
  bool waits = false;          ///< threads wait for each other: each needs a fiber
  bool waits_for_grid = false; ///< for those of other blocks, too
  size_t parameters = 0;
  size_t static_shared_bytes = 0;
  size_t stack_bytes = 0;        ///< what a thread's own frames may take
  std::vector<size_t> variables; ///< which of Compiler::variables() it uses
  std::vector<Site> sites;       ///< what `site` numbers in calls out of the kernel mean
  std::vector<ConstantObject> constants;
};

/// Compiles kernels of one module on demand and keeps them.
class Compiler {
public:
  /// Null, and a sentence in `error`, where `bitcode` is not device bitcode of this LLVM.
  static std::unique_ptr<Compiler> create(const void *bitcode, size_t size, std::string &error);
  virtual ~Compiler() = default;

  virtual const std::vector<DeviceVariable> &variables() const = 0;
  /// Kernel `mangled`, with every access to memory checked first where `checked`. Null, and a
  /// sentence in `error`, where there is none or it uses what cannot run here.
  virtual const CompiledKernel *kernel(std::string_view mangled, bool checked,
                                       std::string &error) = 0;
};

} // namespace neuronify::reference
