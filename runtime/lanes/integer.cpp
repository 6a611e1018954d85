// 32-bit integer arithmetic, exact over the whole range.
//
// GpSimdE's tensor_tensor is exact where all tiles are int32 or uint32, and bit operators are exact
// on VectorE; everything here is made of these two. A number for all lanes is an immediate of a bit
// operator, or a column that tensor_tensor reads with stride 0.
#include "lanes/ops.h"

#include "lanes/tiles.h"

#include <bit>

namespace nki {

namespace {

Tensor as_int(const Tensor &tile) { return tiles::as(tile, DType::int32); }
Tensor as_uint(const Tensor &tile) { return tiles::as(tile, DType::uint32); }

/// The operand as a tile of dst's shape.
Tensor tile_of(const IntOperand &a, const Tensor &dst) {
  return a.tile ? as_int(a.tile) : tiles::numbers_like(dst, uint32_t(a.value), DType::int32);
}

void copy(const Tensor &dst, const IntOperand &a) {
  if (!a.tile)
    fill(dst, a.value);
  else if (!tiles::same(dst, a.tile))
    nisa::tensor_copy(as_int(dst), as_int(a.tile));
}

bool is_number(const IntOperand &a, int32_t value) { return !a.tile && a.value == value; }

void arithmetic(const Tensor &dst, const IntOperand &a, const IntOperand &b, nl::Op op) {
  nisa::tensor_tensor(as_int(dst), tile_of(a, dst), tile_of(b, dst), op);
}

/// A commutative bit operator.
void bitwise(const Tensor &dst, const IntOperand &a, const IntOperand &b, nl::Op op) {
  const IntOperand &tile = a.tile ? a : b, &other = a.tile ? b : a;
  if (other.tile)
    nisa::tensor_tensor(as_int(dst), as_int(tile.tile), as_int(other.tile), op);
  else
    nisa::tensor_scalar(as_int(dst), as_int(tile.tile), op, other.value);
}

} // namespace

void iadd(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(uint32_t(a.value) + uint32_t(b.value)));
  if (is_number(a, 0) || is_number(b, 0))
    return copy(dst, is_number(a, 0) ? b : a);
  arithmetic(dst, a, b, nl::add);
}

void isub(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(uint32_t(a.value) - uint32_t(b.value)));
  if (is_number(b, 0))
    return copy(dst, a);
  arithmetic(dst, a, b, nl::subtract);
}

void imul(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(uint32_t(a.value) * uint32_t(b.value)));
  if (!a.tile)
    return imul(dst, b, a);
  if (b.tile)
    return arithmetic(dst, a, b, nl::multiply);
  uint32_t factor = uint32_t(b.value);
  if (factor == 0)
    fill(dst, 0);
  else if (std::has_single_bit(factor))
    shl(dst, a, std::countr_zero(factor));
  else
    arithmetic(dst, a, b, nl::multiply);
}

void iand(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, a.value & b.value);
  bitwise(dst, a, b, nl::bitwise_and);
}
void ior(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, a.value | b.value);
  bitwise(dst, a, b, nl::bitwise_or);
}
void ixor(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, a.value ^ b.value);
  bitwise(dst, a, b, nl::bitwise_xor);
}

namespace {

/// Logical shifts; counts modulo 32. Shifts act on bit patterns, so the tiles are unsigned.
void shift(const Tensor &dst, const IntOperand &a, const IntOperand &count, nl::Op op) {
  if (!count.tile) {
    if ((count.value & 31) == 0)
      return copy(dst, a);
    return nisa::tensor_scalar(as_uint(dst), as_uint(a.tile), op, count.value & 31);
  }
  Tensor counts = tiles::like(dst, DType::uint32);
  nisa::tensor_scalar(counts, as_uint(count.tile), nl::bitwise_and, 31);
  nisa::tensor_tensor(as_uint(dst), as_uint(tile_of(a, dst)), counts, op);
}

} // namespace

void shl(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(uint32_t(a.value) << (b.value & 31)));
  shift(dst, a, b, nl::left_shift);
}

void lshr(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(uint32_t(a.value) >> (b.value & 31)));
  shift(dst, a, b, nl::right_shift);
}

void ashr(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, a.value >> (b.value & 31));
  if (!a.tile && a.value >= 0)
    return lshr(dst, a, b);
  // x >> n = ((x ^ s) >>> n) ^ s, where s is all ones for negative x and 0 else.
  Tensor signs = tiles::like(dst, DType::int32), result = tiles::like(dst, DType::int32);
  nisa::tensor_scalar(as_uint(signs), as_uint(tile_of(a, dst)), nl::right_shift, 31);
  isub(signs, 0, signs);
  ixor(result, tile_of(a, dst), signs);
  lshr(result, result, b);
  ixor(dst, result, signs);
}

} // namespace nki
