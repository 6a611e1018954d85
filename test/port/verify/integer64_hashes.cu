// What real code does with 64-bit integers: hashes, random numbers, fixed point, sizes.
#include "upload.h"

#include <cstdint>
#include <vector>

__device__ uint64_t splitmix(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

__device__ uint64_t xorshift(uint64_t &x) {
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  return x * 0x2545f4914f6cdd1d;
}

__device__ uint32_t pcg(uint64_t &state, uint64_t increment) {
  const uint64_t old = state;
  state = old * 6364136223846793005 + (increment | 1);
  const uint32_t shifted = uint32_t(((old >> 18) ^ old) >> 27), rotation = uint32_t(old >> 59);
  return shifted >> rotation | shifted << (-rotation & 31);
}

__device__ uint64_t rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

// From the data, and from the thread's number alone.
__global__ void generators(const uint64_t *seed, uint64_t *out, uint64_t salt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t s = seed[i], x = s | 1, p = s ^ salt, own = uint64_t(i) * 0x9e3779b97f4a7c15 + salt;
  uint64_t known = 0;
  for (int k = 0; k < 3; ++k) {
    out[k * n + i] = splitmix(s) + xorshift(x);
    out[(3 + k) * n + i] = pcg(p, i);
    known ^= splitmix(own);
  }
  out[6 * n + i] = known;
}

__global__ void xoroshiro(uint64_t *states, float *out, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t a = states[2 * i], b = states[2 * i + 1];
  float sum = 0;
  for (int k = 0; k < rounds; ++k) {
    const uint64_t result = a + b;
    b ^= a;
    a = rotate(a, 24) ^ b ^ (b << 16);
    b = rotate(b, 37);
    sum += float(result >> 40) * 0x1p-24f;
  }
  states[2 * i] = a;
  states[2 * i + 1] = b;
  out[i] = sum;
}

// The linear congruential generator of many Monte Carlo benchmarks, with skipping ahead.
__device__ uint64_t skip(uint64_t seed, uint64_t steps) {
  const uint64_t mask = (1ull << 63) - 1;
  uint64_t g = 2806196910506780709ull, c = 1, g_new = 1, c_new = 0;
  steps &= mask;
  while (steps > 0) {
    if (steps & 1) {
      g_new *= g;
      c_new = c_new * g + c;
    }
    c *= g + 1;
    g *= g;
    steps >>= 1;
  }
  return (g_new * seed + c_new) & mask;
}

__global__ void skip_ahead(const int *steps, uint64_t *out, uint64_t seed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = skip(seed, uint64_t(steps[i] & 0xfff));
  out[n + i] = skip(seed, i);
}

__global__ void hashes(const uint64_t *key, const unsigned char *text, uint64_t *out, int length,
                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t h = key[i]; // the finaliser of murmur3
  h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
  out[i] = h ^ h >> 33;
  uint64_t f = 0xcbf29ce484222325; // FNV-1a
  for (int k = 0; k < length; ++k)
    f = (f ^ text[(i + k) % n]) * 0x100000001b3;
  out[n + i] = f;
  out[2 * n + i] = f % 1000003;
  out[3 * n + i] = __umul64hi(f, 1000003); // fast range
}

// A product modulo a prime below 2^61, without division.
__global__ void mersenne(const uint64_t *a, uint64_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint64_t prime = (1ull << 61) - 1, x = a[i] % prime, y = a[n - 1 - i] & prime;
  const uint64_t low = x * y, high = __umul64hi(x, y);
  uint64_t r = (low & prime) + (low >> 61 | high << 3);
  if (r >= prime)
    r -= prime;
  out[i] = r;
}

__global__ void fixed_point(const int *a, const int *b, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = int((int64_t(a[i]) * b[i]) >> 16);
  out[1 * n + i] = int((int64_t(a[i]) << 16) / (b[i] | 1));
  out[2 * n + i] = int((uint64_t(uint32_t(a[i])) * uint32_t(n)) >> 32);
  out[3 * n + i] = uint64_t(uint32_t(a[i])) + uint32_t(b[i]) > 0xffffffffu;
}

__global__ void morton(const unsigned *x, const unsigned *y, uint64_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  auto spread = [](uint64_t v) {
    v = (v | v << 16) & 0x0000ffff0000ffff;
    v = (v | v << 8) & 0x00ff00ff00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0f;
    v = (v | v << 2) & 0x3333333333333333;
    return (v | v << 1) & 0x5555555555555555;
  };
  out[i] = spread(x[i]) | spread(y[i]) << 1;
}

__global__ void sizes(const size_t *offsets, const size_t *lengths, size_t *out, size_t n) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const size_t first = offsets[i] % n, last = first + lengths[i] % 9;
  size_t total = 0;
  for (size_t k = first; k < last && k < n; ++k)
    total += lengths[k];
  out[i] = total;
}

int main() {
  const int shapes[][2] = {{1, 1}, {1, 64}, {129, 3}, {300, 33}};
  for (const auto &[blocks, threads] : shapes) {
    const int n = blocks * threads > 1 ? blocks * threads - 1 : 1;
    std::vector<uint64_t> a(2 * n), out(8 * n);
    std::vector<int> words(n), others(n);
    std::vector<unsigned char> text(n);
    uint64_t state = 42;
    for (int i = 0; i < 2 * n; ++i)
      a[i] = state = state * 6364136223846793005 + 1442695040888963407;
    for (int i = 0; i < n; ++i) {
      words[i] = int(a[i] >> 32);
      others[i] = int(a[i] >> 13);
      text[i] = (unsigned char)(a[i] >> 50);
    }
    auto *da = upload(a), *dout = upload(out);
    auto *dwords = upload(words), *dothers = upload(others);
    auto *dtext = upload(text);
    generators<<<blocks, threads>>>(da, dout, 0x123456789abcdef, n);
    xoroshiro<<<blocks, threads>>>(da, (float *)dout, 5, n);
    skip_ahead<<<blocks, threads>>>(dwords, dout, 1070, n);
    hashes<<<blocks, threads>>>(da, dtext, dout, 7, n);
    mersenne<<<blocks, threads>>>(da, dout, n);
    fixed_point<<<blocks, threads>>>(dwords, dothers, (int *)dout, n);
    morton<<<blocks, threads>>>((unsigned *)dwords, (unsigned *)dothers, dout, n);
    sizes<<<blocks, threads>>>((size_t *)da, (size_t *)da + n, (size_t *)dout, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
  }
  return 0;
}
