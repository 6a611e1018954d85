// Functions of the CUDA runtime API. Declarations only: ported code calls neuronify's runtime.
#pragma once
#define __CUDA_RUNTIME_API_H__ // NVIDIA's guard, so that a toolkit's copy of this header adds
                               // nothing

#include "cuda_version.h"
#include "driver_types.h"
#include "vector_types.h"

#define NEURONIFY_API extern __host__ cudaError_t
// Callable from device code too, as CUDA's device runtime allows.
#define NEURONIFY_DEVICE_API extern __host__ __device__ cudaError_t

extern "C" {

// Devices
NEURONIFY_API cudaDeviceReset();
NEURONIFY_DEVICE_API cudaDeviceSynchronize();
NEURONIFY_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
NEURONIFY_DEVICE_API cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
NEURONIFY_DEVICE_API cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
NEURONIFY_API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
NEURONIFY_DEVICE_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
NEURONIFY_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
NEURONIFY_API cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
NEURONIFY_API cudaDeviceGetByPCIBusId(int *device, const char *id);
NEURONIFY_API cudaDeviceGetPCIBusId(char *id, int length, int device);
NEURONIFY_API cudaDeviceCanAccessPeer(int *can, int device, int peer);
NEURONIFY_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
NEURONIFY_API cudaDeviceDisablePeerAccess(int peer);
NEURONIFY_API cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
NEURONIFY_API cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
NEURONIFY_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
NEURONIFY_API cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
NEURONIFY_API cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
NEURONIFY_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
NEURONIFY_DEVICE_API cudaGetDeviceCount(int *count);
NEURONIFY_API cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
NEURONIFY_DEVICE_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
NEURONIFY_API cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
NEURONIFY_API cudaSetDevice(int device);
NEURONIFY_DEVICE_API cudaGetDevice(int *device);
NEURONIFY_API cudaSetDeviceFlags(unsigned int flags);
NEURONIFY_API cudaGetDeviceFlags(unsigned int *flags);
NEURONIFY_API cudaSetValidDevices(int *devices, int length);
NEURONIFY_API cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
NEURONIFY_API cudaThreadSynchronize();
NEURONIFY_API cudaThreadExit();
NEURONIFY_API cudaThreadSetCacheConfig(enum cudaFuncCache config);
NEURONIFY_API cudaThreadSetLimit(enum cudaLimit limit, size_t value);
NEURONIFY_API cudaCtxResetPersistingL2Cache();

// Errors and versions
NEURONIFY_DEVICE_API cudaGetLastError();
NEURONIFY_DEVICE_API cudaPeekAtLastError();
extern __host__ __device__ const char *cudaGetErrorName(cudaError_t error);
extern __host__ __device__ const char *cudaGetErrorString(cudaError_t error);
NEURONIFY_API cudaDriverGetVersion(int *version);
NEURONIFY_DEVICE_API cudaRuntimeGetVersion(int *version);

// Streams
NEURONIFY_API cudaStreamCreate(cudaStream_t *stream);
NEURONIFY_DEVICE_API cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
NEURONIFY_API cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
NEURONIFY_API cudaStreamGetPriority(cudaStream_t stream, int *priority);
NEURONIFY_API cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
NEURONIFY_DEVICE_API cudaStreamDestroy(cudaStream_t stream);
NEURONIFY_DEVICE_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                         unsigned int flags = 0);
NEURONIFY_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                    unsigned int flags);
NEURONIFY_API cudaStreamSynchronize(cudaStream_t stream);
NEURONIFY_API cudaStreamQuery(cudaStream_t stream);
NEURONIFY_API cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t length = 0,
                                       unsigned int flags = cudaMemAttachSingle);
NEURONIFY_API cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
NEURONIFY_API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
NEURONIFY_API cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
NEURONIFY_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);

// Events
NEURONIFY_API cudaEventCreate(cudaEvent_t *event);
NEURONIFY_DEVICE_API cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
NEURONIFY_DEVICE_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
NEURONIFY_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0,
                                       unsigned int flags = 0);
NEURONIFY_API cudaEventQuery(cudaEvent_t event);
NEURONIFY_API cudaEventSynchronize(cudaEvent_t event);
NEURONIFY_DEVICE_API cudaEventDestroy(cudaEvent_t event);
NEURONIFY_API cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

