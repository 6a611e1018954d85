// Host code: macros around calls and launches, events, errors.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));          \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)

__global__ void fill(float *x, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value;
}

int main() {
  const int n = 1000;
  float *x, host[n], milliseconds;
  cudaEvent_t start, stop;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, 0));
  LAUNCH(fill, n, x, 1.0f, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%g after %g ms\n", host[n - 1], milliseconds);
  CHECK(cudaFree(x));
  return 0;
}
