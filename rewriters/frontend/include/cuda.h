// The CUDA driver API: the types that programs share with the runtime API, and what is needed to
// ask for devices. Modules and launches of the driver API are not declared.
#pragma once
#define __cuda_cuda_h__ // NVIDIA's guard, so that a toolkit's copy of this header adds nothing

#include "cuda_version.h"
#include "driver_types.h"

#include <stddef.h>
#include <stdint.h>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUtexObject;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
} CUdevice_attribute;

extern "C" {
extern __host__ CUresult cuInit(unsigned int flags);
extern __host__ CUresult cuDriverGetVersion(int *version);
extern __host__ CUresult cuDeviceGet(CUdevice *device, int ordinal);
extern __host__ CUresult cuDeviceGetCount(int *count);
extern __host__ CUresult cuDeviceGetName(char *name, int length, CUdevice device);
extern __host__ CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                              CUdevice device);
extern __host__ CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
extern __host__ CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
extern __host__ CUresult cuCtxDestroy(CUcontext context);
extern __host__ CUresult cuCtxGetCurrent(CUcontext *context);
extern __host__ CUresult cuCtxSetCurrent(CUcontext context);
extern __host__ CUresult cuCtxSynchronize();
extern __host__ CUresult cuGetErrorString(CUresult error, const char **text);
extern __host__ CUresult cuGetErrorName(CUresult error, const char **text);
extern __host__ CUresult cuMemGetInfo(size_t *free, size_t *total);
extern __host__ CUresult cuMemAlloc(CUdeviceptr *p, size_t size);
extern __host__ CUresult cuMemFree(CUdeviceptr p);
extern __host__ CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size);
extern __host__ CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size);
extern __host__ CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size);
}
