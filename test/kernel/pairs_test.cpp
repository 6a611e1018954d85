// Pairs of floats (kernel/library/pairs.h), compiled as plain C++, against quadruple precision:
// operations within the bounds of docs/numerics.md, conversions exactly, and the numbers that are
// none.
#include <cmath>

extern "C" { // special_test.cpp has the others
float __nv_fminf(float a, float b) { return std::fmin(a, b); }
float __nv_fmaxf(float a, float b) { return std::fmax(a, b); }
float __nv_ceilf(float x) { return std::ceil(x); }
float __nv_truncf(float x) { return std::trunc(x); }
}
#define LIBRARY static inline
#include "kernel/library/pairs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using Real = __float128; // 113 bits, where a pair has 48

constexpr double kUnit = 0x1p-48;

Real value(Pair a) { return Real(a[0]) + Real(a[1]); }
Pair pair(double x) { return neuronify_pair_from_bits(std::bit_cast<uint64_t>(x)); }
double number(Pair a) { return std::bit_cast<double>(neuronify_pair_to_bits(a)); }

std::mt19937_64 &generator() {
  static std::mt19937_64 random(1);
  return random;
}

/// A double of any exponent in a range; one in eight has a short significand.
double any(int least, int most_of_all) {
  std::mt19937_64 &random = generator();
  double x = std::ldexp(1 + double(random() >> 12) * 0x1p-52,
                        least + int(random() % unsigned(most_of_all - least + 1)));
  if (random() % 8 == 0)
    x = std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~0x1fffffffffull);
  return random() & 1 ? x : -x;
}

/// A number that cancels against `a`, or nearly, or whose half or double does.
Pair beside(Pair a) {
  std::mt19937_64 &random = generator();
  const Pair near = settled(-a[0], a[1] * (float(random() % 5) - 2) * 0.3f);
  return random() & 1 ? near : scaled(near, random() & 1 ? 0.5f : 2.0f);
}

Real size_of_real(Real x) { return x < 0 ? -x : x; }

double error(Pair found, Real exact) {
  if (exact == 0)
    return value(found) == 0 ? 0 : HUGE_VAL;
  return double(size_of_real((value(found) - exact) / exact)) / kUnit;
}

constexpr int kRounds = 300000;

TEST(Pairs, OperationsStayWithinTheirBounds) {
  double sums = 0, products = 0, quotients = 0, roots = 0, fused = 0;
  for (int i = 0; i < kRounds; ++i) {
    const Pair a = pair(any(-40, 40)), b = i % 3 ? pair(any(-40, 40)) : beside(a);
    sums = std::max(sums, error(neuronify_pair_fadd(a, b), value(a) + value(b)));
    products = std::max(products, error(neuronify_pair_fmul(a, b), value(a) * value(b)));
    quotients = std::max(quotients, error(neuronify_pair_fdiv(a, b), value(a) / value(b)));
    const Pair size = neuronify_pair_fabs(a);
    const Pair root = neuronify_pair_sqrt(size); // of which the square is off by twice as much
    roots = std::max(roots,
                     double(size_of_real(value(root) * value(root) / value(size) - 1)) / 2 / kUnit);
    const Pair c = pair(any(-40, 40));
    const Real largest = size_of_real(value(a) * value(b)) + size_of_real(value(c));
    const Real off = value(neuronify_pair_fma(a, b, c)) - (value(a) * value(b) + value(c));
    fused = std::max(fused, double(size_of_real(off) / largest) / kUnit);
  }
  EXPECT_LE(sums, 3);
  EXPECT_LE(products, 5);
  EXPECT_LE(quotients, 4);
  EXPECT_LE(roots, 4);
  EXPECT_LE(fused, 8);
  for (auto [name, found] : {std::pair("sums", sums),
                             {"products", products},
                             {"quotients", quotients},
                             {"roots", roots},
                             {"fused", fused}})
    RecordProperty(name, std::to_string(found));
}

TEST(Pairs, TheExtremesOfTheRangeDivideAndMultiplyLikeTheOthers) {
  for (int i = 0; i < kRounds; ++i) {
    const Pair a = pair(any(-100, 120)), b = pair(any(-100, 120));
    const Real quotient = value(a) / value(b), product = value(a) * value(b);
    if (size_of_real(quotient) < 0x1p127 && size_of_real(quotient) > 0x1p-100) {
      ASSERT_LE(error(neuronify_pair_fdiv(a, b), quotient), 4) << i;
    }
    if (size_of_real(product) < 0x1p127 && size_of_real(product) > 0x1p-100) {
      ASSERT_LE(error(neuronify_pair_fmul(a, b), product), 5) << i;
    }
  }
}

