// Mathematics that CUDA declares beyond C and C++: min and max of every number type in both passes,
// float overloads, and host versions of CUDA's own functions.
#pragma once

#define NEURONIFY_HD static __host__ __device__ __forceinline__
#define NEURONIFY_HOST static inline __host__

// Clang's wrappers have the device versions of these two.
NEURONIFY_HOST int min(const int a, const int b) { return b < a ? b : a; }
NEURONIFY_HOST int max(const int a, const int b) { return a < b ? b : a; }

#define NEURONIFY_MIN_MAX(type, type_a, type_b)                                                    \
  NEURONIFY_HD type min(const type_a a, const type_b b) {                                          \
    return (type)b < (type)a ? (type)b : (type)a;                                                  \
  }                                                                                                \
  NEURONIFY_HD type max(const type_a a, const type_b b) {                                          \
    return (type)a < (type)b ? (type)b : (type)a;                                                  \
  }
NEURONIFY_MIN_MAX(unsigned, unsigned, unsigned)
NEURONIFY_MIN_MAX(unsigned, int, unsigned)
NEURONIFY_MIN_MAX(unsigned, unsigned, int)
NEURONIFY_MIN_MAX(long, long, long)
NEURONIFY_MIN_MAX(unsigned long, unsigned long, unsigned long)
NEURONIFY_MIN_MAX(unsigned long, long, unsigned long)
NEURONIFY_MIN_MAX(unsigned long, unsigned long, long)
NEURONIFY_MIN_MAX(long long, long long, long long)
NEURONIFY_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
NEURONIFY_MIN_MAX(unsigned long long, long long, unsigned long long)
NEURONIFY_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef NEURONIFY_MIN_MAX

// A NaN gives way to a number, as in fmin and fmax.
NEURONIFY_HD float min(const float a, const float b) { return fminf(a, b); }
NEURONIFY_HD float max(const float a, const float b) { return fmaxf(a, b); }
#define NEURONIFY_MIN_MAX(type_a, type_b)                                                          \
  NEURONIFY_HD double min(const type_a a, const type_b b) { return fmin((double)a, (double)b); }   \
  NEURONIFY_HD double max(const type_a a, const type_b b) { return fmax((double)a, (double)b); }
NEURONIFY_MIN_MAX(double, double)
NEURONIFY_MIN_MAX(float, double)
NEURONIFY_MIN_MAX(double, float)
#undef NEURONIFY_MIN_MAX

// Functions that only CUDA has, for the host.
#define NEURONIFY_PI 3.14159265358979323846
NEURONIFY_HOST double rsqrt(double x) { return 1.0 / sqrt(x); }
NEURONIFY_HOST float rsqrtf(float x) { return (float)(1.0 / sqrt((double)x)); }
NEURONIFY_HOST double rcbrt(double x) { return 1.0 / cbrt(x); }
NEURONIFY_HOST float rcbrtf(float x) { return (float)(1.0 / cbrt((double)x)); }
NEURONIFY_HOST double sinpi(double x) { return sin(NEURONIFY_PI * fmod(x, 2.0)); }
NEURONIFY_HOST float sinpif(float x) { return (float)sinpi((double)x); }
NEURONIFY_HOST double cospi(double x) { return cos(NEURONIFY_PI * fmod(x, 2.0)); }
NEURONIFY_HOST float cospif(float x) { return (float)cospi((double)x); }
NEURONIFY_HOST void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
NEURONIFY_HOST void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}
NEURONIFY_HOST float fdividef(float a, float b) { return a / b; }
NEURONIFY_HOST double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
NEURONIFY_HOST float normcdff(float x) { return (float)normcdf((double)x); }
NEURONIFY_HOST double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
NEURONIFY_HOST float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
NEURONIFY_HOST double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
NEURONIFY_HOST float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
NEURONIFY_HOST double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
NEURONIFY_HOST float rhypotf(float a, float b) { return (float)rhypot(a, b); }
#undef NEURONIFY_PI

// float overloads of the same, in both passes.
NEURONIFY_HD float rsqrt(float x) { return rsqrtf(x); }
NEURONIFY_HD float rcbrt(float x) { return rcbrtf(x); }
NEURONIFY_HD float sinpi(float x) { return sinpif(x); }
NEURONIFY_HD float cospi(float x) { return cospif(x); }
NEURONIFY_HD void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
NEURONIFY_HD void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
NEURONIFY_HD float exp10(float x) { return exp10f(x); }
NEURONIFY_HD float normcdf(float x) { return normcdff(x); }
NEURONIFY_HD float rhypot(float a, float b) { return rhypotf(a, b); }
static __device__ __forceinline__ float erfinv(float x) { return erfinvf(x); }
static __device__ __forceinline__ float erfcinv(float x) { return erfcinvf(x); }
static __device__ __forceinline__ float erfcx(float x) { return erfcxf(x); }
static __device__ __forceinline__ float normcdfinv(float x) { return normcdfinvf(x); }

// Overloads for float that Clang's wrappers declare and leave to the C++ library, which has none
// for the device.
#define NEURONIFY_DEVICE static __device__ __forceinline__
#define NEURONIFY_FLOAT(name)                                                                      \
  NEURONIFY_DEVICE float name(float x) { return name##f(x); }
NEURONIFY_FLOAT(erf)
NEURONIFY_FLOAT(cbrt)
NEURONIFY_FLOAT(erfc)
NEURONIFY_FLOAT(exp2)
NEURONIFY_FLOAT(log2)
NEURONIFY_FLOAT(logb)
NEURONIFY_FLOAT(rint)
NEURONIFY_FLOAT(acosh)
NEURONIFY_FLOAT(asinh)
NEURONIFY_FLOAT(atanh)
NEURONIFY_FLOAT(expm1)
NEURONIFY_FLOAT(log1p)
NEURONIFY_FLOAT(round)
NEURONIFY_FLOAT(trunc)
NEURONIFY_FLOAT(lgamma)
NEURONIFY_FLOAT(tgamma)
NEURONIFY_FLOAT(nearbyint)
#undef NEURONIFY_FLOAT
#define NEURONIFY_FLOAT(name)                                                                      \
  NEURONIFY_DEVICE float name(float x, float y) { return name##f(x, y); }
NEURONIFY_FLOAT(fdim)
NEURONIFY_FLOAT(fmax)
NEURONIFY_FLOAT(fmin)
NEURONIFY_FLOAT(hypot)
NEURONIFY_FLOAT(copysign)
NEURONIFY_FLOAT(nextafter)
NEURONIFY_FLOAT(remainder)
#undef NEURONIFY_FLOAT
NEURONIFY_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
NEURONIFY_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
NEURONIFY_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
NEURONIFY_DEVICE float remquo(float x, float y, int *n) { return remquof(x, y, n); }
NEURONIFY_DEVICE int ilogb(float x) { return ilogbf(x); }
NEURONIFY_DEVICE long lrint(float x) { return lrintf(x); }
NEURONIFY_DEVICE long lround(float x) { return lroundf(x); }
NEURONIFY_DEVICE long long llrint(float x) { return llrintf(x); }
NEURONIFY_DEVICE long long llround(float x) { return llroundf(x); }
NEURONIFY_DEVICE double nan(const char *) { return __builtin_nan(""); }
NEURONIFY_DEVICE float nanf(const char *) { return __builtin_nanf(""); }
#undef NEURONIFY_DEVICE

#undef NEURONIFY_HOST
#undef NEURONIFY_HD
