// 8-bit floats: every bit pattern to wider types, and floats, halves and doubles around every point
// where rounding turns, in both formats, with and without saturation; in pairs and fours; and the
// products of bytes in words.
#include "upload.h"

#include <cstdint>
#include <cstring>
#include <cuda_fp8.h>
#include <vector>

template <class T> __global__ void widen(const T *x, float *f, __half *h, __nv_bfloat16 *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  f[i] = float(x[i]);
  h[i] = __half(x[i]);
  b[i] = __nv_bfloat16(x[i]);
  f[n + i] = x[i] ? 1.0f : 0.0f;
}

template <class T> __global__ void narrow(const float *f, const __half *h, T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] = T(f[i]);
  x[n + i] = T(h[i]);
  x[2 * n + i] = T(__float2bfloat16(f[i]));
  x[3 * n + i] = T(i - n / 2);
}

__global__ void by_function(const float *f, unsigned char *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] = __nv_cvt_float_to_fp8(f[i], __NV_NOSAT, __NV_E4M3);
  x[n + i] = __nv_cvt_float_to_fp8(f[i], __NV_NOSAT, __NV_E5M2);
  x[2 * n + i] = __nv_cvt_float_to_fp8(f[i], __NV_SATFINITE, i % 2 ? __NV_E4M3 : __NV_E5M2);
}

__global__ void several(const float4 *f, __nv_fp8x4_e4m3 *x, __nv_fp8x2_e5m2 *y, float4 *g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] = __nv_fp8x4_e4m3(f[i]);
  y[i] = __nv_fp8x2_e5m2(__floats2half2_rn(f[i].x, f[i].w));
  g[i] = float4(x[i]);
  g[n + i] = g[i];
  const float2 two = float2(y[i]);
  g[n + i].x = two.x * two.y;
}

// Scaled to the range of the format, as quantised weights are.
template <class T>
__global__ void quantize(const float *x, const float *largest, T *q, float *back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  q[i] = T(x[i] * (448.0f * *largest)); // a power of two: exact
  back[i] = float(q[i]) * 0.125f;
}

__global__ void products(const int *a, const int *b, const char4 *c, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = __dp4a(a[i], b[i], i);
  out[n + i] = int(__dp4a(unsigned(a[i]), unsigned(b[i]), 7u));
  out[2 * n + i] = __dp2a_lo(a[i], b[i], -i);
  out[3 * n + i] = int(__dp2a_hi(unsigned(a[i]), unsigned(b[i]), 3u));
  out[4 * n + i] = __dp4a(c[i], c[n - 1 - i], a[i]);
}

template <class T> void test(const float *f, const __half *h, int all) {
  std::vector<T> patterns(256);
  for (int i = 0; i < 256; ++i)
    patterns[i].__x = (unsigned char)i;
  T *x = upload(patterns), *y = upload(std::vector<T>(4 * all));
  float *g = upload(std::vector<float>(512)), *back = upload(std::vector<float>(all));
  float *largest = upload(std::vector<float>(1, 0.25f));
  auto *wide = upload(std::vector<__half>(256));
  auto *brain = upload(std::vector<__nv_bfloat16>(256));
  widen<<<3, 100>>>(x, g, wide, brain, 256);
  widen<<<1, 7>>>(x + 250, g, wide, brain, 6);
  narrow<<<(all + 255) / 256, 256>>>(f, h, y, all);
  narrow<<<129, 5>>>(f + all / 2, h, y, 641);
  quantize<<<20, 50>>>(f + 1000, largest, y, back, 990);
}

int main() {
  // Floats at, below and above every 8-bit number of more digits, which are also middles.
  std::vector<float> f;
  for (uint32_t bits = 0x36000000; bits < 0x48800000; bits += 0x20000)
    for (int offset : {-1, 0, 1})
      for (uint32_t sign : {0u, 0x80000000u}) {
        const uint32_t word = (bits + offset) | sign;
        float value;
        std::memcpy(&value, &word, 4);
        f.push_back(value);
      }
  for (float value : {0.0f, -0.0f, 1e-30f, 1e30f, -1e38f, 1e38f * 10, -1e38f * 10, 464.0f, 480.0f})
    f.push_back(value);
  f.push_back(f[0] * 0.0f / 0.0f);
  while (f.size() % 4)
    f.push_back(1.0f);
  const int all = int(f.size());
  std::vector<__half> h(all);
  std::vector<int> a(all), b(all);
  for (int i = 0; i < all; ++i) {
    const unsigned short bits = (unsigned short)(i * 11);
    h[i] = __ushort_as_half(bits);
    a[i] = int(unsigned(i) * 2654435761u);
    b[i] = int(unsigned(i) * 40503u + 0x80ff7f01u);
  }
  float *df = upload(f), *dg = upload(std::vector<float>(2 * all));
  __half *dh = upload(h);
  test<__nv_fp8_e4m3>(df, dh, all);
  test<__nv_fp8_e5m2>(df, dh, all);
  auto *bytes = upload(std::vector<unsigned char>(3 * all));
  for (int n : {1, 130, all})
    by_function<<<(n + 127) / 128, 128>>>(df, bytes, n);
  auto *fours = upload(std::vector<__nv_fp8x4_e4m3>(all / 4));
  auto *twos = upload(std::vector<__nv_fp8x2_e5m2>(all / 4));
  several<<<all / 400 + 1, 100>>>((float4 *)df, fours, twos, (float4 *)dg, all / 4);
  int *da = upload(a), *db = upload(b), *out = upload(std::vector<int>(5 * all));
  for (int n : {1, 641, all})
    products<<<(n + 63) / 64, 64>>>(da, db, (const char4 *)db, out, n);
  // The host has the same conversions.
  for (int i = 0; i < 256; ++i) {
    __nv_fp8_e4m3 x;
    x.__x = (unsigned char)i;
    if (__nv_fp8_e4m3(float(x)).__x != i && (i & 0x7f) != 0x7f)
      return 2;
  }
  if (float(__nv_fp8_e5m2(1e9)) != 57344.0f || float(__nv_fp8_e4m3(-1000)) != -448.0f)
    return 3;
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
