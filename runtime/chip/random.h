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
  /// The kWords words of each of a partition's generators, one generator after the other.
  void set_state(int64_t partition, const uint32_t *words);
  void get_state(int64_t partition, uint32_t *words) const;
  /// The next `count` numbers of `rows` partitions from `first` on, to out[0], out[1], ...; the
  /// first of a partition is from its first generator.
  void draw(int64_t first, int64_t rows, uint32_t *const *out, int64_t count);

private:
  using Lane = std::array<std::array<uint32_t, kMaxPerLane>, kWords>;

  void draw_row(Lane &lane, uint32_t *out, int64_t done, int64_t count);
  template <int PerLane>
  int64_t draw_abreast(int64_t first, int64_t rows, uint32_t *const *out, int64_t count);

  int per_lane_;
  std::array<Lane, kPartitions> lanes_{};
};

} // namespace nki::chip
