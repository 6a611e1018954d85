// A 16-bit floating-point class in kernels: every bit pattern through conversions, comparisons and
// functions of one number, arithmetic of two and three, accumulators, shared memory, shuffles, and
// host code with the type. TYPE is the class, RAW the struct of its bits, ONE the bits of 1, and
// NAME(before, after) a function with the type's name in between.
#pragma once

#include "upload.h"

#include <cstdint>
#include <cstring>
#include <vector>

__global__ void to_floats(const TYPE *x, float *f, double *d, unsigned short *bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  f[i] = NAME(__, 2float)(x[i]);
  d[i] = float(x[i]);
  bits[i] = NAME(__, _as_ushort)(x[i]);
  bits[n + i] = NAME(__, _as_ushort)(NAME(__short_as_, )(short(bits[i] ^ 0x8000)));
}

__global__ void from_floats(const float *f, TYPE *h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  h[i] = f[i];
  h[n + i] = NAME(__float2, _rz)(f[i]);
  h[2 * n + i] = NAME(__float2, _rd)(f[i]);
  h[3 * n + i] = NAME(__float2, _ru)(f[i]);
}

__global__ void integers(const TYPE *x, const int *k, int *out, short *narrow, long long *wide,
                         TYPE *h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = NAME(__, 2int_rz)(x[i]);
  out[n + i] = NAME(__, 2int_rn)(x[i]);
  out[2 * n + i] = NAME(__, 2int_rd)(x[i]);
  out[3 * n + i] = NAME(__, 2int_ru)(x[i]);
  out[4 * n + i] = int(NAME(__, 2uint_rz)(x[i]));
  narrow[i] = NAME(__, 2short_rn)(x[i]);
  narrow[n + i] = short(NAME(__, 2ushort_rz)(x[i]));
  narrow[2 * n + i] = NAME(__, 2char_rz)(x[i]);
  wide[i] = NAME(__, 2ll_rz)(x[i]);
  h[i] = NAME(__int2, _rn)(k[i]);
  h[n + i] = NAME(__uint2, _rn)(unsigned(k[i]));
  h[2 * n + i] = NAME(__int2, _rz)(k[i]);
  h[3 * n + i] = NAME(__ushort2, _rn)((unsigned short)k[i]);
}

__global__ void exact_functions(const TYPE *x, TYPE *y, int *kinds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const TYPE h = x[i];
  y[i] = hsqrt(h);
  y[n + i] = hrcp(h);
  y[2 * n + i] = hfloor(h);
  y[3 * n + i] = hceil(h);
  y[4 * n + i] = htrunc(h);
  y[5 * n + i] = hrint(h);
  y[6 * n + i] = __habs(h);
  y[7 * n + i] = -h;
  kinds[i] = __hisnan(h) + 2 * __hisinf(h) + 8 * bool(h);
}

__global__ void arithmetic(const TYPE *a, const TYPE *b, const TYPE *c, TYPE *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = a[i] + b[i];
  y[n + i] = __hsub(a[i], b[i]);
  y[2 * n + i] = a[i] * b[i];
  y[3 * n + i] = __hdiv(a[i], b[i]);
  y[4 * n + i] = __hfma(a[i], b[i], c[i]);
  y[5 * n + i] = __hadd_sat(a[i], b[i]);
  y[6 * n + i] = __hfma_relu(a[i], b[i], c[i]);
  y[7 * n + i] = a[i] * b[i] + c[i]; // two roundings
}

__global__ void comparisons(const TYPE *a, const TYPE *b, int *flags, TYPE *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const TYPE x = a[i], z = b[i];
  flags[i] = __heq(x, z) | __hne(x, z) << 1 | __hlt(x, z) << 2 | __hle(x, z) << 3 |
             __hgt(x, z) << 4 | __hge(x, z) << 5 | __hequ(x, z) << 6 | __hneu(x, z) << 7 |
             __hltu(x, z) << 8 | __hleu(x, z) << 9 | __hgtu(x, z) << 10 | __hgeu(x, z) << 11;
  y[i] = __hmax(x, z);
  y[n + i] = __hmin(x, z);
  y[2 * n + i] = __hmax_nan(x, z);
  y[3 * n + i] = __hmin_nan(x, z);
  if (x < z && x != TYPE(0))
    y[i] = z;
}

