// Unsigned 32-bit arithmetic wraps around; comparisons are unsigned on both sides of 2^31 and 2^24.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void arithmetic(const uint32_t *a, const uint32_t *b, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t x = a[i], y = b[i];
  out[0 * n + i] = x + y;
  out[1 * n + i] = x - y;
  out[2 * n + i] = x * y;
  out[3 * n + i] = 0u - x;
  out[4 * n + i] = x * x - y * y;
  out[5 * n + i] = x * 31u + y;
  out[6 * n + i] = x + 0xffffffffu;
  out[7 * n + i] = (x - y) * (x + y) + i;
}

__global__ void comparisons(const uint32_t *a, const uint32_t *b, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t x = a[i], y = b[i];
  uint32_t bits = 0;
  bits |= uint32_t(x < y) << 0;
  bits |= uint32_t(x <= y) << 1;
  bits |= uint32_t(x > y) << 2;
  bits |= uint32_t(x >= y) << 3;
  bits |= uint32_t(x == y) << 4;
  bits |= uint32_t(x != y) << 5;
  bits |= uint32_t(x < 0x80000000u) << 6;
  bits |= uint32_t(x > 0x01000001u) << 7;
  bits |= uint32_t(x + y < x) << 8;
  out[0 * n + i] = bits;
  out[1 * n + i] = min(x, y);
  out[2 * n + i] = max(x, y);
  out[3 * n + i] = x > y ? x - y : y - x;
}

__global__ void with_scalars(const uint32_t *a, uint32_t *out, uint32_t s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i] * s;
  out[1 * n + i] = a[i] + s;
  out[2 * n + i] = s - a[i];
  out[3 * n + i] = a[i] < s ? s : a[i];
  out[4 * n + i] = (a[i] ^ s) & ~(a[i] & s);
}

int main() {
  const uint32_t edges[] = {0u,          1u,          2u,          255u,        65535u,
                            65536u,      0x00ffffffu, 0x01000000u, 0x01000001u, 0x02000003u,
                            0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu};
  std::vector<uint32_t> a, b;
  for (uint32_t x : edges)
    for (uint32_t y : edges)
      a.push_back(x), b.push_back(y);
  for (uint32_t i = 0; a.size() < 2000; ++i)
    a.push_back(i * 2654435761u), b.push_back(i * 2246822519u + 374761393u);
  uint32_t *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<uint32_t>(8 * 2000));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 1000, 1999}};
  for (const auto &c : cases) {
    arithmetic<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    comparisons<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    for (uint32_t s : {1u, 3u, 0x01000001u, 0x80000000u, 0xffffffffu})
      with_scalars<<<c.blocks, c.threads>>>(d_a, d_out, s, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