// Launches
extern __host__ unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                     struct CUstream_st *stream = 0);
NEURONIFY_API __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
NEURONIFY_API cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);
NEURONIFY_API cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                  void **arguments);
NEURONIFY_API cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                          void **arguments, size_t shared, cudaStream_t stream);
NEURONIFY_API cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
NEURONIFY_API cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
NEURONIFY_DEVICE_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                           const void *function);
NEURONIFY_API cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                   int value);
NEURONIFY_DEVICE_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                   const void *function,
                                                                   int block_size, size_t shared);
NEURONIFY_DEVICE_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t shared, unsigned int flags);

// Allocation
NEURONIFY_DEVICE_API cudaMalloc(void **p, size_t size);
NEURONIFY_API cudaMallocHost(void **p, size_t size);
NEURONIFY_API cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
NEURONIFY_API cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              size_t width, size_t height = 0, unsigned int flags = 0);
NEURONIFY_API cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
NEURONIFY_API cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                struct cudaExtent extent, unsigned int flags = 0);
NEURONIFY_API cudaMallocManaged(void **p, size_t size, unsigned int flags = cudaMemAttachGlobal);
NEURONIFY_API cudaMallocAsync(void **p, size_t size, cudaStream_t stream);
NEURONIFY_API cudaMallocFromPoolAsync(void **p, size_t size, cudaMemPool_t pool,
                                      cudaStream_t stream);
NEURONIFY_DEVICE_API cudaFree(void *p);
NEURONIFY_API cudaFreeAsync(void *p, cudaStream_t stream);
NEURONIFY_API cudaFreeHost(void *p);
NEURONIFY_API cudaFreeArray(cudaArray_t array);
NEURONIFY_API cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                               unsigned int *flags, cudaArray_t array);
NEURONIFY_API cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                       const struct cudaChannelFormatDesc *desc,
                                       struct cudaExtent extent, unsigned int levels,
                                       unsigned int flags = 0);
NEURONIFY_API cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array,
                                         unsigned int number);
NEURONIFY_API cudaFreeMipmappedArray(cudaMipmappedArray_t array);
NEURONIFY_API cudaHostAlloc(void **p, size_t size, unsigned int flags);
NEURONIFY_API cudaHostRegister(void *p, size_t size, unsigned int flags);
NEURONIFY_API cudaHostUnregister(void *p);
NEURONIFY_API cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
NEURONIFY_API cudaHostGetFlags(unsigned int *flags, void *p);
NEURONIFY_API cudaMemGetInfo(size_t *free, size_t *total);
NEURONIFY_API cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p);

// Copies
NEURONIFY_API cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
NEURONIFY_DEVICE_API cudaMemcpyAsync(void *to, const void *from, size_t size,
                                     enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                             size_t size);
NEURONIFY_API cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                  size_t size, cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind);
NEURONIFY_DEVICE_API cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
NEURONIFY_DEVICE_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                                       cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                enum cudaMemcpyKind kind);
NEURONIFY_API cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                  enum cudaMemcpyKind kind);
NEURONIFY_API cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                  size_t from_pitch, size_t width, size_t height,
                                  enum cudaMemcpyKind kind);
NEURONIFY_API cudaMemcpy2DFromArray(void *to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                    size_t y, size_t width, size_t height,
                                    enum cudaMemcpyKind kind);
NEURONIFY_API cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t size, enum cudaMemcpyKind kind,
                                     cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                       size_t size, enum cudaMemcpyKind kind,
                                       cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpy2DFromArrayAsync(void *to, size_t to_pitch, cudaArray_const_t from,
                                         size_t x, size_t y, size_t width, size_t height,
                                         enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t size,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
NEURONIFY_API cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                       cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height,
                                       enum cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
NEURONIFY_API cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size,
                                 size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
NEURONIFY_API cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream = 0);
NEURONIFY_API cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
NEURONIFY_API cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                        enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NEURONIFY_API cudaGetSymbolAddress(void **p, const void *symbol);
NEURONIFY_API cudaGetSymbolSize(size_t *size, const void *symbol);
NEURONIFY_API cudaMemset(void *p, int value, size_t size);
NEURONIFY_DEVICE_API cudaMemsetAsync(void *p, int value, size_t size, cudaStream_t stream = 0);
NEURONIFY_API cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
NEURONIFY_DEVICE_API cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                                       size_t height, cudaStream_t stream = 0);
NEURONIFY_API cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent);
NEURONIFY_API cudaMemPrefetchAsync(const void *p, size_t size, int device, cudaStream_t stream = 0);
NEURONIFY_API cudaMemAdvise(const void *p, size_t size, enum cudaMemoryAdvise advice, int device);

