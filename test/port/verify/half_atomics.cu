// atomicAdd on 16-bit floats and pairs: one word for all, a few, one for each, places from data,
// shared memory, old values; sums that are rounded at every step.
#include "upload.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

template <class T> __global__ void sums(const T *x, T *one, T *few, T *each, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(one, x[i]);
  atomicAdd(&few[i % 7], x[i]);
  atomicAdd(&each[i], T(0.1f));
}

template <class T> __global__ void found(const T *x, const int *where, T *table, T *old, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && where[i] % 3)
    old[i] = atomicAdd(&table[where[i]], x[i]) * T(2.0f);
}

template <class T> __global__ void in_blocks(const T *x, T *y, int n) {
  __shared__ T s[5];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 5)
    s[threadIdx.x] = T(1.0f);
  __syncthreads();
  if (i < n)
    atomicAdd(&s[threadIdx.x % 5], x[i]);
  __syncthreads();
  if (threadIdx.x < 5)
    y[5 * blockIdx.x + threadIdx.x] = s[threadIdx.x];
}

template <class P> __global__ void of_pairs(const P *x, P *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&y[i % 3], x[i]);
}

template <class T, class P> void test() {
  const int size = 700;
  std::vector<T> x(size);
  std::vector<int> where(size);
  for (int i = 0; i < size; ++i) {
    x[i] = T(float(i * 37 % 101) / 8.0f - 4.0f);
    where[i] = i * 7919 % 13;
  }
  T *dx = upload(x), *one = upload(std::vector<T>(1, T(0.5f)));
  T *few = upload(std::vector<T>(13, T(1.5f))), *each = upload(x), *old = upload(x);
  int *dw = upload(where);
  for (int n : {1, 40, 129, size}) {
    sums<<<(n + 31) / 32, 32>>>(dx, one, few, each, n);
    in_blocks<<<(n + 40) / 41, 41>>>(dx, old, n);
    of_pairs<<<(n / 2 + 13) / 13, 13>>>((const P *)dx, (P *)few, n / 2);
  }
  found<<<4, 50>>>(dx, dw, few, old, 190);
}

int main() {
  test<__half, __half2>();
  test<__nv_bfloat16, __nv_bfloat162>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