TEST(Pairs, LoadsRoundTo48BitsAndStoresAreTheNearestDouble) {
  for (int i = 0; i < kRounds; ++i) {
    const double x = any(-100, 127);
    const Pair a = pair(x);
    if (!neuronify_pair_isfinite(a))
      continue;
    ASSERT_EQ(a[0], a[0] + a[1]) << std::hexfloat << x;
    ASSERT_LE(error(a, x), 1) << std::hexfloat << x;
    ASSERT_EQ(number(a), double(value(a))) << std::hexfloat << x;
    // A low half far below: 53 bits do not hold both.
    const float far = std::ldexp(a[0] * (float(generator()() % 2000) - 1000), -35 - int(i % 50));
    const Pair wide = settled(a[0], far);
    ASSERT_EQ(number(wide), double(value(wide))) << std::hexfloat << a[0] << " " << far;
    const Pair power = settled(std::ldexp(1.0f, i % 100), -std::ldexp(far / a[0], i % 100));
    ASSERT_EQ(number(power), double(value(power))) << std::hexfloat << power[0] << " " << power[1];
  }
  // Numbers of 48 bits and integers come back as they were.
  for (int i = 0; i < kRounds; ++i) {
    const double whole = double(int64_t(generator()()) >> (16 + i % 48));
    ASSERT_EQ(number(pair(whole)), whole);
  }
}

const std::vector<double> &odd_numbers() {
  static const double infinite = std::numeric_limits<double>::infinity();
  static const std::vector<double> numbers = {
      0.0,      -0.0,       1.0,      -1.0,    infinite, -infinite, NAN,
      FLT_MAX,  -FLT_MAX,   3.4e38,   -3.4e38, 1e300,    -1e300,    1e-300,
      -5e-324,  1e-40,      -1e-45,   1e-46,   0x1p127,  0x1p-126,  0x1.fffffep-127,
      0x1p-149, 0x1.8p-149, 0x1p-150, 2.5,     -0.5,     1e10,      0x1.fffffefffffffp127,
      0x1p128};
  return numbers;
}

/// As floats, which is all that numbers at the ends of the range have.
void expect_alike(const char *name, Pair found, double exact, double a, double b) {
  const double result = number(found);
  if (std::isnan(exact)) {
    EXPECT_TRUE(std::isnan(result)) << name << " of " << a << " and " << b << ": " << result;
    return;
  }
  const float near = float(exact), wrong = std::fabs(near) * 0x1p-22f + 0x1p-148f;
  EXPECT_TRUE(float(result) == near || std::fabs(float(result) - near) <= wrong)
      << name << " of " << a << " and " << b << ": " << result << ", not " << exact;
  EXPECT_EQ(std::signbit(result), std::signbit(exact)) << name << " of " << a << " and " << b;
  if (!neuronify_pair_isfinite(found) || found[0] == 0) {
    EXPECT_EQ(found[1], 0.0f) << name << " of " << a << " and " << b;
  }
}

TEST(Pairs, ZerosInfinitiesAndWhatIsNoNumberBehaveAsInDouble) {
  for (double x : odd_numbers())
    for (double y : odd_numbers()) {
      const Pair a = pair(x), b = pair(y);
      const double p = number(a), q = number(b);
      expect_alike("sum", neuronify_pair_fadd(a, b), p + q, p, q);
      expect_alike("difference", neuronify_pair_fsub(a, b), p - q, p, q);
      expect_alike("product", neuronify_pair_fmul(a, b), p * q, p, q);
      expect_alike("quotient", neuronify_pair_fdiv(a, b), p / q, p, q);
      expect_alike("root", neuronify_pair_sqrt(a), std::sqrt(p), p, q);
      expect_alike("minimum", neuronify_pair_fmin(a, b), std::fmin(p, q), p, q);
      expect_alike("maximum", neuronify_pair_fmax(a, b), std::fmax(p, q), p, q);
      expect_alike("sign", neuronify_pair_copysign(a, b), std::copysign(p, q), p, q);
      expect_alike("size", neuronify_pair_fabs(a), std::fabs(p), p, q);
    }
  EXPECT_TRUE(std::isinf(number(pair(1e300))));
  EXPECT_EQ(number(pair(1e-300)), 0.0);
  EXPECT_TRUE(std::signbit(number(pair(-5e-324))));
}