// Graphs
NEURONIFY_API cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
NEURONIFY_API cudaGraphDestroy(cudaGraph_t graph);
NEURONIFY_API cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     const struct cudaKernelNodeParams *parameters);
NEURONIFY_API cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     const struct cudaMemcpy3DParms *parameters);
NEURONIFY_API cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     const struct cudaMemsetParams *parameters);
NEURONIFY_API cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const struct cudaHostNodeParams *parameters);
NEURONIFY_API cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
NEURONIFY_API cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                            unsigned long long flags = 0);
NEURONIFY_DEVICE_API cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
NEURONIFY_API cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
NEURONIFY_API cudaGraphExecDestroy(cudaGraphExec_t exec);

// Arrays, textures and surfaces
extern __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                   enum cudaChannelFormatKind kind);
NEURONIFY_API cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
NEURONIFY_API cudaCreateTextureObject(cudaTextureObject_t *texture,
                                      const struct cudaResourceDesc *resource,
                                      const struct cudaTextureDesc *desc,
                                      const struct cudaResourceViewDesc *view);
NEURONIFY_API cudaDestroyTextureObject(cudaTextureObject_t texture);
NEURONIFY_API cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                      const struct cudaResourceDesc *resource);
NEURONIFY_API cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
NEURONIFY_API cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                               cudaTextureObject_t texture);
NEURONIFY_API cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                              cudaTextureObject_t texture);
NEURONIFY_API cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                   cudaTextureObject_t texture);
NEURONIFY_API cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                               cudaSurfaceObject_t surface);
NEURONIFY_API cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *p,
                              const struct cudaChannelFormatDesc *desc, size_t size = UINT_MAX);
NEURONIFY_API cudaBindTexture2D(size_t *offset, const struct textureReference *texture,
                                const void *p, const struct cudaChannelFormatDesc *desc,
                                size_t width, size_t height, size_t pitch);
NEURONIFY_API cudaBindTextureToArray(const struct textureReference *texture,
                                     cudaArray_const_t array,
                                     const struct cudaChannelFormatDesc *desc);
NEURONIFY_API cudaBindTextureToMipmappedArray(const struct textureReference *texture,
                                              cudaMipmappedArray_const_t array,
                                              const struct cudaChannelFormatDesc *desc);
NEURONIFY_API cudaUnbindTexture(const struct textureReference *texture);
NEURONIFY_API cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture);
NEURONIFY_API cudaGetTextureReference(const struct textureReference **texture, const void *symbol);
NEURONIFY_API cudaBindSurfaceToArray(const struct surfaceReference *surface,
                                     cudaArray_const_t array,
                                     const struct cudaChannelFormatDesc *desc);
NEURONIFY_API cudaGetSurfaceReference(const struct surfaceReference **surface, const void *symbol);

// Other processes and profilers
NEURONIFY_API cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *p);
NEURONIFY_API cudaIpcOpenMemHandle(void **p, cudaIpcMemHandle_t handle, unsigned int flags);
NEURONIFY_API cudaIpcCloseMemHandle(void *p);
NEURONIFY_API cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
NEURONIFY_API cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
NEURONIFY_API cudaProfilerStart();
NEURONIFY_API cudaProfilerStop();

} // extern "C"

static inline __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch,
                                                                 size_t width, size_t height) {
  return {p, pitch, width, height};
}
static inline __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
static inline __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height,
                                                         size_t depth) {
  return {width, height, depth};
}

#undef NEURONIFY_DEVICE_API
#undef NEURONIFY_API
