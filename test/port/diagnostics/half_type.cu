// Vectors of Clang's own, parameters of a built-in 16-bit type and other atomic operations on 16
// bits stop a kernel.
#include <cuda_fp16.h>

typedef _Float16 pair __attribute__((ext_vector_type(2)));

__global__ void vectors(const pair *a, pair *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + out[i]; // expect: NFY4009
}

__global__ void scaled(_Float16 scale, __half *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __half(scale) * out[i]; // expect: NFY4009
}

__global__ void swaps(const __half *a, unsigned short *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    __atomic_fetch_or(&out[i % 7], __half_as_ushort(a[i]), __ATOMIC_RELAXED); // expect: NFY4002
}

__global__ void good(const __half *a, __half *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + __half(1.0f);
}

int main() {
  __half *a = nullptr;
  cudaMalloc(&a, 400);
  cudaMemset(a, 0, 400);
  vectors<<<1, 32>>>((const pair *)a, (pair *)a, 10);
  scaled<<<1, 32>>>((_Float16)2, a, 10);
  swaps<<<1, 32>>>(a, (unsigned short *)(a + 100), 32);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
