// As much of CUDA as these kernels need, so that they compile without a toolkit or other headers.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

typedef unsigned long size_t;
typedef unsigned long long uint64;

struct Axes {
  unsigned x, y, z;
};
#define AXES(name, sreg)                                                                           \
  static __device__ inline Axes name() {                                                           \
    return {(unsigned)__nvvm_read_ptx_sreg_##sreg##_x(),                                           \
            (unsigned)__nvvm_read_ptx_sreg_##sreg##_y(),                                           \
            (unsigned)__nvvm_read_ptx_sreg_##sreg##_z()};                                          \
  }
AXES(threadAxes, tid)
AXES(blockAxes, ctaid)
AXES(blockSizeAxes, ntid)
AXES(gridAxes, nctaid)
#define threadIdx threadAxes()
#define blockIdx blockAxes()
#define blockDim blockSizeAxes()
#define gridDim gridAxes()

static __device__ inline int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

#define DOWN 0x1f
static __device__ inline int clampOf(int width, int clamp) { return (32 - width) << 8 | clamp; }
