// Operations with a rounding mode in their name.
#include "upload.h"

// One direction each; test/kernel/library_test.cpp has all three.
#define OUT out[i + n * k++]

__global__ void down(const float *a, const float *b, const float *c, const int *words,
                     const double *reals, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i < n) {
    OUT = __fadd_rd(a[i], b[i]);
    OUT = __fmul_rd(a[i], b[i]);
    OUT = __fsqrt_rd(a[i]);
    OUT = __int2float_rd(words[i]);
    OUT = __ull2float_rd(words[i] * 0x100010001ull);
  }
}
__global__ void up(const float *a, const float *b, const float *c, const int *words,
                   const double *reals, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i < n) {
    OUT = __fsub_ru(a[i], b[i]);
    OUT = __frcp_ru(a[i]);
    OUT = __fmaf_ru(a[i], b[i], c[i]);
    OUT = __ll2float_ru(words[i] * 0x10001ll);
    OUT = __double2float_ru(reals[i]);
  }
}
__global__ void to_zero(const float *a, const float *b, const float *c, const int *words,
                        const double *reals, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i < n) {
    OUT = __fmul_rz(a[i], b[i]);
    OUT = __fdiv_rz(a[i], b[i]);
    OUT = __uint2float_rz(words[i]);
    OUT = __double2float_rz(reals[i]);
  }
}

int main() {
  const float special[] = {0.0f,    -0.0f,  1.0f,   -1.0f,     3.0f,       1e-45f, -1e-39f,
                           3.4e38f, 1e-20f, 7e-21f, HUGE_VALF, -HUGE_VALF, NAN,    0x1.000002p0f};
  const int kinds = sizeof special / sizeof *special;
  for (int n : {1, 200, 451}) {
    std::vector<float> a(n), b(n), c(n);
    std::vector<int> words(n);
    std::vector<double> reals(n);
    for (int i = 0; i < n; ++i) {
      const unsigned hash = (i + 1) * 2654435761u;
      a[i] = i < kinds * kinds ? special[i % kinds] : (float)hash * 0x1p-20f;
      b[i] = i < kinds * kinds ? special[i / kinds] : 1.0f / (hash >> 8);
      c[i] = i % 3 ? -a[i] * b[i] : (float)(hash >> 4);
      words[i] = (int)(hash >> hash % 31);
      reals[i] = (double)(int)hash / 3 * (i % 7 ? 1.0 : 1e-44);
    }
    float *x = upload(a), *y = upload(b), *z = upload(c), *out;
    int *w = upload(words);
    double *r = upload(reals);
    cudaMalloc(&out, 5 * n * sizeof(float));
    const int grid = (n + 63) / 64;
    down<<<grid, 64>>>(x, y, z, w, r, out, n);
    up<<<grid, 64>>>(x, y, z, w, r, out, n);
    to_zero<<<grid, 64>>>(x, y, z, w, r, out, n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
