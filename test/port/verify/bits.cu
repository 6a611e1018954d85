// Bit operators, shifts by constants, host scalars and data, rotations, bit fields, float bits.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void bitwise(const uint32_t *a, const uint32_t *b, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t x = a[i], y = b[i];
  out[0 * n + i] = x & y;
  out[1 * n + i] = x | y;
  out[2 * n + i] = x ^ y;
  out[3 * n + i] = ~x;
  out[4 * n + i] = x & 0xff00ff00u;
  out[5 * n + i] = x & (x - 1u);
  out[6 * n + i] = (x & y) | (~x & (y << 1));
  out[7 * n + i] = (x >> 8 & 0xffu) << 16 | (x & 0xffu);
}

__global__ void shifts_by_constants(const uint32_t *a, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t x = a[i];
  const int32_t s = int32_t(x);
  out[0 * n + i] = x << 1;
  out[1 * n + i] = x << 31;
  out[2 * n + i] = x >> 1;
  out[3 * n + i] = x >> 31;
  out[4 * n + i] = uint32_t(s >> 1);
  out[5 * n + i] = uint32_t(s >> 31);
  out[6 * n + i] = uint32_t(s >> 13);
  out[7 * n + i] = (x << 7) | (x >> 25);
}

__global__ void shifts_by_data(const uint32_t *a, const uint32_t *amount, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t x = a[i], k = amount[i] & 31u;
  out[0 * n + i] = x << k;
  out[1 * n + i] = x >> k;
  out[2 * n + i] = uint32_t(int32_t(x) >> k);
  out[3 * n + i] = 1u << k;
  out[4 * n + i] = (x << k) | (x >> (-k & 31u));
  out[5 * n + i] = x >> (threadIdx.x & 31u);
  out[6 * n + i] = uint32_t(int32_t(x) >> (i % 32));
}

__global__ void shifts_by_scalar(const uint32_t *a, uint32_t *out, int k, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i] << k;
  out[1 * n + i] = a[i] >> k;
  out[2 * n + i] = uint32_t(int32_t(a[i]) >> k);
  out[3 * n + i] = (a[i] >> k) & 1u;
  out[4 * n + i] = uint32_t(i) << k;
}

// Counting bits with plain operators, as portable code does.
__global__ void population(const uint32_t *a, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t v = a[i];
  v = v - ((v >> 1) & 0x55555555u);
  v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
  out[i] = (((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

__global__ void float_bits(const uint32_t *a, const float *x, uint32_t *bits, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bits[0 * n + i] = __float_as_uint(x[i]);
  bits[1 * n + i] = uint32_t(__float_as_int(x[i]) >> 23 & 0xff);
  out[0 * n + i] = __uint_as_float((a[i] & 0x007fffffu) | 0x3f800000u);
  out[1 * n + i] = __int_as_float(__float_as_int(x[i]) ^ int(0x80000000u));
}

int main() {
  const int size = 1300;
  std::vector<uint32_t> a = {0u,          1u,          0x7fffffffu, 0x80000000u,
                             0xffffffffu, 0x01000001u, 0xaaaaaaaau};
  std::vector<uint32_t> b(size);
  std::vector<float> x(size);
  for (uint32_t i = 0; int(a.size()) < size; ++i)
    a.push_back(i * 2654435761u);
  for (int i = 0; i < size; ++i) {
    b[i] = uint32_t(i) * 2246822519u >> 3;
    x[i] = float(i - 650) * 0.625f;
  }
  uint32_t *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<uint32_t>(8 * size));
  float *d_x = upload(x), *d_floats = upload(std::vector<float>(2 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},    {4, 64, 0},
                     {129, 5, 641}, {300, 4, 1200}, {2, 650, 1299}};
  for (const auto &c : cases) {
    bitwise<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    shifts_by_constants<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    shifts_by_data<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    for (int k : {0, 1, 16, 31})
      shifts_by_scalar<<<c.blocks, c.threads>>>(d_a, d_out, k, c.n);
    population<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    float_bits<<<c.blocks, c.threads>>>(d_a, d_x, d_out, d_floats, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
