// SAXPY.
#include <cuda_runtime.h>
#include <cstdio>

/// y = a x + y
__global__ void saxpy(int n, float a, const float *x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main() {
  float *x, *y;
  if (cudaMalloc(&x, 400) != cudaSuccess)
    return 1;
  cudaMalloc((void **)&y, 400);
  saxpy<<<(100 + 31) / 32, 32>>>(100, 2.0f, x, y);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(x);
}
