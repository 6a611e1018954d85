// Macros of a program that are named like functions of the port.
#include <cuda_runtime.h>

#include <cstdlib>

static int allocated = 0;
#define malloc(size) (++allocated, malloc(size))
#define free(pointer) (--allocated, free(pointer))
#define memset(pointer, value) own_memset(pointer, value, sizeof(*(pointer)))

static void own_memset(void *pointer, int value, size_t size) {
  for (size_t i = 0; i < size; ++i)
    static_cast<char *>(pointer)[i] = static_cast<char>(value);
}

__global__ void twice(const float *x, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2.0f * x[i];
}

int main() {
  const int n = 777;
  float *x = static_cast<float *>(malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    memset(&x[i], i % 64);
  float *d_x, *d_out;
  cudaMalloc((void **)&d_x, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemset(d_out, 0, n * sizeof(float));
  cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<(n + 127) / 128, 128>>>(d_x, d_out, n);
  cudaFree(d_x);
  cudaFree(d_out);
  free(x);
  return cudaDeviceSynchronize() != cudaSuccess || allocated != 0;
}
