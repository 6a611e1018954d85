// Waves of many shapes for tests.
#pragma once

#include "lanes/launch.h"

#include <gtest/gtest.h>

#include <string>

namespace nki {

struct WaveShape {
  Dim3 grid, block;
  std::array<uint32_t, 3> first, box;
  uint32_t blocks_per_partition;
};

class TestWave {
public:
  explicit TestWave(const WaveShape &shape) {
    launch_.gridDim = shape.grid;
    launch_.blockDim = shape.block;
    wave_.emplace(launch_, shape.first, shape.box, shape.blocks_per_partition);
  }
  const Wave &wave() const { return *wave_; }

private:
  Launch launch_;
  std::optional<Wave> wave_;
};

inline const WaveShape kWaveShapes[] = {
    {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1},       // one lane
    {{128, 1, 1}, {1, 1, 1}, {0, 0, 0}, {128, 1, 1}, 1},   // one thread per block
    {{1000, 1, 1}, {33, 1, 1}, {17, 0, 0}, {29, 1, 1}, 1}, // odd block
    {{1000, 1, 1}, {32, 1, 1}, {40, 0, 0}, {7, 1, 1}, 4},  // several blocks per partition
    {{9, 8, 7}, {5, 3, 2}, {3, 2, 1}, {3, 4, 2}, 1},       // all axes
    {{9, 8, 7}, {4, 3, 2}, {2, 2, 1}, {3, 2, 2}, 2},       // all axes, two blocks
    {{1u << 30, 60000, 3}, {16, 1, 1}, {(1u << 30) - 64, 59990, 2}, {8, 4, 1}, 2}, // far out
};

inline std::string shape_name(const testing::TestParamInfo<WaveShape> &info) {
  return "shape" + std::to_string(info.index);
}

} // namespace nki
