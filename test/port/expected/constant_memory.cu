// A table in constant memory and a variable of the device.
#include <cuda_runtime.h>

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ int calls;

__global__ void smooth(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n)
    y[i] = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
  if (i == 0)
    calls = calls + 1;
}

int run(const float *x, float *y, int n, const float *other) {
  cudaMemcpyToSymbol(weights, other, sizeof(weights));
  smooth<<<(n + 127) / 128, 128>>>(x, y, n);
  int count;
  cudaMemcpyFromSymbol(&count, calls, sizeof(count));
  return count;
}
