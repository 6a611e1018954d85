// The library of kernels, compiled as plain C++: packed integers against their definitions field by
// field, rounded operations against the rounding modes of this machine.
#define LIBRARY static inline
#include "kernel/library/packed.h"
#include "kernel/library/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

// ---- packed integers

/// Words whose fields are at the ends of every range, and random ones.
std::vector<uint32_t> packed_words() {
  std::vector<uint32_t> words;
  const uint32_t ends[] = {0x00, 0x01, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  for (const uint32_t a : ends)
    for (const uint32_t b : ends) {
      words.push_back(a << 24 | b << 16 | a << 8 | b);
      words.push_back(b << 24 | a << 16 | 0x0100 | a);
    }
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i)
    words.push_back(random());
  return words;
}

/// `function` of every pair of words is `field` of each pair of fields, cut to the field.
template <class T, class Function, class Field>
void expect_fields(const char *name, Function function, Field field) {
  static const std::vector<uint32_t> words = packed_words();
  constexpr int width = 8 * sizeof(T);
  for (const uint32_t a : words)
    for (const uint32_t b : words) {
      uint32_t expected = 0;
      for (int at = 0; at < 32; at += width) {
        const int value = field(static_cast<int>(static_cast<T>(a >> at)),
                                static_cast<int>(static_cast<T>(b >> at)));
        expected |= (static_cast<uint32_t>(value) & ((1u << width) - 1)) << at;
      }
      ASSERT_EQ(function(a, b), expected) << name << " " << std::hex << a << " " << b;
    }
}

