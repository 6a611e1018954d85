// Shared memory with computed indices: known from the lane (butterflies, swizzles, permutations)
// and loaded (gathers, scatters to distinct places, counters that one lane keeps).
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void known(const int *a, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t ^ 1] = i < n ? a[i] : -1;
  __syncthreads();
  int r = s[t ^ (blockDim.x - 1)];
  r = r * 3 + s[(t * 5 + 3) & (blockDim.x - 1)];
  r = r * 3 + s[t / 2] - s[(t >> 2) | (t & 1)];
  __syncthreads();
  s[(t * 3 + 1) & (blockDim.x - 1)] = r; // an odd multiple modulo a power of two: a permutation
  __syncthreads();
  if (i < n)
    out[i] = s[t] + s[min(t + 3, int(blockDim.x) - 1)];
}

__global__ void butterfly(const int *a, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int k = 1; k < blockDim.x; k <<= 1) {
    const int other = s[t ^ k];
    __syncthreads();
    s[t] = t & k ? other - s[t] : other + s[t] * 2;
    __syncthreads();
  }
  if (i < n)
    out[i] = s[t];
}

// Bitonic sort: compare and swap with a partner; both bounds are host scalars.
__global__ void bitonic(const int *a, int *out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? a[i] : 0x7fffffff;
  __syncthreads();
  for (int k = 2; k <= blockDim.x; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      const int partner = t ^ j;
      if (partner > t) {
        const bool up = (t & k) == 0;
        if ((s[t] > s[partner]) == up) {
          const int swap = s[t];
          s[t] = s[partner];
          s[partner] = swap;
        }
      }
      __syncthreads();
    }
  if (i < n)
    out[i] = s[t];
}

__global__ void gather(const float *x, const int *index, float *y, int n) {
  __shared__ float s[50];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : -5.0f;
  __syncthreads();
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < 3; ++k)
      sum += s[(index[i] + k) % int(blockDim.x)] * float(k + 1);
    y[i] = sum;
  }
}

// Lanes write where the data says, each to another place; some write nothing.
__global__ void scatter(const int *a, const int *index, int *out, int n) {
  __shared__ int s[50];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = -t;
  __syncthreads();
  const int to = (index[blockIdx.x] + t * 7) % int(blockDim.x); // 7 and the block have no factor
  if (i < n && a[i] % 3)
    s[to] = a[i];
  __syncthreads();
  if (i < n)
    out[i] = s[t];
}

// Exclusive scan by an up- and a down-sweep: strided, computed, masked.
__global__ void sweep(const int *a, int *out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x, base = 2 * blockIdx.x * blockDim.x, length = 2 * blockDim.x;
  s[2 * t] = base + 2 * t < n ? a[base + 2 * t] : 0;
  s[2 * t + 1] = base + 2 * t + 1 < n ? a[base + 2 * t + 1] : 0;
  int offset = 1;
  for (int d = length >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0)
    s[length - 1] = 0;
  for (int d = 1; d < length; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const int old = s[left];
      s[left] = s[right];
      s[right] += old;
    }
  }
  __syncthreads();
  if (base + 2 * t < n)
    out[base + 2 * t] = s[2 * t];
  if (base + 2 * t + 1 < n)
    out[base + 2 * t + 1] = s[2 * t + 1];
}

// One lane per block counts into a table that all read.
__global__ void counts(const uint8_t *b, int *out, int n) {
  __shared__ int table[16];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 16; k += blockDim.x)
    table[k] = 0;
  __syncthreads();
  if (t == 0)
    for (int k = 0; k < blockDim.x && i + k < n; ++k)
      table[b[i + k] & 15] += 1;
  __syncthreads();
  if (i < n)
    out[i] = table[b[i] & 15] * 100 + table[t & 15];
}

int main() {
  const int size = 1200;
  std::vector<int> a(size), index(size);
  std::vector<float> x(size);
  std::vector<uint8_t> b(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    index[i] = (i * 31) % 97;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
    b[i] = uint8_t(i * 73);
  }
  int *d_a = upload(a), *d_index = upload(index), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  uint8_t *d_b = upload(b);
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 2, 1},      {1, 32, 20},    {4, 64, 0},
                     {129, 8, 1031}, {290, 4, 1160}, {18, 64, 1150}};
  for (const auto &c : cases) {
    known<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    butterfly<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    bitonic<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    sweep<<<(c.n + 1) / (2 * c.threads) + 1, c.threads>>>(d_a, d_out, c.n);
    counts<<<c.blocks, c.threads>>>(d_b, d_out, c.n);
  }
  for (int threads : {1, 5, 24, 50}) {
    const int blocks = (900 + threads - 1) / threads;
    gather<<<blocks, threads>>>(d_x, d_index, d_y, 899);
    scatter<<<blocks, threads>>>(d_a, d_index, d_out, 899);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
