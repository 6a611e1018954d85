// Which masks of a tile program may be predicate tiles when it runs.
#pragma once

#include "tile/program.h"

#include <vector>

namespace neuronify::tile {

/// Masks are made from launch-known conditions, from what the chip computes, or from both. A mask
/// is launch-known if nothing that is ever assigned to it comes from the chip.
class ChipMasks {
public:
  explicit ChipMasks(const Program &program);
  /// May the mask `expression` be a predicate tile?
  bool may_be_tile(const Expr &expression) const;

private:
  bool note(const Statement &statement);
  std::vector<bool> variables_;
};

} // namespace neuronify::tile
