// Loops around atomicCAS: those that are one operation, those that stay loops, locks that are given
// back in the round that took them, and the order in which threads come.
#include "upload.h"

#include <vector>

__device__ float atomic_max(float *p, float v) {
  int *word = reinterpret_cast<int *>(p), old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__device__ float atomic_min(float *p, float v) {
  int *word = reinterpret_cast<int *>(p), old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(fminf(v, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__device__ float atomic_sum(float *p, float v) {
  unsigned *word = reinterpret_cast<unsigned *>(p), old = *word, assumed;
  while (true) {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_uint(__uint_as_float(assumed) - v));
    if (assumed == old)
      break;
  }
  return __uint_as_float(old);
}

// No operation of its own: rounds, one success per word in each.
__device__ float atomic_product(float *p, float v) {
  int *word = reinterpret_cast<int *>(p), old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(v * __int_as_float(assumed)));
  } while (assumed != old);
  return __int_as_float(old);
}

// Ends early for values that change nothing.
__device__ void atomic_max_early(float *p, float v) {
  int *word = reinterpret_cast<int *>(p), old = *word, assumed;
  while (v > __int_as_float(old)) {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(v));
    if (assumed == old)
      break;
  }
}

__global__ void extremes(float *out, const float *x, const int *keys, float *found, int bins,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int key = keys[i] % bins;
  atomic_max(&out[0], x[i]);
  atomic_min(&out[1], x[i]);
  atomic_max_early(&out[2], x[i]);
  atomic_max(&out[3 + key], x[i]);
  atomic_max_early(&out[3 + bins + key], x[i]);
  found[i] =
      atomic_sum(&out[3 + 2 * bins + key], x[i]) + atomic_min(&out[3 + 3 * bins + key], x[i]);
}

__global__ void products(float *out, const float *x, const int *keys, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomic_product(&out[keys[i] % 97], 1.0f + x[i] * 0.0625f);
}

__global__ void shared_extremes(float *out, const float *x, int n) {
  __shared__ float high, low[3];
  if (threadIdx.x == 0)
    high = -1000.0f;
  for (int k = threadIdx.x; k < 3; k += blockDim.x)
    low[k] = 1000.0f;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomic_max(&high, x[i]);
    atomic_min(&low[i % 3], x[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = high + low[0] - low[1] * 2 + low[2];
}

// A hash table with open addressing: the first thread with a key takes a place, others find it.
__global__ void insert(const int *keys, int *table, int *counts, int size, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int key = keys[i] + 1;
  int slot = key * 31 % size;
  while (true) {
    const int before = atomicCAS(&table[slot], 0, key);
    if (before == 0 || before == key) {
      atomicAdd(&counts[slot], 1);
      return;
    }
    slot = (slot + 1) % size;
  }
}

__global__ void locked(int *lock, int *total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = i >= n;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *total = *total * 3 + i;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  const int size = 2000;
  std::vector<int> keys(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    keys[i] = (i * 7919) % 313;
    x[i] = float(i * 31 % 229) * 0.125f - 2.0f;
  }
  int *d_keys = upload(keys), *d_table = nullptr, *d_counts = upload(std::vector<int>(701)),
      *d_lock = upload(std::vector<int>(2));
  float *d_x = upload(x), *d_out = upload(std::vector<float>(size, 1.0f)),
        *d_found = upload(std::vector<float>(size));
  cudaMalloc(&d_table, 701 * sizeof(int));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 512, 1000}};
  for (const auto &c : cases) {
    for (int bins : {1, 7, 255})
      extremes<<<c.blocks, c.threads>>>(d_out, d_x, d_keys, d_found, bins, c.n);
    products<<<c.blocks, c.threads>>>(d_out, d_x, d_keys, c.n);
    shared_extremes<<<c.blocks, c.threads>>>(d_out, d_x, c.n);
    cudaMemset(d_table, 0, 701 * sizeof(int));
    insert<<<c.blocks, c.threads>>>(d_keys, d_table, d_counts, 701, c.n);
    locked<<<c.blocks, c.threads>>>(d_lock, d_lock + 1, c.n < 40 ? c.n : 40);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
