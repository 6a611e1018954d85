// Rules and poison that all products of TensorE share.
#pragma once

#include "nki/isa/instruction.h"

#include <optional>

namespace nki::isa {

/// tile_position and tile_size: `depth` partitions and `rows` columns of stationary must fit.
void require_tiling(const Instruction &in, const std::optional<std::pair<int, int>> &position,
                    const std::optional<std::pair<int, int>> &size, int64_t depth, int64_t rows);
/// dst is {rows, columns} in PSUM, of a type and size that the generation allows. `any_type`: dst
/// may have any type (transposes).
void require_product(const Instruction &in, const Tensor &dst, int64_t rows, int64_t columns,
                     bool any_type);

/// Whether anything of dst's allocation was written, so that a product may accumulate.
bool begins_written(const Tensor &dst);
/// Whether a product accumulates, and where it overwrites all the same because nothing was written.
struct AccumulationStart {
  bool accumulate;
  PoisonFlags overwrite;
  PoisonFlags poison; ///< of what is accumulated on
};
AccumulationStart begin_accumulation(const Instruction &in, const View &dst,
                                     std::optional<bool> accumulate);

/// dst[m, n] is poison where a row or a column that it is made of has poison.
PoisonFlags product_flags(const View &stationary, const View &moving, int64_t rows,
                          int64_t columns);

} // namespace nki::isa
