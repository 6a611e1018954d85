// Which launches CUDA rejects, and with which error.
#pragma once

#include "host/error.h"
#include "host/vector_types.h"

#include <cstddef>
#include <string>

namespace neuronify {

// CUDA C++ programming guide, table "Technical Specifications per Compute Capability". The most
// that a block can opt in to is the largest of that table: a partition has room for it.
inline constexpr unsigned kMaxThreads = 1024;
inline constexpr unsigned kMaxBlock[3] = {1024, 1024, 64};
inline constexpr unsigned kMaxGrid[3] = {2147483647, 65535, 65535};
/// Shared memory of a block, static and dynamic together, without and with opting in.
inline constexpr size_t kMaxShared = 48 << 10;
inline constexpr size_t kMaxSharedOptIn = 227 << 10;

struct SharedMemory {
  size_t static_bytes = 0; ///< `__shared__` arrays of the kernel
  size_t dynamic = 0;      ///< of the launch
  size_t opt_in = 0;       ///< FuncAttributeMaxDynamicSharedMemorySize; 0 where it was never set
};

/// Success, or CUDA's error and the reason as a sentence.
Error_t check_launch(dim3 grid, dim3 block, const SharedMemory &shared, std::string &reason);

} // namespace neuronify
