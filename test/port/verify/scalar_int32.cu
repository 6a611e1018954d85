// Signed 32-bit arithmetic, comparisons and selects over edge values and all of the range.
// Overflow of signed sums and products is undefined in C++, so those go through unsigned.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void arithmetic(const int32_t *a, const int32_t *b, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int32_t x = a[i], y = b[i];
  out[0 * n + i] = int32_t(uint32_t(x) + uint32_t(y));
  out[1 * n + i] = int32_t(uint32_t(x) - uint32_t(y));
  out[2 * n + i] = int32_t(uint32_t(x) * uint32_t(y));
  out[3 * n + i] = int32_t(0u - uint32_t(x));
  out[4 * n + i] = ~x;
  out[5 * n + i] = int32_t(uint32_t(x) * 2654435769u + 12345u);
  out[6 * n + i] = (x >> 1) + (y >> 1);
  out[7 * n + i] = x / 2 - y / 2;
}

__global__ void comparisons(const int32_t *a, const int32_t *b, uint8_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int32_t x = a[i], y = b[i];
  out[0 * n + i] = x < y;
  out[1 * n + i] = x <= y;
  out[2 * n + i] = x > y;
  out[3 * n + i] = x >= y;
  out[4 * n + i] = x == y;
  out[5 * n + i] = x != y;
  out[6 * n + i] = x < 16777217;
  out[7 * n + i] = x == -16777217;
  out[8 * n + i] = (x < 0) + 2 * (y < 0) + 4 * (x != 0);
}

__global__ void selects(const int32_t *a, const int32_t *b, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int32_t x = a[i], y = b[i];
  out[0 * n + i] = x < y ? x : y;
  out[1 * n + i] = x > y ? x : y;
  out[2 * n + i] = x == y ? 1 : -1;
  out[3 * n + i] = (x ^ y) < 0 ? x : 16777217;
  out[4 * n + i] = min(x, y);
  out[5 * n + i] = max(x, y);
  out[6 * n + i] = x == INT32_MIN ? 0 : abs(x);
  out[7 * n + i] = min(max(x, -33554435), 33554433);
}

int main() {
  const int32_t edges[] = {0,         1,         -1,         2,         -2,        127,
                           -128,      32767,     -32768,     16777215,  16777216,  16777217,
                           -16777217, 123456789, 0x40000000, INT32_MAX, INT32_MIN, INT32_MIN + 1};
  std::vector<int32_t> a, b;
  for (int32_t x : edges)
    for (int32_t y : edges)
      a.push_back(x), b.push_back(y);
  for (uint32_t i = 0; a.size() < 2000; ++i)
    a.push_back(int32_t(i * 2654435761u)), b.push_back(int32_t(i * 2246822519u + 374761393u));
  int32_t *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<int32_t>(8 * 2000));
  uint8_t *d_bytes = upload(std::vector<uint8_t>(9 * 2000));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 1000, 1999}};
  for (const auto &c : cases) {
    arithmetic<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    comparisons<<<c.blocks, c.threads>>>(d_a, d_b, d_bytes, c.n);
    selects<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
