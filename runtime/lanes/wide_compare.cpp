// Comparisons of 64-bit integers: the high words decide unless they are equal.
#include "lanes/wide_parts.h"

#include <functional>

namespace nki {

namespace wides {

void copy_word(const Tensor &dst, const IntOperand &a) {
  if (!a.tile)
    fill(dst, a.value);
  else if (!tiles::same(dst, a.tile))
    nisa::tensor_copy(as_int(dst), as_int(a.tile));
}

Tensor compare_words(const IntOperand &a, const IntOperand &b, const Tensor &like, DType type,
                     nl::Op op) {
  Tensor result = tiles::like(like, DType::uint32);
  nisa::tensor_tensor(result, tile_of(a, like, type), tile_of(b, like, type), op);
  return result;
}

void sign_word(const Tensor &dst, const Tensor &high) {
  nisa::tensor_scalar(as_uint(dst), as_uint(high), nl::right_shift, 31);
  isub(dst, 0, dst);
}

Tensor sign_word(const Tensor &high) {
  Tensor sign = word_like(high);
  sign_word(sign, high);
  return sign;
}

Tensor less(const Words &a, const Words &b, const Tensor &like, DType type) {
  if (type == DType::int32 && is_number(b.low, 0) && is_number(b.high, 0)) { // the sign
    Tensor result = tiles::like(like, DType::uint32);
    nisa::tensor_scalar(result, as_uint(tile_of(a.high, like)), nl::right_shift, 31);
    return result;
  }
  Tensor result = compare_words(a.high, b.high, like, type, nl::less);
  Tensor tied = compare_words(a.high, b.high, like, DType::int32, nl::equal);
  Tensor below = compare_words(a.low, b.low, like, DType::uint32, nl::less);
  nisa::tensor_tensor(tied, tied, below, nl::bitwise_and);
  nisa::tensor_tensor(result, result, tied, nl::bitwise_or);
  return result;
}

Tensor equal(const Words &a, const Words &b, const Tensor &like) {
  Tensor result = compare_words(a.low, b.low, like, DType::int32, nl::equal);
  Tensor high = compare_words(a.high, b.high, like, DType::int32, nl::equal);
  nisa::tensor_tensor(result, result, high, nl::bitwise_and);
  return result;
}

} // namespace wides

using namespace wides;

namespace {

const Tensor &shape_of(const WideOperand &a, const WideOperand &b) {
  return a.is_number() ? b.tile.low : a.tile.low;
}

Mask less_than(const Wave &wave, const WideOperand &a, const WideOperand &b, DType type) {
  if (a.is_number() && b.is_number())
    return Mask(wave,
                type == DType::int32 ? a.value < b.value : uint64_t(a.value) < uint64_t(b.value));
  return Mask(wave, less(a, b, shape_of(a, b), type));
}

/// dst = a where the predicate holds, else b. The predicate shares no tile with dst.
void choose(const Wide &dst, const Tensor &predicate, const WideOperand &a, const WideOperand &b) {
  auto word = [&](const Tensor &out, const IntOperand &x, const IntOperand &y) {
    if (tiles::same(out, x.tile))
      return nisa::tensor_copy_predicated(as_int(out), tile_of(y, out), predicate, true);
    copy_word(out, y);
    nisa::tensor_copy_predicated(as_int(out), tile_of(x, out), predicate);
  };
  word(dst.low, a.low(), b.low());
  word(dst.high, a.high(), b.high());
}

} // namespace

Mask eq(const Wave &wave, const WideOperand &a, const WideOperand &b) {
  if (a.is_number() && b.is_number())
    return Mask(wave, a.value == b.value);
  return Mask(wave, equal(a, b, shape_of(a, b)));
}
Mask ne(const Wave &wave, const WideOperand &a, const WideOperand &b) { return !eq(wave, a, b); }
Mask slt(const Wave &wave, const WideOperand &a, const WideOperand &b) {
  return less_than(wave, a, b, DType::int32);
}
Mask sle(const Wave &wave, const WideOperand &a, const WideOperand &b) {
  return !less_than(wave, b, a, DType::int32);
}
Mask ult(const Wave &wave, const WideOperand &a, const WideOperand &b) {
  return less_than(wave, a, b, DType::uint32);
}
Mask ule(const Wave &wave, const WideOperand &a, const WideOperand &b) {
  return !less_than(wave, b, a, DType::uint32);
}

void smin(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  choose(dst, less(a, b, dst.low, DType::int32), a, b);
}
void smax(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  choose(dst, less(a, b, dst.low, DType::int32), b, a);
}
void umin(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  choose(dst, less(a, b, dst.low, DType::uint32), a, b);
}
void umax(const Wide &dst, const WideOperand &a, const WideOperand &b) {
  choose(dst, less(a, b, dst.low, DType::uint32), b, a);
}

} // namespace nki
