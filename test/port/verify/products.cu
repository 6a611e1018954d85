// Products and sums of integers past 2^24, where fp32 would lose bits: of data, constants, host
// scalars, lane numbers and in accumulations.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void products(const int *a, const int *b, int *out, int s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i] * b[i];
  out[1 * n + i] = a[i] * 4099;
  out[2 * n + i] = a[i] * s;
  out[3 * n + i] = a[i] * int(threadIdx.x + 1);
  out[4 * n + i] = a[i] * b[i] + b[i];
  out[5 * n + i] = a[i] * b[i] - a[i] * 3;
  out[6 * n + i] = i * i + 16777217;
  out[7 * n + i] = (i + 40000) * s;
  out[8 * n + i] = a[i] + 16777217 - i;
}

__global__ void accumulate(const int *a, const uint32_t *u, int *sums, uint32_t *hashes, int length,
                           int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 16777216;
  uint32_t hash = 2166136261u;
  for (int k = 0; k < length; ++k) {
    sum += a[(i + k) % n] * (k + 1);
    hash = (hash ^ u[(i + k) % n]) * 16777619u;
  }
  sums[i] = sum;
  hashes[i] = hash;
}

// Powers by repeated squaring, modulo 2^32, exponent from data.
__global__ void power(const uint32_t *base, const uint32_t *exponent, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t result = 1, square = base[i];
  for (uint32_t e = exponent[i] & 0xfffu; e; e >>= 1) {
    if (e & 1u)
      result *= square;
    square *= square;
  }
  out[i] = result;
}

// Sums in shared memory past 2^24.
__global__ void block_total(const int *a, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? a[i] * 1021 : 0;
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0] - 1;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size), b(size);
  std::vector<uint32_t> u(size), v(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 20011 - 10005;
    b[i] = (i * 104729) % 65537 - 32768;
    u[i] = uint32_t(i) * 2654435761u;
    v[i] = uint32_t(i) * 40503u;
  }
  int *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<int>(9 * size));
  uint32_t *d_u = upload(u), *d_v = upload(v), *d_words = upload(std::vector<uint32_t>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    products<<<c.blocks, c.threads>>>(d_a, d_b, d_out, 10007, c.n);
    accumulate<<<c.blocks, c.threads>>>(d_a, d_u, d_out, d_words, 37, c.n);
    power<<<c.blocks, c.threads>>>(d_u, d_v, d_words, c.n);
  }
  for (int n : {1, 64, 999})
    block_total<<<(n + 63) / 64, 64>>>(d_b, d_out, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
