// How a set of lanes with their addresses falls into few strided boxes. Private to this room.
#pragma once

#include "lanes/index_form.h"

namespace nki {

/// A step of a nest of lanes inside a partition.
struct Step {
  int64_t count = 1;
  int64_t free = 0;    ///< positions along the free axis
  int64_t address = 0; ///< what it adds to the address
  bool operator==(const Step &) const = default;
};

/// Positions with addresses that form a nest of at most kDepth steps, outermost first.
struct Run {
  static constexpr int kDepth = 4;
  int64_t free = 0, address = 0; ///< of its first lane
  int depth = 0;
  std::array<Step, kDepth> steps{};
  bool same_shape(const Run &other) const {
    return depth == other.depth &&
           std::equal(steps.begin(), steps.begin() + depth, other.steps.begin());
  }
};

/// A run that repeats over consecutive partitions, which form a nest of their own.
struct Piece {
  Run run;
  int64_t partition = 0, partitions = 1;
  int row_depth = 0;
  std::array<Level, kPartitionAxes> rows{}; ///< of addresses, outermost first
};

/// Appends the runs of one row, in ascending order: position f has address addresses[f]; only those
/// with active[f] (all, if null).
void find_runs(std::span<const int64_t> addresses, const uint8_t *active, std::vector<Run> &runs);

/// The active lanes (all, if `lanes` is null) with the addresses of `address` as pieces; none where
/// there would be more than `limit`.
std::optional<std::vector<Piece>> find_pieces(const Wave &wave, const Index &address,
                                              const LaneArray<uint8_t> *lanes, int64_t limit);

/// A launch-known mask as find_pieces takes it. `mask` is not none.
inline const LaneArray<uint8_t> *lanes_of(const Mask &mask) {
  return mask.is_all() ? nullptr : &mask.bitmap();
}

} // namespace nki
