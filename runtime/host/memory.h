// Host API: device memory, copies and fills. Names are CUDA's without the prefix `cuda`.
//
// All memory of the API lives in one arena of host memory, so an address means the same to host
// code, to the reference and to the port; what CUDA would reject (a host address where a device
// address is due) is rejected all the same. Device memory is filled with 0x7FFD7FFD when it is
// allocated: NaN as fp16, bf16, fp32 and fp64, and easy to recognise as an integer.
//
// Copies run when they are called, also the asynchronous ones. That is a legal order of every
// program, because streams run in order and nothing on the device can wait for the host.
#pragma once

#include "host/error.h"
#include "host/types.h"

#include <cstddef>

namespace neuronify {

/// ErrorInvalidValue for a null `pointer`; ErrorMemoryAllocation where the arena has no room.
/// A size of 0 gives a null pointer and Success.
Error_t malloc(void **pointer, size_t size);
/// Null is fine. ErrorInvalidValue where `pointer` is not the start of a live device allocation.
Error_t free(void *pointer);
Error_t mallocAsync(void **pointer, size_t size, Stream_t stream);
Error_t freeAsync(void *pointer, Stream_t stream);
/// Memory that host code and kernels both address.
Error_t mallocManaged(void **pointer, size_t size, unsigned flags = MemAttachGlobal);
Error_t mallocHost(void **pointer, size_t size, unsigned flags = HostAllocDefault);
Error_t hostAlloc(void **pointer, size_t size, unsigned flags);
Error_t freeHost(void *pointer);
Error_t hostRegister(void *pointer, size_t size, unsigned flags);
Error_t hostUnregister(void *pointer);
/// Only memory of mallocHost and hostAlloc is visible to kernels; for registered memory
/// ErrorNotSupported.
Error_t hostGetDevicePointer(void **device, void *host, unsigned flags);
Error_t hostGetFlags(unsigned *flags, void *host);
/// Rows of `width` bytes, each at a multiple of `*pitch` = width rounded up to 512 bytes.
Error_t mallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
Error_t malloc3D(PitchedPtr *pointer, Extent extent);

/// ErrorInvalidValue where an operand is on the wrong side for `kind`, or reaches past the end of
/// its allocation.
Error_t memcpy(void *dst, const void *src, size_t count, MemcpyKind kind);
Error_t memcpyAsync(void *dst, const void *src, size_t count, MemcpyKind kind, Stream_t stream = 0);
Error_t memcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                 size_t height, MemcpyKind kind);
Error_t memcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                      size_t height, MemcpyKind kind, Stream_t stream = 0);
Error_t memcpy3D(const Memcpy3DParms *parms);
Error_t memcpy3DAsync(const Memcpy3DParms *parms, Stream_t stream = 0);
Error_t memcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t count);
Error_t memcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t count,
                        Stream_t stream = 0);
Error_t memset(void *pointer, int value, size_t count);
Error_t memsetAsync(void *pointer, int value, size_t count, Stream_t stream = 0);
Error_t memset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
Error_t memset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                      Stream_t stream = 0);

Error_t memGetInfo(size_t *free, size_t *total);
/// Hints: checked and otherwise without effect, since there is one memory.
Error_t memPrefetchAsync(const void *pointer, size_t count, int device, Stream_t stream = 0);
Error_t memAdvise(const void *pointer, size_t count, MemoryAdvise advice, int device);
Error_t pointerGetAttributes(PointerAttributes *attributes, const void *pointer);

// The typed forms that CUDA's C++ header adds.
template <class T> Error_t malloc(T **pointer, size_t size) {
  return malloc(reinterpret_cast<void **>(pointer), size);
}
template <class T> Error_t mallocAsync(T **pointer, size_t size, Stream_t stream) {
  return mallocAsync(reinterpret_cast<void **>(pointer), size, stream);
}
template <class T>
Error_t mallocManaged(T **pointer, size_t size, unsigned flags = MemAttachGlobal) {
  return mallocManaged(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> Error_t mallocHost(T **pointer, size_t size, unsigned flags = HostAllocDefault) {
  return mallocHost(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> Error_t hostAlloc(T **pointer, size_t size, unsigned flags) {
  return hostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> Error_t hostGetDevicePointer(T **device, void *host, unsigned flags) {
  return hostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
template <class T> Error_t mallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return mallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}

} // namespace neuronify
