// Mathematical functions. A float function is evaluated in double and rounded once, which is
// correctly rounded but for cases closer than a double can tell; a double function is the host's.
#pragma once
#include "definitions.h"

// UNARY(exp, exp(x)) defines __nv_exp(double x) and __nv_expf(float).
#define UNARY(name, ...)                                                                           \
  DEVICE double __nv_##name(double x) { return __VA_ARGS__; }                                      \
  DEVICE float __nv_##name##f(float f) {                                                           \
    double x = f;                                                                                  \
    return (float)(__VA_ARGS__);                                                                   \
  }
#define BINARY(name, ...)                                                                          \
  DEVICE double __nv_##name(double x, double y) { return __VA_ARGS__; }                            \
  DEVICE float __nv_##name##f(float f, float g) {                                                  \
    double x = f, y = g;                                                                           \
    return (float)(__VA_ARGS__);                                                                   \
  }
// FAST(sinf, ...): the `__sinf` family. It is as accurate here as the plain function.
#define FAST(name)                                                                                 \
  DEVICE float __nv_fast_##name(float x) { return __nv_##name(x); }

static const double pi = 3.14159265358979323846;
static const double root_pi = 1.77245385090551602730;
static const double root_2 = 1.41421356237309504880;

UNARY(exp, exp(x))
UNARY(exp2, exp2(x))
UNARY(exp10, exp10(x))
UNARY(expm1, expm1(x))
UNARY(log, log(x))
UNARY(log2, log2(x))
UNARY(log10, log10(x))
UNARY(log1p, log1p(x))
UNARY(sin, sin(x))
UNARY(cos, cos(x))
UNARY(tan, tan(x))
UNARY(asin, asin(x))
UNARY(acos, acos(x))
UNARY(atan, atan(x))
UNARY(sinh, sinh(x))
UNARY(cosh, cosh(x))
UNARY(tanh, tanh(x))
UNARY(asinh, asinh(x))
UNARY(acosh, acosh(x))
UNARY(atanh, atanh(x))
UNARY(cbrt, cbrt(x))
UNARY(rcbrt, 1.0 / cbrt(x))
UNARY(rsqrt, 1.0 / __builtin_sqrt(x))
UNARY(erf, erf(x))
UNARY(erfc, erfc(x))
UNARY(tgamma, tgamma(x))
UNARY(lgamma, lgamma(x))
UNARY(j0, j0(x))
UNARY(j1, j1(x))
UNARY(y0, y0(x))
UNARY(y1, y1(x))
UNARY(logb, logb(x))
UNARY(normcdf, 0.5 * erfc(-x / root_2))
BINARY(atan2, atan2(x, y))
BINARY(pow, pow(x, y))
BINARY(hypot, hypot(x, y))
BINARY(rhypot, 1.0 / hypot(x, y))

// Exact operations: no detour through double.
#define EXACT_UNARY(name, builtin)                                                                 \
  DEVICE double __nv_##name(double x) { return builtin(x); }                                       \
  DEVICE float __nv_##name##f(float x) { return builtin##f(x); }
EXACT_UNARY(sqrt, __builtin_sqrt)
EXACT_UNARY(fabs, __builtin_fabs)
EXACT_UNARY(floor, __builtin_floor)
EXACT_UNARY(ceil, __builtin_ceil)
EXACT_UNARY(trunc, __builtin_trunc)
EXACT_UNARY(rint, __builtin_rint)
EXACT_UNARY(nearbyint, __builtin_rint)
EXACT_UNARY(round, __builtin_round)

#define EXACT_BINARY(name, function)                                                               \
  DEVICE double __nv_##name(double x, double y) { return function(x, y); }                         \
  DEVICE float __nv_##name##f(float x, float y) { return function##f(x, y); }
EXACT_BINARY(copysign, __builtin_copysign)
EXACT_BINARY(fmod, fmod)
EXACT_BINARY(remainder, remainder)
EXACT_BINARY(nextafter, nextafter)
DEVICE double __nv_fdim(double x, double y) {
  return isnan(x) || isnan(y) ? x + y : x > y ? x - y : 0;
}
DEVICE float __nv_fdimf(float x, float y) {
  return isnan(x) || isnan(y) ? x + y : x > y ? x - y : 0;
}
DEVICE double __nv_fmin(double x, double y) { return least(x, y); }
DEVICE double __nv_fmax(double x, double y) { return greatest(x, y); }
DEVICE float __nv_fminf(float x, float y) { return least(x, y); }
DEVICE float __nv_fmaxf(float x, float y) { return greatest(x, y); }
DEVICE double __nv_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
DEVICE float __nv_fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
DEVICE float __nv_saturatef(float x) { return least(greatest(x, 0.0f), 1.0f); }

DEVICE double __nv_powi(double x, int n) { return pow(x, n); }
DEVICE float __nv_powif(float x, int n) { return (float)pow(x, n); }
DEVICE double __nv_jn(int n, double x) { return jn(n, x); }
DEVICE float __nv_jnf(int n, float x) { return (float)jn(n, x); }
DEVICE double __nv_yn(int n, double x) { return yn(n, x); }
DEVICE float __nv_ynf(int n, float x) { return (float)yn(n, x); }
DEVICE double __nv_nan(const signed char *) { return __builtin_nan(""); }
DEVICE float __nv_nanf(const signed char *) { return __builtin_nanf(""); }

