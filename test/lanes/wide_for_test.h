// What the tests of 64-bit integers on the chip share: operands, pairs of tiles, the fixture.
#pragma once

#include "lanes/element.h"
#include "lanes/wide.h"

#include "chip_for_test.h"

#include <cstdint>
#include <random>
#include <vector>

namespace nki {

using Random = std::mt19937_64;

inline const int64_t kCorners[] = {0,
                                   1,
                                   -1,
                                   2,
                                   3,
                                   -3,
                                   10,
                                   63,
                                   64,
                                   255,
                                   65535,
                                   65536,
                                   -65537,
                                   (1 << 24) + 1,
                                   INT32_MAX,
                                   INT32_MIN,
                                   int64_t(INT32_MAX) + 1,
                                   int64_t(INT32_MIN) - 1,
                                   UINT32_MAX,
                                   int64_t(UINT32_MAX) + 1,
                                   int64_t(UINT32_MAX) + 2,
                                   -int64_t(UINT32_MAX),
                                   -int64_t(UINT32_MAX) - 1,
                                   -int64_t(UINT32_MAX) - 2,
                                   int64_t(0xffffffff00000001),
                                   0x7fffffff00000000,
                                   0x00000000ffffffff,
                                   0x0123456789abcdef,
                                   int64_t(0xaaaaaaaaaaaaaaaa),
                                   0x5555555555555555,
                                   6364136223846793005,
                                   int64_t(0x9e3779b97f4a7c15),
                                   1000000007,
                                   INT64_MAX,
                                   INT64_MAX - 1,
                                   INT64_MIN,
                                   INT64_MIN + 1};

/// All pairs of corners, and random values of all magnitudes.
struct Operands {
  std::vector<int64_t> a, b;
};

inline int64_t any_magnitude(Random &random) {
  const uint64_t value = random() >> random() % 64;
  return int64_t(random() % 2 ? value : 0 - value);
}

inline Operands operands_for(const Wave &wave, Random &random) {
  Operands operands;
  for (int64_t a : kCorners)
    for (int64_t b : kCorners) {
      operands.a.push_back(a);
      operands.b.push_back(b);
    }
  while (int64_t(operands.a.size()) < wave.lanes()) {
    operands.a.push_back(any_magnitude(random));
    operands.b.push_back(any_magnitude(random));
    if (random() % 4 == 0) // near a multiple, where an estimate is off by one
      operands.a.back() =
          int64_t(uint64_t(operands.b.back()) * (random() >> random() % 64) - random() % 2);
    if (random() % 4 == 0) // words that tie
      operands.b.back() =
          int64_t((uint64_t(operands.a.back()) & 0xffffffff00000000) | (random() & 0xffffffff));
  }
  return operands;
}

inline Wide to_wide(const Wave &wave, const std::vector<int64_t> &values) {
  std::vector<int32_t> low, high;
  for (int64_t value : values) {
    low.push_back(int32_t(value));
    high.push_back(int32_t(value >> 32));
  }
  return {to_tile(wave, low, DType::int32), to_tile(wave, high, DType::int32)};
}

inline std::vector<int64_t> from_wide(const Wide &wide) {
  const std::vector<uint32_t> low = from_tile<uint32_t>(wide.low);
  const std::vector<uint32_t> high = from_tile<uint32_t>(wide.high);
  std::vector<int64_t> values;
  for (size_t i = 0; i < low.size(); ++i)
    values.push_back(int64_t(uint64_t(high[i]) << 32 | low[i]));
  return values;
}

inline uint64_t u(int64_t x) { return uint64_t(x); }

/// Shapes of one lane, of many, and of an odd number per partition.
inline const WaveShape kShapes[] = {
    {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},
    {{1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {97, 1, 1}, 1},
};

class WideIntegers : public testing::TestWithParam<WaveShape> {
protected:
  WideIntegers() : wave_holder_(GetParam()), operands_(operands_for(wave(), random_)) {
    const size_t lanes = size_t(wave().lanes());
    if (operands_.a.size() > lanes) { // another corner in every run of the test
      operands_.a.resize(lanes);
      operands_.b.resize(lanes);
      operands_.a[0] = INT64_MIN;
      operands_.b[0] = 3;
    }
  }
  const Wave &wave() const { return wave_holder_.wave(); }
  Wide a() { return to_wide(wave(), operands_.a); }
  Wide b() { return to_wide(wave(), operands_.b); }
  size_t lanes() const { return operands_.a.size(); }
  /// `expected(a, b)` in every lane, unless `defined` says that it may be anything.
  template <class F>
  void expect(const std::string &name, const Wide &result, const std::vector<int64_t> &a,
              const std::vector<int64_t> &b, F expected,
              bool (*defined)(int64_t, int64_t) = nullptr) {
    const std::vector<int64_t> values = from_wide(result);
    for (size_t i = 0; i < values.size(); ++i)
      if (!defined || defined(a[i], b[i]))
        ASSERT_EQ(values[i], expected(a[i], b[i])) << name << " of " << a[i] << " and " << b[i];
  }
  template <class F> void expect(const std::string &name, const Wide &result, F expected) {
    expect(name, result, operands_.a, operands_.b, expected);
  }
  void expect_mask(const std::string &name, const Mask &mask, bool (*expected)(int64_t, int64_t)) {
    const std::vector<uint32_t> values = from_tile<uint32_t>(mask.tile(wave()));
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], uint32_t(expected(operands_.a[i], operands_.b[i])))
          << name << " of " << operands_.a[i] << " and " << operands_.b[i];
  }
  void expect_tile(const std::string &name, const Tensor &tile, int (*expected)(uint64_t)) {
    const std::vector<int32_t> values = from_tile<int32_t>(tile);
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], expected(u(operands_.a[i]))) << name << " of " << operands_.a[i];
  }

  TestChip chip_;
  Random random_{7};
  TestWave wave_holder_;
  Operands operands_;
};

} // namespace nki
