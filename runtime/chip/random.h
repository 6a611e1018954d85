// The random number generators of an engine: XORWOW (Marsaglia, "Xorshift RNGs", 2003).
#pragma once

#include "chip/generations.h"

#include <array>
#include <cstdint>

namespace nki::chip {

/// One engine's generators: some for each partition, which take turns along the free axis.
class RandomGenerators {
public:
  static constexpr int kMaxPerLane = 4;
  static constexpr int kWords = 6; ///< of a state: x, y, z, w, v and the counter d

  explicit RandomGenerators(int per_lane) : per_lane_(per_lane) { seed(0); }
  int per_lane() const { return per_lane_; }
  /// Different, never all zero states for all lanes (assumption 33).
  void seed(uint32_t value);
  /// Word `word` of generator `index` of a partition.
  uint32_t &word(int64_t partition, int64_t index, int64_t word) {
    return lanes_[size_t(partition)][size_t(word)][size_t(index)];
  }
  /// The next `count` numbers of `rows` partitions from `first` on, to out[0], out[1], ...; the
  /// first of a partition is from its first generator.
  void draw(int64_t first, int64_t rows, uint32_t *const *out, int64_t count);

private:
  using Lane = std::array<std::array<uint32_t, kMaxPerLane>, kWords>;

  void draw_row(Lane &lane, uint32_t *out, int64_t done, int64_t count);

  int per_lane_;
  std::array<Lane, kPartitions> lanes_{};
};

} // namespace nki::chip
