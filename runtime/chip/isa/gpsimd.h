// GpSimdE: eight processors, each connected to 16 partitions.
#pragma once

#include "chip/view.h"

#include <cstdint>

namespace nki::chip::isa {

/// Partitions of one processor of GpSimdE.
inline constexpr int64_t kCorePartitions = 16;

/// The first of `valid` indices per processor that reads past a partition of src, as its number
/// among all processors' indices; -1 if there is none.
int64_t first_bad_gather(const View &src, const View &index, int64_t per_index, int64_t valid);
/// dst[p, i * per_index + j] = src[p, index[i] + j] with the indices of p's processor.
void local_gather(const View &dst, const View &src, const View &index, int64_t per_index,
                  int64_t valid);

/// Partitions 0, 16, 32, ...: positions of nonzero elements plus `offset`, then `padding`, then
/// their number.
void nonzero_with_count(const View &dst, const View &src, int32_t offset, int32_t padding);

/// Per processor: the dst.elements largest of the first n elements, in ascending order, and where
/// they are, counted partitions first; all of its partitions get them. Of equal elements the first
/// counts as the largest, and NaN as the smallest.
void topk(const View &values, const View &places, const View &src, int64_t n);

/// dst[0, :] and dst[1, :] = where the segment of each element starts and ends (one past it); n and
/// -1 for segment 0.
void sequence_bounds(const View &dst, const View &segment_ids);

} // namespace nki::chip::isa
