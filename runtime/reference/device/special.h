// Functions that the C library lacks: scaled and inverse error functions, modified Bessel
// functions.
#pragma once
#include "functions.h"

// exp(x*x) * erfc(x) without the overflow of the one and the underflow of the other.
static double scaledComplement(double x) {
  if (x < 25) {
    double square = x * x;
    double rest = __builtin_fma(x, x, -square);
    double grown = exp(square);
    return grown > 1e300 ? grown : grown * (1 + rest) * erfc(x); // of -infinity, rest is none
  }
  // Asymptotic series; its terms still shrink at the twelfth.
  double ratio = 1 / (2 * x * x), term = 1, sum = 1;
  for (int k = 1; k <= 12; ++k) {
    term *= -(2 * k - 1) * ratio;
    sum += term;
  }
  return sum / (x * root_pi);
}
UNARY(erfcx, scaledComplement(x))

// y with erfc(y) = z, 0 < z <= 1/2, by Newton's method on the logarithm, which is concave.
static double inverseOfComplement(double z) {
  double target = log(z);
  double y = __builtin_sqrt(-target) * 0.9;
  for (int i = 0; i < 12; ++i) {
    double scaled = scaledComplement(y);
    double step = (log(scaled) - y * y - target) * scaled * root_pi / 2;
    y += step;
    if (__builtin_fabs(step) <= 1e-16 * y)
      break;
  }
  return y;
}
static double inverseErf(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 1))
    return a == 1 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan("");
  if (a > 0.5)
    return __builtin_copysign(inverseOfComplement(1 - a), x);
  double y = x * root_pi / 2;
  for (int i = 0; i < 6; ++i)
    y -= (erf(y) - x) * exp(y * y) * root_pi / 2;
  return y == 0 ? x : y;
}
static double inverseErfc(double z) {
  if (!(z >= 0 && z <= 2))
    return __builtin_nan("");
  if (z == 0 || z == 2)
    return z == 0 ? __builtin_inf() : -__builtin_inf();
  if (z < 0.5)
    return inverseOfComplement(z);
  return z > 1.5 ? -inverseOfComplement(2 - z) : inverseErf(1 - z);
}
UNARY(erfinv, inverseErf(x))
UNARY(erfcinv, inverseErfc(x))
UNARY(normcdfinv, -root_2 *inverseErfc(2 * x))

// I_n(x) by its power series: all terms have one sign, so nothing cancels.
static double modifiedBessel(int order, double x) {
  double a = __builtin_fabs(x);
  if (!(a < 714))
    return isnan(x) ? x : order && x < 0 ? -__builtin_inf() : __builtin_inf();
  double quarter = a * a / 4, term = order ? a / 2 : 1, sum = term;
  for (int k = 1; term > sum * 1e-18; ++k) {
    term *= quarter / ((double)k * (k + order));
    sum += term;
  }
  return order ? __builtin_copysign(sum, x) : sum;
}
UNARY(cyl_bessel_i0, modifiedBessel(0, x))
UNARY(cyl_bessel_i1, modifiedBessel(1, x))