// Parts of a number.
DEVICE double __nv_ldexp(double x, int n) { return ldexp(x, n); }
DEVICE float __nv_ldexpf(float x, int n) { return ldexpf(x, n); }
DEVICE double __nv_scalbn(double x, int n) { return ldexp(x, n); }
DEVICE float __nv_scalbnf(float x, int n) { return ldexpf(x, n); }
DEVICE int __nv_ilogb(double x) { return ilogb(x); }
DEVICE int __nv_ilogbf(float x) { return ilogb((double)x); }
DEVICE double __nv_frexp(double x, int *e) {
  int exponent = 0;
  double fraction = frexp(x, &exponent);
  *e = isfinite(x) ? exponent : 0;
  return fraction;
}
DEVICE float __nv_frexpf(float x, int *e) { return (float)__nv_frexp(x, e); }
DEVICE double __nv_modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(isinf(x) ? 0.0 : x - *whole, x);
}
DEVICE float __nv_modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(isinf(x) ? 0.0f : x - *whole, x);
}
DEVICE double __nv_remquo(double x, double y, int *quotient) {
  int q = 0;
  double r = remquo(x, y, &q);
  *quotient = q;
  return r;
}
DEVICE float __nv_remquof(float x, float y, int *quotient) {
  return (float)__nv_remquo(x, y, quotient);
}

// sin(pi x) and cos(pi x): x modulo 2 is exact, then an eighth of a turn around zero.
static double sineOfHalfTurns(double x, int quarter) {
  if (!isfinite(x))
    return __builtin_nan("");
  double r = fmod(x, 2.0);
  double nearest = __builtin_rint(r * 2.0);
  double angle = pi * (r - nearest * 0.5);
  switch (((int)nearest + quarter) & 3) {
  case 0:
    return sin(angle);
  case 1:
    return cos(angle);
  case 2:
    return -sin(angle);
  default:
    return -cos(angle);
  }
}
// A whole number of half turns has sine zero with the sign of x.
static double sinpiOf(double x) {
  return isfinite(x) && x == __builtin_trunc(x) ? __builtin_copysign(0.0, x)
                                                : sineOfHalfTurns(x, 0);
}
static double cospiOf(double x) {
  double c = sineOfHalfTurns(x, 1);
  return c == 0 ? 0.0 : c;
}
UNARY(sinpi, sinpiOf(x))
UNARY(cospi, cospiOf(x))

#define SINE_AND_COSINE(name, T, sine, cosine)                                                     \
  DEVICE void __nv_##name(T x, T *s, T *c) {                                                       \
    *s = __nv_##sine(x);                                                                           \
    *c = __nv_##cosine(x);                                                                         \
  }
SINE_AND_COSINE(sincos, double, sin, cos)
SINE_AND_COSINE(sincosf, float, sinf, cosf)
SINE_AND_COSINE(fast_sincosf, float, sinf, cosf)
SINE_AND_COSINE(sincospi, double, sinpi, cospi)
SINE_AND_COSINE(sincospif, float, sinpif, cospif)

FAST(sinf)
FAST(cosf)
FAST(tanf)
FAST(expf)
FAST(exp10f)
FAST(logf)
FAST(log2f)
FAST(log10f)
DEVICE float __nv_fast_powf(float x, float y) { return __nv_powf(x, y); }
DEVICE float __nv_fast_fdividef(float x, float y) { return x / y; }
DEVICE float __nv_fast_tanhf(float x) { return __nv_tanhf(x); }

// Lengths: scaled by the largest component, so that squares neither overflow nor vanish.
template <class T> static double length(int n, const T *v) {
  double largest = 0;
  for (int i = 0; i < n; ++i)
    if (isinf((double)v[i]))
      return __builtin_inf();
    else
      largest = isnan((double)v[i]) ? v[i] : fmax(largest, __builtin_fabs((double)v[i]));
  if (!(largest > 0))
    return largest;
  int exponent = ilogb(largest);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double scaled = ldexp((double)v[i], -exponent);
    sum += scaled * scaled;
  }
  return ldexp(__builtin_sqrt(sum), exponent);
}
#define LENGTHS(suffix, T)                                                                         \
  DEVICE T __nv_norm##suffix(int n, const T *v) { return (T)length(n, v); }                        \
  DEVICE T __nv_rnorm##suffix(int n, const T *v) { return (T)(1.0 / length(n, v)); }               \
  DEVICE T __nv_norm3d##suffix(T a, T b, T c) {                                                    \
    const T v[] = {a, b, c};                                                                       \
    return (T)length(3, v);                                                                        \
  }                                                                                                \
  DEVICE T __nv_rnorm3d##suffix(T a, T b, T c) {                                                   \
    const T v[] = {a, b, c};                                                                       \
    return (T)(1.0 / length(3, v));                                                                \
  }                                                                                                \
  DEVICE T __nv_norm4d##suffix(T a, T b, T c, T d) {                                               \
    const T v[] = {a, b, c, d};                                                                    \
    return (T)length(4, v);                                                                        \
  }                                                                                                \
  DEVICE T __nv_rnorm4d##suffix(T a, T b, T c, T d) {                                              \
    const T v[] = {a, b, c, d};                                                                    \
    return (T)(1.0 / length(4, v));                                                                \
  }
LENGTHS(, double)
LENGTHS(f, float)
