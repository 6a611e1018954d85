// Shared and local memory as bytes of a partition: addresses, and stores by computed index. Private
// to this room.
#pragma once

#include "lanes/boxes.h"
#include "lanes/memory.h"
#include "lanes/tiles.h"

namespace nki::shared {

/// The array as elements of `type`, {P, count}.
Tensor elements_of_array(const Place &place, DType type);

/// Element number of each lane in the array, int32 {P, F}; for a local array in the lane's own part
/// (`own`) or in the whole. Only where an index or a launch-known offset that needs a table is
/// there.
Tensor element_index(const Place &place, const Tensor &like, int element_bytes, bool own);

/// Element index[lane] of the array = elements[lane] for the lanes of `mask`, last lane of a
/// partition first served last. Lanes outside of the array are skipped.
void scatter(const Place &place, const Tensor &index, const Tensor &elements, const Mask &mask);
/// The same for a local array and an index into the lane's own part.
void scatter_local(const Place &place, const Tensor &index, const Tensor &elements,
                   const Mask &mask);

/// Stores of which it is known at launch which lane writes which element: winners[r * count + e] is
/// the free position that writes element first + e in partition p (r = p or, if all partitions are
/// alike, 0), or -1. `mask` selects lanes once more if it is a tile.
void scatter_known(const Place &place, const Tensor &elements, const std::vector<int32_t> &winners,
                   int64_t first, int64_t count, const Mask &mask);

/// Throws if an address or stride is not a multiple of the element size.
int64_t in_elements(int64_t bytes, int element_bytes);

} // namespace nki::shared
