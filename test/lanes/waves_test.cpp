// Waves cover the grid: every block once, in few waves of at most 128 partitions.
#include "chip/core.h"
#include "lanes/launch.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace nki {
namespace {

Launch make(Dim3 grid, Dim3 block) {
  Launch launch;
  launch.gridDim = grid;
  launch.blockDim = block;
  return launch;
}

using Block = std::tuple<int64_t, int64_t, int64_t>;

/// Every lane of a wave by its coordinates; counts how often each block is there.
void count_blocks(const Wave &wave, std::map<Block, int64_t> &lanes_of_block) {
  ASSERT_LE(wave.P(), 128);
  ASSERT_GE(wave.P(), 1);
  for (int64_t lane = 0; lane < wave.lanes(); ++lane)
    ++lanes_of_block[{wave.blockIdx.x.signed_at(lane), wave.blockIdx.y.signed_at(lane),
                      wave.blockIdx.z.signed_at(lane)}];
}

struct Shape {
  Dim3 grid, block;
};
const Shape kShapes[] = {
    {{1, 1, 1}, {1, 1, 1}},     {{129, 1, 1}, {32, 1, 1}},  {{1000, 1, 1}, {256, 1, 1}},
    {{1001, 1, 1}, {16, 1, 1}}, {{20, 30, 1}, {16, 16, 1}}, {{3, 1000, 1}, {8, 8, 1}},
    {{65, 40, 1}, {4, 1, 1}},   {{2, 2, 300}, {4, 1, 1}},   {{7, 11, 13}, {3, 2, 2}},
    {{130, 5, 3}, {2, 1, 1}},   {{5000, 1, 1}, {7, 1, 1}},
};

class WavesOfGrids : public testing::TestWithParam<std::tuple<Shape, Mapping, Order, int>> {};

TEST_P(WavesOfGrids, CoverEveryBlockOnceOverAllCores) {
  auto [shape, mapping, order, cores] = GetParam();
  Launch launch = make(shape.grid, shape.block);
  launch.cores = cores;
  std::map<Block, int64_t> lanes_of_block;
  for (launch.core = 0; launch.core < cores; ++launch.core) {
    Waves waves = launch.waves(mapping, order);
    uint64_t count = 0;
    for (const Wave &wave : waves) {
      ASSERT_NO_FATAL_FAILURE(count_blocks(wave, lanes_of_block));
      if (mapping == Mapping::block_per_partition)
        ASSERT_EQ(wave.F(), int64_t(shape.block.count()));
      ++count;
    }
    EXPECT_EQ(count, waves.size());
    if (order != Order::any && launch.core != 0)
      EXPECT_EQ(count, 0u);
  }
  EXPECT_EQ(lanes_of_block.size(), shape.grid.count());
  for (const auto &[block, lanes] : lanes_of_block)
    ASSERT_EQ(lanes, int64_t(shape.block.count()));
}

INSTANTIATE_TEST_SUITE_P(
    Grids, WavesOfGrids,
    testing::Combine(testing::ValuesIn(kShapes),
                     testing::Values(Mapping::block_per_partition, Mapping::flat),
                     testing::Values(Order::any, Order::one_core, Order::sequential),
                     testing::Values(1, 8)));

class SequentialWaves : public testing::TestWithParam<std::tuple<Shape, Mapping>> {};

TEST_P(SequentialWaves, RunBlocksInTheirOrder) {
  auto [shape, mapping] = GetParam();
  Launch launch = make(shape.grid, shape.block);
  int64_t next = 0, threads = int64_t(shape.block.count());
  for (const Wave &wave : launch.waves(mapping, Order::sequential))
    for (int64_t lane = 0; lane < wave.lanes(); ++lane, ++next) {
      if (lane % threads != 0)
        continue;
      int64_t block = (wave.coordinate(Axis::block_z, lane) * shape.grid.y +
                       wave.coordinate(Axis::block_y, lane)) *
                          shape.grid.x +
                      wave.coordinate(Axis::block_x, lane);
      ASSERT_EQ(block, next / threads);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Grids, SequentialWaves,
    testing::Combine(testing::Values(Shape{{1, 1, 1}, {5, 1, 1}}, Shape{{1000, 1, 1}, {33, 1, 1}},
                                     Shape{{130, 3, 2}, {4, 1, 1}}, Shape{{2, 100, 3}, {5, 1, 1}},
                                     Shape{{5, 7, 3}, {3, 2, 2}}, Shape{{1, 129, 1}, {1, 1, 1}},
                                     Shape{{256, 3, 1}, {2, 1, 1}}, Shape{{9, 8, 7}, {1, 1, 1}},
                                     Shape{{300000, 1, 1}, {3, 1, 1}}),
                     testing::Values(Mapping::block_per_partition, Mapping::flat)));

TEST(Waves, LaneOrderIsPartitionMajorWithThreadXFastest) {
  Launch launch = make({4, 2, 1}, {3, 2, 2});
  for (const Wave &wave : launch.waves(Mapping::block_per_partition)) {
    ASSERT_EQ(wave.P(), 8);
    ASSERT_EQ(wave.F(), 12);
    int64_t lane = 5 * 12 + (1 * 2 + 1) * 3 + 2;
    EXPECT_EQ(wave.blockIdx.x.signed_at(lane), 1);
    EXPECT_EQ(wave.blockIdx.y.signed_at(lane), 1);
    EXPECT_EQ(wave.threadIdx.x.signed_at(lane), 2);
    EXPECT_EQ(wave.threadIdx.y.signed_at(lane), 1);
    EXPECT_EQ(wave.threadIdx.z.signed_at(lane), 1);
  }
}

TEST(Waves, OneDimensionalGridsRunInAscendingOrder) {
  Launch launch = make({10007, 1, 1}, {64, 1, 1});
  for (Mapping mapping : {Mapping::block_per_partition, Mapping::flat}) {
    int64_t next = 0;
    for (const Wave &wave : launch.waves(mapping)) {
      EXPECT_EQ(wave.blockIdx.x.signed_at(0), next);
      next = wave.blockIdx.x.signed_at(wave.lanes() - 1) + 1;
    }
    EXPECT_EQ(next, 10007);
  }
}

TEST(Waves, FlatKernelsGetLongRunsOnceAllPartitionsAreInUse) {
  Launch big = make({65536, 1, 1}, {256, 1, 1});
  Waves waves = big.waves(Mapping::flat);
  EXPECT_EQ(waves.size(), 65536u / (128 * 4));
  EXPECT_EQ((*waves.begin()).F(), 1024);
  Launch small = make({100, 1, 1}, {256, 1, 1});
  EXPECT_EQ((*small.waves(Mapping::flat).begin()).P(), 100);
}

/// Every thread of every block exactly once, in parts that start at multiples of `unit` threads.
void expect_all_threads(const Launch &launch, Mapping mapping, LaneBytes lane_bytes, int64_t most,
                        int64_t unit) {
  const Dim3 &block = launch.blockDim;
  std::map<Block, std::set<int64_t>> seen;
  for (const Wave &wave : launch.waves(mapping, lane_bytes)) {
    EXPECT_LE(wave.F(), most);
    for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
      auto at = [&](Axis axis) { return wave.coordinate(axis, lane); };
      int64_t thread =
          (at(Axis::thread_z) * block.y + at(Axis::thread_y)) * block.x + at(Axis::thread_x);
      int64_t first = lane % wave.F() % wave.threads();
      if (first == 0)
        EXPECT_EQ(thread % unit, 0);
      EXPECT_EQ((thread - first) % unit, 0) << "parts are consecutive threads";
      Block number{at(Axis::block_x), at(Axis::block_y), at(Axis::block_z)};
      EXPECT_TRUE(seen[number].insert(thread).second);
    }
  }
  EXPECT_EQ(seen.size(), launch.gridDim.count());
  for (const auto &[number, threads] : seen)
    EXPECT_EQ(threads.size(), block.count());
}

TEST(Waves, BlocksThatDoNotFitAreCutIntoParts) {
  chip::Hbm memory;
  chip::Core core(chip::generation("trn3"), memory);
  CoreScope scope(core);
  const Dim3 blocks[] = {{1024, 1, 1}, {1023, 1, 1}, {33, 31, 1}, {32, 32, 1},
                         {16, 8, 8},   {8, 2, 64},   {1, 1, 64},  {7, 5, 3}};
  for (const Dim3 &block : blocks)
    for (int64_t most : {300, 100, 33, 1}) {
      SCOPED_TRACE(std::to_string(block.x) + "x" + std::to_string(block.y) + "x" +
                   std::to_string(block.z) + " in parts of " + std::to_string(most));
      LaneBytes need{(256 << 10) / most};
      expect_all_threads(make({3, 2, 1}, block), Mapping::flat, need, most, 1);
    }
}

TEST(Waves, PartsOfBlocksWithWarpOperationsAreWholeWarps) {
  chip::Hbm memory;
  chip::Core core(chip::generation("trn3"), memory);
  CoreScope scope(core);
  const Dim3 blocks[] = {{1024, 1, 1}, {1000, 1, 1}, {64, 9, 1},
                         {16, 16, 1},  {48, 20, 1},  {8, 4, 9}};
  for (const Dim3 &block : blocks)
    expect_all_threads(make({3, 2, 1}, block), Mapping::warps, {(256 << 10) / 100}, 96, 32);
  // Rows of 31 threads meet a warp's end every 32 rows only: such a block stays whole.
  EXPECT_EQ((*make({1, 1, 1}, {31, 31, 1}).waves(Mapping::warps, {4000}).begin()).F(), 31 * 31);
}

TEST(Waves, HalvingsMakeThemSmallerAsLongAsTheyCan) {
  Launch launch = make({4000, 1, 1}, {8, 5, 2});
  for (launch.halvings = 0; launch.halvings < 6; ++launch.halvings) {
    EXPECT_LE((*launch.waves(Mapping::flat).begin()).F(), 1024 >> launch.halvings);
    EXPECT_TRUE(launch.can_halve);
  }
  launch.halvings = 10;
  EXPECT_EQ((*launch.waves(Mapping::flat).begin()).threads(), 1);
  EXPECT_FALSE(launch.can_halve);
  launch.can_halve = false;
  EXPECT_EQ((*launch.waves(Mapping::block_per_partition).begin()).F(), 80);
  EXPECT_FALSE(launch.can_halve);
}

TEST(Waves, InOrderBlocksInPartsComeOneAfterTheOther) {
  for (int halvings : {0, 1, 3}) {
    Launch launch = make({3, 2, 2}, {20, 3, 2});
    launch.halvings = halvings;
    int64_t next = 0;
    for (const Wave &wave : launch.waves(Mapping::flat, Order::sequential))
      for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
        auto at = [&](Axis axis) { return wave.coordinate(axis, lane); };
        int64_t block = (at(Axis::block_z) * 2 + at(Axis::block_y)) * 3 + at(Axis::block_x);
        int64_t thread = (at(Axis::thread_z) * 3 + at(Axis::thread_y)) * 20 + at(Axis::thread_x);
        ASSERT_EQ(block * 120 + thread, next++);
      }
    EXPECT_EQ(next, 12 * 120);
  }
}

