// Sums and products of 64-bit integers, word by word.
#include "lanes/wide_parts.h"

#include <bit>
#include <utility>

namespace nki {

namespace wides {

void add(const Wide &dst, const Words &a, const Words &b) {
  if (is_number(a.low, 0) || is_number(b.low, 0)) {
    const IntOperand low = is_number(a.low, 0) ? b.low : a.low;
    iadd(dst.high, a.high, b.high);
    return copy_word(dst.low, low);
  }
  // The sum carries where it is below either summand.
  const IntOperand summand = a.low.tile ? a.low : b.low;
  const bool in_place = tiles::same(dst.low, a.low.tile) || tiles::same(dst.low, b.low.tile);
  const Tensor sum = in_place ? word_like(dst.low) : dst.low;
  iadd(sum, a.low, b.low);
  const Tensor carry = compare_words(sum, summand, dst.low, DType::uint32, nl::less);
  if (is_number(a.high, 0) || is_number(b.high, 0)) {
    iadd(dst.high, is_number(a.high, 0) ? b.high : a.high, as_int(carry));
  } else {
    iadd(dst.high, a.high, b.high);
    iadd(dst.high, dst.high, as_int(carry));
  }
  copy_word(dst.low, sum);
}

void subtract(const Wide &dst, const Words &a, const Words &b) {
  if (is_number(b.low, 0)) {
    isub(dst.high, a.high, b.high);
    return copy_word(dst.low, a.low);
  }
  const Tensor borrow = compare_words(a.low, b.low, dst.low, DType::uint32, nl::less);
  isub(dst.low, a.low, b.low);
  if (!is_number(b.high, 0))
    isub(dst.high, a.high, b.high);
  isub(dst.high, is_number(b.high, 0) ? a.high : IntOperand(dst.high), as_int(borrow));
}

namespace {

IntOperand part(const IntOperand &x, int shift, const Tensor &like) {
  if (!x.tile)
    return int32_t((uint32_t(x.value) >> shift) & 0xffff);
  Tensor half = word_like(like);
  if (shift)
    lshr(half, x, shift);
  else
    iand(half, x, 0xffff);
  return half;
}

/// high * 2^32 + low = x * y of unsigned words, in fresh tiles.
Wide product(const IntOperand &x, const IntOperand &y, const Tensor &like) {
  if (!x.tile)
    return product(y, x, like);
  const Wide result = pair_like(like);
  imul(result.low, x, y);
  // Products of 16-bit halves, each below 2^32, with the carries of the middle ones.
  const IntOperand x0 = part(x, 0, like), x1 = part(x, 16, like);
  const IntOperand y0 = part(y, 0, like), y1 = part(y, 16, like);
  const Tensor low = word_like(like), middle = word_like(like);
  imul(low, x0, y0);
  lshr(low, low, 16);
  imul(middle, x1, y0); // at most (2^16 - 1)^2: adding 16 bits does not carry
  iadd(middle, middle, low);
  if (is_number(y1, 0)) {
    lshr(result.high, middle, 16);
    return result;
  }
  imul(low, x0, y1);
  iand(result.high, middle, 0xffff);
  iadd(low, low, result.high);
  lshr(low, low, 16);
  lshr(middle, middle, 16);
  imul(result.high, x1, y1);
  iadd(result.high, result.high, middle);
  iadd(result.high, result.high, low);
  return result;
}

/// sum += a * b modulo 2^32.
void add_product(const Tensor &sum, const IntOperand &a, const IntOperand &b) {
  if (is_number(a, 0) || is_number(b, 0))
    return;
  const Tensor term = word_like(sum);
  imul(term, a, b);
  iadd(sum, sum, term);
}

} // namespace

void multiply(const Wide &dst, const Words &a, const Words &b) {
  const Wide result = product(a.low, b.low, dst.low);
  add_product(result.high, a.low, b.high);
  add_product(result.high, a.high, b.low);
  copy_word(dst.low, result.low);
  copy_word(dst.high, result.high);
}

} // namespace wides

using namespace wides;

void iadd(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  if (a.is_number() && b.is_number())
    return fill(dst, int64_t(uint64_t(a.value) + uint64_t(b.value)));
  add(dst, a, b);
}

void isub(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  if (a.is_number() && b.is_number())
    return fill(dst, int64_t(uint64_t(a.value) - uint64_t(b.value)));
  if (b.is_number())
    return add(dst, a, WideOperand(int64_t(0 - uint64_t(b.value))));
  subtract(dst, a, b);
}

void imul(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  if (a.is_number() && b.is_number())
    return fill(dst, int64_t(uint64_t(a.value) * uint64_t(b.value)));
  if (a.is_number())
    return imul(dst, b, a);
  if (b.is_number() && b.value == 0)
    return fill(dst, 0);
  if (b.is_number() && std::has_single_bit(uint64_t(b.value)))
    return shl(dst, a, std::countr_zero(uint64_t(b.value)));
  multiply(dst, a, b);
}

void umulhi(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  if (a.is_number() && b.is_number())
    return fill(dst, int64_t((unsigned __int128)(uint64_t(a.value)) * uint64_t(b.value) >> 64));
  // Four products of words; each sum stays below 2^64.
  const Words x(a), y(b);
  const Wide low = product(x.low, y.low, dst.low);
  Wide middle = product(x.high, y.low, dst.low);
  add(middle, middle, Words(low.high, 0));
  Wide other = product(x.low, y.high, dst.low);
  add(other, other, Words(middle.low, 0));
  const Wide top = product(x.high, y.high, dst.low);
  add(top, top, Words(middle.high, 0));
  add(dst, top, Words(other.high, 0));
}

void smulhi(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  if (a.is_number() && b.is_number())
    return fill(dst, int64_t((__int128)(a.value) * b.value >> 64));
  // Modulo 2^64 the signed high product is the unsigned one less b for a < 0 and less a for b < 0.
  const Wide result = pair_like(dst.low), term = pair_like(dst.low);
  umulhi(result, a, b);
  for (auto [negative, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (negative->is_number() && negative->value >= 0)
      continue;
    const Tensor sign = sign_word(tile_of(negative->high(), dst.low));
    iand(term.low, sign, other->low());
    iand(term.high, sign, other->high());
    subtract(result, result, term);
  }
  copy(dst, result);
}

void umul_wide(const Wide &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int64_t(uint64_t(uint32_t(a.value)) * uint32_t(b.value)));
  copy(dst, product(a, b, dst.low));
}

void smul_wide(const Wide &dst, const IntOperand &a, const IntOperand &b) {
  if (!a.tile && !b.tile)
    return fill(dst, int64_t(a.value) * b.value);
  // As for smulhi: the high word of the unsigned product is too large by b for a < 0, and by a for
  // b < 0.
  const Wide result = product(a, b, dst.low);
  const Tensor term = word_like(dst.low);
  for (auto [negative, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (!negative->tile && negative->value >= 0)
      continue;
    iand(term, sign_word(tile_of(*negative, dst.low)), *other);
    isub(result.high, result.high, term);
  }
  copy(dst, result);
}

void iabs(const Wide &dst, const Wide &a) {
  // (x ^ s) - s with s all ones for negative x.
  const Tensor sign = sign_word(a.high);
  ixor(dst.low, a.low, sign);
  ixor(dst.high, a.high, sign);
  subtract(dst, dst, Words(sign, sign));
}

} // namespace nki
