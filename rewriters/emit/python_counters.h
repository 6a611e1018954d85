// Numbers that a loop on the chip steps, moved to the chip.
#pragma once

#include "tile/program.h"

namespace neuronify::emit {

/// `program` with the launch-known integer `variable`, and what follows from it, as tiles: a
/// counter of a loop that ends when the chip says so cannot be known when the loop is traced once.
/// False, and the program may be half changed, where something else depends on it.
bool move_to_chip(tile::Program &program, int variable);

} // namespace neuronify::emit
