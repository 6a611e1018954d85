// 64-bit integers: to and from float, bool and narrower integers, in every direction.
#include "upload.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

__global__ void to_float(const long long *a, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = float(a[i]);
  out[1 * n + i] = float((unsigned long long)a[i]);
  out[2 * n + i] = __ll2float_rn(a[i]) * 0.5f;
  out[3 * n + i] = __ull2float_rn(a[i]);
  out[4 * n + i] = float(a[i] >> 32);
  out[5 * n + i] = float(a[i] & 0xffffffff);
  out[6 * n + i] = float(a[i] * i);
}

__global__ void from_float(const float *x, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = (long long)x[i];
  out[1 * n + i] = (unsigned long long)x[i];
  out[2 * n + i] = __float2ll_rz(x[i]);
  out[3 * n + i] = __float2ll_rn(x[i]);
  out[4 * n + i] = __float2ll_rd(x[i]);
  out[5 * n + i] = __float2ll_ru(x[i]);
  out[6 * n + i] = __float2ull_rz(x[i]);
  out[7 * n + i] = __float2ull_rn(x[i]);
  out[8 * n + i] = llrintf(x[i]);
  out[9 * n + i] = int((long long)x[i]);
}

__global__ void widen(const int *a, const short *s, const unsigned char *c, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i];
  out[1 * n + i] = unsigned(a[i]);
  out[2 * n + i] = s[i];
  out[3 * n + i] = (unsigned short)s[i];
  out[4 * n + i] = c[i];
  out[5 * n + i] = (signed char)c[i];
  out[6 * n + i] = a[i] > 0;
  out[7 * n + i] = -(long long)(a[i] > s[i]);
  out[8 * n + i] = (long long)a[i] + s[i];
  out[9 * n + i] = (long long)a[i] - 2147483648ll;
  out[10 * n + i] = i;
  out[11 * n + i] = (long long)i * i * i * 1000003;
  out[12 * n + i] = (long long)i * a[i];
  out[13 * n + i] = threadIdx.x - 5ll;
  out[14 * n + i] = a[i] < 0 ? (long long)i << 33 : (long long)a[i];
}

__global__ void narrow(const long long *a, int *w, short *s, unsigned char *c, bool *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  w[i] = int(a[i] + 1);
  s[i] = short(a[i] - 1);
  c[i] = (unsigned char)(a[i] >> 35);
  b[i] = a[i];
}

// Two words and one long, both ways.
__global__ void halves(const unsigned *low, const int *high, unsigned long long *out,
                       unsigned *parts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned long long joined = (unsigned long long)unsigned(high[i]) << 32 | low[i];
  out[0 * n + i] = joined;
  out[1 * n + i] = (unsigned long long)high[i] << 32;
  out[2 * n + i] = ((unsigned long long)high[i] << 32) + low[i];
  out[3 * n + i] = (unsigned long long)high[i] << 48 | low[i] << 16;
  parts[0 * n + i] = unsigned(joined);
  parts[1 * n + i] = unsigned(joined >> 32);
}

template <class T> T *room(int count) { return upload(std::vector<T>(count)); }

int main() {
  const float corners[] = {0.0f,      -0.0f,          0.5f,           -0.5f,          1.5f,
                           2.5f,      -2.5f,          0x1p31f,        -0x1p31f,       0x1p32f,
                           0x1.8p32f, 0x1.fffffep62f, 0x1p63f,        -0x1p63f,       0x1p64f,
                           3e38f,     -3e38f,         INFINITY,       -INFINITY,      NAN,
                           1e-42f,    16777217.f,     0x1.000002p33f, -0x1.fffffep40f};
  const int shapes[][2] = {{1, 1}, {1, 64}, {129, 3}, {300, 33}};
  for (const auto &[blocks, threads] : shapes) {
    const int n = blocks * threads > 1 ? blocks * threads - 1 : 1;
    std::vector<long long> a(n);
    std::vector<float> x(n);
    std::vector<int> w(n);
    std::vector<short> s(n);
    std::vector<unsigned char> c(n);
    unsigned long long state = 12345;
    for (int i = 0; i < n; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      // Around halfway between two floats, at every magnitude.
      const int bit = i % 62;
      const long long near = (1ll << bit) +
                             (bit > 23 ? (1ll << (bit - 24)) * ((i / 62) % 5) : i / 62) +
                             (i / 310) % 3 - 1;
      a[i] = i % 7 == 0 ? (long long)state : i % 2 ? near : -near;
      x[i] = i < int(sizeof corners / sizeof *corners) ? corners[i]
             : i % 3                                   ? float((long long)state >> state % 60)
                                                       : float(i - 500) * 0.25f;
      w[i] = int(state >> 32);
      s[i] = short(state >> 17);
      c[i] = (unsigned char)(state >> 40);
    }
    auto *da = upload(a), *out = room<long long>(16 * n);
    auto *dx = upload(x), *fout = room<float>(8 * n);
    auto *dw = upload(w), *wout = room<int>(2 * n);
    auto *ds = upload(s), *sout = room<short>(n);
    auto *dc = upload(c), *cout = room<unsigned char>(n);
    bool *bout = nullptr;
    cudaMalloc(&bout, n);
    to_float<<<blocks, threads>>>(da, fout, n);
    from_float<<<blocks, threads>>>(dx, out, n);
    widen<<<blocks, threads>>>(dw, ds, dc, out, n);
    narrow<<<blocks, threads>>>(da, wout, sout, cout, bout, n);
    halves<<<blocks, threads>>>((unsigned *)dw, wout, (unsigned long long *)out, (unsigned *)fout,
                                n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
  }
  return 0;
}
