// Conversions between 64-bit integers and floats.
#include "lanes/element.h"
#include "lanes/wide_parts.h"

namespace nki {

using namespace wides;

namespace {

Tensor as_float(const Tensor &tile) { return tiles::as(tile, DType::float32); }
Tensor float_like(const Tensor &tile) { return tiles::like(tile, DType::float32); }
Tensor uint_like(const Tensor &tile) { return tiles::like(tile, DType::uint32); }

constexpr int kExponent = 23, kBias = 127; ///< of fp32
constexpr int32_t kTopBit = int32_t(0x80000000u);

/// Bits of the magnitude that lie above a word of 32: 1 to 32 where `high` is not 0. That of a
/// number just below a power of two may count one more: the word still has 31 bits then.
Tensor excess_bits(const Tensor &high) {
  Tensor rough = float_like(high), bits = uint_like(high);
  nisa::tensor_copy(rough, as_uint(high));
  nisa::tensor_scalar(bits, as_uint(rough), nl::right_shift, kExponent);
  nisa::tensor_scalar(bits, bits, nl::subtract, float(kBias - 1), false, nl::maximum, 1.0f);
  nisa::tensor_scalar(bits, bits, nl::minimum, 32.0f);
  return bits;
}

/// The float nearest to an unsigned number.
void convert(const Tensor &dst, const Wide &a) {
  // The upper 31 or 32 bits as a word, whose last bit stands for all that is cut off (it is below
  // the one that rounds): the engine's own conversion then rounds the whole number.
  const Tensor excess = excess_bits(a.high), count = uint_like(dst), part = uint_like(dst);
  const Tensor word = uint_like(dst), cut = uint_like(dst);
  nisa::tensor_scalar(count, excess, nl::subtract, 1.0f);
  nisa::tensor_scalar(word, as_uint(a.low), nl::right_shift, 1);
  nisa::tensor_tensor(word, word, count, nl::right_shift);
  nisa::tensor_scalar(count, excess, nl::multiply, -1.0f, false, nl::add, 32.0f);
  nisa::tensor_tensor(part, as_uint(a.high), count, nl::left_shift);
  nisa::tensor_tensor(word, word, part, nl::bitwise_or);
  nisa::tensor_tensor(cut, as_uint(a.low), count, nl::left_shift);
  nisa::tensor_scalar(cut, cut, nl::not_equal, 0.0f);
  nisa::tensor_tensor(word, word, cut, nl::bitwise_or);
  // Times 2^excess.
  const Tensor scale = uint_like(dst), result = float_like(dst), small = float_like(dst);
  nisa::tensor_scalar(scale, excess, nl::add, float(kBias));
  nisa::tensor_scalar(scale, scale, nl::left_shift, kExponent);
  nisa::tensor_tensor(result, word, as_float(scale), nl::multiply);
  // A number of one word is converted as it is.
  nisa::tensor_copy(small, as_uint(a.low));
  const Tensor is_small = compare_words(a.high, 0, dst, DType::int32, nl::equal);
  nisa::tensor_copy_predicated(result, small, is_small);
  nisa::tensor_copy(as_float(dst), result);
}

/// The words of a nonnegative float without its fraction, below 2^64.
void split(const Wide &dst, const Tensor &a) {
  const Tensor scaled = float_like(a), rest = float_like(a);
  nisa::tensor_scalar(scaled, a, nl::multiply, 0x1p-32f);
  float_to_uint(dst.high, scaled);
  // Exact: the high word has at most 24 bits, and the rest is what is left of them.
  nisa::scalar_tensor_tensor(rest, as_uint(dst.high), nl::multiply, -0x1p32f, nl::add, a);
  float_to_uint(dst.low, rest);
}

void put(const Wide &dst, int64_t value, const Tensor &predicate) {
  const WideOperand number(value); // as tiles: an instruction takes a number as fp32
  nisa::tensor_copy_predicated(as_int(dst.low), tile_of(number.low(), dst.low), predicate);
  nisa::tensor_copy_predicated(as_int(dst.high), tile_of(number.high(), dst.low), predicate);
}

void put_where(const Wide &dst, int64_t value, const Tensor &a, nl::Op op, float bound) {
  const Tensor where = uint_like(a);
  nisa::tensor_scalar(where, a, op, bound);
  put(dst, value, where);
}

void put_where_nan(const Wide &dst, const Tensor &a) {
  const Tensor where = uint_like(a);
  nisa::tensor_tensor(where, a, a, nl::not_equal);
  put(dst, INT64_MIN, where);
}

} // namespace

void uint_to_float(const Tensor &dst, const Wide &a) { convert(dst, a); }

void int_to_float(const Tensor &dst, const Wide &a) {
  const Wide magnitude = pair_like(a.low);
  const Tensor sign = word_like(a.low);
  iabs(magnitude, a);
  iand(sign, a.high, kTopBit);
  convert(dst, magnitude);
  ior(dst.view(DType::int32), dst.view(DType::int32), sign);
}

void float_to_uint(const Wide &dst, const Tensor &in) {
  const Tensor a = as_float(in), positive = float_like(in);
  nisa::tensor_scalar(positive, a, nl::maximum, 0.0f);
  split(dst, positive);
  put_where(dst, -1, a, nl::greater_equal, 0x1p64f);
  put_where(dst, 0, a, nl::less_equal, 0.0f);
  put_where_nan(dst, a);
}

void float_to_int(const Wide &dst, const Tensor &in) {
  const Tensor a = as_float(in), magnitude = float_like(in), sign = word_like(in);
  fabs(magnitude, a);
  sign_word(sign, as_int(a));
  split(dst, magnitude);
  ixor(dst.low, dst.low, sign);
  ixor(dst.high, dst.high, sign);
  subtract(dst, dst, Words(sign, sign));
  put_where(dst, INT64_MAX, a, nl::greater_equal, 0x1p63f);
  put_where(dst, INT64_MIN, a, nl::less_equal, -0x1p63f);
  put_where_nan(dst, a);
}

namespace {

using Rounding = void (*)(const Tensor &, const Tensor &);

Tensor rounded(const Tensor &a, Rounding round) {
  Tensor whole = float_like(a);
  round(whole, a);
  return whole;
}

} // namespace

void float_to_int_rn(const Wide &dst, const Tensor &a) { float_to_int(dst, rounded(a, rint)); }
void float_to_int_rd(const Wide &dst, const Tensor &a) { float_to_int(dst, rounded(a, floor)); }
void float_to_int_ru(const Wide &dst, const Tensor &a) { float_to_int(dst, rounded(a, ceil)); }
void float_to_uint_rn(const Wide &dst, const Tensor &a) { float_to_uint(dst, rounded(a, rint)); }

} // namespace nki
