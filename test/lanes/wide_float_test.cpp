// Conversions between 64-bit integers on the chip and floats.
#include "wide_for_test.h"

#include <cmath>
#include <limits>

namespace nki {
namespace {

class WideFloats : public WideIntegers {};

INSTANTIATE_TEST_SUITE_P(Shapes, WideFloats, testing::ValuesIn(kShapes), shape_name);

TEST_P(WideFloats, FloatsAreRoundedOnce) {
  // Around every power of two: just below, at and just above halfway between two floats.
  std::vector<int64_t> values = operands_.a;
  size_t at = 0;
  for (int bit = 20; bit < 64; ++bit)
    for (int below = 0; below < 3; ++below) {
      const uint64_t ulp = bit > 23 ? uint64_t(1) << (bit - 23) : 1;
      const uint64_t base = (uint64_t(1) << bit) + ulp * (random_() % 5);
      for (const uint64_t offset :
           {ulp / 2 - 1, ulp / 2, ulp / 2 + 1, ulp - 1, 0 - ulp / 4, 0 - ulp / 4 - 1}) {
        if (at < values.size())
          values[at] = int64_t(below == 2 ? 0 - (base + offset) : base + offset);
        ++at;
      }
    }
  const Tensor s = wave().tile(DType::float32), v = wave().tile(DType::float32);
  int_to_float(s, to_wide(wave(), values));
  uint_to_float(v, to_wide(wave(), values));
  const auto signeds = from_tile<float>(s), unsigneds = from_tile<float>(v);
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(signeds[i]), std::bit_cast<uint32_t>(float(values[i])))
        << values[i];
    ASSERT_EQ(unsigneds[i], float(u(values[i]))) << u(values[i]);
  }
}

/// As PTX's cvt.rzi.
int64_t to_signed(float x) {
  if (std::isnan(x))
    return INT64_MIN;
  return x >= 0x1p63f ? INT64_MAX : x < -0x1p63f ? INT64_MIN : int64_t(x);
}
uint64_t to_unsigned(float x) {
  if (std::isnan(x))
    return uint64_t(1) << 63;
  return x >= 0x1p64f ? UINT64_MAX : x <= 0 ? 0 : uint64_t(x);
}

TEST_P(WideFloats, FloatsBecomeIntegersAsPtxSays) {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               0.5f,
                               -0.5f,
                               0.99999994f,
                               1.5f,
                               -1.5f,
                               2.5f,
                               -2.5f,
                               3.5f,
                               8388607.5f,
                               16777215.0f,
                               -0x1p31f,
                               0x1p31f,
                               0x1p32f,
                               -0x1p32f,
                               0x1.fffffep31f,
                               0x1.fffffep32f,
                               0x1.000002p40f,
                               -0x1.fffffep45f,
                               0x1.fffffep62f,
                               0x1p63f,
                               -0x1p63f,
                               -0x1.000002p63f,
                               0x1.fffffep63f,
                               0x1p64f,
                               3e38f,
                               -3e38f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               1e-40f,
                               -1e-40f};
  while (values.size() < lanes())
    values.push_back(random_() % 4 ? float(any_magnitude(random_)) * 0.001f
                                   : std::bit_cast<float>(uint32_t(random_())));
  values.resize(lanes());
  const Tensor x = to_tile(wave(), values, DType::float32);
  const Wide s = wave().wide(), v = wave().wide(), rn = wave().wide(), rd = wave().wide(),
             ru = wave().wide(), vn = wave().wide();
  float_to_int(s, x);
  float_to_uint(v, x);
  float_to_int_rn(rn, x);
  float_to_int_rd(rd, x);
  float_to_int_ru(ru, x);
  float_to_uint_rn(vn, x);
  const auto ss = from_wide(s), vs = from_wide(v), rns = from_wide(rn), rds = from_wide(rd),
             rus = from_wide(ru), vns = from_wide(vn);
  for (size_t i = 0; i < lanes(); ++i) {
    ASSERT_EQ(ss[i], to_signed(values[i])) << values[i];
    ASSERT_EQ(u(vs[i]), to_unsigned(values[i])) << values[i];
    ASSERT_EQ(rns[i], to_signed(std::rint(values[i]))) << values[i];
    ASSERT_EQ(rds[i], to_signed(std::floor(values[i]))) << values[i];
    ASSERT_EQ(rus[i], to_signed(std::ceil(values[i]))) << values[i];
    ASSERT_EQ(u(vns[i]), to_unsigned(std::rint(values[i]))) << values[i];
  }
}

} // namespace
} // namespace nki
