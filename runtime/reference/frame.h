// What a compiled kernel and the runner agree on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neuronify::reference {

/// Given to a compiled kernel for each block. The kernel's entry reads it by offset
/// (passes/entry.cpp).
struct Frame {
  void *const *arguments; ///< addresses of the arguments, as cudaLaunchKernel takes them
  void *const *symbols;   ///< addresses of the module's device variables
  std::byte *shared;      ///< the block's shared memory: static part, then dynamic
  void *context;          ///< the runner's Execution, handed back by every call out of the kernel
  uint32_t block_index[3];
  uint32_t block_size[3];
  uint32_t grid_size[3];
};

/// Runs all threads of a block, x fastest: kernels whose threads never wait.
using BlockEntry = void (*)(const Frame *);
/// Runs one thread: kernels whose threads wait for each other.
using ThreadEntry = void (*)(const Frame *, uint32_t x, uint32_t y, uint32_t z);

} // namespace neuronify::reference
