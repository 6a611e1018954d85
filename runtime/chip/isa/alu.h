// The math operators of nki.api.shared.rst by name: what kind each is, and its kernel.
#pragma once

#include "chip/assumptions.h"
#include "chip/kernels/kernels.h"

namespace nki::chip {

inline constexpr bool is_bitvec(Op op) { return op >= Op::invert && op <= Op::right_shift; }
inline constexpr bool is_arithmetic_binary(Op op) { return op >= Op::add && op <= Op::abs_min; }
inline constexpr bool is_arithmetic_unary(Op op) { return op >= Op::abs && op <= Op::reciprocal; }
inline constexpr bool is_comparison(Op op) { return op >= Op::equal && op <= Op::less; }
/// "Legal Reduction op" in the table.
bool is_reduction(Op op);
/// The value that leaves the other operand of a reduction unchanged.
float reduction_identity(Op op);

/// fp32 arithmetic, as VectorE does it. `reverse` swaps the operands of a scalar operation.
inline FloatBinary float_binary(Op op, const ChipAssumptions &assumptions) {
  return kernels().float_binary[int(op)][int(assumptions.nan_in_min_max)];
}
inline FloatScalar float_scalar(Op op, bool reverse, const ChipAssumptions &assumptions) {
  const auto &table = reverse ? kernels().float_scalar_reverse : kernels().float_scalar;
  return table[int(op)][int(assumptions.nan_in_min_max)];
}
/// Bit patterns, zero-extended. invert ignores its second operand.
inline BitsBinary bits_binary(Op op, const ChipAssumptions &assumptions) {
  return kernels().bits_binary[int(op)][assumptions.large_shift_is_zero];
}
inline BitsScalar bits_scalar(Op op, bool reverse, const ChipAssumptions &assumptions) {
  const auto &table = reverse ? kernels().bits_scalar_reverse : kernels().bits_scalar;
  return table[int(op)][assumptions.large_shift_is_zero];
}
/// 32-bit integers, as GpSimdE does it: exact, with the operands' own signedness.
inline BitsBinary integer_binary(Op op, bool a_signed, bool b_signed, bool result_signed,
                                 const ChipAssumptions &assumptions) {
  if (is_bitvec(op))
    return bits_binary(op, assumptions);
  bool saturate = assumptions.integer_overflow == OverflowRule::saturate;
  return kernels().integer_binary[int(op)][a_signed][b_signed][result_signed][saturate];
}

} // namespace nki::chip
