// The special functions of the library of kernels, compiled as plain C++ over this machine's
// elementary functions: how far the formulas themselves are off.
#include <cmath>

extern "C" {
float __nv_expf(float x) { return std::exp(x); }
float __nv_logf(float x) { return std::log(x); }
float __nv_sinf(float x) { return std::sin(x); }
float __nv_cosf(float x) { return std::cos(x); }
float __nv_sqrtf(float x) { return std::sqrt(x); }
float __nv_erfcf(float x) { return std::erfc(x); }
float __nv_floorf(float x) { return std::floor(x); }
float __nv_rintf(float x) { return std::rint(x); }
float __nv_fabsf(float x) { return std::fabs(x); }
float __nv_fmodf(float x, float y) { return std::fmod(x, y); }
float __nv_copysignf(float x, float y) { return std::copysign(x, y); }
}
#define LIBRARY static inline
#include "kernel/library/bessel.h"
#include "kernel/library/special.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>
#include <string>

namespace {

using Real = long double;
constexpr Real kPi = 3.14159265358979323846264338327950288L;
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

/// Distance in floats' last places at the exact result.
double ulps(float found, Real exact) {
  const auto nearest = static_cast<float>(exact);
  if (std::isnan(found) || std::isnan(nearest) || std::isinf(found) || std::isinf(nearest))
    return (std::isnan(found) && std::isnan(nearest)) || found == nearest ? 0 : HUGE_VAL;
  int exponent = 0;
  (void)std::frexp(exact, &exponent);
  return static_cast<double>(std::fabs(found - exact) /
                             std::ldexp(Real(1), std::max(exponent - 24, -149)));
}

// ---- what is exact

Real sine_of_turns(Real x) {
  const Real rest = x - 2 * std::rint(x / 2);
  return std::isinf(x) ? kNan : std::fabs(rest) == 1 ? 0 : std::sin(kPi * rest);
}
Real cosine_of_turns(Real x) {
  const Real rest = x - 2 * std::rint(x / 2);
  return std::isinf(x) ? kNan : std::fabs(rest) == 0.5L ? 0 : std::cos(kPi * rest);
}
Real gamma_function(Real x) { return x < 0 && x == std::floor(x) ? kNan : std::tgamma(x); }
Real log_of_gamma(Real x) { return std::lgamma(x); }
Real scaled_complement(Real x) {
  if (x < 60)
    return std::exp(x * x) * std::erfc(x);
  const Real r = 1 / (2 * x * x);
  return (1 - r + 3 * r * r - 15 * r * r * r) / (x * std::sqrt(kPi));
}
/// y with erfc(y) = z, by Newton's method.
Real inverse_complement(Real z) {
  if (!(z > 0 && z < 2))
    return z == 0 ? kInfinity : z == 2 ? -kInfinity : kNan;
  if (z > 1)
    return -inverse_complement(2 - z);
  const Real slope = 2 / std::sqrt(kPi);
  Real y = z > 0.5L ? (1 - z) / slope : std::sqrt(-std::log(z)) * 0.9L;
  for (int i = 0; i < 40; ++i)
    y += z > 0.5L
             ? (1 - z - std::erf(y)) / (slope * std::exp(-y * y))
             : (std::log(std::erfc(y)) - std::log(z)) * std::erfc(y) / (slope * std::exp(-y * y));
  return y;
}
Real inverse_error(Real x) {
  if (std::fabs(x) > 0.5L)
    return std::copysign(inverse_complement(1 - std::fabs(x)), x);
  const Real slope = 2 / std::sqrt(kPi);
  Real y = x / slope;
  for (int i = 0; i < 20; ++i)
    y -= (std::erf(y) - x) / (slope * std::exp(-y * y));
  return std::isnan(x) ? kNan : y;
}
Real normal_probability(Real x) { return std::erfc(-x / std::sqrt(Real(2))) / 2; }
Real normal_quantile(Real p) { return -std::sqrt(Real(2)) * inverse_complement(2 * p); }
Real modified_bessel(int order, Real x) {
  const Real quarter = x * x / 4;
  Real term = order ? x / 2 : 1, sum = term;
  for (int k = 1; std::fabs(term) > std::fabs(sum) * 1e-20L; ++k) {
    term *= quarter / (static_cast<Real>(k) * (k + order));
    sum += term;
  }
  return sum;
}

// ---- sweeps

struct Sweep {
  const char *name;
  float (*function)(float);
  Real (*exact)(Real);
  float from, to;
  double bound; ///< ULP; of Bessel functions with zeros: times max(1, |result|)
  bool absolute = false;
};

std::string name_of(const testing::TestParamInfo<Sweep> &info) {
  return std::string(info.param.name) + "_" + std::to_string(info.index);
}

class Special : public testing::TestWithParam<Sweep> {};

TEST_P(Special, StaysWithinItsBound) {
  const Sweep &sweep = GetParam();
  constexpr int kSteps = 40001;
  double worst = 0;
  float where = 0;
  for (int i = 0; i < kSteps; ++i) {
    const float x = sweep.from + (sweep.to - sweep.from) * (static_cast<float>(i) / (kSteps - 1));
    const Real exact = sweep.exact(x);
    const float found = sweep.function(x);
    const double error =
        sweep.absolute
            ? static_cast<double>(std::fabs(found - exact) / std::max<Real>(1, std::fabs(exact)))
            : ulps(found, exact);
    if (!(error <= worst)) {
      worst = error;
      where = x;
    }
  }
  RecordProperty("error", std::to_string(worst));
  EXPECT_LE(worst, sweep.bound) << "at " << std::hexfloat << where;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, Special,
    testing::Values(
        Sweep{"sinpi", __nv_sinpif, sine_of_turns, -3, 3, 1.6},
        Sweep{"sinpi", __nv_sinpif, sine_of_turns, -1e-38f, 1e-38f, 1.6},
        Sweep{"sinpi", __nv_sinpif, sine_of_turns, 8e6f, 2e7f, 1.6},
        Sweep{"cospi", __nv_cospif, cosine_of_turns, -3, 3, 1.6},
        Sweep{"lgamma", __nv_lgammaf, log_of_gamma, 0, 3, 3.5},
        Sweep{"lgamma", __nv_lgammaf, log_of_gamma, 3, 50, 3.5},
        Sweep{"lgamma", __nv_lgammaf, log_of_gamma, 1e30f, 3e38f, 3.5},
        Sweep{"lgamma", __nv_lgammaf, log_of_gamma, -2, -0.01f, 4},
        Sweep{"lgamma", __nv_lgammaf, log_of_gamma, -60, -0.01f, 1e-6, true},
        Sweep{"tgamma", __nv_tgammaf, gamma_function, -1e-38f, 1e-38f, 3.5},
        Sweep{"tgamma", __nv_tgammaf, gamma_function, 0, 12, 3.5},
        Sweep{"tgamma", __nv_tgammaf, gamma_function, 12, 36, 3.5},
        Sweep{"tgamma", __nv_tgammaf, gamma_function, -45, 0, 3.5},
        Sweep{"erfinv", __nv_erfinvf, inverse_error, -1, 1, 3.5},
        Sweep{"erfcinv", __nv_erfcinvf, inverse_complement, 0, 2, 3.5},
        Sweep{"erfcinv", __nv_erfcinvf, inverse_complement, 0, 1e-36f, 3.5},
        Sweep{"erfcx", __nv_erfcxf, scaled_complement, -9.6f, 0, 3.5},
        Sweep{"erfcx", __nv_erfcxf, scaled_complement, 0, 50, 3.5},
        Sweep{"erfcx", __nv_erfcxf, scaled_complement, 50, 1e5f, 3.5},
        Sweep{"normcdf", __nv_normcdff, normal_probability, -15, 15, 3.5},
        Sweep{"normcdfinv", __nv_normcdfinvf, normal_quantile, 0, 1, 5},
        Sweep{"normcdfinv", __nv_normcdfinvf, normal_quantile, 0, 1e-6f, 5},
        Sweep{"i0", __nv_cyl_bessel_i0f, [](Real x) { return modified_bessel(0, x); }, -91, 91, 5},
        Sweep{"i1", __nv_cyl_bessel_i1f, [](Real x) { return modified_bessel(1, x); }, -91, 91, 5},
        Sweep{"j0", __nv_j0f, [](Real x) { return j0l(x); }, -30, 30, 6e-7, true},
        Sweep{"j1", __nv_j1f, [](Real x) { return j1l(x); }, -30, 30, 6e-7, true},
        Sweep{"j1", __nv_j1f, [](Real x) { return j1l(x); }, 0, 3, 7},
        Sweep{"y0", __nv_y0f, [](Real x) { return y0l(x); }, 1e-4f, 30, 6e-7, true},
        Sweep{"y1", __nv_y1f, [](Real x) { return y1l(x); }, 1e-4f, 30, 6e-7, true},
        Sweep{"j0", __nv_j0f, [](Real x) { return j0l(x); }, 30, 1e4f, 6e-7, true},
        Sweep{"y1", __nv_y1f, [](Real x) { return y1l(x); }, 30, 1e4f, 6e-7, true}),
    name_of);

TEST(Special, KnowsWhatNumbersAreNone) {
  constexpr float infinite = HUGE_VALF;
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (auto *function : {__nv_sinpif, __nv_cospif, __nv_lgammaf, __nv_tgammaf, __nv_erfinvf,
                         __nv_erfcinvf, __nv_erfcxf, __nv_normcdff, __nv_normcdfinvf, __nv_j0f,
                         __nv_j1f, __nv_y0f, __nv_y1f, __nv_cyl_bessel_i0f, __nv_cyl_bessel_i1f})
    EXPECT_TRUE(std::isnan(function(none)));
  EXPECT_TRUE(std::signbit(__nv_sinpif(-0.0f)));
  EXPECT_TRUE(std::isnan(__nv_sinpif(infinite)));
  EXPECT_EQ(__nv_lgammaf(-infinite), infinite);
  EXPECT_EQ(__nv_lgammaf(-4.0f), infinite);
  EXPECT_EQ(__nv_lgammaf(0.0f), infinite);
  EXPECT_EQ(__nv_tgammaf(-0.0f), -infinite);
  EXPECT_EQ(__nv_tgammaf(infinite), infinite);
  EXPECT_TRUE(std::isnan(__nv_tgammaf(-infinite)));
  EXPECT_TRUE(std::isnan(__nv_tgammaf(-5.0f)));
  EXPECT_EQ(__nv_erfinvf(-1.0f), -infinite);
  EXPECT_TRUE(std::isnan(__nv_erfinvf(1.5f)));
  EXPECT_EQ(__nv_erfcinvf(2.0f), -infinite);
  EXPECT_EQ(__nv_erfcxf(-infinite), infinite);
  EXPECT_EQ(__nv_erfcxf(infinite), 0.0f);
  EXPECT_EQ(__nv_normcdff(-infinite), 0.0f);
  EXPECT_EQ(__nv_normcdff(infinite), 1.0f);
  EXPECT_EQ(__nv_j0f(infinite), 0.0f);
  EXPECT_EQ(__nv_y0f(0.0f), -infinite);
  EXPECT_TRUE(std::isnan(__nv_y1f(-1.0f)));
  EXPECT_EQ(__nv_cyl_bessel_i0f(-infinite), infinite);
  EXPECT_EQ(__nv_cyl_bessel_i1f(-infinite), -infinite);
}

TEST(Remainders, AreExact) {
  std::mt19937 random(1);
  for (int i = 0; i < 500000; ++i) {
    uint32_t a = random(), b = random();
    if (i % 3 == 0) // near each other
      b = (a & 0x7f800000) + (b & 0x03ffffff);
    if (i % 5 == 0) // half of a multiple, often
      a = b * (1 + 2 * (random() % 9));
    const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    int quotient = 0, expected = 0;
    const float found = __nv_remquof(x, y, &quotient), exact = std::remquo(x, y, &expected);
    if (std::isnan(exact)) {
      ASSERT_TRUE(std::isnan(found));
      continue;
    }
    ASSERT_EQ(std::bit_cast<uint32_t>(found), std::bit_cast<uint32_t>(exact)) << x << " " << y;
    ASSERT_EQ(quotient & 7, expected & 7) << x << " " << y;
    ASSERT_EQ(std::bit_cast<uint32_t>(__nv_remainderf(x, y)), std::bit_cast<uint32_t>(exact));
  }
}

} // namespace
