// Division and remainder over the full range, by data, host scalars and constants. Divisors of zero
// and INT_MIN / -1 are guarded: lanes that do not divide must not disturb those that do.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void signed_by_data(const int32_t *a, const int32_t *b, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int32_t x = a[i], y = b[i];
  if (y != 0 && !(x == INT32_MIN && y == -1)) {
    out[0 * n + i] = x / y;
    out[1 * n + i] = x % y;
  } else {
    out[0 * n + i] = x;
    out[1 * n + i] = 12345;
  }
}

__global__ void unsigned_by_data(const uint32_t *a, const uint32_t *b, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = b[i] ? a[i] / b[i] : 0xffffffffu;
  out[1 * n + i] = b[i] ? a[i] % b[i] : 77u;
}

__global__ void by_scalar(const int32_t *a, int32_t *out, int32_t s, uint32_t u, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = s == -1 && a[i] == INT32_MIN ? 0 : a[i] / s;
  out[1 * n + i] = s == -1 && a[i] == INT32_MIN ? 0 : a[i] % s;
  out[2 * n + i] = int32_t(uint32_t(a[i]) / u);
  out[3 * n + i] = int32_t(uint32_t(a[i]) % u);
}

__global__ void by_constants(const int32_t *a, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int32_t x = a[i];
  const uint32_t u = uint32_t(x);
  out[0 * n + i] = x / 3;
  out[1 * n + i] = x % 3;
  out[2 * n + i] = x / -7;
  out[3 * n + i] = x % 10;
  out[4 * n + i] = x / 16;
  out[5 * n + i] = x % 16;
  out[6 * n + i] = int32_t(u / 10u);
  out[7 * n + i] = int32_t(u % 1000003u);
  out[8 * n + i] = x / INT32_MIN;
  out[9 * n + i] = int32_t(u / 0x80000001u);
}

// Numerator from the lane, denominator from the host: known when launched.
__global__ void of_lanes(int32_t *out, int32_t s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = i / s;
  out[1 * n + i] = i % s;
  out[2 * n + i] = (i - 300) / s;
  out[3 * n + i] = (i - 300) % s;
  out[4 * n + i] = 1000000007 / (i + 1);
  out[5 * n + i] = int32_t((0u - uint32_t(i)) / 3u);
}

template <typename T> __global__ void small(const T *a, const T *b, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || b[i] == 0)
    return;
  out[0 * n + i] = T(a[i] / b[i]);
  out[1 * n + i] = T(a[i] % b[i]);
}

struct Case {
  int blocks, threads, n;
};
const Case cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {2, 1000, 1999}};

template <typename T> void run_small(const std::vector<int32_t> &a, const std::vector<int32_t> &b) {
  const T *d_a = upload(std::vector<T>(a.begin(), a.end()));
  const T *d_b = upload(std::vector<T>(b.begin(), b.end()));
  T *d_out = upload(std::vector<T>(2 * a.size()));
  for (const Case &c : cases)
    small<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
}

int main() {
  const int32_t edges[] = {0,         1,         -1,           2,        -2,        3,
                           -3,        7,         10,           127,      -128,      255,
                           4095,      32767,     -32768,       65535,    16777215,  16777216,
                           16777217,  -16777217, 33554433,     99999999, 715827883, 1073741824,
                           INT32_MAX, INT32_MIN, INT32_MIN + 1};
  std::vector<int32_t> a, b;
  for (int32_t x : edges)
    for (int32_t y : edges)
      a.push_back(x), b.push_back(y);
  for (uint32_t i = 0; a.size() < 2000; ++i) {
    const uint32_t y = (i * 2246822519u + 374761393u) >> (i % 31);
    const uint32_t quotient = (i * 2654435761u >> (31 - i % 31)) | 1u;
    // Random pairs, and numerators at, just below and just above a multiple of the divisor.
    a.push_back(int32_t(i % 2 ? y * quotient + i % 3 - 1u : i * 2654435761u));
    b.push_back(int32_t(y));
  }
  int32_t *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<int32_t>(10 * 2000));
  for (const Case &c : cases) {
    signed_by_data<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    unsigned_by_data<<<c.blocks, c.threads>>>(reinterpret_cast<uint32_t *>(d_a),
                                              reinterpret_cast<uint32_t *>(d_b),
                                              reinterpret_cast<uint32_t *>(d_out), c.n);
    by_constants<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    for (int32_t s : {1, -1, 7, -1013, 16777217, INT32_MIN})
      by_scalar<<<c.blocks, c.threads>>>(d_a, d_out, s, 0u - uint32_t(s), c.n);
    for (int32_t s : {1, 3, -5, 129, 1 << 20})
      of_lanes<<<c.blocks, c.threads>>>(d_out, s, c.n);
  }
  run_small<int8_t>(a, b);
  run_small<uint8_t>(a, b);
  run_small<int16_t>(a, b);
  run_small<uint16_t>(a, b);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
