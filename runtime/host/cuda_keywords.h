// CUDA's function and variable markers, empty: host code keeps them where they say nothing to a
// host compiler. `__noinline__` is not among them, because the standard library's headers use that
// word inside attributes.
#pragma once

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))

// Calling conventions, as in `void CUDART_CB done(void *)`.
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

// The version that the original was read with (rewriters/frontend/include/cuda_version.h), so that
// the port compiles the branches of `#if CUDART_VERSION >= ...` that were rewritten.
#define CUDA_VERSION 12080
#define CUDART_VERSION CUDA_VERSION
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
