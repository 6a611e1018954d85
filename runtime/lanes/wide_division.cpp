// Division and remainder of 64-bit integers.
//
// The quotient is built from estimates in fp32, each of which is too small, never too large, and
// leaves a remainder that exact arithmetic gives and the next estimate divides again. With
//
//   e = r * (1 / b) * (1 - 2^-16) - 1/2, rounded to an integer
//
// where 1 / b and the conversion of r are off by less than 2^-17 together,
//
//   r/b - (r/b * 2^-15.4 + 1) <= e <= r/b
//
// so that r shrinks to at most r * 2^-15.4 + b: from below 2^64 b, four rounds leave less than
// 6.1 b, the fifth less than 2 b, and one comparison the rest.
#include "lanes/wide_parts.h"

#include <bit>

namespace nki {

using namespace wides;

namespace {

constexpr float kTooSmall = 1.0f - 0x1p-16f;
constexpr int kRounds = 5;
constexpr int kNarrowRound = 3; ///< from here on an estimate has fewer than 24 bits

Tensor float_like(const Tensor &tile) { return tiles::like(tile, DType::float32); }

/// high * 2^32 + low in fp32, off by less than 2^-22.
Tensor roughly(const Wide &a) {
  Tensor result = float_like(a.low);
  nisa::scalar_tensor_tensor(result, as_uint(a.high), nl::multiply, 0x1p32f, nl::add,
                             as_uint(a.low));
  return result;
}

/// 1 / b, a little too small; of 1 where b is 0.
struct Inverse {
  Inverse(const WideOperand &b, const Tensor &like) {
    if (b.is_number()) {
      number = kTooSmall / float(uint64_t(b.value));
      return;
    }
    tile = float_like(like);
    nisa::tensor_scalar(tile, roughly(b.tile), nl::maximum, 1.0f);
    nisa::reciprocal(tile, tile);
    nisa::tensor_scalar(tile, tile, nl::multiply, kTooSmall);
  }
  Tensor tile;
  float number = 0;
};

/// The estimate of rest / b: fresh words; the high one is 0 in narrow rounds.
Words estimate(const Wide &rest, const Inverse &inverse, bool narrow) {
  Tensor e = roughly(rest);
  if (inverse.tile)
    nisa::tensor_tensor(e, e, inverse.tile, nl::multiply);
  else
    nisa::tensor_scalar(e, e, nl::multiply, inverse.number);
  nisa::tensor_scalar(e, e, nl::subtract, 0.5f, false, nl::maximum, 0.0f);
  const Wide words = pair_like(rest.low);
  if (narrow) {
    nisa::tensor_copy(words.low, e);
    return {words.low, 0};
  }
  // The high word is rounded, so the low one may be negative. Both are exact: e has 24 bits.
  nisa::tensor_scalar(as_uint(words.high), e, nl::multiply, 0x1p-32f);
  nisa::scalar_tensor_tensor(words.low, as_uint(words.high), nl::multiply, -0x1p32f, nl::add, e);
  const Tensor borrow = word_like(rest.low);
  nisa::tensor_scalar(as_uint(borrow), as_uint(words.low), nl::right_shift, 31);
  isub(words.high, words.high, borrow);
  return words;
}

/// Unsigned quotient and remainder.
struct Division {
  Wide quotient, rest;
};

Division divide(const Wide &a, const WideOperand &b) {
  Division result{pair_like(a.low), pair_like(a.low)};
  const Inverse inverse(b, a.low);
  const Wide product = pair_like(a.low);
  copy(result.rest, a);
  for (int round = 0; round < kRounds; ++round) {
    const Words e = estimate(result.rest, inverse, round >= kNarrowRound);
    multiply(product, e, b);
    subtract(result.rest, result.rest, product);
    if (round > 0) {
      add(result.quotient, result.quotient, e);
    } else {
      copy_word(result.quotient.low, e.low);
      copy_word(result.quotient.high, e.high);
    }
  }
  // One more where the remainder still holds the divisor.
  const Tensor fits = less(result.rest, b, a.low, DType::uint32);
  nisa::tensor_scalar(fits, fits, nl::bitwise_xor, 1);
  add(result.quotient, result.quotient, Words(as_int(fits), 0));
  isub(fits, 0, fits);
  iand(product.low, fits, b.low());
  iand(product.high, fits, b.high());
  subtract(result.rest, result.rest, product);
  return result;
}

enum class Part : uint8_t { quotient, remainder };

void unsigned_division(const Wide &dst, const WideOperand &a, const WideOperand &b, Part part) {
  const bool quotient = part == Part::quotient;
  if (b.is_number()) {
    const uint64_t divisor = uint64_t(b.value);
    if (divisor == 0)
      return fill(dst, 0);
    if (a.is_number())
      return fill(dst,
                  int64_t(quotient ? uint64_t(a.value) / divisor : uint64_t(a.value) % divisor));
    if (std::has_single_bit(divisor))
      return quotient ? lshr(dst, a, std::countr_zero(divisor))
                      : iand(dst, a, int64_t(divisor - 1));
  }
  const Division d = divide(pair_of(a, dst.low), b);
  copy(dst, quotient ? d.quotient : d.rest);
}

/// Magnitudes are divided; the quotient is negative where the signs differ, the remainder where
/// the dividend is.
void signed_division(const Wide &dst, const WideOperand &a, const WideOperand &b, Part part) {
  const bool quotient = part == Part::quotient;
  if (b.is_number() && b.value == 0)
    return fill(dst, 0);
  if (a.is_number() && b.is_number() && b.value != -1)
    return fill(dst, quotient ? a.value / b.value : a.value % b.value);
  const Wide dividend = pair_of(a, dst.low), x = pair_like(dst.low), result = pair_like(dst.low);
  const Tensor sign = sign_word(dividend.high);
  iabs(x, dividend);
  if (b.is_number()) {
    const uint64_t magnitude = b.value < 0 ? 0 - uint64_t(b.value) : uint64_t(b.value);
    unsigned_division(result, x, int64_t(magnitude), part);
    if (quotient && b.value < 0)
      ixor(sign, sign, -1);
  } else {
    const Wide y = pair_like(dst.low);
    iabs(y, b.tile);
    unsigned_division(result, x, y, part);
    if (quotient)
      ixor(sign, sign, sign_word(b.tile.high));
  }
  ixor(result.low, result.low, sign);
  ixor(result.high, result.high, sign);
  subtract(dst, result, Words(sign, sign));
}

} // namespace

void udiv(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  unsigned_division(dst, a, b, Part::quotient);
}
void urem(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  unsigned_division(dst, a, b, Part::remainder);
}
void sdiv(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  signed_division(dst, a, b, Part::quotient);
}
void srem(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  signed_division(dst, a, b, Part::remainder);
}

} // namespace nki
