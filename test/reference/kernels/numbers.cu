#include "device.h"

extern "C" {

__global__ void integers(const int *a, const int *b, int *out, int n) {
  int i = globalThread();
  if (i >= n)
    return;
  int x = a[i], y = b[i];
  unsigned ux = x, uy = y;
  int *o = out + 20 * i;
  o[0] = x + y;
  o[1] = x * y;
  o[2] = x / y;
  o[3] = x % y;
  o[4] = ux / uy;
  o[5] = ux % uy;
  o[6] = x << y;
  o[7] = x >> y;
  o[8] = ux >> y;
  o[9] = (signed char)x + (short)y;
  o[10] = (unsigned char)x * (unsigned short)y;
  o[11] = (int)((long long)x * y >> 32);
  o[12] = x < 0 ? -x : x;
  o[13] = __builtin_popcount(ux);
  o[14] = ux ? __builtin_clz(ux) : 32;
  o[15] = __nvvm_mulhi_i(x, y);
  o[16] = x - y;
  o[17] = x < y;
  o[18] = ux < uy;
  o[19] = __nvvm_prmt(ux, uy, 0x5410);
}

__global__ void to_integers(const float *x, int *i32, unsigned *u32, long long *i64, uint64 *u64,
                            short *i16, unsigned short *u16, signed char *i8, unsigned char *u8,
                            int n) {
  int i = globalThread();
  if (i >= n)
    return;
  i32[i] = (int)x[i];
  u32[i] = (unsigned)x[i];
  i64[i] = (long long)x[i];
  u64[i] = (uint64)x[i];
  i16[i] = (short)x[i];
  u16[i] = (unsigned short)x[i];
  i8[i] = (signed char)x[i];
  u8[i] = (unsigned char)x[i];
}

__global__ void contraction(const float *a, const float *b, const float *c, float *separate,
                            float *fused, int n) {
  int i = globalThread();
  if (i >= n)
    return;
  separate[i] = a[i] * b[i] + c[i];
  fused[i] = __nvvm_fma_rn_f(a[i], b[i], c[i]);
}

__global__ void uninitialised_local(int *out) {
  int local[4];
  if (threadIdx.x == 0)
    local[0] = 5;
  out[threadIdx.x] = local[threadIdx.x & 3];
}

__global__ void misaligned(char *bytes) {
  typedef float f4 __attribute__((ext_vector_type(4)));
  *(f4 *)(bytes + 1) = f4{1, 2, 3, 4};
}

__global__ void halves(const float *a, const float *b, const float *c, float *h, float *bf, int n) {
  int i = globalThread();
  if (i >= n)
    return;
  _Float16 x = (_Float16)a[i], y = (_Float16)b[i], z = (_Float16)c[i];
  h[4 * i] = (float)(x + y);
  h[4 * i + 1] = (float)(x * y);
  h[4 * i + 2] = (float)__nvvm_fma_rn_f16(x, y, z);
  h[4 * i + 3] = (float)(_Float16)(int)a[i];
  __bf16 p = (__bf16)a[i], q = (__bf16)b[i], r = (__bf16)c[i];
  bf[4 * i] = (float)(p + q);
  bf[4 * i + 1] = (float)(p * q);
  bf[4 * i + 2] = (float)__nvvm_fma_rn_bf16(p, q, r);
  bf[4 * i + 3] = (float)(__bf16)(double)a[i];
}

// clang-format off
#define UNARY_FUNCTIONS(FUNCTION)                                                                  \
  FUNCTION(exp)                                                                                    \
  FUNCTION(exp2)                                                                                   \
  FUNCTION(exp10)                                                                                  \
  FUNCTION(expm1) FUNCTION(log) FUNCTION(log2) FUNCTION(log10) FUNCTION(log1p) FUNCTION(sin)       \
      FUNCTION(cos) FUNCTION(tan) FUNCTION(asin) FUNCTION(acos) FUNCTION(atan) FUNCTION(sinh)      \
          FUNCTION(cosh) FUNCTION(tanh) FUNCTION(asinh) FUNCTION(acosh) FUNCTION(atanh)            \
              FUNCTION(sqrt) FUNCTION(rsqrt) FUNCTION(cbrt) FUNCTION(erf) FUNCTION(erfc)           \
                  FUNCTION(tgamma) FUNCTION(lgamma) FUNCTION(fabs) FUNCTION(floor) FUNCTION(ceil)  \
                      FUNCTION(trunc) FUNCTION(rint) FUNCTION(round) FUNCTION(erfinv)              \
                          FUNCTION(erfcinv) FUNCTION(erfcx) FUNCTION(normcdf) FUNCTION(normcdfinv) \
                              FUNCTION(sinpi) FUNCTION(cospi) FUNCTION(cyl_bessel_i0)              \
                                  FUNCTION(cyl_bessel_i1) FUNCTION(j0) FUNCTION(y1) FUNCTION(logb)
#define BINARY_FUNCTIONS(FUNCTION)                                                                 \
  FUNCTION(pow)                                                                                    \
  FUNCTION(atan2)                                                                                  \
  FUNCTION(fmod)                                                                                   \
  FUNCTION(remainder) FUNCTION(hypot) FUNCTION(fmin) FUNCTION(fmax) FUNCTION(fdim)                 \
      FUNCTION(copysign) FUNCTION(nextafter)
// clang-format on

#define UNARY_KERNEL(name)                                                                         \
  __device__ float __nv_##name##f(float);                                                          \
  __device__ double __nv_##name(double);                                                           \
  __global__ void f_##name(const float *x, float *y, int n) {                                      \
    int i = globalThread();                                                                        \
    if (i < n)                                                                                     \
      y[i] = __nv_##name##f(x[i]);                                                                 \
  }                                                                                                \
  __global__ void d_##name(const double *x, double *y, int n) {                                    \
    int i = globalThread();                                                                        \
    if (i < n)                                                                                     \
      y[i] = __nv_##name(x[i]);                                                                    \
  }
UNARY_FUNCTIONS(UNARY_KERNEL)
#define BINARY_KERNEL(name)                                                                        \
  __device__ float __nv_##name##f(float, float);                                                   \
  __global__ void f_##name(const float *a, const float *b, float *y, int n) {                      \
    int i = globalThread();                                                                        \
    if (i < n)                                                                                     \
      y[i] = __nv_##name##f(a[i], b[i]);                                                           \
  }
BINARY_FUNCTIONS(BINARY_KERNEL)

__device__ float __nv_fadd_rd(float, float);
__device__ float __nv_fadd_ru(float, float);
__device__ float __nv_fadd_rz(float, float);
__device__ float __nv_fdiv_rz(float, float);
__device__ float __nv_fmaf_ru(float, float, float);
__device__ float __nv_int2float_rz(int);
__global__ void directed(float a, float b, float *out) {
  out[0] = __nv_fadd_rd(a, b);
  out[1] = a + b;
  out[2] = __nv_fadd_ru(a, b);
  out[3] = __nv_fadd_rz(a, b);
  out[4] = __nv_fdiv_rz(-a, 3.f);
  out[5] = __nv_fmaf_ru(a, 1.f, b);
  out[6] = __nv_int2float_rz(0x7fffffff);
  out[7] = -a / 3.f;
}

typedef __bf16 bf2 __attribute__((ext_vector_type(2)));
__global__ void bfloat_atomics(__bf16 *sum, double *from, _Float16 *half) {
  __scoped_atomic_fetch_add(sum, (__bf16)1.5f, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  half[threadIdx.x] = (_Float16)from[threadIdx.x];
}
}
