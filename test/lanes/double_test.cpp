// Doubles in memory and floats on the chip, against C++'s conversions.
#include "lanes/double.h"

#include "chip_for_test.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace nki {
namespace {

/// Every exponent with fractions that are all zeros, ties of both kinds, next to ties, all ones and
/// random; both signs; infinities and NaN among them.
std::vector<uint64_t> doubles() {
  std::mt19937_64 random(1);
  std::vector<uint64_t> bits;
  const uint64_t tie = uint64_t(1) << 28, last = uint64_t(1) << 29;
  for (uint64_t exponent = 0; exponent < 2048; ++exponent)
    for (uint64_t fraction :
         {uint64_t(0), uint64_t(1), tie, tie - 1, tie + 1, last, last + tie, last + tie - 1,
          last + tie + 1, (uint64_t(1) << 51), (uint64_t(1) << 52) - 1,
          (uint64_t(1) << 52) - 1 - tie, (uint64_t(1) << 52) - tie, random() >> 12, random() >> 12})
      for (uint64_t sign : {0, 1})
        bits.push_back(sign << 63 | exponent << 52 | fraction);
  // Ties of subnormal floats: a bit and a half of the smallest, and their neighbours.
  for (int shift = 0; shift < 26; ++shift)
    for (int64_t odd : {1, 3, 5, 7})
      for (int64_t beside : {-1, 0, 1})
        bits.push_back(std::bit_cast<uint64_t>(std::ldexp(double(odd), shift - 151)) +
                       uint64_t(beside));
  return bits;
}

const WaveShape kShape{{1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {127, 1, 1}, 1};

uint32_t rounded(uint64_t bits) {
  return std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
}
bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

class Doubles : public testing::Test {
protected:
  TestChip chip_;
};

TEST_F(Doubles, RoundToTheNearestFloatAndTiesToEven) {
  const std::vector<uint64_t> values = doubles();
  const TestWave holder(kShape);
  const Wave &wave = holder.wave();
  const size_t lanes = size_t(wave.lanes());
  for (size_t start = 0; start < values.size(); start += lanes) {
    const size_t count = std::min(lanes, values.size() - start);
    std::vector<int32_t> low, high;
    for (size_t i = 0; i < lanes; ++i) {
      const uint64_t bits = values[std::min(start + i, values.size() - 1)];
      low.push_back(int32_t(bits));
      high.push_back(int32_t(bits >> 32));
    }
    const Tensor result = wave.tile(DType::float32);
    double_to_float(result, {to_tile(wave, low, DType::int32), to_tile(wave, high, DType::int32)});
    const std::vector<uint32_t> floats = from_tile<uint32_t>(result);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t bits = values[start + i];
      if (is_nan(rounded(bits)))
        ASSERT_TRUE(is_nan(floats[i])) << std::hex << bits;
      else
        ASSERT_EQ(floats[i], rounded(bits)) << std::hex << bits;
    }
  }
}

TEST_F(Doubles, HoldEveryFloatExactly) {
  std::mt19937 random(2);
  std::vector<uint32_t> values;
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (uint32_t fraction : {0u, 1u, 2u, 3u, 0x400000u, 0x7fffffu, uint32_t(random() >> 9),
                              uint32_t(random() >> (9 + exponent % 23))})
      for (uint32_t sign : {0u, 1u})
        values.push_back(sign << 31 | exponent << 23 | fraction);
  const TestWave holder(kShape);
  const Wave &wave = holder.wave();
  ASSERT_GE(size_t(wave.lanes()), values.size());
  values.resize(size_t(wave.lanes()), 0x3f800000);
  const Wide result = wave.wide();
  float_to_double(result, to_tile(wave, values, DType::int32).view(DType::float32));
  const std::vector<uint32_t> low = from_tile<uint32_t>(result.low),
                              high = from_tile<uint32_t>(result.high);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t bits = uint64_t(high[i]) << 32 | low[i];
    const double expected = std::bit_cast<float>(values[i]);
    if (is_nan(values[i]))
      ASSERT_TRUE(std::isnan(std::bit_cast<double>(bits))) << std::hex << values[i];
    else
      ASSERT_EQ(bits, std::bit_cast<uint64_t>(expected)) << std::hex << values[i];
  }
  // And back, in place.
  const Tensor back = result.low.view(DType::float32);
  double_to_float(back, result);
  const std::vector<uint32_t> floats = from_tile<uint32_t>(back);
  for (size_t i = 0; i < values.size(); ++i)
    if (!is_nan(values[i]))
      ASSERT_EQ(floats[i], values[i]);
}

TEST_F(Doubles, HoldEveryIntegerExactly) {
  std::mt19937 random(3);
  std::vector<int32_t> values{0, INT32_MIN, INT32_MAX, -1};
  for (int bit = 0; bit < 32; ++bit)
    for (int32_t value : {int32_t(1u << bit), int32_t((1u << bit) - 1), int32_t((1u << bit) + 1),
                          int32_t(random() >> bit)})
      values.insert(values.end(), {value, int32_t(0u - uint32_t(value))});
  const TestWave holder(kShape);
  const Wave &wave = holder.wave();
  ASSERT_GE(size_t(wave.lanes()), values.size());
  values.resize(size_t(wave.lanes()), 7);
  const Wide results[2] = {wave.wide(), wave.wide()};
  int_to_double(results[0], to_tile(wave, values, DType::int32));
  uint_to_double(results[1], to_tile(wave, values, DType::int32));
  for (int k = 0; k < 2; ++k) {
    const std::vector<uint32_t> low = from_tile<uint32_t>(results[k].low),
                                high = from_tile<uint32_t>(results[k].high);
    for (size_t i = 0; i < values.size(); ++i) {
      const double expected = k == 0 ? double(values[i]) : double(uint32_t(values[i]));
      ASSERT_EQ(uint64_t(high[i]) << 32 | low[i], std::bit_cast<uint64_t>(expected))
          << values[i] << (k ? "u" : "");
    }
  }
}

} // namespace
} // namespace nki
