// Variables that are summed up in place.
#pragma once

#include "tile/program.h"

#include <functional>

namespace neuronify::emit {

/// `t = tile; fadd(t, x, y); x = t` becomes `fadd(x, x, y)` where x is the only name of its tile.
/// Not in a loop that ends when the chip says so, in which lanes that have left keep what they had.
void sum_in_place(tile::Program &program,
                  const std::function<bool(const tile::Statement &loop)> &ends_on_chip);

} // namespace neuronify::emit
