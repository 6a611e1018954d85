#include "host/launch.h"

#include "host/launch_check.h"
#include "host/runtime.h"

#include <algorithm>

namespace neuronify {

namespace {

// One of DeviceProp's multiprocessors, see device.cpp.
constexpr int kMaxResidentThreads = 2048, kMaxResidentBlocks = 32;
constexpr size_t kSharedPerMultiprocessor = 228 << 10, kReservedShared = 1024;

Error_t with_kernel(const void *stub, auto &&body) {
  return api([&](Runtime &runtime) {
    Registry::Entry entry = runtime.registry.find(stub);
    return entry.kernel ? body(runtime, *entry.kernel) : ErrorInvalidDeviceFunction;
  });
}

int active_blocks(const Runtime &runtime, const Kernel &kernel, int block_size,
                  size_t dynamic_shared) {
  if (block_size > int(kMaxThreads))
    return 0;
  int warps = (block_size + 31) / 32;
  int blocks = std::min(kMaxResidentBlocks, kMaxResidentThreads / 32 / warps);
  size_t shared = kernel.static_shared_bytes + dynamic_shared;
  if (shared > kMaxSharedOptIn)
    return 0;
  blocks = std::min(blocks, int(kSharedPerMultiprocessor / (shared + kReservedShared)));
  // What waits for the whole grid shares its partition with all blocks that are there.
  if (kernel.together_lane_bytes)
    blocks = std::min(blocks, int(size_t(runtime.generation.sbuf_partition_bytes) /
                                  (shared + size_t(block_size) * kernel.together_lane_bytes)));
  return blocks;
}

} // namespace

Error_t launchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                     Stream_t stream) {
  return api([&](Runtime &runtime) {
    StreamState *state = runtime.clock.find(stream);
    if (!state)
      return ErrorInvalidResourceHandle;
    return runtime.launch(stub, grid, block, arguments, shared, *state);
  });
}

Error_t launchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                size_t shared, Stream_t stream) {
  const Error_t fits = with_kernel(stub, [&](Runtime &runtime, const Kernel &kernel) {
    const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z,
                   threads = uint64_t(block.x) * block.y * block.z;
    const bool is_valid =
        blocks && threads && threads <= kMaxThreads; // else launchKernel() says so
    const uint64_t most = is_valid
                              ? uint64_t(active_blocks(runtime, kernel, int(threads), shared)) *
                                    uint64_t(multiprocessors(runtime.generation))
                              : 0;
    return is_valid && blocks > most ? ErrorCooperativeLaunchTooLarge : Success;
  });
  return fits == Success ? launchKernel(stub, grid, block, arguments, shared, stream) : fits;
}

Error_t funcSetAttribute(const void *stub, FuncAttribute attribute, int value) {
  return with_kernel(stub, [&](Runtime &runtime, const Kernel &kernel) {
    switch (attribute) {
    case FuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || size_t(value) + kernel.static_shared_bytes > kMaxSharedOptIn)
        return ErrorInvalidValue;
      runtime.shared_opt_in[stub] = size_t(value);
      return Success;
    case FuncAttributePreferredSharedMemoryCarveout:
      return value >= -1 && value <= 100 ? Success : ErrorInvalidValue;
    case FuncAttributeNonPortableClusterSizeAllowed:
      return Success;
    }
    return ErrorInvalidValue;
  });
}

Error_t funcGetAttributes(FuncAttributes *attributes, const void *stub) {
  return with_kernel(stub, [&](Runtime &runtime, const Kernel &kernel) {
    if (!attributes)
      return ErrorInvalidValue;
    *attributes = {};
    attributes->sharedSizeBytes = kernel.static_shared_bytes;
    attributes->maxThreadsPerBlock = kMaxThreads;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 80;
    auto opt_in = runtime.shared_opt_in.find(stub);
    size_t standard = kMaxShared - std::min<size_t>(kMaxShared, kernel.static_shared_bytes);
    attributes->maxDynamicSharedSizeBytes =
        int(opt_in == runtime.shared_opt_in.end() ? standard : opt_in->second);
    attributes->preferredShmemCarveout = SharedmemCarveoutDefault;
    return Success;
  });
}

Error_t funcSetCacheConfig(const void *stub, FuncCache) {
  return with_kernel(stub, [](Runtime &, const Kernel &) { return Success; });
}

Error_t funcSetSharedMemConfig(const void *stub, SharedMemConfig) {
  return with_kernel(stub, [](Runtime &, const Kernel &) { return Success; });
}

Error_t occupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int block_size,
                                                  size_t dynamic_shared) {
  return with_kernel(stub, [&](Runtime &runtime, const Kernel &kernel) {
    if (!blocks || block_size <= 0)
      return ErrorInvalidValue;
    *blocks = active_blocks(runtime, kernel, block_size, dynamic_shared);
    return Success;
  });
}

Error_t occupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size, const void *stub,
                                       size_t dynamic_shared, int block_size_limit) {
  return with_kernel(stub, [&](Runtime &runtime, const Kernel &kernel) {
    if (!min_grid_size || !block_size || block_size_limit < 0)
      return ErrorInvalidValue;
    int limit = block_size_limit ? std::min<int>(block_size_limit, kMaxThreads) : kMaxThreads;
    int best = 0;
    // The largest block that keeps most threads resident, as CUDA's own search ends with.
    for (int size = limit; size > 0; size = (size - 1) / 32 * 32)
      if (active_blocks(runtime, kernel, size, dynamic_shared) * size >
          active_blocks(runtime, kernel, best ? best : 1, dynamic_shared) * best)
        best = size;
    if (best == 0)
      return ErrorInvalidConfiguration;
    *block_size = best;
    *min_grid_size =
        active_blocks(runtime, kernel, best, dynamic_shared) * multiprocessors(runtime.generation);
    return Success;
  });
}

} // namespace neuronify
