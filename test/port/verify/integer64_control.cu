// 64-bit integers that decide and are carried: loops, exits, joins, mixtures with indices, pointers
// that differ by lane.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void collatz(const long long *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long x = a[i] & 0xfffff;
  int steps = 0;
  while (x > 1 && steps < 60) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  out[i] = steps;
  out[n + i] = int(x);
}

__global__ void greatest_divisor(const long long *a, const long long *b, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long x = a[i] & 0x7fffffffffff, y = b[i] & 0x7fffffffff;
  while (y != 0) {
    const long long rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}

__global__ void power_modulo(const unsigned *base, const unsigned *exponent, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned long long modulus = 1000000007;
  unsigned long long result = 1, x = base[i] % modulus;
  for (unsigned e = exponent[i] & 0xff; e; e >>= 1) {
    if (e & 1)
      result = result * x % modulus;
    x = x * x % modulus;
  }
  out[i] = unsigned(result);
}

__global__ void square_root(const unsigned long long *a, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long rest = a[i], root = 0, bit = 1ull << 62;
  while (bit > rest)
    bit >>= 2;
  while (bit != 0) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
    bit >>= 2;
  }
  out[i] = unsigned(root);
}

// Joins of values that are wide, small, launch-known and constant.
__global__ void joins(const long long *a, const int *b, long long *out, long long scalar, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long x;
  if (b[i] > 0)
    x = a[i];
  else if (b[i] < -1000)
    x = i * 5000000000ll;
  else if (b[i] % 2)
    x = scalar;
  else
    x = -7;
  out[i] = x;
  switch (b[i] & 3) {
  case 0:
    x += i;
    break;
  case 1:
    x = b[i];
    break;
  case 2:
    x = unsigned(b[i]);
  }
  out[n + i] = x;
}

// Variables that exchange their values, whole and in part.
__global__ void exchanged(const long long *a, long long *out, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long x = a[i], y = i;
  int low = 0;
  for (int k = 0; k < rounds; ++k) {
    const long long t = x;
    x = y + k;
    y = t;
    low = int(t);
  }
  out[0 * n + i] = x;
  out[1 * n + i] = y;
  out[2 * n + i] = low;
}

__global__ void lane_sums(const int *a, const int *count, long long *out, int n) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long sum = 0;
  size_t total = 0;
  for (size_t k = 0; k < (size_t)(count[i] & 15); ++k) {
    sum += (long long)a[(i + k) % n] * a[i];
    total += k * 0x10000001ull;
  }
  out[i] = sum;
  out[n + i] = (long long)total;
}

// The pointer differs by lane after the loop.
__global__ void search(const int *a, int *out, long long *distance, int wanted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int *p = a + i, *end = a + n;
  while (p != end && (*p & 7) != wanted)
    ++p;
  out[i] = p == end ? -1 : int(p - a);
  distance[i] = p - (a + i);
}

__global__ void after_search(const float *x, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *p = x + i, *last = x + n - 1;
  while (p < last && *p < 0.5f)
    p += 2;
  out[i] = p <= last ? *p : -1.0f;
}

__global__ void two_ends(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int *low = a + i * length, *high = low + length;
  const int wanted = a[i * length + length / 2];
  while (low < high) { // lower bound in ascending numbers
    const int *middle = low + (high - low) / 2;
    if (*middle < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = int(low - a) - i * length;
}

int main() {
  const int shapes[][2] = {{1, 1}, {1, 64}, {129, 3}, {300, 33}};
  const int length = 9;
  for (const auto &[blocks, threads] : shapes) {
    const int n = blocks * threads > 1 ? blocks * threads - 1 : 1;
    std::vector<long long> a(n), b(n), out(4 * n);
    std::vector<int> words(n), ascending(n * length);
    std::vector<float> x(n);
    unsigned long long state = 4711;
    for (int i = 0; i < n; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      a[i] = (long long)state >> state % 60;
      b[i] = (long long)(state ^ state >> 31);
      words[i] = int(state >> 35) - (1 << 28);
      x[i] = float(state >> 40) / float(1 << 24);
      for (int k = 0; k < length; ++k)
        ascending[i * length + k] = i % 5 + k * (i % 3);
    }
    auto *da = upload(a), *db = upload(b), *dout = upload(out);
    auto *dwords = upload(words), *dascending = upload(ascending);
    auto *dx = upload(x);
    int *iout = (int *)dout;
    collatz<<<blocks, threads>>>(da, iout, n);
    greatest_divisor<<<blocks, threads>>>(da, db, dout, n);
    power_modulo<<<blocks, threads>>>((unsigned *)dwords, (unsigned *)da, (unsigned *)dout, n);
    square_root<<<blocks, threads>>>((unsigned long long *)da, (unsigned *)dout, n);
    for (long long scalar : {0ll, -1ll, 1ll << 40})
      joins<<<blocks, threads>>>(da, dwords, dout, scalar, n);
    for (int rounds : {0, 1, 2, 5})
      exchanged<<<blocks, threads>>>(da, dout, rounds, n);
    lane_sums<<<blocks, threads>>>(dwords, dwords, dout, n);
    search<<<blocks, threads>>>(dwords, iout, dout + n, 3, n);
    search<<<blocks, threads>>>(dwords, iout, dout + n, 9, n < 70 ? n : 70);
    after_search<<<blocks, threads>>>(dx, (float *)dout, n);
    two_ends<<<blocks, threads>>>(dascending, iout, length, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
  }
  return 0;
}
