// 16-bit floats as sequences of NKI instructions.
//
// The engines compute in fp32 and round to the type of their destination. So a half in memory is
// the 16 low bits of an int32 lane, a half that something is computed from is a float32 lane of the
// same value, and an operation on halves is one on floats that is rounded to 16 bits. + - * / and
// square root round correctly that way, because a float has more than twice the digits of a half
// (S. Figueroa, "When is double rounding innocuous?", 1995); a fused multiply-add does not, and has
// functions of its own.
#pragma once

#include "lanes/half_bits.h"
#include "lanes/ops.h"

namespace nki {

// half_to_float and float_to_half are in lanes/ops.h.
void bfloat_to_float(const Tensor &dst, const Tensor &a); ///< a: int32 lanes holding 16 bits
void float_to_bfloat(const Tensor &dst, const Tensor &a);
/// The half nearest to a, as a float; ties to even.
void round_half(const Tensor &dst, const Tensor &a);
void round_bfloat(const Tensor &dst, const Tensor &a);
/// a * b + c, rounded once. Operands are numbers of the format, and so is the result.
void fma_half(const Tensor &dst, const FloatOperand &a, const FloatOperand &b,
              const FloatOperand &c);
void fma_bfloat(const Tensor &dst, const FloatOperand &a, const FloatOperand &b,
                const FloatOperand &c);
/// Integers as floats, rounded to odd, so that rounding the float to 16 bits is rounding once.
void int_to_float_odd(const Tensor &dst, const Tensor &a);
void uint_to_float_odd(const Tensor &dst, const Tensor &a);

} // namespace nki
