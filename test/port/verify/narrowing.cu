// Narrowing keeps the low bits, also in stores, in compound assignments and through struct members.
#include "upload.h"

#include <cstdint>
#include <vector>

struct Packed {
  int8_t low;
  uint8_t high;
  int16_t both;
};

__global__ void narrow(const int32_t *a, int8_t *b, uint16_t *h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = int8_t(a[i]);
  h[i] = uint16_t(a[i] * 3);
  b[n + i] = int8_t(a[i] >> 8);
  h[n + i] = uint16_t(uint32_t(a[i]) >> 16);
}

__global__ void compound(const int32_t *a, uint8_t *bytes, int16_t *shorts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bytes[i] += uint8_t(a[i]);
  bytes[i] *= 3;
  bytes[i] ^= 0xa5;
  shorts[i] -= int16_t(a[i]);
  shorts[i] <<= 3;
  shorts[i] >>= 1;
}

__global__ void members(const int32_t *a, Packed *packed, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  packed[i].low = int8_t(a[i]);
  packed[i].high = uint8_t(a[i] >> 8);
  packed[i].both = int16_t(a[i] >> 4);
  out[i] = packed[i].low + packed[i].high * 256 + packed[i].both;
}

// A byte counter that wraps inside a loop, and one that is wider.
__global__ void counters(const int32_t *a, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint8_t byte = uint8_t(a[i]);
  int16_t half = int16_t(a[i]);
  int rounds = 0;
  for (int k = 0; k < 40; ++k) {
    byte = uint8_t(byte * 5 + 77);
    half = int16_t(half * 3 - 1);
    if (byte < 64 && half > 0)
      ++rounds;
  }
  out[i] = rounds + byte * 1000 + half * 1000 % 7;
}

int main() {
  const int size = 1000;
  std::vector<int32_t> a(size);
  for (int i = 0; i < size; ++i)
    a[i] = int32_t(uint32_t(i) * 2654435761u) >> (i % 12);
  // The product in narrow() stays within int.
  for (int32_t &x : a)
    x /= 3;
  int32_t *d_a = upload(a), *d_out = upload(std::vector<int32_t>(size));
  int8_t *d_b = upload(std::vector<int8_t>(2 * size));
  uint16_t *d_h = upload(std::vector<uint16_t>(2 * size));
  uint8_t *d_bytes = upload(std::vector<uint8_t>(size, 9));
  int16_t *d_shorts = upload(std::vector<int16_t>(size, -3));
  Packed *d_packed = upload(std::vector<Packed>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    narrow<<<c.blocks, c.threads>>>(d_a, d_b, d_h, c.n);
    compound<<<c.blocks, c.threads>>>(d_a, d_bytes, d_shorts, c.n);
    members<<<c.blocks, c.threads>>>(d_a, d_packed, d_out, c.n);
    counters<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