TEST(Waves, ACoreKeepsItsShareWhenItHalvesAlone) {
  Launch launch = make({300, 1, 1}, {100, 1, 1});
  launch.cores = 8;
  std::map<Block, int64_t> lanes_of_block;
  for (launch.core = 0; launch.core < launch.cores; ++launch.core) {
    launch.halvings = launch.core % 3;
    for (const Wave &wave : launch.waves(Mapping::flat))
      count_blocks(wave, lanes_of_block);
  }
  EXPECT_EQ(lanes_of_block.size(), 300u);
  for (const auto &[block, lanes] : lanes_of_block)
    ASSERT_EQ(lanes, 100);
}

TEST(Waves, NarrowGridsFillPartitionsWithRowsAndLayers) {
  EXPECT_EQ(make({2, 2, 3200}, {32, 1, 1}).waves(Mapping::block_per_partition).size(), 100u);
  EXPECT_EQ(make({1, 12800, 1}, {32, 1, 1}).waves(Mapping::block_per_partition).size(), 100u);
  // 65 columns would leave half of the partitions idle.
  EXPECT_LT(make({65, 1000, 1}, {32, 1, 1}).waves(Mapping::block_per_partition).size(), 650u);
}

TEST(Waves, TheLargestGridsNeedNoMemory) {
  Launch launch = make({0x7fffffff, 65535, 65535}, {1024, 1, 1});
  launch.core = 7;
  launch.cores = 8;
  Waves waves = launch.waves(Mapping::block_per_partition);
  EXPECT_LE(waves.regions().size(), 8u);
  EXPECT_GT(waves.size(), uint64_t(1) << 50);
  Waves::Iterator it = waves.begin();
  EXPECT_EQ((*it).P(), 128);
}

TEST(Waves, AnEmptyGridHasNone) {
  for (const Wave &wave : make({0, 1, 1}, {32, 1, 1}).waves(Mapping::flat))
    FAIL() << wave.P();
}

} // namespace
} // namespace nki