template <class T> int limited(int x) {
  return std::clamp<int>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

#define EXPECT_PACKED(name, n, T, ...)                                                             \
  expect_fields<T>(                                                                                \
      #name, [](uint32_t a, uint32_t b) { return __nv_v##name##n(a, b); },                         \
      [](int x, int y) -> int { return __VA_ARGS__; })
#define EXPECT_PACKED_ONE(name, n, T, ...)                                                         \
  expect_fields<T>(                                                                                \
      #name, [](uint32_t a, uint32_t) { return __nv_v##name##n(a); },                              \
      [](int x, int) -> int { return __VA_ARGS__; })
#define EXPECT_COMPARE(name, n, T, op)                                                             \
  EXPECT_PACKED(cmp##name, n, T, x op y ? -1 : 0);                                                 \
  EXPECT_PACKED(set##name, n, T, x op y)
#define PACKED_TESTS(n, S, U)                                                                      \
  TEST(PackedIntegers, AddAndSubtract##n) {                                                        \
    EXPECT_PACKED(add, n, U, x + y);                                                               \
    EXPECT_PACKED(addss, n, S, limited<S>(x + y));                                                 \
    EXPECT_PACKED(addus, n, U, limited<U>(x + y));                                                 \
    EXPECT_PACKED(sub, n, U, x - y);                                                               \
    EXPECT_PACKED(subss, n, S, limited<S>(x - y));                                                 \
    EXPECT_PACKED(subus, n, U, limited<U>(x - y));                                                 \
    EXPECT_PACKED_ONE(neg, n, S, -x);                                                              \
    EXPECT_PACKED_ONE(negss, n, S, limited<S>(-x));                                                \
    EXPECT_PACKED_ONE(abs, n, S, x < 0 ? -x : x);                                                  \
    EXPECT_PACKED_ONE(absss, n, S, limited<S>(x < 0 ? -x : x));                                    \
  }                                                                                                \
  TEST(PackedIntegers, AverageAndChoose##n) {                                                      \
    EXPECT_PACKED(avgs, n, S, (x + y + (x + y >= 0)) >> 1);                                        \
    EXPECT_PACKED(avgu, n, U, (x + y + 1) >> 1);                                                   \
    EXPECT_PACKED(haddu, n, U, (x + y) >> 1);                                                      \
    EXPECT_PACKED(maxs, n, S, x > y ? x : y);                                                      \
    EXPECT_PACKED(maxu, n, U, x > y ? x : y);                                                      \
    EXPECT_PACKED(mins, n, S, x < y ? x : y);                                                      \
    EXPECT_PACKED(minu, n, U, x < y ? x : y);                                                      \
    EXPECT_PACKED(absdiffs, n, S, x > y ? x - y : y - x);                                          \
    EXPECT_PACKED(absdiffu, n, U, x > y ? x - y : y - x);                                          \
  }                                                                                                \
  TEST(PackedIntegers, Compare##n) {                                                               \
    EXPECT_COMPARE(eq, n, U, ==);                                                                  \
    EXPECT_COMPARE(ne, n, U, !=);                                                                  \
    EXPECT_COMPARE(ges, n, S, >=);                                                                 \
    EXPECT_COMPARE(geu, n, U, >=);                                                                 \
    EXPECT_COMPARE(gts, n, S, >);                                                                  \
    EXPECT_COMPARE(gtu, n, U, >);                                                                  \
    EXPECT_COMPARE(les, n, S, <=);                                                                 \
    EXPECT_COMPARE(leu, n, U, <=);                                                                 \
    EXPECT_COMPARE(lts, n, S, <);                                                                  \
    EXPECT_COMPARE(ltu, n, U, <);                                                                  \
  }
PACKED_TESTS(2, int16_t, uint16_t)
PACKED_TESTS(4, int8_t, uint8_t)

TEST(PackedIntegers, AddUpDifferences) {
  for (const uint32_t a : packed_words())
    for (const uint32_t b : packed_words()) {
      uint32_t bytes = 0, signed_halves = 0;
      for (int at = 0; at < 32; at += 8)
        bytes += std::abs(static_cast<int>(a >> at & 0xff) - static_cast<int>(b >> at & 0xff));
      for (int at = 0; at < 32; at += 16)
        signed_halves +=
            std::abs(static_cast<int16_t>(a >> at) - static_cast<int16_t>(b >> at)) & 0xffff;
      ASSERT_EQ(__nv_vsadu4(a, b), bytes);
      ASSERT_EQ(__nv_vsads2(a, b), signed_halves);
    }
}

// ---- rounding

std::vector<float> floats() {
  std::vector<float> all;
  for (const uint32_t size :
       {0u,          1u,          2u,          0x007fffffu, 0x00800000u, 0x00800001u, 0x01000000u,
        0x33800000u, 0x34000000u, 0x3effffffu, 0x3f000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u,
        0x3f800003u, 0x3fc00000u, 0x40000000u, 0x40400000u, 0x41200000u, 0x4b7fffffu, 0x4b800000u,
        0x4b800001u, 0x5f000000u, 0x7effffffu, 0x7f000000u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u})
    for (const uint32_t sign : {0u, 0x80000000u})
      all.push_back(std::bit_cast<float>(size | sign));
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i)
    all.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  for (int i = 0; i < 60; ++i) // near each other, so that digits cancel
    all.push_back(
        std::bit_cast<float>(static_cast<uint32_t>(0x3f000000u + random() % 0x01000000u)) *
        (random() % 2 ? 1 : -1));
  return all;
}

class RoundingMode {
public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }

private:
  int before_;
};

/// Computed where the compiler does not see the values.
template <class Function, class... T> float in_mode(int mode, Function function, T... arguments) {
  const RoundingMode rounding(mode);
  volatile float result = function(const_cast<const volatile T &>(arguments)...);
  return result;
}

void expect_same(float found, float expected, const char *what, double a, double b = 0,
                 double c = 0) {
  if (std::isnan(expected) && std::isnan(found))
    return;
  ASSERT_EQ(std::bit_cast<uint32_t>(found), std::bit_cast<uint32_t>(expected))
      << what << " of " << std::hexfloat << a << ", " << b << ", " << c << ": " << found
      << " instead of " << expected;
}

#define EXPECT_ROUNDED(name, mode, expression)                                                     \
  expect_same(__nv_f##name(a, b),                                                                  \
              in_mode(mode, [](float a, float b) { return expression; }, a, b), #name, a, b)
#define EXPECT_ROUNDED_ONE(name, mode, expression)                                                 \
  expect_same(__nv_f##name(a),                                                                     \
              in_mode(mode, [](float a) -> float { return expression; }, a), #name, a)

TEST(DirectedRounding, OfSumsProductsAndQuotients) {
  for (const float a : floats())
    for (const float b : floats()) {
      EXPECT_ROUNDED(add_rd, FE_DOWNWARD, a + b);
      EXPECT_ROUNDED(add_ru, FE_UPWARD, a + b);
      EXPECT_ROUNDED(add_rz, FE_TOWARDZERO, a + b);
      EXPECT_ROUNDED(sub_rd, FE_DOWNWARD, a - b);
      EXPECT_ROUNDED(sub_ru, FE_UPWARD, a - b);
      EXPECT_ROUNDED(sub_rz, FE_TOWARDZERO, a - b);
      EXPECT_ROUNDED(mul_rd, FE_DOWNWARD, a * b);
      EXPECT_ROUNDED(mul_ru, FE_UPWARD, a * b);
      EXPECT_ROUNDED(mul_rz, FE_TOWARDZERO, a * b);
      EXPECT_ROUNDED(div_rd, FE_DOWNWARD, a / b);
      EXPECT_ROUNDED(div_ru, FE_UPWARD, a / b);
      EXPECT_ROUNDED(div_rz, FE_TOWARDZERO, a / b);
    }
}

TEST(DirectedRounding, OfRootsAndReciprocals) {
  std::vector<float> all = floats();
  for (uint64_t bits = 0; bits < 0x100000000ull; bits += 65521)
    all.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (const float a : all) {
    EXPECT_ROUNDED_ONE(sqrt_rd, FE_DOWNWARD, std::sqrt(a));
    EXPECT_ROUNDED_ONE(sqrt_ru, FE_UPWARD, std::sqrt(a));
    EXPECT_ROUNDED_ONE(sqrt_rz, FE_TOWARDZERO, std::sqrt(a));
    EXPECT_ROUNDED_ONE(rcp_rd, FE_DOWNWARD, 1 / a);
    EXPECT_ROUNDED_ONE(rcp_ru, FE_UPWARD, 1 / a);
    EXPECT_ROUNDED_ONE(rcp_rz, FE_TOWARDZERO, 1 / a);
  }
}

TEST(DirectedRounding, OfFusedMultiplyAdds) {
  const std::vector<float> all = floats();
  const auto fma = [](float a, float b, float c) { return std::fma(a, b, c); };
  const auto expect = [&](float a, float b, float c) {
    expect_same(__nv_fmaf_rd(a, b, c), in_mode(FE_DOWNWARD, fma, a, b, c), "fma_rd", a, b, c);
    expect_same(__nv_fmaf_ru(a, b, c), in_mode(FE_UPWARD, fma, a, b, c), "fma_ru", a, b, c);
    expect_same(__nv_fmaf_rz(a, b, c), in_mode(FE_TOWARDZERO, fma, a, b, c), "fma_rz", a, b, c);
  };
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = 0; k < all.size(); ++k) {
      expect(all[i], all[k], all[(i + 7 * k) % all.size()]);
      expect(all[i], all[k], -all[i] * all[k]); // nearly or exactly nothing is left
    }
}

TEST(DirectedRounding, OfConversions) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t word = random() >> random() % 64;
    const int64_t wide = static_cast<int64_t>(i % 2 ? word : 0 - word);
    const int narrow = static_cast<int>(wide);
    const double real = std::bit_cast<double>(
        (random() & 0x8000000000000000ull) | ((1023 - 160 + random() % 300) << 52) |
        (random() >> (random() % 2 ? 12 : 40) << (random() % 2 ? 0 : 24) & 0xfffffffffffffull));
#define EXPECT_CONVERTED(ending, mode)                                                             \
  expect_same(__nv_int2float_##ending(narrow),                                                     \
              in_mode(mode, [](int x) { return static_cast<float>(x); }, narrow), "int", narrow);  \
  expect_same(__nv_ll2float_##ending(wide),                                                        \
              in_mode(                                                                             \
                  mode, [](int64_t x) { return static_cast<float>(x); }, wide),                    \
              "int64", static_cast<double>(wide));                                                 \
  expect_same(__nv_ull2float_##ending(word),                                                       \
              in_mode(                                                                             \
                  mode, [](uint64_t x) { return static_cast<float>(x); }, word),                   \
              "uint64", static_cast<double>(word));                                                \
  expect_same(__nv_double2float_##ending(real),                                                    \
              in_mode(mode, [](double x) { return static_cast<float>(x); }, real), "double", real)
    EXPECT_CONVERTED(rd, FE_DOWNWARD);
    EXPECT_CONVERTED(ru, FE_UPWARD);
    EXPECT_CONVERTED(rz, FE_TOWARDZERO);
  }
}

} // namespace
