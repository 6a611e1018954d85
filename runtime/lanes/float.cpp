// Float arithmetic that is exact: one instruction each, but for the corner cases of fmaxf and
// fminf.
#include "lanes/ops.h"

#include "lanes/tiles.h"

#include <bit>
#include <cmath>

namespace nki {

namespace {

Tensor as_float(const Tensor &tile) { return tiles::as(tile, DType::float32); }
Tensor as_uint(const Tensor &tile) { return tiles::as(tile, DType::uint32); }

void arithmetic(const Tensor &dst, const FloatOperand &a, const FloatOperand &b, nl::Op op) {
  if (a.tile && b.tile)
    nisa::tensor_tensor(as_float(dst), as_float(a.tile), as_float(b.tile), op);
  else if (a.tile)
    nisa::tensor_scalar(as_float(dst), as_float(a.tile), op, b.value);
  else
    nisa::tensor_scalar(as_float(dst), as_float(b.tile), op, a.value, true);
}

bool are_numbers(const FloatOperand &a, const FloatOperand &b) { return !a.tile && !b.tile; }

} // namespace

void fadd(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  if (are_numbers(a, b))
    return fill(dst, a.value + b.value);
  arithmetic(dst, a, b, nl::add);
}
void fsub(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  if (are_numbers(a, b))
    return fill(dst, a.value - b.value);
  arithmetic(dst, a, b, nl::subtract);
}
void fmul(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  if (are_numbers(a, b))
    return fill(dst, a.value * b.value);
  arithmetic(dst, a, b, nl::multiply);
}

void fneg(const Tensor &dst, const Tensor &a) {
  nisa::tensor_scalar(as_uint(dst), as_uint(a), nl::bitwise_xor, 0x80000000u);
}
void fabs(const Tensor &dst, const Tensor &a) {
  nisa::tensor_scalar(as_uint(dst), as_uint(a), nl::bitwise_and, 0x7fffffffu);
}

namespace {

enum class Which : uint8_t { larger, smaller };

/// As PTX max.f32 and min.f32: the other operand where one is NaN, -0 less than +0.
float extremum_of_numbers(float a, float b, Which which) {
  if (a != a || b != b)
    return a != a ? b : a;
  if (a == b) {
    uint32_t x = std::bit_cast<uint32_t>(a), y = std::bit_cast<uint32_t>(b);
    return std::bit_cast<float>(which == Which::larger ? x & y : x | y);
  }
  return (a > b) == (which == Which::larger) ? a : b;
}

/// With a number that is neither NaN nor zero (or +0 for the maximum): only NaN needs care.
void extremum_with_number(const Tensor &dst, const Tensor &a, float number, Which which) {
  Tensor is_nan = tiles::like(dst, DType::uint32);
  nisa::tensor_tensor(is_nan, a, a, nl::not_equal);
  if (which == Which::smaller)
    nisa::tensor_scalar(dst, a, nl::minimum, number);
  else if (number != 0)
    nisa::tensor_scalar(dst, a, nl::maximum, number);
  else // adding 0 makes +0 of the -0 that max(-0, +0) may be
    nisa::tensor_scalar(dst, a, nl::maximum, number, false, nl::add, 0.0f);
  nisa::tensor_copy_predicated(dst, number, is_nan);
}

/// In general. What an engine makes of NaN, or of zeros with different signs, is not documented, so
/// the result is put right in both cases.
void extremum_of_tiles(const Tensor &dst, const Tensor &a, const Tensor &b, Which which) {
  Tensor result = tiles::like(dst, DType::float32), zeros = tiles::like(dst, DType::uint32);
  Tensor where = tiles::like(dst, DType::uint32);
  nisa::tensor_tensor(result, a, b, which == Which::larger ? nl::maximum : nl::minimum);
  // Equal operands differ at most in the sign of zero.
  nisa::tensor_tensor(where, a, b, nl::equal);
  nisa::tensor_tensor(zeros, as_uint(a), as_uint(b),
                      which == Which::larger ? nl::bitwise_and : nl::bitwise_or);
  nisa::tensor_copy_predicated(as_uint(result), zeros, where);
  nisa::tensor_tensor(where, a, a, nl::not_equal);
  nisa::tensor_copy_predicated(result, b, where);
  nisa::tensor_tensor(where, b, b, nl::not_equal);
  nisa::tensor_copy_predicated(result, a, where);
  nisa::tensor_copy(dst, result);
}

void extremum(const Tensor &out, const FloatOperand &a, const FloatOperand &b, Which which) {
  if (are_numbers(a, b))
    return fill(out, extremum_of_numbers(a.value, b.value, which));
  if (!a.tile)
    return extremum(out, b, a, which);
  Tensor dst = as_float(out), tile = as_float(a.tile);
  if (b.tile)
    return extremum_of_tiles(dst, tile, as_float(b.tile), which);
  if (b.value != b.value) {
    if (!tiles::same(dst, tile))
      nisa::tensor_copy(dst, tile);
    return;
  }
  bool simple = b.value != 0 || (which == Which::larger && !std::signbit(b.value));
  if (simple)
    return extremum_with_number(dst, tile, b.value, which);
  extremum_of_tiles(
      dst, tile, tiles::numbers_like(dst, std::bit_cast<uint32_t>(b.value), DType::float32), which);
}

} // namespace

void fmax(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  extremum(dst, a, b, Which::larger);
}
void fmin(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  extremum(dst, a, b, Which::smaller);
}

} // namespace nki
