// A program that includes everything inside of extern "C", as C programs that became CUDA do.
extern "C" {
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

__global__ void scaled(const float *x, float *out, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = by * x[i];
}

static void run(int n) {
  float *x = (float *)malloc(n * sizeof(float)), *d_x, *d_out;
  for (int i = 0; i < n; ++i)
    x[i] = i * 0.5f - 3.0f;
  cudaMalloc((void **)&d_x, n * sizeof(float));
  cudaMalloc((void **)&d_out, n * sizeof(float));
  cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
  scaled<<<(n + 63) / 64, 64>>>(d_x, d_out, -1.5f, n);
  cudaMemcpy(x, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d: %g\n", n, x[n - 1]);
  cudaFree(d_x);
  cudaFree(d_out);
  free(x);
}
}

int main() {
  for (int n : {1, 65, 1000})
    run(n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
