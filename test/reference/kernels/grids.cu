// Kernels whose blocks wait for each other.
#include "device.h"

extern "C" {
__device__ void __neuronify_grid_sync();

// Every block reads what all the others wrote before, in shared memory of its own and in global.
__global__ void around(int *values, int *out, int rounds) {
  __shared__ int kept[4];
  const int i = globalThread(), n = gridDim.x * blockDim.x;
  kept[threadIdx.x] = i;
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    values[i] = 10 * r + i;
    __neuronify_grid_sync();
    sum += values[(i + blockDim.x) % n];
    __neuronify_grid_sync();
  }
  out[i] = 1000 * kept[blockDim.x - 1 - threadIdx.x] + sum;
}

__global__ void some_return(int *out, int threads, int blocks) {
  if (threadIdx.x >= threads || blockIdx.x >= blocks)
    return;
  __neuronify_grid_sync();
  out[globalThread()] = 1;
}
}
