// CUDA's words for where code and data live, as Clang's attributes.
#pragma once
#define __HOST_DEFINES_H__ // NVIDIA's guard, so that a toolkit's copy of this header adds nothing

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Device memory that host code may touch; the annotation tells it from a plain __device__ variable.
#define __managed__ __attribute__((device)) __attribute__((annotate("neuronify.managed")))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __maxnreg__(...) // a hint for code generation
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __device_builtin__
#define __cudart_builtin__
#define __nv_pure__ __attribute__((pure))
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
