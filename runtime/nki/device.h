// Which core this thread's instructions run on, and tensors over existing device memory.
#pragma once

#include "nki/tensor.h"

namespace nki {

namespace chip {
class Core;
}

/// Makes `core` the current core of this thread until the scope ends. Scopes nest.
class CoreScope {
public:
  explicit CoreScope(chip::Core &core);
  ~CoreScope();
  CoreScope(const CoreScope &) = delete;
  CoreScope &operator=(const CoreScope &) = delete;

private:
  chip::Core *outer_;
};

/// The current core of this thread; throws nki::Error outside of every CoreScope.
chip::Core &current_core();

/// The line of the original program that this thread's instructions come from, until the scope
/// ends; shown in traces. `file` must outlive the trace.
class SourceLine {
public:
  SourceLine(const char *file, int line);
  ~SourceLine();
  SourceLine(const SourceLine &) = delete;
  SourceLine &operator=(const SourceLine &) = delete;

  struct Place {
    const char *file = nullptr;
    int line = 0;
  };
  /// The innermost one of this thread; without a file outside of all.
  static Place current();

private:
  Place outer_;
};

/// A flat HBM tensor of bytes / size_of(type) elements over device memory
/// [address, address + bytes). Throws nki::Error where that is not inside one live allocation, is
/// not aligned to the type, or is not a whole number of elements.
Tensor hbm_tensor(const void *address, size_t bytes, DType type);

} // namespace nki
