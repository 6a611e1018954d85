// Inside of Mask. Private to this room.
#pragma once

#include "lanes/launch.h"

namespace nki {

class MaskOps {
public:
  /// The wave of two masks; throws if they belong to different ones.
  static const Wave *join(const Mask &a, const Mask &b);
  /// A fresh predicate tile, of which no lane is outside `known`.
  static Mask within(Mask tile, const Mask &known);
  static Mask uniform(const Wave *wave, bool value) {
    return wave ? Mask(*wave, value) : Mask(value);
  }
};

/// op(a, b) lane by lane, on bytes.
template <class Op>
LaneArray<uint8_t> combine(const Wave &wave, const LaneArray<uint8_t> &a,
                           const LaneArray<uint8_t> &b, Op op) {
  bool over_partitions = a.varies_over_partitions() || b.varies_over_partitions();
  bool over_free = a.varies_over_free() || b.varies_over_free();
  LaneArray<uint8_t> result = lane_array<uint8_t>(wave.P(), wave.F(), over_partitions, over_free);
  int64_t rows = over_partitions ? wave.P() : 1, columns = over_free ? wave.F() : 1;
  for (int64_t p = 0; p < rows; ++p) {
    const uint8_t *x = a.values.data() + p * a.partition_stride;
    const uint8_t *y = b.values.data() + p * b.partition_stride;
    uint8_t *out = result.values.data() + p * columns;
    if (a.varies_over_free() && b.varies_over_free())
      for (int64_t f = 0; f < columns; ++f)
        out[f] = op(x[f], y[f]);
    else if (a.varies_over_free())
      for (int64_t f = 0; f < columns; ++f)
        out[f] = op(x[f], *y);
    else
      for (int64_t f = 0; f < columns; ++f)
        out[f] = op(*x, y[f * b.free_stride]);
  }
  return result;
}

} // namespace nki
