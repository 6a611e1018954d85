#include "lanes/double.h"

#include "lanes/wide_parts.h"

namespace nki {

using namespace wides;

namespace {

constexpr int32_t kSign = int32_t(0x80000000u);
constexpr int32_t kFloatInfinity = 0x7f800000, kQuiet = 0x00400000;
constexpr int32_t kDoubleInfinity = 0x7ff00000; ///< high word
constexpr int kExponent = 23;                   ///< of a float; a double's high word: 20
constexpr int kBiases = 1023 - 127;

/// dst = value where `lanes`, a uint32 tile of 0 and 1, holds.
void put(const Tensor &dst, const IntOperand &value, const Tensor &lanes) {
  nisa::tensor_copy_predicated(dst, tile_of(value, dst), lanes);
}

/// The significand's upper 31 bits of a finite double that is not subnormal. Its last bit also
/// stands for all bits below.
Tensor significand(const Wide &a) {
  const Tensor result = word_like(a.low), part = word_like(a.low);
  iand(result, a.high, 0xfffff);
  ior(result, result, 0x100000);
  shl(result, result, 10);
  lshr(part, a.low, 22);
  ior(result, result, part);
  shl(part, a.low, 10);
  ior(result, result, compare_words(part, 0, a.low, DType::int32, nl::not_equal));
  return result;
}

/// value / 2^count, to nearest even, of 31 bits; 0 where the count is above 31.
void shift_and_round(const Tensor &value, const Tensor &count) {
  const Tensor beyond = compare_words(count, 31, value, DType::int32, nl::greater);
  const Tensor half = word_like(value), odd = word_like(value);
  put(value, 0, beyond);
  smin(count, count, 31);
  isub(half, count, 1);
  shl(half, tile_of(1, value), half);
  isub(half, half, 1);
  lshr(odd, value, count);
  iand(odd, odd, 1);
  iadd(value, value, half);
  iadd(value, value, odd);
  lshr(value, value, count);
}

} // namespace

void double_to_float(const Tensor &dst, const Wide &a) {
  const Tensor magnitude = word_like(a.low), exponent = word_like(a.low), count = word_like(a.low);
  const Tensor sign = word_like(a.low), payload = word_like(a.low);
  iand(magnitude, a.high, ~kSign);
  iand(sign, a.high, kSign);
  lshr(exponent, magnitude, 20);
  isub(exponent, exponent, kBiases); // a float's, from 1 to 254 for a normal one
  // 24 of the 31 bits, and fewer below the normal floats.
  isub(count, 8, exponent);
  smax(count, count, 7);
  const Tensor bits = significand(a);
  shift_and_round(bits, count);
  // The bit above the fraction counts the exponent up by one, as a fraction that overflows does.
  isub(exponent, exponent, 1);
  smax(exponent, exponent, 0);
  const Tensor beyond = compare_words(exponent, 254, a.low, DType::int32, nl::greater_equal);
  smin(exponent, exponent, 254);
  shl(exponent, exponent, kExponent);
  iadd(bits, bits, exponent);
  put(bits, kFloatInfinity, beyond);
  // NaN: above infinity.
  const Tensor nan = less(Words(0, kDoubleInfinity), Words(a.low, magnitude), a.low, DType::int32);
  shl(payload, magnitude, 3);
  iand(payload, payload, 0x7fffff);
  ior(payload, payload, kFloatInfinity | kQuiet);
  put(bits, payload, nan);
  ior(as_int(dst), bits, sign);
}

void float_to_double(const Wide &dst, const Tensor &in) {
  const Tensor a = as_int(in), bits = word_like(in), sign = word_like(in), bias = word_like(in);
  const Tensor normal = tiles::like(in, DType::float32);
  iand(bits, a, ~kSign);
  iand(sign, a, kSign);
  const Tensor small = compare_words(bits, 1 << kExponent, in, DType::int32, nl::less);
  const Tensor infinite = compare_words(bits, kFloatInfinity, in, DType::int32, nl::greater_equal);
  const Tensor zero = compare_words(bits, 0, in, DType::int32, nl::equal);
  // A subnormal is its bits as an integer, times 2^-149; as a float that is a normal number.
  int_to_float(normal, bits);
  put(bits, as_int(normal), small);
  copy_word(bias, tile_of(kBiases << 20, in));
  put(bias, (kBiases - 149) << 20, small);
  put(bias, (2 * kBiases) << 20, infinite); // the largest exponent of both
  put(bias, 0, zero);
  shl(dst.low, bits, 29);
  lshr(bits, bits, 3);
  iadd(bits, bits, bias);
  ior(dst.high, bits, sign);
}

void uint_to_double(const Wide &dst, const Tensor &a) {
  const Tensor bits = word_like(a), exponent = word_like(a);
  const Tensor zero = compare_words(a, 0, a, DType::int32, nl::equal);
  clz(exponent, as_int(a));
  shl(bits, a, exponent); // the leading one on top; it counts the exponent up by one
  isub(exponent, 1023 + 30, exponent);
  shl(exponent, exponent, 20);
  put(exponent, 0, zero);
  shl(dst.low, bits, 21);
  lshr(bits, bits, 11);
  iadd(dst.high, bits, exponent);
}

void int_to_double(const Wide &dst, const Tensor &a) {
  const Tensor magnitude = word_like(a), sign = word_like(a);
  iabs(magnitude, as_int(a)); // that of the smallest integer is right as an unsigned one
  iand(sign, a, kSign);
  uint_to_double(dst, magnitude);
  ior(dst.high, dst.high, sign);
}

} // namespace nki
