// Which lane of a partition wins where all of them write one place. Private to this room.
#pragma once

#include "lanes/launch.h"

namespace nki {

/// The last lane of each partition that is in the mask.
struct LastLane {
  Tensor exists; ///< uint32 {P, 1}, nonzero where some lane is
  Tensor index;  ///< uint32 {P, 1}, its position; 0 where none is
};
LastLane last_lane(const Wave &wave, const Mask &mask);

/// The elements of those lanes, {P, 1}.
Tensor elements_of(const LastLane &last, const Tensor &tile);

} // namespace nki
