// The algebra of launch-known masks.
#include "lanes/launch.h"

#include "waves_for_test.h"

#include <gtest/gtest.h>

#include <random>

namespace nki {
namespace {

std::vector<Mask> masks_of(const Wave &wave) {
  std::mt19937 random(1);
  std::vector<uint8_t> noise(size_t(wave.lanes()));
  for (uint8_t &byte : noise)
    byte = random() % 2 * 7;
  return {Mask(true),
          Mask(false),
          wave.all(),
          Mask(wave, false),
          Mask(wave, noise),
          slt(wave.threadIdx.x, Index(2)),
          eq(wave.blockIdx.x & Index(1), Index(0)),
          ult(wave.blockIdx.x * Index(3) + wave.threadIdx.x, wave.blockIdx.y + Index(77))};
}

class MaskOnWaves : public testing::TestWithParam<WaveShape> {};

TEST_P(MaskOnWaves, OperationsActLaneByLane) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  std::vector<Mask> masks = masks_of(wave);
  for (const Mask &a : masks)
    for (const Mask &b : masks) {
      for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
        ASSERT_EQ((a & b).at(lane), a.at(lane) && b.at(lane));
        ASSERT_EQ((a | b).at(lane), a.at(lane) || b.at(lane));
        ASSERT_EQ((a ^ b).at(lane), a.at(lane) != b.at(lane));
        ASSERT_EQ(andnot(a, b).at(lane), a.at(lane) && !b.at(lane));
        ASSERT_EQ((!a).at(lane), !a.at(lane));
        if (lane % 7 == 0)
          for (const Mask &c : masks)
            ASSERT_EQ(select(c, a, b).at(lane), c.at(lane) ? a.at(lane) : b.at(lane));
      }
    }
}

TEST_P(MaskOnWaves, AMaskOfAllOrNoLanesIsRecognised) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  for (const Mask &a : masks_of(wave)) {
    EXPECT_TRUE((a | !a).is_all());
    EXPECT_TRUE((a & !a).is_none());
    EXPECT_FALSE((a & !a).any());
  }
  EXPECT_TRUE(Mask(wave, std::vector<uint8_t>(size_t(wave.lanes()), 9)).is_all());
}

INSTANTIATE_TEST_SUITE_P(Waves, MaskOnWaves, testing::ValuesIn(kWaveShapes), shape_name);

} // namespace
} // namespace nki
