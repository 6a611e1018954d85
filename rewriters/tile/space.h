// How much of a partition a kernel needs.
#pragma once

#include "tile/program.h"

#include <cstdint>
#include <string_view>

namespace neuronify::tile {

/// An upper bound for the bytes of a partition that one lane needs: tiles, predicates and local
/// arrays that are there at the same time, and what operations need besides their operands. Shared
/// memory is not counted.
int64_t lane_bytes(const Program &program);

/// Tiles that an operation needs besides its operands, at most; `is_wide`: on 64-bit integers.
/// test/tile/scratch_test.cpp measures them.
int scratch_tiles(std::string_view operation, bool is_wide);

} // namespace neuronify::tile
