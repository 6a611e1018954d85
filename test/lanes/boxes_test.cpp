// Lanes with addresses as strided boxes: together they are exactly the lanes asked for.
#include "lanes/boxes.h"

#include "waves_for_test.h"

#include <map>
#include <random>

namespace nki {
namespace {

/// Lane -> address of everything in the pieces; a lane that comes twice fails.
std::map<int64_t, int64_t> unfold(const Wave &wave, const std::vector<Piece> &pieces) {
  std::map<int64_t, int64_t> lanes;
  for (const Piece &piece : pieces) {
    const Run &run = piece.run;
    int64_t steps = 1;
    for (int d = 0; d < run.depth; ++d)
      steps *= run.steps[size_t(d)].count;
    for (int64_t p = 0; p < piece.partitions; ++p)
      for (int64_t i = 0; i < steps; ++i) {
        int64_t free = run.free, address = run.address, rest = i, row = p;
        for (int d = run.depth - 1; d >= 0; --d) {
          const Step &step = run.steps[size_t(d)];
          free += rest % step.count * step.free;
          address += rest % step.count * step.address;
          rest /= step.count;
        }
        for (int d = piece.row_depth - 1; d >= 0; --d) {
          address += row % piece.rows[size_t(d)].count * piece.rows[size_t(d)].stride;
          row /= piece.rows[size_t(d)].count;
        }
        EXPECT_EQ(row, 0);
        EXPECT_TRUE(lanes.emplace((piece.partition + p) * wave.F() + free, address).second);
      }
  }
  return lanes;
}

void expect_exact(const Wave &wave, const Index &address, const Mask &mask, int64_t limit) {
  if (mask.is_none())
    return;
  auto pieces = find_pieces(wave, address, lanes_of(mask), limit);
  if (!pieces)
    return;
  EXPECT_LE(int64_t(pieces->size()), limit);
  std::map<int64_t, int64_t> lanes = unfold(wave, *pieces);
  for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
    auto found = lanes.find(lane);
    ASSERT_EQ(found != lanes.end(), mask.at(lane)) << "lane " << lane;
    if (mask.at(lane))
      ASSERT_EQ(found->second, address.signed_at(lane)) << "lane " << lane;
  }
}

class PiecesOnWaves : public testing::TestWithParam<WaveShape> {};

TEST_P(PiecesOnWaves, AreExactlyTheLanesAndAddressesAskedFor) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  std::mt19937 random(2);
  std::vector<uint8_t> noise(size_t(wave.lanes()));
  for (uint8_t &byte : noise)
    byte = random() % 4 != 0;
  Index i = sext(wave.blockIdx.x * Index(int(wave.launch().blockDim.x)) + wave.threadIdx.x, 64);
  Index j = sext(wave.threadIdx.y * Index(100) + wave.threadIdx.z * Index(7), 64);
  std::vector<Index> addresses{i * Index(4L),
                               i * Index(4L) + j,
                               i * Index(-4L),
                               Index(wave, 64, 0, {}),
                               (i ^ Index(1L)) * Index(4L),
                               (i ^ Index(6L)) * Index(4L),
                               urem(i, Index(5L)) * Index(4L),
                               sdiv(i, Index(3L)),
                               smin(i, Index(wave, 64, i.signed_at(wave.lanes() / 2), {})),
                               i * i};
  std::vector<Mask> masks{wave.all(),
                          Mask(wave, noise),
                          slt(wave.threadIdx.x, Index(2)),
                          slt(i, Index(wave, 64, i.signed_at(wave.lanes() / 2), {})),
                          eq(wave.threadIdx.x & Index(1), Index(1)),
                          eq(wave.blockIdx.x & Index(3), Index(1))};
  for (const Index &address : addresses)
    for (const Mask &mask : masks)
      for (int64_t limit : {3, 1 << 20})
        ASSERT_NO_FATAL_FAILURE(expect_exact(wave, address, mask, limit));
}

INSTANTIATE_TEST_SUITE_P(Waves, PiecesOnWaves, testing::ValuesIn(kWaveShapes), shape_name);

TEST(Pieces, AreFewForTheUsualPatterns) {
  TestWave made({{1000, 1, 1}, {256, 1, 1}, {0, 0, 0}, {100, 1, 1}, 1});
  const Wave &w = made.wave();
  Index i = w.blockIdx.x * Index(256) + w.threadIdx.x;
  auto count = [&](const Index &address, const Mask &mask) {
    auto pieces = find_pieces(w, address, lanes_of(mask), 1000);
    return pieces ? pieces->size() : 1001;
  };
  EXPECT_EQ(count(i, w.all()), 1u);
  EXPECT_EQ(count(i, slt(i, Index(10000))), 2u) << "full partitions, then part of one";
  EXPECT_EQ(count(i ^ Index(1), w.all()), 1u);
  EXPECT_EQ(count(i ^ Index(5), w.all()), 1u);
  EXPECT_EQ(count(urem(w.threadIdx.x, Index(7)), w.all()), 2u);
  EXPECT_EQ(count(w.threadIdx.x, eq(w.threadIdx.x & Index(3), Index(1))), 1u);
  EXPECT_EQ(count(smin(i, Index(10000)), w.all()), 4u);
  EXPECT_LE(count(urem(i, Index(1000)), w.all()), 130u);
}

} // namespace
} // namespace nki
