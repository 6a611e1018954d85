// Per-partition gathers, iota and selection (GpSimdE and VectorE).
#pragma once

#include "chip/isa/alu.h"
#include "chip/isa/operand.h"

#include <array>

namespace nki::chip::isa {

/// First index that is out of range, as partition * elements + element; -1 if there is none.
int64_t first_bad_index(const View &data, const View &indices);
/// dst[p, i] = data[p, indices[p, i]]. Indices must be in range.
void nc_n_gather(const View &dst, const View &data, const View &indices);

/// offset + p * channel_multiplier + w * step_w + z * step_z + y * step_y + x * step_x, modulo
/// 2^32.
struct AffinePattern {
  std::array<Dim, 4> dims{}; ///< w, z, y, x
  int32_t offset = 0, channel_multiplier = 0;
};
void iota(const View &dst, const AffinePattern &pattern);
/// dst = affine cmp_op 0 ? on_true : on_false
void affine_select(const View &dst, const AffinePattern &pattern, const View &on_true,
                   float on_false, Op cmp_op);

/// dst = (predicate != 0) != reverse ? on_true : on_false, through fp32.
void select(const View &dst, const View &predicate, const View &on_true,
            const ScalarOperand &on_false, bool reverse);
/// dst = op0(i, bound0) and op1(i, bound1) ? on_true : -FLT_MAX with i = range_start + free index.
void range_select(const View &dst, const View &on_true, Op op0, Op op1, const ScalarOperand &bound0,
                  const ScalarOperand &bound1, int range_start);

} // namespace nki::chip::isa
