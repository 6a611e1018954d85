// threadIdx and its like as plain values. Clang declares the variables and these conversions; it
// leaves the definitions to whoever defines uint3 and dim3.
#pragma once

#define NEURONIFY_COORDINATES(type)                                                                \
  __device__ inline type::operator dim3() const { return dim3(x, y, z); }                          \
  __device__ inline type::operator uint3() const { return {x, y, z}; }

NEURONIFY_COORDINATES(__cuda_builtin_threadIdx_t)
NEURONIFY_COORDINATES(__cuda_builtin_blockIdx_t)
NEURONIFY_COORDINATES(__cuda_builtin_blockDim_t)
NEURONIFY_COORDINATES(__cuda_builtin_gridDim_t)

#undef NEURONIFY_COORDINATES
