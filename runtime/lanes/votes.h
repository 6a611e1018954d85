// What the threads of a warp or a block find out together: votes, ballots, matches, reductions.
//
// Warps are 32 consecutive threads of a block (x fastest); the last one may be shorter. `active`
// are the lanes that execute the statement, `members` the bits of a lane's warp that its member
// mask names, a tile or a number. The lanes that take part with a lane are the active members of
// its warp; a program that names others, or different masks in one operation, is undefined in CUDA.
// Results are meant for active lanes; the others get what an active lane in their place would.
#pragma once

#include "lanes/launch.h"
#include "lanes/ops.h"
#include "lanes/wide.h"

namespace nki {

/// Bit i: lane i of the warp takes part and is in `predicate`. dst int32 {P, F}.
void ballot(const Wave &wave, const Tensor &dst, const Mask &predicate, const Mask &active,
            const IntOperand &members);
void activemask(const Wave &wave, const Tensor &dst, const Mask &active);
/// Is the predicate true in some, in all, or equal in all lanes that take part?
Mask vote_any(const Wave &wave, const Mask &predicate, const Mask &active,
              const IntOperand &members);
Mask vote_all(const Wave &wave, const Mask &predicate, const Mask &active,
              const IntOperand &members);
Mask vote_uni(const Wave &wave, const Mask &predicate, const Mask &active,
              const IntOperand &members);

/// The lanes that take part and have the lane's own value: dst int32 {P, F}.
void match_any(const Wave &wave, const Tensor &dst, const IntOperand &value, const Mask &active,
               const IntOperand &members);
/// The lanes that take part if all of them have one value, else 0.
void match_all(const Wave &wave, const Tensor &dst, const IntOperand &value, const Mask &active,
               const IntOperand &members);

void match_any64(const Wave &wave, const Tensor &dst, const WideOperand &value, const Mask &active,
                 const IntOperand &members);
void match_all64(const Wave &wave, const Tensor &dst, const WideOperand &value, const Mask &active,
                 const IntOperand &members);

/// Position of the offset-th set bit of `mask`, from bit `base` on upwards, or downwards for a
/// negative offset; for offset 0 `base` itself. -1 where there is none.
void fns(const Tensor &dst, const IntOperand &mask, const IntOperand &base,
         const IntOperand &offset);

/// The values of the lanes that take part, combined; exact, sums wrap. dst int32 {P, F}.
enum class WarpReduction : uint8_t { add, smin, smax, umin, umax, bit_and, bit_or, bit_xor };
void reduce(const Wave &wave, WarpReduction op, const Tensor &dst, const IntOperand &value,
            const Mask &active, const IntOperand &members);
#define NEURONIFY_REDUCE(name, op)                                                                 \
  inline void reduce_##name(const Wave &wave, const Tensor &dst, const IntOperand &value,          \
                            const Mask &active, const IntOperand &members) {                       \
    reduce(wave, WarpReduction::op, dst, value, active, members);                                  \
  }
NEURONIFY_REDUCE(add, add)
NEURONIFY_REDUCE(min, smin)
NEURONIFY_REDUCE(max, smax)
NEURONIFY_REDUCE(umin, umin)
NEURONIFY_REDUCE(umax, umax)
NEURONIFY_REDUCE(and, bit_and)
NEURONIFY_REDUCE(or, bit_or)
NEURONIFY_REDUCE(xor, bit_xor)
#undef NEURONIFY_REDUCE

/// How many active lanes of the block are in `predicate`: dst int32 {P, F}. Some of them? All?
void block_count(const Wave &wave, const Tensor &dst, const Mask &predicate, const Mask &active);
Mask block_any(const Wave &wave, const Mask &predicate, const Mask &active);
Mask block_all(const Wave &wave, const Mask &predicate, const Mask &active);

/// Number of a lane's warp in its block.
Index warp_id(const Wave &wave);
/// The bits of the lane itself, of the lanes before it (and it), after it (and it).
Index lane_mask_eq(const Wave &wave);
Index lane_mask_lt(const Wave &wave);
Index lane_mask_le(const Wave &wave);
Index lane_mask_gt(const Wave &wave);
Index lane_mask_ge(const Wave &wave);

} // namespace nki
