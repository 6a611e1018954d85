// Loops of tile programs that count as Python's range() does.
#pragma once

#include "tile/program.h"

#include <cstdint>
#include <optional>

namespace neuronify::emit {

/// range(loop.start, end + beyond, step)
struct CountedRange {
  tile::Expr end;
  int beyond = 0; ///< 1 or -1 where the end is reached
  int64_t step = 1;
  int64_t lowest, highest; ///< of the counter in the loop's body
};

/// How a loop with a counter counts, if that is all that its counter does: the end stays what it
/// is, and nothing in the body sets the counter. A counter that would wrap before it passes the
/// end, so that the original never ends, is not told from one that ends there.
std::optional<CountedRange> counted_range(const tile::Statement &loop);

} // namespace neuronify::emit
