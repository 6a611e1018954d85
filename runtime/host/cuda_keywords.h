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
