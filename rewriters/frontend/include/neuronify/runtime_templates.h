// The typed forms of the runtime API that nvcc's cuda_runtime.h adds in C++.
#pragma once

#include "texture_reference.h"

#define NEURONIFY_TYPED template <class T> static __inline__ __host__ cudaError_t

NEURONIFY_TYPED cudaMallocHost(T **p, size_t size, unsigned int flags = 0) {
  return cudaHostAlloc((void **)(void *)p, size, flags);
}
NEURONIFY_TYPED cudaHostAlloc(T **p, size_t size, unsigned int flags) {
  return cudaHostAlloc((void **)(void *)p, size, flags);
}
NEURONIFY_TYPED cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
NEURONIFY_TYPED cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)p, size, flags);
}
template <class T>
static __inline__ __host__ __device__ cudaError_t cudaMalloc(T **p, size_t size) {
  return cudaMalloc((void **)(void *)p, size);
}
NEURONIFY_TYPED cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)(void *)p, pitch, width, height);
}
NEURONIFY_TYPED cudaMallocAsync(T **p, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void **)(void *)p, size, stream);
}
NEURONIFY_TYPED cudaMallocFromPoolAsync(T **p, size_t size, cudaMemPool_t pool,
                                        cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}
NEURONIFY_TYPED cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t length = 0,
                                         unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void *)p, length, flags);
}
static __inline__ __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

NEURONIFY_TYPED cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size,
                                   size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
NEURONIFY_TYPED cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size,
                                        size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                        cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
NEURONIFY_TYPED cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
NEURONIFY_TYPED cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                          cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
NEURONIFY_TYPED cudaGetSymbolAddress(void **p, const T &symbol) {
  return cudaGetSymbolAddress(p, (const void *)&symbol);
}
NEURONIFY_TYPED cudaGetSymbolAddress(T **p, const T &symbol) {
  return cudaGetSymbolAddress((void **)(void *)p, (const void *)&symbol);
}
NEURONIFY_TYPED cudaGetSymbolSize(size_t *size, const T &symbol) {
  return cudaGetSymbolSize(size, (const void *)&symbol);
}

NEURONIFY_TYPED cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                 size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, arguments, shared, stream);
}
NEURONIFY_TYPED cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                            size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                     stream);
}
template <class... Parameters, class... Arguments>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                          void (*kernel)(Parameters...),
                                                          Arguments &&...arguments) {
  return [&](Parameters... values) {
    void *addresses[] = {(void *)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
  }(static_cast<Arguments &&>(arguments)...);
}
NEURONIFY_TYPED cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
NEURONIFY_TYPED cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)function, config);
}
NEURONIFY_TYPED cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function) {
  return cudaFuncGetAttributes(attributes, (const void *)function);
}
NEURONIFY_TYPED cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void *)function, attribute, value);
}
NEURONIFY_TYPED cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function,
                                                              int block_size, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                       shared);
}
template <class Size, class T>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                    T function, Size shared_size,
                                                                    int limit = 0);
template <class T>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function,
                                                        size_t shared = 0, int limit = 0);
NEURONIFY_TYPED cudaGraphInstantiate(cudaGraphExec_t *exec, T graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
NEURONIFY_TYPED cudaGraphInstantiate(cudaGraphExec_t *exec, T graph, cudaGraphNode_t *, char *,
                                     size_t) {
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

NEURONIFY_TYPED cudaGetTextureReference(const struct textureReference **texture, const T &symbol) {
  return cudaGetTextureReference(texture, (const void *)&symbol);
}

#undef NEURONIFY_TYPED

template <class T> __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc();

// Texture and surface references by their own types.
#define NEURONIFY_BIND                                                                             \
  template <class T, int dimensions, enum cudaTextureReadMode mode>                                \
  static __inline__ __host__ cudaError_t
NEURONIFY_BIND cudaBindTexture(size_t *offset, const texture<T, dimensions, mode> &reference,
                               const void *p, const struct cudaChannelFormatDesc &desc,
                               size_t size = UINT_MAX) {
  return cudaBindTexture(offset, &reference, p, &desc, size);
}
NEURONIFY_BIND cudaBindTexture(size_t *offset, const texture<T, dimensions, mode> &reference,
                               const void *p, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, &reference, p, &reference.channelDesc, size);
}
NEURONIFY_BIND cudaBindTexture2D(size_t *offset, const texture<T, dimensions, mode> &reference,
                                 const void *p, const struct cudaChannelFormatDesc &desc,
                                 size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &reference, p, &desc, width, height, pitch);
}
NEURONIFY_BIND cudaBindTexture2D(size_t *offset, const texture<T, dimensions, mode> &reference,
                                 const void *p, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &reference, p, &reference.channelDesc, width, height, pitch);
}
NEURONIFY_BIND cudaBindTextureToArray(const texture<T, dimensions, mode> &reference,
                                      cudaArray_const_t array,
                                      const struct cudaChannelFormatDesc &desc) {
  return cudaBindTextureToArray(&reference, array, &desc);
}
NEURONIFY_BIND cudaBindTextureToArray(const texture<T, dimensions, mode> &reference,
                                      cudaArray_const_t array) {
  return cudaBindTextureToArray(&reference, array, nullptr);
}
NEURONIFY_BIND cudaUnbindTexture(const texture<T, dimensions, mode> &reference) {
  return cudaUnbindTexture(&reference);
}
NEURONIFY_BIND cudaGetTextureAlignmentOffset(size_t *offset,
                                             const texture<T, dimensions, mode> &reference) {
  return cudaGetTextureAlignmentOffset(offset, &reference);
}
#undef NEURONIFY_BIND
template <class T, int dimensions>
static __inline__ __host__ cudaError_t
cudaBindSurfaceToArray(const surface<T, dimensions> &reference, cudaArray_const_t array) {
  return cudaBindSurfaceToArray(&reference, array, nullptr);
}
template <class T, int dimensions>
static __inline__ __host__ cudaError_t
cudaBindSurfaceToArray(const surface<T, dimensions> &reference, cudaArray_const_t array,
                       const struct cudaChannelFormatDesc &desc) {
  return cudaBindSurfaceToArray(&reference, array, &desc);
}
