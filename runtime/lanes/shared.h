// Loads and stores of shared memory and local arrays. Private to this room.
#pragma once

#include "lanes/memory.h"

namespace nki::shared {

void load(const Tensor &dst, const Place &place, int element_bytes, const Mask &mask);
/// `elements` {P, F} are of memory's type: uint8, uint16, or any 32-bit type.
void store(const Place &place, const Tensor &elements, int element_bytes, const Mask &mask);

} // namespace nki::shared
