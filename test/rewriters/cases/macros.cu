#include "cuda_runtime.h"
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error = call;                                                                      \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s\n", cudaGetErrorString(error));                                          \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + BLOCK - 1) / BLOCK, BLOCK>>>(__VA_ARGS__)
#define BLOCK 64
#define RUN(statement) statement; CHECK(cudaGetLastError())
#define UNUSED_HERE(p, n) cudaMemset(p, 0, n)
#define HD __host__ __device__
#define DEVICE_ONLY __device__ __forceinline__

DEVICE_ONLY float twice(float x) { return 2 * x; }
HD inline float half(float x) { return x / 2; }

__global__ void double_all(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = twice(half(x[i]));
}
template <typename T, typename U> __global__ void copy(T *x, U *y) { *x = *y; }
__global__ void nothing() {}

#define DEFINE_KERNEL(name, op)                                                                    \
  __global__ void name(float *x, int n) {                                                          \
    int i = threadIdx.x;                                                                           \
    if (i < n)                                                                                     \
      x[i] = x[i] op 2;                                                                            \
  }
DEFINE_KERNEL(add_two, +)
DEFINE_KERNEL(times_two, *)

int main() {
  float *x, *y;
  CHECK(cudaMalloc(&x, 4 * BLOCK));
  CHECK(cudaMalloc(&y, sizeof(float) * BLOCK));
  LAUNCH(double_all, BLOCK, x, BLOCK);
  LAUNCH(copy, 1, x, y);
  LAUNCH(nothing, 1);
  RUN((double_all<<<1, BLOCK>>>(x, BLOCK)));
  RUN((add_two<<<1, BLOCK>>>(x, 3)));
  times_two<<<1, BLOCK>>>(x, int(half(3)));
  CHECK(cudaDeviceSynchronize());
}