TEST(Pairs, RoundToWholeNumbersExactly) {
  auto expect = [](double x) {
    const Pair a = pair(x);
    if (number(a) != x && !std::isnan(x))
      return;
    struct Rounding {
      Pair (*ours)(Pair);
      double (*theirs)(double);
    };
    for (auto [ours, theirs] : {Rounding{neuronify_pair_floor, std::floor},
                                {neuronify_pair_ceil, std::ceil},
                                {neuronify_pair_trunc_float, std::trunc},
                                {neuronify_pair_rint, std::rint},
                                {neuronify_pair_round, std::round}}) {
      const double found = number(ours(a)), exact = theirs(x);
      ASSERT_TRUE(found == exact || (std::isnan(found) && std::isnan(exact)))
          << std::hexfloat << x << " " << found << " " << exact;
      ASSERT_TRUE(std::isnan(exact) || std::signbit(found) == std::signbit(exact)) << x;
    }
  };
  for (double x : odd_numbers())
    expect(number(pair(x)));
  for (int i = 0; i < kRounds; ++i) {
    expect(number(pair(any(-3, 50))));
    // Halves, and what lies beside them.
    const double half = double(int64_t(generator()()) >> (18 + i % 46)) + 0.5;
    for (double beside : {half, half + 0x1p-20, half - 0x1p-20})
      expect(number(pair(beside)));
  }
}

TEST(Pairs, ConvertToIntegersAndBack) {
  for (int i = 0; i < kRounds; ++i) {
    const int64_t n = int64_t(generator()()) >> (i % 64);
    const uint64_t u = generator()() >> (i % 64);
    ASSERT_EQ(number(neuronify_pair_int_to_float(int(n))), double(int(n)));
    ASSERT_EQ(number(neuronify_pair_uint_to_float(uint32_t(u))), double(uint32_t(u)));
    ASSERT_LE(error(neuronify_pair_long_to_float(n), n), 3);
    ASSERT_LE(error(neuronify_pair_ulong_to_float(u), u), 3);
    const Pair a = pair(any(-3, 65));
    const long double exact = value(a), down = std::trunc(exact);
    const int64_t whole = down >= 0x1p63L   ? std::numeric_limits<int64_t>::max()
                          : down < -0x1p63L ? std::numeric_limits<int64_t>::min()
                                            : int64_t(down);
    ASSERT_EQ(neuronify_pair_float_to_long(a), whole) << double(exact);
    const uint64_t natural = down >= 0x1p64L ? ~uint64_t(0) : down > 0 ? uint64_t(down) : 0;
    ASSERT_EQ(neuronify_pair_float_to_ulong(a), natural) << double(exact);
    ASSERT_EQ(neuronify_pair_float_to_int(a), int(std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX)))
        << double(exact);
    ASSERT_EQ(neuronify_pair_float_to_uint(a), uint32_t(std::min<uint64_t>(natural, UINT32_MAX)));
    if (std::fabs(exact) < 1e9L) {
      ASSERT_EQ(neuronify_pair_float_to_int_rn(a), int(std::rint(exact)));
      ASSERT_EQ(neuronify_pair_float_to_int_rd(a), int(std::floor(exact)));
      ASSERT_EQ(neuronify_pair_float_to_int_ru(a), int(std::ceil(exact)));
    }
  }
  EXPECT_EQ(neuronify_pair_float_to_int(pair(NAN)), 0);
  EXPECT_EQ(neuronify_pair_float_to_int(pair(2147483647.0)), INT32_MAX);
  EXPECT_EQ(neuronify_pair_float_to_int(pair(-2147483648.0)), INT32_MIN);
  EXPECT_EQ(neuronify_pair_float_to_int(pair(1e300)), INT32_MAX);
  EXPECT_EQ(neuronify_pair_float_to_long(pair(0x1p63)), INT64_MAX);
  EXPECT_EQ(neuronify_pair_float_to_long(pair(-0x1p63)), INT64_MIN);
  EXPECT_EQ(neuronify_pair_float_to_ulong(pair(-1.0)), 0u);
}

TEST(Pairs, TimesAPowerOfTwoIsExact) {
  for (int i = 0; i < 10000; ++i) {
    const Pair a = pair(any(-30, 60));
    const int n = int(generator()() % 80) - 40;
    ASSERT_TRUE(value(neuronify_pair_ldexp(a, n)) == value(a) * std::ldexp(1.0, n));
  }
  EXPECT_TRUE(std::isinf(number(neuronify_pair_ldexp(pair(1.0), 10000))));
  EXPECT_EQ(number(neuronify_pair_ldexp(pair(3.0), -10000)), 0.0);
}

} // namespace
