// Bit operators, shifts, counts and extensions of 64-bit integers.
#include "lanes/element.h"
#include "lanes/wide_parts.h"

#include <algorithm>

namespace nki {

using namespace wides;

namespace {

using WordOperation = void (*)(const Tensor &, const IntOperand &, const IntOperand &);

/// `same` is the word that leaves the other operand as it is, `fixed` the one that decides alone.
void bitwise(const Wide &dst, const WideOperand &a, const WideOperand &b, WordOperation op,
             int32_t same, std::optional<int32_t> fixed) {
  auto word = [&](const Tensor &out, const IntOperand &x, const IntOperand &y) {
    if (fixed && (is_number(x, *fixed) || is_number(y, *fixed)))
      fill(out, *fixed);
    else if (is_number(x, same) || is_number(y, same))
      copy_word(out, is_number(x, same) ? y : x);
    else
      op(out, x, y);
  };
  word(dst.low, a.low(), b.low());
  word(dst.high, a.high(), b.high());
}

} // namespace

void iand(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  bitwise(dst, a, b, iand, -1, 0);
}
void ior(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  bitwise(dst, a, b, ior, 0, -1);
}
void ixor(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  bitwise(dst, a, b, ixor, 0, {});
}

// ---- shifts
// ----------------------------------------------------------------------------------------

namespace {

/// What a count per lane means for the words: bits that move, 31 less of them, and whether a whole
/// word moves as well (nonzero where it does).
struct Count {
  Count(const Tensor &count, const Tensor &like)
      : bits(tiles::like(like, DType::uint32)), rest(tiles::like(like, DType::uint32)),
        word(tiles::like(like, DType::uint32)) {
    nisa::tensor_scalar(bits, as_uint(count), nl::bitwise_and, 31);
    nisa::tensor_scalar(rest, bits, nl::bitwise_xor, 31);
    nisa::tensor_scalar(word, as_uint(count), nl::bitwise_and, 32);
  }
  Tensor bits, rest, word;
};

void shift_word(const Tensor &dst, const Tensor &a, const Tensor &bits, nl::Op op) {
  nisa::tensor_tensor(as_uint(dst), as_uint(a), bits, op);
}

/// to:from shifted by a count per lane, from `from` into `to`: left with from = low, right with
/// from = high. Two shifts bring over what leaves a word, so that none is by 32.
void shift_by_lane(const Tensor &from_dst, const Tensor &to_dst, const Tensor &from,
                   const Tensor &to, const Count &count, nl::Op op, nl::Op back) {
  const Tensor over = word_like(from);
  nisa::tensor_scalar(as_uint(over), as_uint(from), back, 1);
  shift_word(over, over, count.rest, back);
  shift_word(to_dst, to, count.bits, op);
  ior(to_dst, to_dst, over);
  shift_word(from_dst, from, count.bits, op);
  nisa::tensor_copy_predicated(as_int(to_dst), as_int(from_dst), count.word);
  nisa::tensor_copy_predicated(as_int(from_dst), 0, count.word);
}

/// The high (left) or low (right) word of high:low shifted by a number from 1 to 31.
void funnel(const Tensor &dst, const IntOperand &high, const IntOperand &low, int left) {
  const Tensor over = word_like(dst);
  lshr(over, low, 32 - left);
  shl(dst, high, left);
  ior(dst, dst, over);
}

int number_of(const IntOperand &count) { return int(std::min(uint32_t(count.value), 64u)); }

} // namespace

void shl(const Wide &dst, const WideOperand &a, const IntOperand &count) {
  if (count.tile) {
    const Count lanes(count.tile, dst.low);
    const Wide x = pair_of(a, dst.low);
    return shift_by_lane(dst.low, dst.high, x.low, x.high, lanes, nl::left_shift, nl::right_shift);
  }
  const int n = number_of(count);
  if (a.is_number() || n >= 64)
    return fill(dst, n >= 64 ? 0 : int64_t(uint64_t(a.value) << n));
  if (n >= 32)
    shl(dst.high, a.low(), n - 32);
  else if (n > 0)
    funnel(dst.high, a.high(), a.low(), n);
  else
    copy_word(dst.high, a.high());
  if (n >= 32)
    fill(dst.low, 0);
  else
    shl(dst.low, a.low(), n);
}

void lshr(const Wide &dst, const WideOperand &a, const IntOperand &count) {
  if (count.tile) {
    const Count lanes(count.tile, dst.low);
    const Wide x = pair_of(a, dst.low);
    return shift_by_lane(dst.high, dst.low, x.high, x.low, lanes, nl::right_shift, nl::left_shift);
  }
  const int n = number_of(count);
  if (a.is_number() || n >= 64)
    return fill(dst, n >= 64 ? 0 : int64_t(uint64_t(a.value) >> n));
  if (n >= 32)
    lshr(dst.low, a.high(), n - 32);
  else if (n > 0)
    funnel(dst.low, a.high(), a.low(), 32 - n);
  else
    copy_word(dst.low, a.low());
  if (n >= 32)
    fill(dst.high, 0);
  else
    lshr(dst.high, a.high(), n);
}

void ashr(const Wide &dst, const WideOperand &a, const IntOperand &count) {
  if (count.tile) {
    if (a.is_number() && a.value >= 0)
      return lshr(dst, a, count);
    // x >> n = ((x ^ s) >>> n) ^ s, where s is all ones for negative x and 0 else.
    const Wide x = pair_of(a, dst.low), flipped = pair_like(dst.low);
    const Tensor sign = sign_word(x.high);
    ixor(flipped.low, x.low, sign);
    ixor(flipped.high, x.high, sign);
    lshr(flipped, flipped, count);
    ixor(dst.low, flipped.low, sign);
    return ixor(dst.high, flipped.high, sign);
  }
  const int n = std::min(number_of(count), 63);
  if (a.is_number())
    return fill(dst, a.value >> n);
  if (n >= 32)
    ashr(dst.low, a.high(), n - 32);
  else if (n > 0)
    funnel(dst.low, a.high(), a.low(), 32 - n);
  else
    copy_word(dst.low, a.low());
  if (n >= 32)
    sign_word(dst.high, a.tile.high);
  else if (n > 0)
    ashr(dst.high, a.high(), n);
  else
    copy_word(dst.high, a.high());
}

void fshl(const Wide &dst, const WideOperand &a, const WideOperand &b, const IntOperand &count) {
  const Wide low = pair_like(dst.low), high = pair_like(dst.low);
  if (!count.tile) {
    const int n = count.value & 63;
    if (n == 0)
      return ior(dst, a, 0);
    lshr(low, b, 64 - n);
    shl(high, a, n);
    return ior(dst, high, low);
  }
  // (b >> 1) >> (63 - count): never a shift by 64.
  const Tensor back = word_like(dst.low);
  nisa::tensor_scalar(as_uint(back), as_uint(count.tile), nl::bitwise_and, 63, false,
                      nl::bitwise_xor, 63);
  lshr(low, b, 1);
  lshr(low, low, back);
  shl(high, a, count);
  ior(dst, high, low);
}

void fshr(const Wide &dst, const WideOperand &a, const WideOperand &b, const IntOperand &count) {
  if (!count.tile)
    return (count.value & 63) == 0 ? ior(dst, b, 0) : fshl(dst, a, b, 64 - (count.value & 63));
  const Wide low = pair_like(dst.low), high = pair_like(dst.low);
  const Tensor back = word_like(dst.low);
  nisa::tensor_scalar(as_uint(back), as_uint(count.tile), nl::bitwise_and, 63, false,
                      nl::bitwise_xor, 63);
  shl(high, a, 1);
  shl(high, high, back);
  lshr(low, b, count);
  ior(dst, high, low);
}

// ---- counting and reversing
// ------------------------------------------------------------------------

void popc(const Tensor &dst, const Wide &a) {
  const Tensor low = word_like(dst), high = word_like(dst);
  popc(low, a.low);
  popc(high, a.high);
  iadd(dst, low, high);
}

void clz(const Tensor &dst, const Wide &a) {
  const Tensor low = word_like(dst), high = word_like(dst);
  const Tensor empty = compare_words(a.high, 0, dst, DType::int32, nl::equal);
  clz(low, a.low);
  clz(high, a.high);
  iadd(low, low, 32);
  nisa::tensor_copy_predicated(high, low, empty);
  nisa::tensor_copy(as_int(dst), high);
}

void ctz(const Tensor &dst, const Wide &a) {
  // The bits below the lowest one are those of (x & -x) - 1.
  const Wide lowest = pair_like(dst);
  isub(lowest, 0, a);
  iand(lowest, lowest, a);
  iadd(lowest, lowest, -1);
  popc(dst, lowest);
}

void ffs(const Tensor &dst, const Wide &a) {
  const Tensor low = word_like(dst), high = word_like(dst);
  const Tensor in_low = compare_words(a.low, 0, dst, DType::int32, nl::not_equal);
  const Tensor in_high = compare_words(a.high, 0, dst, DType::int32, nl::not_equal);
  ffs(low, a.low);
  ffs(high, a.high);
  shl(in_high, in_high, 5);
  iadd(high, high, in_high);
  nisa::tensor_copy_predicated(high, low, in_low);
  nisa::tensor_copy(as_int(dst), high);
}

void brev(const Wide &dst, const Wide &a) {
  const Tensor high = word_like(dst.low);
  brev(high, a.low);
  brev(dst.low, a.high);
  nisa::tensor_copy(as_int(dst.high), high);
}

// ---- extension
// -------------------------------------------------------------------------------------

void sext(const Wide &dst, const Tensor &a, int bits) {
  if (bits < 32)
    sext(dst.low, a, bits);
  else
    copy_word(dst.low, a);
  sign_word(dst.high, dst.low);
}

void zext(const Wide &dst, const Tensor &a, int bits) {
  if (bits < 32)
    zext(dst.low, a, bits);
  else
    copy_word(dst.low, a);
  fill(dst.high, 0);
}

void sext(const Wide &dst, const Wide &a, int bits) {
  copy_word(dst.low, a.low);
  sext(dst.high, a.high, bits - 32);
}

void zext(const Wide &dst, const Wide &a, int bits) {
  copy_word(dst.low, a.low);
  zext(dst.high, a.high, bits - 32);
}

} // namespace nki
