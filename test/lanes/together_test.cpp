// Waves that wait for each other at barriers of the grid.
#include "lanes/together.h"

#include "chip_for_test.h"

#include "nki/error.h"

#include <stdexcept>

namespace nki {
namespace {

Launch make(uint32_t blocks) {
  Launch launch;
  launch.gridDim = {blocks, 1, 1};
  launch.blockDim = {3, 1, 1};
  return launch;
}

Waves waves_of(const Launch &launch) {
  return launch.waves(Mapping::block_per_partition, Order::one_core);
}

TEST(WavesTogether, ComeToABarrierInTheirOrderBeforeAnyGoesOn) {
  for (uint32_t blocks : {1u, 128u, 129u, 700u}) {
    TestChip chip;
    const Launch launch = make(blocks);
    const Waves waves = waves_of(launch);
    std::vector<std::pair<int, int64_t>> steps, expected; // round, first block
    run_together(waves, [&](const Wave &wave) {
      EXPECT_EQ(&current_core(), &chip.core());
      for (int round = 0; round < 3; ++round) {
        steps.emplace_back(round, wave.first(Axis::block_x));
        grid_sync(wave, wave.all());
      }
    });
    for (int round = 0; round < 3; ++round)
      for (const Wave &wave : waves)
        expected.emplace_back(round, wave.first(Axis::block_x));
    EXPECT_EQ(steps, expected) << blocks;
    EXPECT_EQ(launch.waves_together, waves.size());
  }
}

TEST(WavesTogether, ABarrierThatSomeNeverReachEndsTheLaunch) {
  TestChip chip;
  const Launch launch = make(300);
  EXPECT_THROW(run_together(waves_of(launch),
                            [&](const Wave &wave) {
                              if (wave.first(Axis::block_x) != 0)
                                grid_sync(wave, wave.all());
                            }),
               Error);
}

TEST(WavesTogether, WhatOneThrowsEndsAllAndFreesTheirTiles) {
  for (int64_t thrower : {0, 128, 256}) {
    TestChip chip;
    const Launch launch = make(300);
    int behind = 0;
    EXPECT_THROW(run_together(waves_of(launch),
                              [&](const Wave &wave) {
                                const Tensor tile = wave.tile(nl::float32);
                                grid_sync(wave, wave.all());
                                if (wave.first(Axis::block_x) == thrower)
                                  throw std::runtime_error("stopped");
                                grid_sync(wave, wave.all());
                                ++behind;
                              }),
                 std::runtime_error);
    EXPECT_EQ(behind, 0);
    EXPECT_EQ(chip.core().used(Buffer::sbuf), 0);
  }
}

} // namespace
} // namespace nki
