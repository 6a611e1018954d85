// What Clang calls where a kernel launches a kernel. Such kernels are not ported; their file is.
#pragma once

extern "C" __device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
extern "C" __device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid,
                                                   dim3 block, unsigned shared,
                                                   cudaStream_t stream);
