// Elementary functions of pairs of floats (kernel/library/pair_functions.h), compiled as plain C++,
// against long double, at the pair itself: within the bounds of docs/numerics.md, and C's special
// cases.
#include <cmath>

extern "C" { // pairs_test.cpp and special_test.cpp have the others
// As far off as the chip's may be.
float __nv_atanf(float x) { return std::atan(x) * (1 - 0x1.8p-22f); }
float __nv_cbrtf(float x) { return std::cbrt(x) * (1 + 0x1.8p-22f); }
}
#define LIBRARY static inline
#include "kernel/library/pair_functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

namespace {

using Real = long double;

Real value(Pair a) { return Real(a[0]) + Real(a[1]); }
Pair pair(double x) { return neuronify_pair_from_bits(std::bit_cast<uint64_t>(x)); }
double number(Pair a) { return std::bit_cast<double>(neuronify_pair_to_bits(a)); }

struct Sweep {
  const char *name;
  Pair (*function)(Pair);
  Real (*exact)(Real);
  double from, to;
  double bound;          ///< in units of 2^-48
  bool absolute = false; ///< of one, not of the result
};

class Functions : public testing::TestWithParam<Sweep> {};

TEST_P(Functions, StayWithinTheirBounds) {
  const Sweep &sweep = GetParam();
  std::mt19937_64 random(7);
  double worst = 0, where = 0;
  constexpr int kPoints = 40000;
  for (int i = 0; i <= kPoints; ++i) {
    const double share = i == kPoints ? 1 : (i + double(random() >> 11) * 0x1p-53) / kPoints;
    double x = sweep.from + (sweep.to - sweep.from) * share;
    if (i % 4 == 3) // small ones too
      x = std::ldexp(x, -int(random() % 20));
    if (x < std::min(sweep.from, sweep.to) || x > std::max(sweep.from, sweep.to))
      continue;
    const Pair a = pair(x);
    const Real exact = sweep.exact(value(a)), off = std::fabs(value(sweep.function(a)) - exact);
    const double error =
        exact == 0 && off == 0 ? 0 : double(off / (sweep.absolute ? 1 : std::fabs(exact))) * 0x1p48;
    if (!(error <= worst)) {
      worst = error;
      where = x;
    }
  }
  RecordProperty("error", std::to_string(worst));
  EXPECT_LE(worst, sweep.bound) << "at " << std::hexfloat << where;
}

#define EXACT(name) [](Real x) -> Real { return std::name(x); }

INSTANTIATE_TEST_SUITE_P(
    Pairs, Functions,
    testing::Values(Sweep{"exp", neuronify_pair_exp, EXACT(exp), -60, 88, 8},
                    Sweep{"exp", neuronify_pair_exp, EXACT(exp), -1, 1, 8},
                    Sweep{"expm1", neuronify_pair_expm1, EXACT(expm1), -1, 1, 8},
                    Sweep{"expm1", neuronify_pair_expm1, EXACT(expm1), -50, 80, 8},
                    Sweep{"exp2", neuronify_pair_exp2, EXACT(exp2), -90, 127, 8},
                    Sweep{"exp10", neuronify_pair_exp10,
                          [](Real x) { return std::pow(Real(10), x); }, -28, 38, 8},
                    Sweep{"log", neuronify_pair_log, EXACT(log), 1e-30, 100, 8},
                    Sweep{"log", neuronify_pair_log, EXACT(log), 0.5, 2, 8},
                    Sweep{"log", neuronify_pair_log, EXACT(log), 100, 3e38, 8},
                    Sweep{"log2", neuronify_pair_log2, EXACT(log2), 1e-30, 100, 8},
                    Sweep{"log2", neuronify_pair_log2, EXACT(log2), 0.5, 2, 8},
                    Sweep{"log10", neuronify_pair_log10, EXACT(log10), 1e-30, 100, 8},
                    Sweep{"log10", neuronify_pair_log10, EXACT(log10), 0.5, 2, 8},
                    Sweep{"log1p", neuronify_pair_log1p, EXACT(log1p), -0.9, 10, 8},
                    Sweep{"log1p", neuronify_pair_log1p, EXACT(log1p), -0.25, 0.25, 8},
                    Sweep{"sin", neuronify_pair_sin, EXACT(sin), -0.8, 0.8, 8},
                    Sweep{"sin", neuronify_pair_sin, EXACT(sin), -100, 100, 8, true},
                    Sweep{"sin", neuronify_pair_sin, EXACT(sin), -1e6, 1e6, 8, true},
                    Sweep{"sin", neuronify_pair_sin, EXACT(sin), 1e6, 1e9, 100, true},
                    Sweep{"cos", neuronify_pair_cos, EXACT(cos), -0.8, 0.8, 8},
                    Sweep{"cos", neuronify_pair_cos, EXACT(cos), -100, 100, 8, true},
                    Sweep{"cos", neuronify_pair_cos, EXACT(cos), -1e6, 1e6, 8, true},
                    Sweep{"tan", neuronify_pair_tan, EXACT(tan), -1.5, 1.5, 8},
                    Sweep{"atan", neuronify_pair_atan, EXACT(atan), -1, 1, 8},
                    Sweep{"atan", neuronify_pair_atan, EXACT(atan), -100, 1e6, 8},
                    Sweep{"asin", neuronify_pair_asin, EXACT(asin), -1, 1, 8},
                    Sweep{"acos", neuronify_pair_acos, EXACT(acos), -1, 1, 8},
                    Sweep{"tanh", neuronify_pair_tanh, EXACT(tanh), -25, 25, 8},
                    Sweep{"tanh", neuronify_pair_tanh, EXACT(tanh), -0.5, 0.5, 8},
                    Sweep{"sinh", neuronify_pair_sinh, EXACT(sinh), -1.2, 1.2, 8},
                    Sweep{"sinh", neuronify_pair_sinh, EXACT(sinh), -88, 88, 8},
                    Sweep{"cosh", neuronify_pair_cosh, EXACT(cosh), -88, 88, 8},
                    Sweep{"asinh", neuronify_pair_asinh, EXACT(asinh), -1, 1, 8},
                    Sweep{"asinh", neuronify_pair_asinh, EXACT(asinh), -1e10, 1e10, 8},
                    Sweep{"acosh", neuronify_pair_acosh, EXACT(acosh), 1, 5, 8},
                    Sweep{"acosh", neuronify_pair_acosh, EXACT(acosh), 5, 1e20, 8},
                    Sweep{"atanh", neuronify_pair_atanh, EXACT(atanh), -0.9999, 0.9999, 8},
                    Sweep{"cbrt", neuronify_pair_cbrt, EXACT(cbrt), -1e5, 1e5, 8},
                    Sweep{"cbrt", neuronify_pair_cbrt, EXACT(cbrt), 1e20, 3e38, 8}),
    [](const testing::TestParamInfo<Sweep> &info) {
      return std::string(info.param.name) + std::to_string(info.index);
    });

TEST(PairsOfTwo, StayWithinTheirBounds) {
  std::mt19937_64 random(9);
  auto any = [&](int least, int count) {
    const double x =
        std::ldexp(1 + double(random() >> 12) * 0x1p-52, least + int(random() % unsigned(count)));
    return pair(random() & 1 ? x : -x);
  };
  double angles = 0, lengths = 0, remainders = 0, powers = 0;
  for (int i = 0; i < 60000; ++i) {
    const Pair a = any(-20, 40), b = any(-20, 40);
    const Real x = value(a), y = value(b);
    auto relative = [](Pair found, Real exact) {
      return double(std::fabs((value(found) - exact) / exact)) * 0x1p48;
    };
    angles = std::max(angles, relative(neuronify_pair_atan2(a, b), std::atan2(x, y)));
    lengths = std::max(lengths, relative(neuronify_pair_hypot(a, b), std::hypot(x, y)));
    const Real rest = std::fmod(x, y), off = std::fabs(value(neuronify_pair_fmod(a, b)) - rest);
    const Real around = std::min(off, std::fabs(off - std::fabs(y))); // 0 and y are neighbours
    remainders =
        std::max(remainders, double(around / std::max(std::fabs(x), std::fabs(y))) * 0x1p48);
    const Pair base = neuronify_pair_fabs(any(-10, 20)), exponent = any(-6, 8);
    const Real grown = value(exponent) * std::log(value(base));
    if (std::fabs(grown) < 60)
      powers = std::max(powers, relative(neuronify_pair_pow(base, exponent),
                                         std::pow(value(base), value(exponent))) /
                                    double(1 + std::fabs(grown)));
  }
  EXPECT_LE(angles, 8);
  EXPECT_LE(lengths, 5);
  EXPECT_LE(remainders, 2);
  EXPECT_LE(powers, 5);
  RecordProperty("angles", std::to_string(angles));
  RecordProperty("lengths", std::to_string(lengths));
  RecordProperty("remainders", std::to_string(remainders));
  RecordProperty("powers", std::to_string(powers));
}

bool alike(double found, double exact) {
  if (std::isnan(exact))
    return std::isnan(found);
  return std::signbit(found) == std::signbit(exact) &&
         (found == exact || std::fabs(found - exact) <= std::fabs(exact) * 1e-12 + 0x1p-148);
}

TEST(PairsOfTwo, KnowWhatCSaysOfNumbersThatAreNone) {
  const double endless = HUGE_VAL;
  const double odd[] = {0.0, -0.0, 1.0,     -1.0,     0.5, -0.5,  2.0, -2.0, 3.0,  -3.0,
                        2.5, -2.5, endless, -endless, NAN, 1e-20, 7.0, 1e20, -1e20};
  for (double x : odd) {
    const Pair a = pair(x);
    struct One {
      const char *name;
      Pair (*ours)(Pair);
      double (*theirs)(double);
    };
    for (auto [name, ours, theirs] : {One{"exp", neuronify_pair_exp, std::exp},
                                      {"expm1", neuronify_pair_expm1, std::expm1},
                                      {"exp2", neuronify_pair_exp2, std::exp2},
                                      {"log", neuronify_pair_log, std::log},
                                      {"log2", neuronify_pair_log2, std::log2},
                                      {"log10", neuronify_pair_log10, std::log10},
                                      {"log1p", neuronify_pair_log1p, std::log1p},
                                      {"atan", neuronify_pair_atan, std::atan},
                                      {"asin", neuronify_pair_asin, std::asin},
                                      {"acos", neuronify_pair_acos, std::acos},
                                      {"tanh", neuronify_pair_tanh, std::tanh},
                                      {"sinh", neuronify_pair_sinh, std::sinh},
                                      {"cosh", neuronify_pair_cosh, std::cosh},
                                      {"asinh", neuronify_pair_asinh, std::asinh},
                                      {"acosh", neuronify_pair_acosh, std::acosh},
                                      {"atanh", neuronify_pair_atanh, std::atanh},
                                      {"cbrt", neuronify_pair_cbrt, std::cbrt}})
      EXPECT_TRUE(alike(number(ours(a)), double(float(theirs(number(a))))) ||
                  alike(number(ours(a)), theirs(number(a))))
          << name << "(" << x << ") = " << number(ours(a)) << ", not " << theirs(number(a));
    if (!std::isfinite(x) || std::fabs(x) < 1e10) {
      EXPECT_TRUE(alike(number(neuronify_pair_sin(a)), std::sin(number(a)))) << x;
      EXPECT_TRUE(alike(number(neuronify_pair_cos(a)), std::cos(number(a)))) << x;
    }
    for (double y : odd) {
      const Pair b = pair(y);
      const double p = number(a), q = number(b), raised = std::pow(p, q);
      const double most_of_all = double(float(raised)); // beyond the floats
      EXPECT_TRUE(alike(number(neuronify_pair_pow(a, b)),
                        std::isinf(most_of_all) || most_of_all == 0 ? most_of_all : raised))
          << "pow(" << x << ", " << y << ") = " << number(neuronify_pair_pow(a, b));
      EXPECT_TRUE(alike(number(neuronify_pair_atan2(a, b)), std::atan2(p, q)))
          << "atan2(" << x << ", " << y << ") = " << number(neuronify_pair_atan2(a, b));
      EXPECT_TRUE(alike(number(neuronify_pair_hypot(a, b)), std::hypot(p, q)))
          << "hypot(" << x << ", " << y << ") = " << number(neuronify_pair_hypot(a, b));
      if (!(std::fabs(x) < endless) || std::fabs(x) < 1e6 * std::fabs(y)) {
        EXPECT_TRUE(alike(number(neuronify_pair_fmod(a, b)), std::fmod(p, q)))
            << "fmod(" << x << ", " << y << ") = " << number(neuronify_pair_fmod(a, b));
      }
    }
  }
}

} // namespace