__global__ void sums(const TYPE *x, TYPE *y, TYPE scale, float bias, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  TYPE sum = 0, product = scale;
  for (int k = 0; k < rounds; ++k) {
    sum = __hfma(x[(i + k) % n], scale, sum);
    if (k & 1)
      product = product * x[(i * k) % n];
  }
  y[i] = sum;
  y[n + i] = product + TYPE(bias) * scale;
  TYPE last = x[i];
  for (int k = 0; k < (i & 7); ++k)
    last = x[(i + k) % n];
  y[2 * n + i] = last;
}

__global__ void reversed(const TYPE *x, TYPE *y, int n) {
  __shared__ TYPE s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : TYPE(-1.0f);
  __syncthreads();
  const TYPE other = __shfl_xor_sync(0xffffffffu, s[blockDim.x - 1 - threadIdx.x], 3);
  if (i < n)
    y[i] = s[blockDim.x - 1 - threadIdx.x] + other;
}

template <class T> __global__ void axpy(T a, const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

static TYPE from_bits(unsigned bits) {
  RAW raw;
  raw.x = (unsigned short)bits;
  return raw;
}

int main() {
  // Every bit pattern, and as many floats around the points where rounding turns.
  const int all = 65536;
  std::vector<TYPE> x(all), b(all), c(all);
  std::vector<float> f(all);
  std::vector<int> k(all);
  uint32_t state = 1;
  auto random = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
  for (int i = 0; i < all; ++i) {
    x[i] = from_bits(i);
    b[i] = from_bits(random());
    // A third of the addends are next to the product's ulp, where a fused operation shows.
    c[i] = i % 3 ? from_bits(random()) : from_bits((random() & 0x8000) | (i & 0x3ff));
    uint32_t word = uint32_t(i & 0x8000) << 16 | (0x33000000u + (uint32_t(i & 0x7fff) << 13));
    word += i % 3 == 0 ? 0x1000 : i % 3 == 1 ? 0xfff : 0x1001;
    std::memcpy(&f[i], &word, 4);
    k[i] = i % 2 ? int(random() * 256u) >> (i & 31) : (i - all / 2) * 5;
  }
  TYPE *dx = upload(x), *db = upload(b), *dc = upload(c);
  TYPE *dy = upload(std::vector<TYPE>(8 * all, TYPE(0.5f)));
  float *df = upload(f), *dg = upload(std::vector<float>(all));
  double *dd = upload(std::vector<double>(all));
  int *dk = upload(k), *dout = upload(std::vector<int>(5 * all, 7));
  auto *dbits = upload(std::vector<unsigned short>(3 * all));
  auto *dwide = upload(std::vector<long long>(all));
  const TYPE scale = NAME(__float2, )(0.3f);
  struct {
    int blocks, threads, n;
  } const cases[] = {{256, 256, all}, {1, 1, 1}, {129, 5, 641}, {3, 33, 70}};
  for (const auto &w : cases) {
    to_floats<<<w.blocks, w.threads>>>(dx, dg, dd, dbits, w.n);
    from_floats<<<w.blocks, w.threads>>>(df, dy, w.n);
    integers<<<w.blocks, w.threads>>>(dx, dk, dout, (short *)dbits, dwide, dy, w.n);
    exact_functions<<<w.blocks, w.threads>>>(dx, dy, dout, w.n);
    arithmetic<<<w.blocks, w.threads>>>(dx, db, dc, dy, w.n);
    arithmetic<<<w.blocks, w.threads>>>(db, dx, dc, dy, w.n);
    comparisons<<<w.blocks, w.threads>>>(dx, db, dout, dy, w.n);
    comparisons<<<w.blocks, w.threads>>>(dx, dx, dout, dy, w.n);
    axpy<<<w.blocks, w.threads>>>(scale, dx, dc, w.n);
  }
  sums<<<17, 63>>>(db, dy, scale, 0.7f, 9, 1000);
  reversed<<<33, 64>>>(db, dy, 2000);
  // Host code computes with the type as well.
  TYPE two = scale + scale, sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += __hmul(two, x[ONE + i]);
  if (NAME(__, 2float)(sum) < 50 || __hisnan(sum) || two != TYPE(0.6f))
    return 2;
  axpy<<<5, 200>>>(sum, dx + ONE, dc, 999);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
