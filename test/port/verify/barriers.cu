// Barriers in loops and between phases: trees over any block size, several reductions in a row, a
// tile that is refilled in every round, values in registers across barriers.
#include "upload.h"

#include <vector>

// A tree over a block that is no power of two.
__global__ void any_size(const float *x, float *sums, float *largest, int n) {
  __shared__ float s[96];
  __shared__ float m[96];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  m[t] = i < n ? x[i] : -1e30f;
  __syncthreads();
  for (int active = blockDim.x; active > 1;) {
    const int half = (active + 1) / 2;
    if (t + half < active) {
      s[t] += s[t + half];
      m[t] = fmaxf(m[t], m[t + half]);
    }
    active = half;
    __syncthreads();
  }
  if (t == 0) {
    sums[blockIdx.x] = s[0];
    largest[blockIdx.x] = m[0];
  }
}

// Largest element and where it is: two arrays that move together.
__global__ void arg_max(const int *a, int *where, int n) {
  __shared__ int value[64], index[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  value[t] = i < n ? a[i] : -2147483647;
  index[t] = i;
  __syncthreads();
  for (unsigned k = blockDim.x >> 1; k > 0; k >>= 1) {
    if (t < k &&
        (value[t + k] > value[t] || (value[t + k] == value[t] && index[t + k] < index[t]))) {
      value[t] = value[t + k];
      index[t] = index[t + k];
    }
    __syncthreads();
  }
  if (t == 0)
    where[blockIdx.x] = index[0];
}

// Two reductions through the same memory, the second with the first's result.
__global__ void two_phases(const float *x, float *y, int columns) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  const float *row = x + blockIdx.x * columns;
  float sum = 0.0f;
  for (int c = t; c < columns; c += blockDim.x)
    sum += row[c];
  s[t] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  const float mean = s[0] * 0.125f;
  __syncthreads();
  float spread = 0.0f;
  for (int c = t; c < columns; c += blockDim.x)
    spread += (row[c] - mean) * (row[c] - mean);
  s[t] = spread;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  for (int c = t; c < columns; c += blockDim.x)
    y[blockIdx.x * columns + c] = (row[c] - mean) * s[0];
}

// All pairs, tile by tile: the tile is filled, used and filled again; sums stay in registers.
__global__ void pairs(const int *a, int *out, int n) {
  __shared__ int tile[32];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const int mine = i < n ? a[i] : 0;
  int sum = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    tile[t] = base + t < n ? a[base + t] : 0;
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const int d = tile[k] - mine;
      sum += d > 0 ? d & 63 : -(d >> 2);
    }
    __syncthreads();
  }
  if (i < n)
    out[i] = sum;
}

// A barrier under a condition that is the same for the whole block, and in a loop that ends earlier
// in some blocks than in others.
__global__ void per_block_rounds(const int *a, const int *rounds, int *out, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, last = blockDim.x - 1;
  s[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int r = 0; r < rounds[blockIdx.x]; ++r) {
    const int v = s[t == last ? 0 : t + 1];
    __syncthreads();
    s[t] = v + r;
    __syncthreads();
  }
  if (blockIdx.x % 2) {
    const int v = s[last - t];
    __syncthreads();
    s[t] = v * 2;
  }
  if (i < n)
    out[i] = s[t];
}

int main() {
  const int size = 4200;
  std::vector<int> a(size), rounds(300);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
  }
  for (int i = 0; i < 300; ++i)
    rounds[i] = i % 6;
  int *d_a = upload(a), *d_rounds = upload(rounds), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  float *d_sums = upload(std::vector<float>(300)), *d_largest = upload(std::vector<float>(300));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {14, 96, 1300}};
  for (const auto &c : cases)
    any_size<<<c.blocks, c.threads>>>(d_x, d_sums, d_largest, c.n);
  for (int threads : {1, 2, 16, 64})
    arg_max<<<(300 + threads - 1) / threads, threads>>>(d_a, d_out, 299);
  two_phases<<<129, 32>>>(d_x, d_y, 29);
  two_phases<<<1, 64>>>(d_x, d_y, 1000);
  two_phases<<<300, 1>>>(d_x, d_y, 3);
  pairs<<<9, 32>>>(d_a, d_out, 270);
  pairs<<<130, 3>>>(d_a, d_out, 100);
  per_block_rounds<<<300, 3>>>(d_a, d_rounds, d_out, 899);
  per_block_rounds<<<7, 32>>>(d_a, d_rounds, d_out, 223);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
