// Elementary functions without branches, so that loops over them become vector code.
//
// fp32 in, fp32 out. Errors are measured over all inputs in test/chip/kernels_test.cpp and stated
// here in units in the last place (ULP). Where an engine documents a valid range, the functions
// hold inside it; see activation.cpp for what happens outside.
//
// Polynomials: Chebyshev fits of our own in 40-digit arithmetic, rounded to the type.
#pragma once

#include "chip/kernels/target.h"

#include <cstdint>

namespace nki::chip {
inline namespace NEURONIFY_TARGET {
namespace math {

inline constexpr float kInfinity = __builtin_inff();
inline constexpr float kNaN = __builtin_nanf("");

template <class To, class From> inline To bits_as(From from) {
  return __builtin_bit_cast(To, from);
}

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float absolute(float x) { return bits_as<float>(bits_as<uint32_t>(x) & 0x7fffffffu); }
inline float with_sign_of(float magnitude, float sign) {
  return bits_as<float>(bits_as<uint32_t>(magnitude) | (bits_as<uint32_t>(sign) & 0x80000000u));
}

/// c[0] + c[1] x + c[2] x^2 + ...
template <class T, int N> inline T polynomial(T x, const T (&c)[N]) {
  T sum = c[N - 1];
  for (int i = N - 2; i >= 0; --i)
    sum = fma(sum, x, c[i]);
  return sum;
}

// ---- exponential, single precision --------------------------------------------------------------

/// e^x = 2^n (1 + p): n as an integer and p in about [-0.30, 0.42]. |x| at most 200.
struct Exponential {
  int32_t n;
  float p;
};

inline Exponential split_exponential(float x) {
  constexpr float magic = 0x1.8p23f; // adding it leaves the nearest integer in the low bits
  float shifted = fma(x, 0x1.715476p0f, magic);
  int32_t n = int32_t(bits_as<uint32_t>(shifted) - bits_as<uint32_t>(magic));
  float whole = shifted - magic;
  float r = fma(whole, -0x1.62e4p-1f, x); // ln 2 in two parts; the first product is exact
  r = fma(whole, -0x1.7f7d1cp-20f, r);
  constexpr float c[] = {0x1p-1f,       0x1.555556p-3f,  0x1.5554eap-5f,
                         0x1.1110ep-7f, 0x1.6d4324p-10f, 0x1.a124f2p-13f};
  return {n, fma(polynomial(r, c) * r, r, r)};
}

/// 2^n for -126 <= n <= 127.
inline float power_of_two(int32_t n) { return bits_as<float>(uint32_t(n + 127) << 23); }

/// x 2^n for |n| <= 200 and x not far from 1, rounded once.
inline float scaled(float x, int32_t n) {
#ifdef __AVX512F__
  return __builtin_ldexpf(x, n); // one instruction there
#else
  int32_t half = n >> 1; // two steps, since 2^n itself may be out of range
  return x * power_of_two(half) * power_of_two(n - half);
#endif
}

/// At most 1 ULP, subnormal results too.
inline float exp(float x) {
  float clamped = x > 89.0f ? 89.0f : x;
  clamped = clamped < -104.0f ? -104.0f : clamped;
  Exponential e = split_exponential(clamped);
  return scaled(1.0f + e.p, e.n);
}

/// tanh, at most 2 ULP.
inline float tanh(float x) {
  float a = absolute(x);
  float clamped = a > 10.0f ? 10.0f : a;
  Exponential e = split_exponential(2.0f * clamped);
  float scale = power_of_two(e.n);
  float minus_one = fma(scale, e.p, scale - 1.0f); // e^2a - 1
  float large = minus_one / (minus_one + 2.0f);
  constexpr float c[] = {-0x1.555556p-2f, 0x1.1110e8p-3f, -0x1.ba08b4p-5f,
                         0x1.64a85cp-6f,  -0x1.1162ep-7f, 0x1.2c630ep-9f};
  float square = a * a;
  float small = fma(a * square, polynomial(square, c), a);
  return with_sign_of(x != x ? x : a < 0.625f ? small : large, x);
}

/// numerator / (1 + e^-x), at most 2 ULP, subnormal results too.
inline float over_one_plus_exp(float numerator, float x) {
  float clamped = x > 87.0f ? 87.0f : x;
  clamped = clamped < -110.0f ? -110.0f : clamped;
  Exponential e = split_exponential(-clamped);
  // 1 + 2^n (1 + p), divided by 2^n where that is large and multiplied again in two steps. The
  // larger of the two powers is 1 then.
  int32_t large = e.n > 0 ? e.n : 0;
  int32_t small = e.n > 0 ? -e.n : e.n;
  float scale = power_of_two(e.n - large);
  float power = power_of_two(small < -126 ? -126 : small);
  float near = fma(scale, e.p, 1.0f + power); // 1 + power is exact for |n| <= 23
  float far = 1.0f + fma(scale, e.p, power);
  float quotient = numerator / (small < -20 ? far : near);
  return scaled(quotient, -large);
}

// ---- logarithm, sine, arc tangent ---------------------------------------------------------------

/// Positive normal x; at most 1 ULP.
inline float log(float x) {
  uint32_t bits = bits_as<uint32_t>(x);
  uint32_t shifted = bits - 0x3f3504f3u; // so that the mantissa is in [sqrt(1/2), sqrt(2))
  float exponent = float(int32_t(shifted) >> 23);
  float f = bits_as<float>(bits - (shifted & 0xff800000u)) - 1.0f;
  constexpr float c[] = {0x1.555554p-2f,  -0x1.fffffcp-3f, 0x1.999d5ap-3f,
                         -0x1.555b4ap-3f, 0x1.23d21ap-3f,  -0x1.fcf4c6p-4f,
                         0x1.dea282p-4f,  -0x1.d635bcp-4f, 0x1.1d8ea6p-4f};
  float square = f * f;
  float tail = fma(square * f, polynomial(f, c), exponent * -0x1.bd0106p-13f);
  tail = fma(-0.5f, square, tail);
  return fma(exponent, 0x1.63p-1f, f + tail);
}

/// Sine in [-pi, pi], at most 2 ULP. Beyond, the last cubic goes on: in (|x| - pi).
inline float sin(float x) {
  constexpr float pi = 0x1.921fb6p1f, pi_low = -0x1.777a5cp-24f;
  float a = absolute(x);
  float folded = (pi - a) + pi_low;
  float inside = a > 0x1.921fb6p0f ? folded : a;
  constexpr float c[] = {-0x1.555556p-3f, 0x1.11111p-7f, -0x1.a01906p-13f, 0x1.71968ap-19f,
                         -0x1.9db0f6p-26f};
  float square = inside * inside, square_low = fma(inside, inside, -square);
  float factor = fma(square, polynomial(square, c), square_low * -0x1.555556p-3f);
  float value = fma(inside, factor, inside);
  float cubic = fma(folded * folded * folded, -0x1.555556p-3f, folded);
  value = a > pi ? cubic : value;
  return bits_as<float>(bits_as<uint32_t>(value) ^ (bits_as<uint32_t>(x) & 0x80000000u));
}

/// |x| up to 1.6; at most 2 ULP.
inline float arctan(float x) {
  float a = absolute(x);
  bool large = a > 0.7f;
  float t = large ? (a - 1.0f) / (a + 1.0f) : a;
  constexpr float c[] = {-0x1.555556p-2f, 0x1.999994p-3f, -0x1.249146p-3f,
                         0x1.c6f0f4p-4f,  -0x1.7281p-4f,  0x1.2f592cp-4f,
                         -0x1.c76a34p-5f, 0x1.03b11cp-5f, -0x1.365c38p-7f};
  float square = t * t;
  float value = fma(t * square, polynomial(square, c), t);
  value = large ? (value + -0x1.777a5cp-26f) + 0x1.921fb6p-1f : value;
  return with_sign_of(value, x);
}

// ---- double precision inside, for functions that cancel; the results are fp32 -------------------

/// e^x for |x| up to 700, to about 2^-36.
inline double exp(double x) {
  constexpr double magic = 0x1.8p52;
  double shifted = fma(x, 0x1.71547652b82fep0, magic);
  double whole = shifted - magic;
  double r = fma(whole, -0x1.62e42fefap-1, x);
  r = fma(whole, -0x1.cf79abc9e3b3ap-40, r);
  constexpr double c[] = {0x1.0000000b8f62bp-1, 0x1.5555555a78232p-3,  0x1.5554e9114ecf9p-5,
                          0x1.1110e0f726534p-7, 0x1.6d431504c53d3p-10, 0x1.a124e3f154d32p-13};
  double p = 1.0 + fma(polynomial(r, c) * r, r, r);
  uint64_t exponent = bits_as<uint64_t>(shifted) << 52; // the low bits hold n
  return bits_as<double>(bits_as<uint64_t>(p) + exponent);
}

inline double clamp(double x, double low, double high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

/// Natural logarithm of a positive normal x, to about 2^-36.
inline double log(double x) {
  uint64_t bits = bits_as<uint64_t>(x);
  uint64_t shifted = bits - 0x3fe6a09e667f3bcdull;
  // The exponent as a double without a conversion from 64-bit integers, which AVX2 lacks.
  double exponent =
      bits_as<double>((((shifted >> 52) + 2048) & 0xfff) | 0x4330000000000000ull) - (0x1p52 + 2048);
  double m = bits_as<double>(bits - (shifted & 0xfff0000000000000ull));
  double t = (m - 1.0) / (m + 1.0);
  constexpr double c[] = {0x1.5555554bb2b23p-1, 0x1.9999eb5d86391p-2, 0x1.245c4382cccdbp-2,
                          0x1.ddced714c6c27p-3};
  double square = t * t;
  double low = fma(t * square, polynomial(square, c), exponent * 0x1.cf79abc9e3b3ap-40);
  return fma(exponent, 0x1.62e42fefap-1, fma(2.0, t, low));
}

/// e^(x^2) erfc(x) for 0 <= x <= 11. Argument transformation of Schonfelder (1978).
inline double erfc_scaled(double x) {
  double t = (x - 3.75) / (x + 3.75);
  constexpr double c[] = {0x1.3ccda0b5d5dc3p+0,   -0x1.1f367683f89b1p-3, 0x1.d5f2948157ee3p-9,
                          0x1.510169d097534p-4,   -0x1.bda9309a252fcp-4, 0x1.7a14188a7327cp-4,
                          -0x1.e0d0fa6eb0b68p-5,  0x1.d0b0038a4e9c3p-6,  -0x1.3f603c05012dep-7,
                          0x1.cc3a05964d5ebp-10,  0x1.33fae0e5271efp-12, -0x1.303ed2d6ff121p-12,
                          0x1.b153d387d63dap-15,  0x1.77671085e356fp-16, -0x1.8114a8793c457p-17,
                          -0x1.0542ea0d0fcb2p-20, 0x1.e91cf6eaf327dp-20, -0x1.c3a9cb3e69c5bp-29,
                          -0x1.4a0d7d67397cap-22, -0x1.1c683d3ba4e32p-24};
  return polynomial(t, c) / (1.0 + 2.0 * x);
}

inline double absolute(double x) {
  return bits_as<double>(bits_as<uint64_t>(x) & 0x7fffffffffffffffull);
}

/// (1 + erf(x / sqrt 2)) / 2, with relative accuracy in the lower tail down to e^-180.
inline double normal_cdf(double x) {
  double a = clamp(absolute(x), 0.0, 15.0);
  double tail = 0.5 * exp(-0.5 * a * a) * erfc_scaled(a * 0x1.6a09e667f3bcdp-1);
  return x > 0.0 ? 1.0 - tail : tail;
}

/// erf, at most 1 ULP in fp32.
inline float erf(float x) {
  double a = clamp(absolute(double(x)), 0.0, 6.0);
  constexpr double c[] = {0x1.20dd750429b6bp+0,   -0x1.812746b037352p-2,  0x1.ce2f21a000d30p-4,
                          -0x1.b82ce3026aae0p-6,  0x1.565bcb082cca2p-8,   -0x1.c02d67e37081ep-11,
                          0x1.f99c295886f05p-14,  -0x1.f4684782919e8p-17, 0x1.b5d3ea9fd0b5ap-20,
                          -0x1.462a758d4591dp-23, 0x1.43f6d0dee7032p-27};
  double small = a * polynomial(a * a, c);
  double large = 1.0 - exp(-a * a) * erfc_scaled(a);
  float value = float(a < 1.0 ? small : large);
  return with_sign_of(x != x ? x : value, x);
}

/// 1 / sqrt(x), at most 2 ULP.
inline float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }

} // namespace math
} // namespace NEURONIFY_TARGET
} // namespace nki::chip
