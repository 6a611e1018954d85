// Conversions against the definition: the nearest number of the format, ties to even.

#include "chip/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace nki::chip {
namespace {

struct Format {
  DType type;
  int exponent_bits, mantissa_bits;
  bool has_infinity;
};
constexpr Format kFormats[] = {{DType::float16, 5, 10, true},
                               {DType::bfloat16, 8, 7, true},
                               {DType::float8_e5m2, 5, 2, true},
                               {DType::float8_e4m3, 4, 3, true},
                               {DType::float8_e4m3fn, 4, 3, false}};

/// The value of bits, by the definition of the format.
double decode(const Format &format, uint32_t bits) {
  int bias = (1 << (format.exponent_bits - 1)) - 1;
  uint32_t mantissa = bits & ((1u << format.mantissa_bits) - 1);
  uint32_t exponent = (bits >> format.mantissa_bits) & ((1u << format.exponent_bits) - 1);
  double sign = bits >> (format.exponent_bits + format.mantissa_bits) & 1 ? -1 : 1;
  uint32_t top = (1u << format.exponent_bits) - 1;
  if (format.has_infinity && exponent == top)
    return mantissa ? NAN : sign * INFINITY;
  if (!format.has_infinity && exponent == top && mantissa == (1u << format.mantissa_bits) - 1)
    return NAN;
  double fraction = std::ldexp(double(mantissa), -format.mantissa_bits);
  return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias)
                               : std::ldexp(1 + fraction, int(exponent) - bias));
}

TEST(Numbers, EveryBitPatternHasTheValueOfItsFormat) {
  for (const Format &format : kFormats) {
    uint32_t count = 1u << (1 + format.exponent_bits + format.mantissa_bits);
    for (uint32_t bits = 0; bits < count; ++bits) {
      double expected = decode(format, bits), got = load_float(format.type, &bits);
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(got) : expected == got)
          << name_of(format.type) << " " << bits;
      if (std::isnan(expected))
        continue;
      uint32_t back = 0;
      store_float(format.type, &back, float(expected));
      ASSERT_EQ(back, bits) << name_of(format.type);
    }
  }
}

TEST(Numbers, RoundsToNearestEvenBetweenNeighbours) {
  for (const Format &format : kFormats) {
    uint32_t half = 1u << (format.exponent_bits + format.mantissa_bits);
    for (uint32_t bits = 0; bits + 1 < half; ++bits) {
      double low = decode(format, bits), high = decode(format, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      float middle = float((low + high) / 2);
      uint32_t got = 0;
      store_float(format.type, &got, middle);
      ASSERT_EQ(got, bits + (bits & 1)) << name_of(format.type) << " " << middle;
      store_float(format.type, &got, std::nextafter(middle, 0.0f));
      ASSERT_EQ(got, bits);
      store_float(format.type, &got, -std::nextafter(middle, INFINITY));
      ASSERT_EQ(got, (bits + 1) | half);
    }
  }
}

TEST(Numbers, WhatIsTooLargeBecomesInfinityOrNan) {
  for (const Format &format : kFormats)
    for (float value : {INFINITY, 3e38f, -INFINITY}) {
      if (format.type == DType::bfloat16 && value == 3e38f)
        continue;
      uint32_t bits = 0;
      store_float(format.type, &bits, value);
      float got = load_float(format.type, &bits);
      EXPECT_TRUE(format.has_infinity ? std::isinf(got) && (got > 0) == (value > 0)
                                      : std::isnan(got))
          << name_of(format.type) << " " << value;
    }
  uint8_t bits = 0;
  store_float(DType::float8_e4m3fn, &bits, 464.0f);
  EXPECT_EQ(bits, 0x7e) << "a tie goes to the even neighbour, which is finite";
}

template <class T> void check_integer(DType type) {
  constexpr double low = double(std::numeric_limits<T>::min());
  constexpr double high = double(std::numeric_limits<T>::max());
  std::mt19937_64 random(5);
  for (int i = 0; i < 200000; ++i) {
    uint32_t bits = uint32_t(random());
    float value = i % 2 ? __builtin_bit_cast(float, bits)
                        : std::ldexp(float(int32_t(bits)), -int(random() % 33));
    double rounded = std::nearbyint(double(value));
    double expected = std::isnan(value) ? 0 : std::min(std::max(rounded, low), high);
    T got;
    store_float(type, &got, value);
    ASSERT_EQ(double(got), expected) << name_of(type) << " " << value;
    T integer = T(bits);
    ASSERT_EQ(load_float(type, &integer), float(integer));
  }
}

TEST(Numbers, IntegersRoundToEvenAndSaturate) {
  check_integer<uint8_t>(DType::uint8);
  check_integer<int8_t>(DType::int8);
  check_integer<uint16_t>(DType::uint16);
  check_integer<int16_t>(DType::int16);
  check_integer<uint32_t>(DType::uint32);
  check_integer<int32_t>(DType::int32);
}

TEST(Numbers, TFloat32KeepsTenBits) {
  float got = 0;
  store_float(DType::tfloat32, &got, 0x1.002p0f); // a tie
  EXPECT_EQ(got, 1.0f);
  store_float(DType::tfloat32, &got, 0x1.006p0f);
  EXPECT_EQ(got, 0x1.008p0f);
}

TEST(Numbers, ScalesArePowersOfTwo) {
  for (int bits = 0; bits < 255; ++bits) {
    auto b = uint8_t(bits);
    float value = load_float(DType::float8_e8m0fnu, &b);
    EXPECT_EQ(value, std::ldexp(1.0f, bits - 127));
    uint8_t back = 0;
    store_float(DType::float8_e8m0fnu, &back, value);
    EXPECT_EQ(back, bits);
  }
}

} // namespace
} // namespace nki::chip
