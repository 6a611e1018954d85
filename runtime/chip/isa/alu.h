// The math operators of nki.api.shared.rst: what each computes on one pair of elements, and runs of
// it over adjacent elements.
#pragma once

#include "chip/assumptions.h"
#include "nki/language.h"

#include <cstdint>

namespace nki::chip {

using Op = language::Op;

bool is_bitvec(Op op);
bool is_arithmetic_binary(Op op);
bool is_arithmetic_unary(Op op);
bool is_comparison(Op op);
/// "Legal Reduction op" in the table.
bool is_reduction(Op op);
/// a op b == b op a.
bool is_commutative(Op op);

// ---- runs over adjacent elements; `out` may be the same run as an input
// -------------------------
using FloatBinary = void (*)(float *out, const float *a, const float *b, int64_t count);
/// b is one number for the run.
using FloatScalar = void (*)(float *out, const float *a, float b, int64_t count);
using BitsBinary = void (*)(uint32_t *out, const uint32_t *a, const uint32_t *b, int64_t count);
using BitsScalar = void (*)(uint32_t *out, const uint32_t *a, uint32_t b, int64_t count);

/// fp32 arithmetic, as VectorE does it. `reverse` swaps the operands.
FloatBinary float_binary(Op op, const ChipAssumptions &assumptions);
FloatScalar float_scalar(Op op, bool reverse, const ChipAssumptions &assumptions);
/// Bit patterns of up to 32 bits, zero-extended. invert ignores b.
BitsBinary bits_binary(Op op, const ChipAssumptions &assumptions);
BitsScalar bits_scalar(Op op, bool reverse, const ChipAssumptions &assumptions);
/// 32-bit integers, as GpSimdE does it: exact, with the operands' own signedness.
BitsBinary integer_binary(Op op, bool a_signed, bool b_signed, bool result_signed,
                          const ChipAssumptions &assumptions);

/// One pair, for places that are not worth a run.
float apply_float(Op op, float a, float b, const ChipAssumptions &assumptions);
/// The value that leaves the other operand of a reduction unchanged.
float reduction_identity(Op op);

} // namespace nki::chip
