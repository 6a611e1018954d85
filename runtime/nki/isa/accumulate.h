// Accumulator registers of VectorE, one per partition, which several instructions share.
#pragma once

#include "chip/isa/reduce.h"
#include "nki/isa/instruction.h"

#include <initializer_list>

namespace nki::isa {

/// How one instruction of VectorE uses the registers: prepare them, accumulate, read them out.
class Accumulation {
public:
  /// `result` is {P, 1}, null or absent; `init` belongs to load_reduce. Both must outlive this.
  Accumulation(const Instruction &in, reduce_cmd cmd, Op op, const Tensor *result,
               const Operand *init = nullptr, bool negate = false);

  /// Rules of the command, which must be one of `known`, and of its operands.
  void require(std::initializer_list<reduce_cmd> known, const Tensor &data) const;
  bool is_on() const { return cmd_ != reduce_cmd::idle; }

  void read(Access &access) { access.read(initial_); }
  /// The registers as the command leaves them before the first element.
  float *prepare(int64_t partitions);
  /// Ends the instruction: `flags` of dst spread to the registers, which are written to the result
  /// where there is one. Returns the cycles that takes.
  double finish(Access &access, const PoisonFlags &flags, const View &dst) const;

private:
  const Instruction &in_;
  reduce_cmd cmd_;
  Op op_;
  const Tensor *result_;
  const Operand *init_; ///< null where there is none
  ScalarOperand initial_;
  bool negate_;
};

/// Poison of results that `group` consecutive elements of a view make.
PoisonFlags reduced_flags(const PoisonFlags &source, const View &data, int64_t group);
/// Poison after a scan: everything from the first poisoned element of a partition on.
PoisonFlags scanned_flags(const View &dst, const PoisonFlags &element_wise);

/// Poison in a partition of dst spreads to its register.
void spread_poison(chip::Accumulators &accumulators, const PoisonFlags &flags, const View &dst);
/// Writes registers to {P, 1}.
void read_registers(const Tensor &result, const chip::Accumulators &accumulators, bool negate);

} // namespace nki::isa
