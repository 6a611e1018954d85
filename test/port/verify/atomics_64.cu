// Atomic operations on 64-bit integers, in device and shared memory, with and without old values.
#include "upload.h"

#include <vector>

using u64 = unsigned long long;
using s64 = long long;

__global__ void one_number(u64 *w, s64 *s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&w[0], 1ull);
  atomicAdd(&w[1], u64(i) * 0x123456789ull);
  atomicMax(&w[2], u64(i % 37) << 33);
  atomicMin(&w[3], ~u64(i % 41) << 30);
  atomicOr(&w[4], 1ull << i % 64);
  atomicXor(&w[5], u64(i) << 20);
  atomicAnd(&w[6], ~(1ull << i % 64));
  atomicExch(&w[7], u64(i) << 40 | i);
  atomicCAS(&w[8], u64(i), u64(i) + 1);
  atomicMax(&s[0], s64(i % 37) * -5000000000ll);
  atomicMin(&s[1], s64(i % 37) * -5000000000ll);
}

__global__ void histogram(const int *keys, u64 *counts, u64 *found, int bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned key = unsigned(keys[i]) % unsigned(bins);
  atomicAdd(&counts[key], 0xffffffffull);
  found[i] = atomicAdd(&counts[bins + key], 1ull << 31);
  if (keys[i] > 0)
    atomicMax(&counts[2 * bins + key], u64(keys[i]) << 32 | unsigned(i));
}

// What one writes where there is no such function.
__device__ u64 atomic_max(u64 *p, u64 v) {
  u64 old = *p;
  while (v > old) {
    const u64 assumed = old;
    if ((old = atomicCAS(p, assumed, v)) == assumed)
      break;
  }
  return old;
}

__device__ int atomic_min(int *p, int v) {
  int old = *p, assumed;
  while (old > v) {
    assumed = old;
    old = atomicCAS(p, assumed, v);
    if (old == assumed)
      break;
  }
  return old;
}

__global__ void guarded(u64 *w, int *least, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomic_max(&w[0], u64(i) * 12345678901ull % 1000000007ull);
  atomic_max(&w[1 + i % 7], u64(i));
  atomic_min(&least[i % 3], -i);
}

// The position of the least value: both in one number.
__global__ void position_of_least(const float *x, u64 *least, int n) {
  __shared__ u64 block_least, sum;
  if (threadIdx.x == 0) {
    block_least = ~0ull;
    sum = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMin(&block_least, u64(__float_as_uint(x[i])) << 32 | unsigned(i));
    atomicAdd(&sum, u64(i) << 29);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicMin(&least[0], block_least);
    atomicAdd(&least[1], sum);
    least[2 + blockIdx.x] = sum;
  }
}

int main() {
  const int size = 2000;
  std::vector<int> keys(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    keys[i] = (i * 7919) % 1013 - 300;
    x[i] = float((i + 1) * 31 % 229) * 0.125f + 2.0f;
  }
  int *d_keys = upload(keys);
  float *d_x = upload(x);
  u64 *d_w = upload(std::vector<u64>(size, 0x80000000ull)),
      *d_found = upload(std::vector<u64>(size));
  s64 *d_s = upload(std::vector<s64>(2, -7));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 512, 1000}};
  for (const auto &c : cases) {
    one_number<<<c.blocks, c.threads>>>(d_w, d_s, c.n);
    for (int bins : {1, 16, 255})
      histogram<<<c.blocks, c.threads>>>(d_keys, d_w, d_found, bins, c.n);
    guarded<<<c.blocks, c.threads>>>(d_w, d_keys, c.n);
    position_of_least<<<c.blocks, c.threads>>>(d_x, d_w, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
