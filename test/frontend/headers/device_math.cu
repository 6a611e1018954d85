#include <algorithm>
#include <cmath>
#include <math.h>
#include <math_constants.h>

__global__ void floats(float *x, int *n) {
  const float a = x[0], b = x[1];
  x[2] = sqrtf(a) + rsqrtf(b) + expf(a) + logf(b) + sinf(a) + cosf(b) + tanhf(a) + powf(a, b) +
         fabsf(a) + floorf(b) + ceilf(a) + fmaxf(a, b) + fminf(a, b) + fmaf(a, b, a) + erff(a);
  x[3] = sqrt(a) + rsqrt(b) + exp(a) + log(b) + sin(a) + cos(b) + tanh(a) + pow(a, b) + fabs(a) +
         floor(b) + ceil(a) + max(a, b) + min(a, b) + fma(a, b, a) + abs(a) + sinpi(a) + exp10(a);
  x[4] = std::sqrt(a) + std::exp(a) + std::abs(b) + std::pow(a, 2) + std::max(a, b) +
         std::fmod(a, b) + std::floor(a);
  x[5] = __expf(a) + __logf(b) + __sinf(a) + __cosf(b) + __powf(a, b) + __fdividef(a, b) +
         __fmaf_rn(a, b, a) + __fadd_rn(a, b) + __frcp_rn(a) + __fsqrt_rn(b) + __saturatef(a) +
         __frsqrt_rn(a) + fdividef(a, b) + __tanf(a) + __log2f(a) + __exp10f(b);
  x[6] = CUDART_PI_F + CUDART_INF_F + cbrtf(a) + hypotf(a, b) + copysignf(a, b) + norm3df(a, b, a);
  float s, c;
  sincosf(a, &s, &c);
  __sincosf(b, &x[7], &x[8]);
  int e;
  x[9] = s + c + frexpf(a, &e) + ldexpf(b, 3) + modff(a, &x[10]) + truncf(a) + rintf(b) + roundf(a);
  n[0] = e + isnan(a) + isinf(b) + isfinite(a) + std::isnan(b) + signbit(a);
  n[1] = __float2int_rn(a) + __float2int_rz(a) + __float2int_rd(b) + (int)__float2uint_ru(b) +
         __float_as_int(a) + (int)lroundf(a) + (int)lrintf(b);
  x[11] = __int2float_rn(n[0]) + __int_as_float(n[1]) + __uint2float_rz(3u);
}

__global__ void doubles(double *x, long long *n) {
  const double a = x[0], b = x[1];
  x[2] = sqrt(a) + rsqrt(b) + exp(a) + pow(a, b) + fmax(a, b) + max(a, b) + min(a, 1.0f) + fabs(a) +
         __dadd_rn(a, b) + __fma_rn(a, b, a) + CUDART_PI + erf(a) + lgamma(b) + norm3d(a, b, a);
  n[0] = __double2ll_rn(a) + __double_as_longlong(b) + llrint(a);
  x[3] = __longlong_as_double(n[0]) + __ll2double_rn(n[0]);
}

__global__ void integers(int *x, unsigned *u, long long *l, unsigned long long *ul, size_t *z) {
  x[0] = min(x[1], x[2]) + max(x[1], 3) + abs(x[2]) + __mulhi(x[1], x[2]) + __mul24(x[1], x[2]) +
         __popc(u[0]) + __clz(x[1]) + __ffs(x[2]) + __clzll(l[0]) + __popcll(ul[0]) +
         __ffsll(l[0]) + __hadd(x[0], x[1]) + __sad(x[0], x[1], u[0]);
  u[1] = min(u[0], u[2]) + max(u[0], 3u) + min(u[0], x[0]) + __umulhi(u[0], u[1]) + __brev(u[0]) +
         __umul24(u[0], u[1]) + __byte_perm(u[0], u[1], 0x3210) + __funnelshift_l(u[0], u[1], 3) +
         __funnelshift_r(u[0], u[1], 3) + __vadd2(u[0], u[1]) + __dp4a(u[0], u[1], u[2]);
  l[1] = min(l[0], l[2]) + max(l[0], 3ll) + llabs(l[0]) + abs(l[0]) + __mul64hi(l[0], l[1]);
  ul[1] = min(ul[0], ul[2]) + max(ul[0], 3ull) + __umul64hi(ul[0], ul[1]) + __brevll(ul[0]);
  z[0] = min(z[1], z[2]) + std::min(z[1], z[2]) + max(z[1], (size_t)4);
  x[3] = std::max(x[0], x[1]) + std::abs(x[2]) + __vimax3_s32(x[0], x[1], x[2]);
}

int main() {
  return (int)(rsqrtf(4.f) + (float)max(1, 2) + (float)min(3u, 4u) + max(1.0f, 2.0f) + sinpif(1.f));
}
