// Special functions of floats. The polynomials are interpolations at Chebyshev nodes, made for this
// file with 40 digits; ranges and what they approximate stand beside them. How far results may be
// off is said in docs/numerics.md and tested by test/kernel/library_test.cpp.
#pragma once
#include "definitions.h"

extern "C" {
float __nv_expf(float);
float __nv_logf(float);
float __nv_sinf(float);
float __nv_cosf(float);
float __nv_sqrtf(float);
float __nv_erfcf(float);
float __nv_floorf(float);
float __nv_rintf(float);
float __nv_fabsf(float);
float __nv_fmodf(float, float);
float __nv_copysignf(float, float);
}

namespace {

constexpr float infinite = __builtin_inff();
constexpr float not_a_number = __builtin_nanf("");

INLINE float polynomial(float, float last) { return last; }
template <class... C> INLINE float polynomial(float x, float first, C... rest) {
  return first + x * polynomial(x, rest...);
}

/// What a * b lacks of the product (Dekker, "A floating-point technique for extending the available
/// precision", 1971). Neither may be near the largest float.
INLINE float product_error(float a, float b, float product) {
  const float a_far = 4097.0f * a, b_far = 4097.0f * b;
  const float a_high = a_far - (a_far - a), b_high = b_far - (b_far - b);
  const float a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// ---- sine and cosine of multiples of pi

/// sin(pi f) and cos(pi f), |f| <= 1/4.
INLINE float sine_part(float f) {
  const float z = f * f;
  const float rest =
      z * polynomial(z, -5.16771269f, 2.55016351f, -0.599228799f, 0.0812295601f) - 8.74227766e-8f;
  return f * 3.14159274f + f * rest;
}
INLINE float cosine_part(float f) {
  const float z = f * f;
  return 1.0f +
         z * polynomial(z, -4.93480206f, 4.05871201f, -1.33526242f, 0.235314265f, -0.0255070459f);
}

/// sin(pi (x + quarter / 2)); all steps of the reduction are exact.
INLINE float sine_of_half_turns(float x, int quarter) {
  const float turn = x - 2.0f * __nv_rintf(0.5f * x);
  const float nearest = __nv_rintf(2.0f * turn);
  const float f = turn - 0.5f * nearest;
  const int quadrant = ((int)nearest + quarter) & 3;
  const float size = quadrant & 1 ? cosine_part(f) : sine_part(f);
  return (quadrant & 2 ? -size : size) + 0.0f; // no negative zero
}

INLINE float sine_pi(float x) {
  if (!(__nv_fabsf(x) < infinite))
    return not_a_number;
  const float result = sine_of_half_turns(x, 0);
  return result == 0.0f ? __nv_copysignf(0.0f, x) : result;
}

// ---- gamma

/// log(gamma(1 + t)), |t| <= 1/2.
INLINE float log_gamma_near_1(float t) {
  if (t < 0.0f)
    return t * polynomial(t, -0.577215672f, 0.822467089f, -0.400681615f, 0.270729035f,
                          -0.204592869f, 0.200290665f, 0.0676187426f, 1.06831956f, 2.61715245f,
                          5.09318686f, 5.23607397f, 2.70804071f);
  return t * polynomial(t, -0.577215672f, 0.822467029f, -0.400684983f, 0.270564109f, -0.207161069f,
                        0.167790845f, -0.135346323f, 0.0976418927f, -0.0520974696f, 0.0143254371f);
}

/// log(gamma(2 + t)), |t| <= 1/2.
INLINE float log_gamma_near_2(float t) {
  return t * polynomial(t, 0.422784328f, 0.322467029f, -0.0673523024f, 0.0205808077f,
                        -0.0073855333f, 0.0028905021f, -0.00119305472f, 0.000509809179f,
                        -0.000220869828f, 9.8396973e-05f, -5.2787218e-05f, 2.41545949e-05f);
}

/// log(gamma(x)), x >= 1/2.
INLINE float log_gamma_above(float x) {
  if (x < 1.5f)
    return log_gamma_near_1(x - 1.0f);
  if (x < 8.0f) { // down to the neighbourhood of 2; subtractions are exact
    float product = 1.0f;
    for (int i = 0; i < 6; ++i) {
      const bool far = x >= 2.5f;
      x = far ? x - 1.0f : x;
      product = far ? product * x : product;
    }
    return log_gamma_near_2(x - 2.0f) + __nv_logf(product);
  }
  // Stirling's series.
  const float r = 1.0f / x;
  return (x - 0.5f) * (__nv_logf(x) - 1.0f) +
         (0.418938533f + r * (0.0833333333f - r * r * (0.00277777778f - r * r * 0.000793650794f)));
}

INLINE float log_gamma(float x) {
  const float a = __nv_fabsf(x);
  if (!(a < infinite))
    return x * x; // infinity, or NaN
  if (a < 0.5f)
    return log_gamma_near_1(x) - __nv_logf(a);
  const float above = log_gamma_above(a);
  if (x > 0.0f)
    return above;
  const float sine = __nv_fabsf(sine_of_half_turns(x, 0));
  return sine == 0.0f ? infinite : __nv_logf(3.14159274f / (a * sine)) - above;
}

/// A product with its error, times a factor.
INLINE void multiply_by(float &high, float &low, float factor) {
  const float product = high * factor;
  low = low * factor + product_error(high, factor, product);
  high = product;
}

/// gamma(n + t) from gamma(1 + t), 0 <= t < 1, by factors that are all exact: those between go into
/// a product (n > 1), or out of one (n < 1).
INLINE float gamma_of(float x) {
  const float n = __nv_floorf(x), t = x - n;
  if (!(x < 35.1f)) // beyond 3.4e38, or NaN
    return x != x ? x : infinite;
  if (t == 0.0f && x <= 0.0f)
    return x == 0.0f ? __nv_copysignf(infinite, x) : not_a_number;
  if (__nv_fabsf(x) < 0x1p-30f)
    return 1.0f / x;
  if (x < -43.0f) // below every float; gamma is negative between an odd number and the next
    return !(t > 0.0f) ? not_a_number : n == 2.0f * __nv_floorf(0.5f * n) ? 0.0f : -0.0f;
  const float first = polynomial(t - 0.5f, 0.886226952f, 0.0323383994f, 0.414813697f, -0.107294969f,
                                 0.144633815f, -0.0775153562f, 0.0588039756f, -0.0381311029f,
                                 0.0243901089f, -0.0162570439f, 0.0163316596f, -0.0108976942f);
  // Small enough that splitting does not overflow.
  float high = x < 1.0f ? 1.0f : 0x1p-20f, low = 0.0f;
  if (x >= 1.0f) {
    for (float factor = x - 1.0f; factor >= 1.0f; factor -= 1.0f)
      multiply_by(high, low, factor);
    return (first * high + first * low) * 0x1p20f;
  }
  float factor = x;
  for (; factor < -20.0f; factor += 1.0f)
    multiply_by(high, low, factor);
  float high_2 = 1.0f, low_2 = 0.0f;
  for (; factor < 1.0f; factor += 1.0f)
    multiply_by(high_2, low_2, factor);
  const float quotient = first / high_2;
  return (quotient - quotient * (low_2 / high_2 + low / high)) / high;
}

// ---- error functions and the normal distribution

/// erfinv(x) / x, where w = -log(1 - x * x), up to w = 106.
INLINE float inverse_erf_ratio(float w) {
  if (w < 5.0f)
    return polynomial(w - 2.5f, 1.50140941f, 0.24664028f, -0.00417739293f, -0.00125272642f,
                      0.000218349393f, -4.9724199e-06f, -3.46398519e-06f, 4.68131361e-07f,
                      2.33359678e-08f, -8.93192631e-09f);
  const float s = __nv_sqrtf(w);
  if (s < 4.1f)
    return polynomial(s - 3.0f, 2.83297706f, 1.00167537f, 0.00943359639f, -0.00764003675f,
                      0.00577653479f, -0.00361387176f, 0.00126028422f, 4.43574063e-05f,
                      -0.00012937517f);
  return polynomial(s - 7.0f, 6.86901951f, 1.00859571f, -0.000512833707f, 6.17988508e-06f,
                    6.21415984e-06f, -1.58475746e-06f, 2.65222383e-07f, -5.60967273e-08f,
                    1.45321692e-08f, -1.68882042e-09f);
}

INLINE float inverse_erf(float x) {
  const float a = __nv_fabsf(x);
  if (!(a < 1.0f))
    return a == 1.0f ? __nv_copysignf(infinite, x) : not_a_number;
  return x * inverse_erf_ratio(-__nv_logf((1.0f - a) * (1.0f + a)));
}

INLINE float inverse_erfc(float z) {
  if (!(z > 0.0f && z < 2.0f))
    return z == 0.0f ? infinite : z == 2.0f ? -infinite : not_a_number;
  return (1.0f - z) * inverse_erf_ratio(-__nv_logf(z * (2.0f - z)));
}

/// exp(x * x) erfc(x), x >= 0.
INLINE float scaled_erfc_above(float x) {
  if (x > 8192.0f)
    return 0.564189584f / x;
  // (1 + 2 x) times it, over (x - 2) / (x + 2).
  const float q = (x - 2.0f) / (x + 2.0f);
  return polynomial(q, 1.27697837f, -0.0927638263f, -0.166030377f, 0.16405122f, -0.0542203076f,
                    -0.00803312007f, 0.00872478727f, 0.00126593886f, -0.00146441348f,
                    -0.000438786083f, 0.000221873066f, 0.000128052183f, -2.0355681e-05f,
                    -1.98998478e-05f) /
         (1.0f + 2.0f * x);
}

INLINE float scaled_erfc(float x) {
  if (x != x)
    return x;
  const float above = scaled_erfc_above(__nv_fabsf(x));
  if (x >= 0.0f)
    return above;
  if (x < -9.39f)
    return infinite;
  const float square = x * x;
  const float power = __nv_expf(square);
  return 2.0f * (power + power * product_error(x, x, square)) - above;
}

/// erfc(-x / sqrt(2)) / 2, with the argument in two parts: in the tail its last bit matters.
INLINE float normal_distribution(float x) {
  if (!(__nv_fabsf(x) < 15.0f))
    return x != x ? x : x < 0.0f ? 0.0f : 1.0f;
  const float high = x * -0.707106769f;
  const float low = product_error(x, -0.707106769f, high) + x * -1.21016176e-08f;
  return 0.5f * (__nv_erfcf(high) - low * 1.12837917f * __nv_expf(-high * high));
}

// ---- remainders

/// x - n y with n the whole number nearest to x / y, the even one of two; n modulo 8. Exact.
INLINE float remainder_of(float x, float y, int &n) {
  n = 0;
  float a = __nv_fabsf(x), b = __nv_fabsf(y);
  if (!(a < infinite) || !(b > 0.0f))
    return not_a_number;
  if (!(b < infinite))
    return b == infinite ? x : not_a_number;
  uint32_t quotient = 0;
  if (b < 0x1p125f)
    a = __nv_fmodf(a, 8.0f * b); // else it is below 8 b anyway
  for (float multiple = 4.0f; multiple >= 1.0f; multiple *= 0.5f)
    if (a >= multiple * b) { // not where that overflows; a is below twice as much: exact
      a -= multiple * b;
      quotient += (uint32_t)multiple;
    }
  const float other = b - a; // exact where it matters
  if (a > other || (a == other && (quotient & 1))) {
    a = -other;
    ++quotient;
  }
  const bool negative = (bits_of(x) ^ bits_of(y)) >> 31;
  n = negative ? -(int)(quotient & 7) : (int)(quotient & 7);
  const float size = bits_of(x) >> 31 ? -a : a;
  return a == 0.0f ? __nv_copysignf(0.0f, x) : size;
}

} // namespace

LIBRARY float __nv_sinpif(float x) { return sine_pi(x); }
LIBRARY float __nv_cospif(float x) {
  return __nv_fabsf(x) < infinite ? sine_of_half_turns(x, 1) : not_a_number;
}
LIBRARY float __nv_lgammaf(float x) { return log_gamma(x); }
LIBRARY float __nv_tgammaf(float x) { return gamma_of(x); }
LIBRARY float __nv_erfinvf(float x) { return inverse_erf(x); }
LIBRARY float __nv_erfcinvf(float x) { return inverse_erfc(x); }
LIBRARY float __nv_erfcxf(float x) { return scaled_erfc(x); }
LIBRARY float __nv_normcdff(float x) { return normal_distribution(x); }
LIBRARY float __nv_normcdfinvf(float p) { return -1.41421354f * inverse_erfc(2.0f * p); }
LIBRARY float __nv_remainderf(float x, float y) {
  int n;
  return remainder_of(x, y, n);
}
LIBRARY float __nv_remquof(float x, float y, int *n) {
  int quotient;
  const float result = remainder_of(x, y, quotient);
  *n = quotient;
  return result;
}
