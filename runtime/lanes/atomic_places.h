// Atomics by where the words are. Private to this room.
#pragma once

#include "lanes/atomic_combine.h"
#include "lanes/global.h"

namespace nki::atomics {

/// Words of device memory at any index per lane: int32 {P, F}; lanes outside of memory, and those
/// not in the mask, have -1. `old` {P, F} or none.
void update_columns(const Request &request, const global::Indexed &indexed, const Tensor &old);

/// Words of the blocks' shared arrays.
void update_shared(const Wave &wave, const Request &request, const Place &place, const Tensor &old,
                   const Mask &mask);

/// Every lane of the mask has a word of its own: read, modify, write.
void update_distinct(const Wave &wave, const Request &request, const Place &place,
                     const Tensor &old, const Mask &mask);

/// Operations whose only difference between lanes is who takes part: they are counted.
bool is_counted(const Request &request);
/// How many lanes of each partition name each of `count` elements, int32 {P, count}: one
/// instruction per lane or per element, whichever are fewer.
Tensor count_lanes(const Tensor &index, int64_t count);
/// words[i] after the operation was done counts[i] times.
void add_counts(const Request &request, const Tensor &words, const Tensor &counts);

/// Positions along the free axis where some lane of a mask may be.
struct Stretch {
  int64_t first = 0, count = 0;
};
Stretch stretch_of(const Wave &wave, const Mask &mask);
inline Tensor cut(const Tensor &tile, const Stretch &stretch) {
  return tile ? tile.slice(1, stretch.first, stretch.first + stretch.count) : tile;
}
Request cut(const Request &request, const Stretch &stretch);

/// The request with the sides of a tile that `old` shares copied, so that it may be written early.
Request apart(const Request &request, const Tensor &old);

/// Do the lanes that may be in a mask name different offsets, in one partition
/// (`per_partition`) or all together?
bool are_distinct(const Wave &wave, const Index &offset, const Mask &mask, bool per_partition);

} // namespace nki::atomics
