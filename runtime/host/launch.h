// Host API: launching kernels, and what can be asked about them.
//
// A kernel is named by its stub: the host function of the same type that stands where the original
// kernel stood. The registration at the end of its file ties it to the port.
#pragma once

#include "host/error.h"
#include "host/types.h"

#include <cstddef>
#include <type_traits>

namespace neuronify {

/// Launches the kernel of `stub`; `arguments` holds the addresses of its arguments.
///
/// Errors are CUDA's: ErrorInvalidDeviceFunction for a stub that no registration knows, and for a
/// kernel that was not ported; ErrorInvalidConfiguration for a grid or block outside the limits;
/// ErrorInvalidValue for too much shared memory; ErrorLaunchOutOfResources for a block that needs
/// more on-chip memory than there is. A port that fails otherwise while it runs gives Success here
/// and the sticky ErrorLaunchFailure from the next call on.
Error_t launchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                     Stream_t stream = 0);
/// The same for a grid of which all blocks are on the chip at the same time, as many as
/// occupancyMaxActiveBlocksPerMultiprocessor() says; more give ErrorCooperativeLaunchTooLarge.
Error_t launchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                size_t shared = 0, Stream_t stream = 0);

template <class... P>
Error_t launchKernel(void (*stub)(P...), dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                     Stream_t stream = 0) {
  return launchKernel(reinterpret_cast<const void *>(stub), grid, block, arguments, shared, stream);
}
template <class... P>
Error_t launchCooperativeKernel(void (*stub)(P...), dim3 grid, dim3 block, void **arguments,
                                size_t shared = 0, Stream_t stream = 0) {
  return launchCooperativeKernel(reinterpret_cast<const void *>(stub), grid, block, arguments,
                                 shared, stream);
}

/// What `stub<<<grid, block, shared, stream>>>(arguments...)` becomes. The arguments convert to the
/// parameter types as in a call, a literal 0 for a pointer and braced lists included.
template <class... P>
Error_t launch(void (*stub)(P...), dim3 grid, dim3 block, size_t shared, Stream_t stream,
               std::type_identity_t<P>... arguments) {
  void *addresses[sizeof...(P) + 1] = {
      const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(arguments)))...,
      nullptr};
  return launchKernel(reinterpret_cast<const void *>(stub), grid, block, addresses, shared, stream);
}

Error_t funcSetAttribute(const void *stub, FuncAttribute attribute, int value);
Error_t funcGetAttributes(FuncAttributes *attributes, const void *stub);
Error_t funcSetCacheConfig(const void *stub, FuncCache config);
Error_t funcSetSharedMemConfig(const void *stub, SharedMemConfig config);
/// How many blocks of this shape one of DeviceProp's multiprocessors would hold, by CUDA's rules.
Error_t occupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int block_size,
                                                  size_t dynamic_shared);
Error_t occupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size, const void *stub,
                                       size_t dynamic_shared, int block_size_limit);

template <class... P>
Error_t funcSetAttribute(void (*stub)(P...), FuncAttribute attribute, int value) {
  return funcSetAttribute(reinterpret_cast<const void *>(stub), attribute, value);
}
template <class... P> Error_t funcGetAttributes(FuncAttributes *attributes, void (*stub)(P...)) {
  return funcGetAttributes(attributes, reinterpret_cast<const void *>(stub));
}
template <class... P> Error_t funcSetCacheConfig(void (*stub)(P...), FuncCache config) {
  return funcSetCacheConfig(reinterpret_cast<const void *>(stub), config);
}
template <class... P> Error_t funcSetSharedMemConfig(void (*stub)(P...), SharedMemConfig config) {
  return funcSetSharedMemConfig(reinterpret_cast<const void *>(stub), config);
}
template <class... P>
Error_t occupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*stub)(P...), int block_size,
                                                  size_t dynamic_shared) {
  return occupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(stub),
                                                   block_size, dynamic_shared);
}
template <class... P>
Error_t occupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size, void (*stub)(P...),
                                       size_t dynamic_shared = 0, int block_size_limit = 0) {
  return occupancyMaxPotentialBlockSize(min_grid_size, block_size,
                                        reinterpret_cast<const void *>(stub), dynamic_shared,
                                        block_size_limit);
}

} // namespace neuronify
