// Division, remainder and high products of 32-bit integers.
//
// The chip has no integer division. The quotient is estimated with an fp32 reciprocal, and the
// remainder that the estimate leaves, which wrapping 32-bit arithmetic gives exactly, is divided in
// the same way once more:
//
//   r = 1 / b, relative error e < 2^-17        q0 = round(a * r)      |q0 - a/b| <= a/b e + 1/2
//   r0 = a - q0 b, |r0| <= a e + b/2 < 2^31    d = round(r0 * r)      |d - r0/b| <= |r0|/b e + 1/2
//   r1 = r0 - d b, |r1| <= b/2 + |r0| e        if r1 < 0: q - 1, r1 + b
//
// which holds for b < 2^31 (e is about 2^-22 on VectorE). For larger b the quotient is 0 or 1.
#include "lanes/ops.h"

#include "lanes/tiles.h"

#include <bit>

namespace nki {

namespace {

Tensor as_int(const Tensor &tile) { return tiles::as(tile, DType::int32); }
Tensor as_uint(const Tensor &tile) { return tiles::as(tile, DType::uint32); }

Tensor tile_of(const IntOperand &a, const Tensor &dst) {
  return a.tile ? as_int(a.tile) : tiles::numbers_like(dst, uint32_t(a.value), DType::int32);
}

/// Unsigned quotient and remainder, int32 tiles.
struct Quotient {
  Tensor quotient, remainder;
};

/// By a divisor of 2^31 and more: subtracts it once where it is not larger.
void divide_by_large(const Quotient &q, const Tensor &a, const Tensor &b, const Tensor &is_large) {
  Tensor fits = tiles::like(a, DType::uint32), rest = tiles::like(a, DType::int32);
  nisa::tensor_tensor(fits, as_uint(a), as_uint(b), nl::greater_equal);
  nisa::tensor_tensor(rest, as_int(fits), b, nl::multiply);
  nisa::tensor_tensor(rest, a, rest, nl::subtract);
  nisa::tensor_copy_predicated(q.quotient, as_int(fits), is_large);
  nisa::tensor_copy_predicated(q.remainder, rest, is_large);
}

/// For all b, where 0 counts as 1. `known` is the divisor if it is a number.
Quotient divide(const Tensor &a, const Tensor &b, std::optional<uint32_t> known) {
  Quotient q{tiles::like(a, DType::int32), tiles::like(a, DType::int32)};
  Tensor inverse = tiles::like(a, DType::float32), step = tiles::like(a, DType::int32);
  Tensor estimate = as_uint(q.quotient), &rest = q.remainder;
  if (known) {
    float factor = 1.0f / float(*known);
    nisa::tensor_scalar(estimate, as_uint(a), nl::multiply, factor);
  } else {
    nisa::tensor_scalar(inverse, as_uint(b), nl::maximum, 1.0f);
    nisa::reciprocal(inverse, inverse);
    nisa::tensor_tensor(estimate, as_uint(a), inverse, nl::multiply);
  }
  nisa::tensor_tensor(step, q.quotient, b, nl::multiply);
  nisa::tensor_tensor(rest, a, step, nl::subtract);
  if (known)
    nisa::tensor_scalar(step, rest, nl::multiply, 1.0f / float(*known));
  else
    nisa::tensor_tensor(step, rest, inverse, nl::multiply);
  nisa::tensor_tensor(q.quotient, q.quotient, step, nl::add);
  nisa::tensor_tensor(step, step, b, nl::multiply);
  nisa::tensor_tensor(rest, rest, step, nl::subtract);
  // A negative rest takes one divisor back.
  nisa::tensor_scalar(as_uint(step), as_uint(rest), nl::right_shift, 31);
  nisa::tensor_tensor(q.quotient, q.quotient, step, nl::subtract);
  nisa::tensor_tensor(step, step, b, nl::multiply);
  nisa::tensor_tensor(rest, rest, step, nl::add);
  if (!known) {
    Tensor is_large = tiles::like(a, DType::uint32);
    nisa::tensor_scalar(is_large, as_uint(b), nl::right_shift, 31);
    divide_by_large(q, a, b, is_large);
  } else if (*known >> 31) {
    divide_by_large(q, a, b, tiles::numbers_like(a, 1, DType::uint32));
  }
  return q;
}

enum class Part : uint8_t { quotient, remainder };

void unsigned_division(const Tensor &dst, const IntOperand &a, const IntOperand &b, Part part) {
  bool quotient = part == Part::quotient;
  if (!b.tile) {
    uint32_t divisor = uint32_t(b.value);
    if (divisor == 0)
      return fill(dst, 0);
    if (!a.tile)
      return fill(dst,
                  int32_t(quotient ? uint32_t(a.value) / divisor : uint32_t(a.value) % divisor));
    if (std::has_single_bit(divisor))
      return quotient ? lshr(dst, a, std::countr_zero(divisor))
                      : iand(dst, a, int32_t(divisor - 1));
    Quotient q = divide(as_int(a.tile), tile_of(b, dst), divisor);
    nisa::tensor_copy(as_int(dst), quotient ? q.quotient : q.remainder);
    return;
  }
  Quotient q = divide(tile_of(a, dst), as_int(b.tile), {});
  nisa::tensor_copy(as_int(dst), quotient ? q.quotient : q.remainder);
}

/// s = all ones where x is negative, else 0.
void sign_of(const Tensor &s, const Tensor &x) {
  nisa::tensor_scalar(as_uint(s), as_uint(x), nl::right_shift, 31);
  isub(s, 0, s);
}

/// Magnitudes are divided; the quotient is negative where the signs differ, the remainder where
/// the dividend is.
void signed_division(const Tensor &dst, const IntOperand &a, const IntOperand &b, Part part) {
  bool quotient = part == Part::quotient;
  if (!a.tile && !b.tile) {
    int64_t x = a.value, y = b.value;
    return fill(dst, y == 0 ? 0 : int32_t(quotient ? x / y : x % y));
  }
  if (!b.tile && b.value == 0)
    return fill(dst, 0);
  Tensor sign = tiles::like(dst, DType::int32), x = tiles::like(dst, DType::int32);
  Tensor dividend = tile_of(a, dst);
  sign_of(sign, dividend);
  iabs(x, dividend);
  Tensor result = tiles::like(dst, DType::int32);
  if (!b.tile) {
    uint32_t magnitude = b.value < 0 ? 0u - uint32_t(b.value) : uint32_t(b.value);
    unsigned_division(result, x, magnitude, part);
    if (quotient && b.value < 0)
      ixor(sign, sign, -1);
  } else {
    Tensor y = tiles::like(dst, DType::int32);
    iabs(y, b.tile);
    unsigned_division(result, x, y, part);
    if (quotient) {
      Tensor other = tiles::like(dst, DType::int32);
      sign_of(other, b.tile);
      ixor(sign, sign, other);
    }
  }
  ixor(result, result, sign);
  isub(dst, result, sign);
}

} // namespace

void udiv(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  unsigned_division(dst, a, b, Part::quotient);
}
void urem(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  unsigned_division(dst, a, b, Part::remainder);
}
void sdiv(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  signed_division(dst, a, b, Part::quotient);
}
void srem(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  signed_division(dst, a, b, Part::remainder);
}

void umulhi(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(uint64_t(uint32_t(a.value)) * uint32_t(b.value) >> 32));
  // Products of 16-bit halves, each below 2^32, with the carries of the middle ones.
  Tensor x = tile_of(a, dst), y = tile_of(b, dst);
  auto fresh = [&] { return tiles::like(dst, DType::int32); };
  Tensor x0 = fresh(), x1 = fresh(), y0 = fresh(), y1 = fresh(), low = fresh(), middle = fresh();
  iand(x0, x, 0xffff);
  lshr(x1, x, 16);
  iand(y0, y, 0xffff);
  lshr(y1, y, 16);
  imul(low, x0, y0);
  lshr(low, low, 16);
  imul(middle, x1, y0); // at most (2^16 - 1)^2: adding 16 bits does not carry
  iadd(middle, middle, low);
  imul(x0, x0, y1);
  iand(low, middle, 0xffff);
  iadd(x0, x0, low);
  imul(x1, x1, y1);
  lshr(middle, middle, 16);
  lshr(x0, x0, 16);
  iadd(x1, x1, middle);
  iadd(dst, x1, x0);
}

void smulhi(const Tensor &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int32_t(int64_t(a.value) * b.value >> 32));
  // Modulo 2^32 the signed high product is the unsigned one less b for a < 0 and less a for b < 0.
  Tensor x = tile_of(a, dst), y = tile_of(b, dst);
  Tensor result = tiles::like(dst, DType::int32), sign = tiles::like(dst, DType::int32);
  umulhi(result, a, b);
  for (auto &[negative, other] : {std::pair{x, y}, std::pair{y, x}}) {
    sign_of(sign, negative);
    iand(sign, sign, other);
    isub(result, result, sign);
  }
  nisa::tensor_copy(as_int(dst), result);
}

} // namespace nki
