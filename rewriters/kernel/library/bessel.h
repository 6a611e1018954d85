// Bessel functions of floats. Up to 8: polynomials, those of J with their zeros taken out. Above:
// amplitude and phase, both polynomials of 1 / x (Abramowitz and Stegun, 9.2.5 to 9.2.10), or for
// I the exponential (9.7.1).
#pragma once
#include "special.h"

namespace {

/// (x - z)(x + z) for a zero z in two parts.
INLINE float about_zero(float x, float z, float z_low) {
  return ((x - z) - z_low) * ((x + z) + z_low);
}

INLINE float bessel_j0_small(float x) {
  const float s = x * x * 0.03125f - 1.0f;
  return about_zero(x, 2.40482545f, 1.08705905e-07f) *
         (about_zero(x, 5.52007818f, -7.19341458e-08f) *
          polynomial(s, 0.00114349381f, -0.00211979426f, 0.00156364311f, -0.000641539053f,
                     0.000169772131f, -3.15734324e-05f, 4.36657456e-06f, -4.67695202e-07f,
                     4.03966851e-08f, -2.81497226e-09f));
}
INLINE float bessel_j1_small(float x) {
  const float s = x * x * 0.03125f - 1.0f;
  return x * (about_zero(x, 3.83170605f, -7.68505899e-08f) *
              (about_zero(x, 7.01558685f, -1.83211725e-07f) *
               polynomial(s, 0.000194989363f, -0.000269752287f, 0.000158600174f, -5.4080032e-05f,
                          1.22421789e-05f, -1.98909379e-06f, 2.44238436e-07f, -2.35212916e-08f,
                          1.84261273e-09f, -1.17689802e-10f)));
}

/// sqrt(pi x / 2) times J (or Y) of order 0 or 1 above 8: p and q are what multiplies the cosine
/// and the sine of the phase.
INLINE void set_amplitudes(int order, float x, float &p, float &q) {
  const float u = 8.0f / x, t = u * u;
  if (order == 0) {
    p = polynomial(t, 1.0f, -0.00109857472f, 2.70792389e-05f, -1.65189874e-06f);
    q = u * polynomial(t, -0.0156249991f, 0.000143024648f, -6.79208642e-06f, 5.7368942e-07f);
  } else {
    p = polynomial(t, 1.0f, 0.0018309881f, -3.48589056e-05f, 1.97382087e-06f);
    q = u * polynomial(t, 0.046875f, -0.000200241688f, 8.31452689e-06f, -6.6912429e-07f);
  }
}

/// J (`second` false) or Y of order 0 or 1, x >= 8.
INLINE float bessel_large(int order, bool second, float x) {
  if (x == infinite)
    return 0.0f;
  float p, q;
  set_amplitudes(order, x, p, q);
  const float sine = __nv_sinf(x), cosine = __nv_cosf(x);
  const float sum = cosine + sine, difference = sine - cosine;
  // The phase is x - pi / 4, or x - 3 pi / 4.
  const float c = order == 0 ? sum : difference, s = order == 0 ? difference : -sum;
  const float wave = second ? p * s + q * c : p * c - q * s;
  return 0.564189584f / __nv_sqrtf(x) * wave;
}

INLINE float bessel_j0(float x) {
  const float a = __nv_fabsf(x);
  return a < 8.0f ? bessel_j0_small(a) : bessel_large(0, false, a);
}
INLINE float bessel_j1(float x) {
  const float a = __nv_fabsf(x);
  if (a < 8.0f)
    return bessel_j1_small(x);
  const float size = bessel_large(1, false, a);
  return x < 0.0f ? -size : size;
}

INLINE float bessel_y0(float x) {
  if (!(x > 0.0f))
    return x == 0.0f ? -infinite : not_a_number;
  if (x >= 8.0f)
    return bessel_large(0, true, x);
  const float s = x * x * 0.03125f - 1.0f;
  return 0.636619772f * __nv_logf(x) * bessel_j0_small(x) +
         polynomial(s, -0.382250667f, -0.828435898f, 1.64709651f, 0.144126326f, -1.07754779f,
                    0.672177076f, -0.218957469f, 0.0463670865f, -0.0070257429f, 0.000806091703f,
                    -7.27925144e-05f, 5.37476399e-06f, -3.24173925e-07f);
}
INLINE float bessel_y1(float x) {
  if (!(x > 0.0f))
    return x == 0.0f ? -infinite : not_a_number;
  if (x >= 8.0f)
    return bessel_large(1, true, x);
  const float s = x * x * 0.03125f - 1.0f;
  return 0.636619772f * (__nv_logf(x) * bessel_j1_small(x) - 1.0f / x) +
         x * polynomial(s, 0.0707598552f, -0.243377432f, 0.0233675707f, 0.235072091f, -0.196398392f,
                        0.0785478726f, -0.01962878f, 0.00342249172f, -0.000443772733f,
                        4.46722406e-05f, -3.64059997e-06f, 2.39905148e-07f);
}

/// exp(x) / sqrt(x) * ratio, x >= 8, which may be a float where exp(x) is none.
INLINE float growing(float x, float ratio) {
  if (x > 100.0f)
    return infinite;
  const float root = __nv_expf(0.5f * x);
  return root * (ratio / __nv_sqrtf(x)) * root;
}

INLINE float bessel_i0(float x) {
  const float a = __nv_fabsf(x), u = 8.0f / a;
  if (a < 8.0f) {
    const float t = 0.015625f * (x * x);
    return polynomial(t, 1.0f, 16.0f, 63.9999962f, 113.77784f, 113.777145f, 72.8213348f, 32.35075f,
                      10.5974483f, 2.59560394f, 0.56894362f, 0.053734839f, 0.0213146769f);
  }
  return growing(a, polynomial(u, 0.398942292f, 0.00623338902f, 0.000439263618f, 5.2289186e-05f,
                               2.23267998e-05f, -1.05667123e-05f, 7.35744106e-06f));
}
INLINE float bessel_i1(float x) {
  const float a = __nv_fabsf(x), u = 8.0f / a;
  if (a < 8.0f) {
    const float t = 0.015625f * (x * x);
    return x * polynomial(t, 0.5f, 4.0f, 10.6666708f, 14.2221642f, 11.3782358f, 6.06602669f,
                          2.31777215f, 0.649293065f, 0.159824774f, 0.0168230347f, 0.00733131543f);
  }
  const float size =
      growing(a, polynomial(u, 0.398942292f, -0.0187003259f, -0.000731571636f, -7.45569851e-05f,
                            -2.67837077e-05f, 1.15206803e-05f, -8.29376404e-06f));
  return x < 0.0f ? -size : size;
}

} // namespace

LIBRARY float __nv_j0f(float x) { return bessel_j0(x); }
LIBRARY float __nv_j1f(float x) { return bessel_j1(x); }
LIBRARY float __nv_y0f(float x) { return bessel_y0(x); }
LIBRARY float __nv_y1f(float x) { return bessel_y1(x); }
LIBRARY float __nv_cyl_bessel_i0f(float x) { return bessel_i0(x); }
LIBRARY float __nv_cyl_bessel_i1f(float x) { return bessel_i1(x); }
