// Masks as predicate tiles on the chip: uint32 {P, F}, 1 for a lane in the mask, else 0. Private to
// this room.
#pragma once

#include "lanes/launch.h"

namespace nki::predicate {

// Of two masks of which at least one is a tile.
Mask both(const Mask &a, const Mask &b);
Mask either(const Mask &a, const Mask &b);
Mask one_of(const Mask &a, const Mask &b);
Mask negation(const Mask &a);

/// Does a tile hold a 1? Reduces it on the chip and reads a register.
bool any(const Mask &tile);

/// A tile for all lanes or none.
Tensor uniform(const Wave &wave, bool value);
/// A tile for a launch-known bitmap: painted in a few rectangles, or copied from a constant.
Tensor known(const Wave &wave, const LaneArray<uint8_t> &lanes);

} // namespace nki::predicate
