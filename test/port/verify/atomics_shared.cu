// Atomic operations on shared memory: histograms of a block, counters, all operations with and
// without the old value, on words that are known at launch and on words that data names.
#include "upload.h"

#include <vector>

__global__ void histogram(const int *keys, int *counts, int bins, int n) {
  extern __shared__ int s[];
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    s[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[unsigned(keys[i]) % unsigned(bins)], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x)
    atomicAdd(&counts[k], s[k]);
}

// Old values: the place of each thread among those of its block.
__global__ void places(const int *keys, int *out, int n) {
  __shared__ int count, total;
  __shared__ unsigned wrap;
  if (threadIdx.x == 0) {
    count = 0;
    total = 100;
    wrap = 3;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] % 2 == 0)
    out[i] = atomicAdd(&count, 1);
  if (i < n) {
    out[n + i] = atomicAdd(&total, keys[i]);
    out[2 * n + i] = int(atomicInc(&wrap, 6u));
  }
  __syncthreads();
  if (i < n)
    out[3 * n + i] = count * 1000 + total + int(wrap);
}

// Every operation has words of its own: whether a thread's operations come before another's is
// open.
__global__ void operations(const int *keys, const float *x, int *out, float *fout, int n) {
  __shared__ int s[12][19];
  __shared__ unsigned u[3][19];
  __shared__ float f[2][19];
  for (int k = threadIdx.x; k < 19; k += blockDim.x) {
    for (int j = 0; j < 12; ++j)
      s[j][k] = k * 3 + j;
    for (int j = 0; j < 3; ++j)
      u[j][k] = k;
    f[0][k] = f[1][k] = 0.5f;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = 0;
  float g = 0;
  if (i < n) {
    const unsigned k = unsigned(keys[i]) % 19u;
    r += atomicMin(&s[0][k], keys[i]);
    r ^= atomicMax(&s[1][k], keys[i]) * 3;
    r ^= atomicExch(&s[2][k], i);
    r += atomicCAS(&s[3][k], 6, i);
    r ^= atomicAnd(&s[4][k], 0xffff00ff);
    atomicOr(&s[5][k], 1 << k);
    atomicXor(&s[6][k], i * 99);
    atomicSub(&s[7][k], 3);
    r += int(atomicDec(&u[0][k], 11u));
    atomicInc(&u[1][k], 4u);
    atomicMax(&u[2][k], unsigned(i) << 20);
    g += atomicAdd(&f[0][k], x[i]);
    atomicAdd(&f[1][threadIdx.x & 3], 0.25f);
    atomicAdd(&s[8][threadIdx.x % 5], 2);
    r ^= atomicAdd(&s[9][threadIdx.x / 4 % 19], int(threadIdx.x));
    atomicCAS(&s[10][3], 19, i);
    r += atomicExch_block(&s[11][threadIdx.x % 19], r);
  }
  __syncthreads();
  if (i < n) {
    out[i] = r;
    fout[i] = g;
  }
  for (int k = threadIdx.x; k < 19; k += blockDim.x)
    if (blockIdx.x * 19 + k < n) {
      int sum = int(u[0][k] + u[1][k] * 3 + u[2][k] * 5);
      for (int j = 0; j < 12; ++j)
        sum = sum * 31 + s[j][k];
      out[n + blockIdx.x * 19 + k] = sum;
      fout[n + blockIdx.x * 19 + k] = f[0][k] + f[1][k];
    }
}

int main() {
  const int size = 4000;
  std::vector<int> keys(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    keys[i] = (i * 7919) % 1013 - 300;
    x[i] = float(i % 37) * 0.125f - 2.0f;
  }
  int *d_keys = upload(keys), *d_counts = upload(std::vector<int>(5000)),
      *d_out = upload(std::vector<int>(4 * size));
  float *d_x = upload(x), *d_f = upload(std::vector<float>(2 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},      {1, 33, 20},     {4, 64, 0},
                     {129, 20, 641}, {150, 23, 3400}, {2, 512, 1000}};
  for (const auto &c : cases) {
    for (int bins : {1, 16, 255, 5000})
      histogram<<<c.blocks, c.threads, bins * sizeof(int)>>>(d_keys, d_counts, bins, c.n);
    places<<<c.blocks, c.threads>>>(d_keys, d_out, c.n);
    operations<<<c.blocks, c.threads>>>(d_keys, d_x, d_out, d_f, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
