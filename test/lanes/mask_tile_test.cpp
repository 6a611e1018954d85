// Masks as predicate tiles.
#include "chip_for_test.h"

#include <random>

namespace nki {
namespace {

std::vector<Mask> known_masks(const Wave &wave) {
  std::mt19937 random(1);
  std::vector<uint8_t> noise(size_t(wave.lanes())), lone(size_t(wave.lanes()));
  for (uint8_t &byte : noise)
    byte = random() % 2;
  lone[random() % lone.size()] = 1;
  Index linear = wave.blockIdx.x * Index(int(wave.launch().blockDim.x)) + wave.threadIdx.x;
  Index middle(int(linear.signed_at(wave.lanes() / 2)));
  return {wave.all(),
          Mask(wave, false),
          Mask(wave, noise),
          Mask(wave, lone),
          slt(linear, middle + Index(3)),
          sgt(linear, middle),
          eq(wave.threadIdx.x & Index(1), Index(0)),
          slt(wave.threadIdx.x, Index(3)) & slt(wave.threadIdx.y, Index(1)),
          eq(wave.blockIdx.y & Index(1), Index(1)),
          ne(wave.blockIdx.x, wave.blockIdx.x + Index(0)) | eq(urem(linear, Index(3)), Index(1))};
}

void expect_lanes(const Wave &wave, const Mask &mask, const std::function<bool(int64_t)> &in) {
  std::vector<uint32_t> values = from_tile<uint32_t>(mask.tile(wave));
  for (int64_t lane = 0; lane < wave.lanes(); ++lane)
    ASSERT_EQ(values[size_t(lane)], uint32_t(in(lane))) << "lane " << lane;
}

class MaskTiles : public testing::TestWithParam<WaveShape> {};

TEST_P(MaskTiles, HoldOneWhereAKnownMaskHasALane) {
  TestChip chip;
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  for (const Mask &mask : known_masks(wave))
    ASSERT_NO_FATAL_FAILURE(expect_lanes(wave, mask, [&](int64_t lane) { return mask.at(lane); }));
}

TEST_P(MaskTiles, CombineWithKnownMasksAndEachOther) {
  TestChip chip;
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  std::vector<Mask> known = known_masks(wave);
  for (const Mask &a : known)
    for (const Mask &b : known) {
      Mask tile(wave, a.tile(wave));
      for (const Mask &c : {b, Mask(wave, b.tile(wave))}) {
        ASSERT_NO_FATAL_FAILURE(
            expect_lanes(wave, tile & c, [&](int64_t i) { return a.at(i) && b.at(i); }));
        ASSERT_NO_FATAL_FAILURE(
            expect_lanes(wave, c | tile, [&](int64_t i) { return a.at(i) || b.at(i); }));
        ASSERT_NO_FATAL_FAILURE(
            expect_lanes(wave, c ^ tile, [&](int64_t i) { return a.at(i) != b.at(i); }));
        ASSERT_NO_FATAL_FAILURE(
            expect_lanes(wave, andnot(tile, c), [&](int64_t i) { return a.at(i) && !b.at(i); }));
        ASSERT_NO_FATAL_FAILURE(expect_lanes(
            wave, select(c, tile, !tile), [&](int64_t i) { return b.at(i) ? a.at(i) : !a.at(i); }));
      }
      EXPECT_EQ(tile.any(), a.any());
    }
}

// A join's edges under a condition of the chip, as `if (chip) { if (known) … else … }` makes them:
// lanes for which the condition held are on one edge or the other, by the launch-known part.
TEST_P(MaskTiles, RememberWhatTheLaunchKnowsOfThem) {
  TestChip chip;
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  std::vector<Mask> known = known_masks(wave);
  for (const Mask &a : known)
    for (const Mask &b : known) {
      const Mask from_chip(wave, a.tile(wave));
      const Mask taken = from_chip & b, other = andnot(from_chip, b);
      for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
        ASSERT_EQ(taken.launch_part().at(lane), b.at(lane));
        ASSERT_EQ(other.launch_part().at(lane), !b.at(lane));
        ASSERT_TRUE((taken | other).launch_part().at(lane));
        ASSERT_TRUE((!taken).launch_part().at(lane)); // nothing is known of a negated tile
        ASSERT_EQ(((taken & a) ^ (taken & b)).launch_part().at(lane),
                  b.at(lane)); // a & b or b: within b
      }
      Index variable = 0;
      assign(variable, Index(3), taken);
      for (int64_t lane = 0; lane < wave.lanes(); ++lane)
        ASSERT_EQ(variable.signed_at(lane), b.at(lane) ? 3 : 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Waves, MaskTiles, testing::ValuesIn(kWaveShapes), shape_name);

} // namespace
} // namespace nki
