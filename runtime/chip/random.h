// The random number generators of an engine: XORWOW (Marsaglia, "Xorshift RNGs", 2003).
#pragma once

#include "chip/generations.h"

#include <array>
#include <cstdint>

namespace nki::chip {

struct Xorwow {
  static constexpr int kWords = 6;
  std::array<uint32_t, kWords> words{}; ///< x, y, z, w, v and the counter d

  uint32_t next() {
    auto &[x, y, z, w, v, d] = words;
    uint32_t t = x ^ (x >> 2);
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    d += 362437;
    return d + v;
  }
};

/// One engine's generators: `per_lane` for each partition, which take turns along the free axis.
class RandomGenerators {
public:
  static constexpr int kMaxPerLane = 4;

  explicit RandomGenerators(int per_lane) : per_lane_(per_lane) { seed(0); }
  int per_lane() const { return per_lane_; }
  /// Different, never all zero states for all lanes (assumption 33).
  void seed(uint32_t value);
  Xorwow &at(int64_t partition, int64_t index) { return lanes_[size_t(partition)][size_t(index)]; }

private:
  int per_lane_;
  std::array<std::array<Xorwow, kMaxPerLane>, kPartitions> lanes_{};
};

} // namespace nki::chip
