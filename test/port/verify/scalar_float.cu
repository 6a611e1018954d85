// Sums, differences, products, comparisons and selects of floats: bit for bit, with signed zeros,
// subnormals, infinities and NaN.
#include "upload.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

__global__ void arithmetic(const float *a, const float *b, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = a[i], y = b[i];
  out[0 * n + i] = x + y;
  out[1 * n + i] = x - y;
  out[2 * n + i] = x * y;
  out[3 * n + i] = -x;
  out[4 * n + i] = x * y + x;
  out[5 * n + i] = (x + 1.5f) * (y - 2.25f);
  out[6 * n + i] = x * 3.0f - y * 0.1f;
  out[7 * n + i] = fabsf(x) - fabsf(y);
}

__global__ void comparisons(const float *a, const float *b, uint32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = a[i], y = b[i];
  uint32_t bits = 0;
  bits |= uint32_t(x < y) << 0;
  bits |= uint32_t(x <= y) << 1;
  bits |= uint32_t(x > y) << 2;
  bits |= uint32_t(x >= y) << 3;
  bits |= uint32_t(x == y) << 4;
  bits |= uint32_t(x != y) << 5;
  bits |= uint32_t(!(x < y)) << 6;
  bits |= uint32_t(!(x >= y)) << 7;
  bits |= uint32_t(x != x) << 8;
  bits |= uint32_t(!(x == 0.0f)) << 9;
  bits |= uint32_t(isnan(x)) << 10;
  bits |= uint32_t(!(x <= y) && !(x > 1.0f)) << 11;
  out[i] = bits;
}

__global__ void selects(const float *a, const float *b, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = a[i], y = b[i];
  out[0 * n + i] = x < y ? x : y;
  out[1 * n + i] = x > y ? x : y;
  out[2 * n + i] = x > 0.0f ? x : 0.0f;
  out[3 * n + i] = x == y ? 1.0f : -0.0f;
  out[4 * n + i] = !(x < y) ? y : x;
  out[5 * n + i] = x != x ? 42.0f : x;
}

__global__ void with_scalars(const float *a, float *out, float s, float t, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = s * a[i] + t;
  out[1 * n + i] = a[i] - s;
  out[2 * n + i] = s - a[i];
  out[3 * n + i] = s * t * a[i];
  out[4 * n + i] = a[i] < s ? a[i] : t;
  out[5 * n + i] = (s + t) + float(i) * a[i];
}

// Arithmetic of the host with floats that are no short decimal numbers.
__global__ void constants(const float *a, float *out, int flag, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = flag > 1 ? 0.7f : 0.1f;
  const float upper = __int_as_float(__float_as_int(factor) & 0xfffff000);
  if (i < n && factor != 0.3f)
    out[i] = a[i] * (factor - upper) + (factor == 0.7f ? 0.1f + factor : factor - 0.3f);
}

int main() {
  const float edges[] = {0.0f,   -0.0f,    1.0f,           -1.0f,       0.1f,        -2.25f,
                         1e-45f, -1e-40f,  1.1754944e-38f, 16777216.0f, 16777217.0f, 3.4028235e38f,
                         -3e38f, INFINITY, -INFINITY,      NAN,         1.0000001f,  0.99999994f};
  std::vector<float> a, b;
  for (float x : edges)
    for (float y : edges)
      a.push_back(x), b.push_back(y);
  for (uint32_t i = 0; a.size() < 2000; ++i) {
    const uint32_t u = i * 2654435761u, v = i * 2246822519u + 374761393u; // any bit pattern
    float x, y;
    std::memcpy(&x, &u, 4);
    std::memcpy(&y, &v, 4);
    a.push_back(x), b.push_back(y);
  }
  float *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<float>(8 * 2000));
  uint32_t *d_bits = upload(std::vector<uint32_t>(2000));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 1000, 1999}};
  for (const auto &c : cases) {
    arithmetic<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    comparisons<<<c.blocks, c.threads>>>(d_a, d_b, d_bits, c.n);
    selects<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    with_scalars<<<c.blocks, c.threads>>>(d_a, d_out, 0.3f, -7.5f, c.n);
    with_scalars<<<c.blocks, c.threads>>>(d_a, d_out, -0.0f, INFINITY, c.n);
    constants<<<c.blocks, c.threads>>>(d_a, d_out, c.blocks, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
