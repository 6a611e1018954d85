// Conversions between integers, floats and halves give CUDA's results for every input.
#include "math_for_test.h"

namespace nki::math_test {

namespace {

std::vector<int32_t> integers() {
  std::vector<int32_t> values;
  for (int bit = 0; bit < 32; ++bit)
    for (int64_t offset = -3; offset <= 3; ++offset) {
      values.push_back(int32_t((int64_t(1) << bit) + offset));
      values.push_back(int32_t(-(int64_t(1) << bit) + offset));
      values.push_back(int32_t((int64_t(3) << bit) / 2 + offset));
    }
  for (uint64_t value = 0; value < (uint64_t(1) << 32); value += sweep_step())
    values.push_back(int32_t(value));
  return values;
}

template <class T> T truncated_and_saturated(float value) {
  if (std::isnan(value))
    return 0;
  double limited = std::trunc(double(value));
  limited = std::max(limited, double(std::numeric_limits<T>::min()));
  limited = std::min(limited, double(std::numeric_limits<T>::max()));
  return T(limited);
}

TEST(MathConvert, IntegersRoundToTheNearestFloat) {
  Chip chip;
  std::vector<int32_t> inputs = integers();
  auto from_signed = evaluate<float>(int_to_float, DType::float32, DType::int32, inputs);
  auto from_unsigned = evaluate<float>(uint_to_float, DType::float32, DType::int32, inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_EQ(from_signed[i], float(inputs[i])) << inputs[i];
    ASSERT_EQ(from_unsigned[i], float(uint32_t(inputs[i]))) << uint32_t(inputs[i]);
  }
}

TEST(MathConvert, FloatsTruncateAndSaturate) {
  Chip chip;
  auto check = [](const std::vector<float> &inputs) {
    auto as_signed = evaluate<int32_t>(float_to_int, DType::int32, DType::float32, inputs);
    auto as_unsigned = evaluate<uint32_t>(float_to_uint, DType::int32, DType::float32, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_EQ(as_signed[i], truncated_and_saturated<int32_t>(inputs[i])) << describe(inputs[i]);
      ASSERT_EQ(as_unsigned[i], truncated_and_saturated<uint32_t>(inputs[i]))
          << describe(inputs[i]);
    }
  };
  check(edges());
  sweep(check);
}

TEST(MathConvert, HalvesBecomeFloatsWhateverTheUpperBitsAre) {
  Chip chip;
  std::vector<int32_t> inputs;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    inputs.push_back(int32_t(bits | (bits * 0x9e370000u)));
  auto results = evaluate<float>(half_to_float, DType::float32, DType::int32, inputs);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float exact = float(std::bit_cast<_Float16>(uint16_t(bits)));
    ASSERT_EQ(ulp_error(results[bits], exact), 0) << std::hex << bits;
  }
}

TEST(MathConvert, FloatsRoundToTheNearestHalf) {
  Chip chip;
  auto check = [](const std::vector<float> &inputs) {
    auto results = evaluate<int32_t>(float_to_half, DType::int32, DType::float32, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) {
      auto exact = _Float16(inputs[i]);
      auto got = std::bit_cast<_Float16>(uint16_t(results[i]));
      ASSERT_TRUE(std::isnan(inputs[i]) ? got != got
                                        : std::bit_cast<uint16_t>(exact) == uint16_t(results[i]))
          << describe(inputs[i]);
    }
  };
  std::vector<float> inputs = edges();
  for (uint32_t bits = 0; bits < 0x10000; ++bits) { // halves, their middles, and next to those
    float value = float(std::bit_cast<_Float16>(uint16_t(bits)));
    for (int offset : {-1, 0, 1})
      inputs.push_back(from_bits(to_bits(value) + 0x1000u + uint32_t(offset)));
  }
  check(inputs);
  sweep(check);
}

} // namespace

} // namespace nki::math_test
