// Atomic operations on device memory: every operation, with and without the old value, on one word,
// one word per block, a word per thread, words known from data; scopes; ragged launches.
#include "upload.h"

#include <vector>

// All threads on a few words, old values unused.
__global__ void one_word(int *w, unsigned *u, float *f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&w[0], 1);
  atomicAdd(&w[1], i * 77777);
  atomicSub(&w[2], i);
  atomicMin(&w[3], (i * 37) % 101 - 50);
  atomicMax(&w[4], (i * 37) % 101 - 50);
  atomicAnd(&w[5], ~(1 << (i & 7)));
  atomicOr(&w[6], 1 << (i & 31));
  atomicXor(&w[7], i);
  atomicExch(&w[8], i);
  atomicInc(&u[0], 7u);
  atomicDec(&u[1], 12u);
  atomicMin(&u[2], 0x80000000u + unsigned(i % 13));
  atomicMax(&u[3], 0x80000000u + unsigned(i % 13));
  atomicInc(&u[4], unsigned(i % 5));
  atomicAdd_block(&w[9], 2);
  atomicAdd_system(&w[10], 3);
  atomicMax_system(&u[5], unsigned(i));
  atomicCAS(&w[11], 0, i + 1);
  atomicAdd(f, 1.0f);
  atomicExch(f + 1, float(i));
}

// The same with the old values, which depend on the order of the threads.
__global__ void one_word_old(int *w, unsigned *u, float *f, int *out, float *found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = atomicAdd(&w[0], 1);
  out[1 * n + i] = atomicAdd(&w[1], i * 77777);
  out[2 * n + i] = atomicMin(&w[3], (i * 37) % 101 - 50);
  out[3 * n + i] = atomicOr(&w[6], 1 << (i & 31));
  out[4 * n + i] = atomicExch(&w[8], i);
  out[5 * n + i] = int(atomicInc(&u[0], 7u));
  out[6 * n + i] = int(atomicDec(&u[1], 12u));
  out[7 * n + i] = atomicCAS(&w[11], i - 1, i);
  found[i] = atomicAdd(f, 0.1f * float(i % 7));
  found[n + i] = atomicExch(f + 1, float(i));
}

// One word per block, and words that neighbours share.
__global__ void by_block(int *sums, float *fsums, const float *x, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&sums[blockIdx.x], i);
  atomicAdd(&fsums[blockIdx.x], x[i]);
  out[i] = atomicAdd(&sums[gridDim.x + 1 + i / 3], i + 1);
  if (threadIdx.x == 0)
    atomicMax(&sums[gridDim.x], int(blockIdx.x) * 5);
}

// A word per thread needs no order.
__global__ void own_word(int *w, float *f, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = atomicAdd(&w[i], i) + atomicExch(&w[2 * n - 1 - i], 5);
  atomicAdd(&f[i], 0.25f);
  if (i & 1)
    atomicCAS(&w[i], 0, -1);
}

// Words that data names.
__global__ void histogram(const int *keys, int *counts, float *sums, const float *x, int bins,
                          int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned key = unsigned(keys[i]) % unsigned(bins);
  atomicAdd(&counts[key], 1);
  atomicAdd(&sums[key], x[i]);
  if (x[i] > 0.0f)
    atomicMax(&counts[bins + key], keys[i]);
}

__global__ void histogram_old(const int *keys, int *counts, int *rank, int bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned key = unsigned(keys[i]) % unsigned(bins);
    const int before = atomicAdd(&counts[key], 1);
    const int swapped = atomicCAS(&counts[bins + key], before, i);
    if (gridDim.x * blockDim.x >= n)
      rank[i] = before * 100 + swapped % 100;
  }
}

// A queue: who comes, gets a place.
__global__ void compact(const int *a, int *count, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] % 3 == 0)
    out[atomicAdd(count, 1)] = a[i];
}

// The last block adds what all blocks have left.
__global__ void last_block(const float *x, float *partial, unsigned *tickets, float *total, int n) {
  __shared__ float s[64];
  __shared__ bool is_last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    const unsigned ticket = atomicInc(tickets, gridDim.x - 1);
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float sum = 0.0f;
    for (unsigned b = 0; b < gridDim.x; ++b)
      sum += partial[b];
    *total = sum;
  }
}

// Blocks of several dimensions: x first, then y, then z.
__global__ void grid_order(int *next, int *out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = atomicAdd(next, 1);
}

__device__ int counter;
__device__ unsigned flags[5];
__global__ void symbols(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&counter, 2);
    atomicOr(&flags[i % 5], 1u << (i % 32));
  }
}

int main() {
  const int size = 4000;
  std::vector<int> keys(size), words(3 * size, 3);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    keys[i] = (i * 7919) % 1013 - 300;
    x[i] = float(i % 37) * 0.125f - 2.0f;
  }
  int *d_keys = upload(keys), *d_words = upload(words), *d_out = upload(std::vector<int>(8 * size));
  unsigned *d_u = upload(std::vector<unsigned>(size, 9));
  float *d_x = upload(x), *d_f = upload(std::vector<float>(2 * size)),
        *d_found = upload(std::vector<float>(2 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 512, 1000}};
  for (const auto &c : cases) {
    one_word<<<c.blocks, c.threads>>>(d_words, d_u, d_f, c.n);
    one_word_old<<<c.blocks, c.threads>>>(d_words, d_u, d_f, d_out, d_found, c.n);
    by_block<<<c.blocks, c.threads>>>(d_words, d_f, d_x, d_out, c.n);
    own_word<<<c.blocks, c.threads>>>(d_words, d_f, d_out, c.n);
    for (int bins : {1, 16, 255}) {
      histogram<<<c.blocks, c.threads>>>(d_keys, d_words, d_f, d_x, bins, c.n);
      histogram_old<<<c.blocks, c.threads>>>(d_keys, d_words, d_out, bins, c.n);
    }
    cudaMemset(d_words, 0, sizeof(int));
    compact<<<c.blocks, c.threads>>>(d_keys, d_words, d_out, c.n);
    symbols<<<c.blocks, c.threads>>>(c.n);
  }
  cudaMemset(d_u, 0, sizeof(unsigned));
  for (int blocks : {1, 7, 130, 260})
    last_block<<<blocks, 64>>>(d_x, d_f, d_u, d_found, 3999 < blocks * 64 ? 3999 : blocks * 60);
  grid_order<<<dim3(5, 7, 3), dim3(3, 2, 2)>>>(d_words, d_out);
  grid_order<<<dim3(130, 3, 2), dim3(4)>>>(d_words, d_out);
  grid_order<<<dim3(2, 100, 3), dim3(5)>>>(d_words, d_out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
