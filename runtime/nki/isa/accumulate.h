// VectorE's accumulator registers, which several instructions share.
#pragma once

#include "chip/isa/reduce.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

/// The commands that every instruction of VectorE knows.
inline void require_reduce_command(const Instruction &in, reduce_cmd cmd) {
  in.require(cmd == reduce_cmd::reset_reduce || cmd == reduce_cmd::reduce ||
                 cmd == reduce_cmd::load_reduce,
             "reduce_cmd must be reset_reduce, reduce or load_reduce");
}

/// Prepares the registers as `cmd` says. Returns them.
float *prepare_accumulators(const Instruction &in, reduce_cmd cmd, Op op,
                            const ScalarOperand &initial, int64_t partitions);

/// Poison of results that `group` consecutive elements of a view make, `per_partition` of them.
PoisonFlags reduced_flags(const PoisonFlags &source, const View &data, int64_t group);

/// Writes the registers to {P, 1}, with the poison of `flags`.
void read_accumulators(const Tensor &reduce_res, const float *registers, bool negate,
                       const PoisonFlags &flags);

} // namespace nki::isa
