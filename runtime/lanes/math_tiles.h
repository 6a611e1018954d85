// Shorthand for writing a formula as NKI instructions. Private to runtime/lanes/math*.cpp.
//
// Every function here issues one instruction and returns its result in a fresh SBUF tile {P, F}, so
// that a sequence of instructions reads like the formula it computes. Scratch tiles are released
// with their last view; `in_stretches` bounds how much of a partition a long sequence needs.
#pragma once

#include "lanes/ops.h"
#include "nki/isa.h"
#include "nki/language.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace nki::math {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kLn2 = 0x1.62e43p-1f; // 0.693147182...

// Fields of an fp32 bit pattern.
inline constexpr uint32_t kSignBit = 0x80000000u, kMagnitudeBits = 0x7fffffffu,
                          kExponentBits = 0x7f800000u, kMantissaBits = 0x007fffffu,
                          kOneBits = 0x3f800000u;

/// The same bytes as int32 / fp32. No instruction.
inline Tensor bits_of(const Tensor &tile) { return tile.view(DType::int32); }
inline Tensor float_of(const Tensor &tile) { return tile.view(DType::float32); }

inline Tensor tile_like(const Tensor &tile, DType type = DType::float32) {
  return nl::ndarray({tile.shape(0), tile.shape(1)}, type, nl::sbuf, "math");
}

/// (data op0 constant0) op1 constant1, as tensor_scalar.
inline Tensor scalar(const Tensor &data, nl::Op op0, const Operand &constant0,
                     nl::Op op1 = nl::Op::none, const Operand &constant1 = {},
                     DType type = DType::float32) {
  Tensor result = tile_like(data, type);
  nisa::tensor_scalar(result, data, op0, constant0, false, op1, constant1);
  return result;
}
inline Tensor scalar(const Tensor &data, nl::Op op0, const Operand &constant0, DType type) {
  return scalar(data, op0, constant0, nl::Op::none, {}, type);
}

/// (data op0 constant0) op1 constant1 on bit patterns.
inline Tensor bitwise(const Tensor &data, nl::Op op0, uint32_t constant0, nl::Op op1 = nl::Op::none,
                      uint32_t constant1 = 0) {
  return scalar(bits_of(data), op0, constant0, op1,
                op1 == nl::Op::none ? Operand() : Operand(constant1), DType::int32);
}

/// a op b, as tensor_tensor.
inline Tensor pair(const Tensor &a, nl::Op op, const Tensor &b, DType type = DType::float32) {
  Tensor result = tile_like(a, type);
  nisa::tensor_tensor(result, a, b, op);
  return result;
}

/// (data op0 constant) op1 tile, as scalar_tensor_tensor.
inline Tensor combine(const Tensor &data, nl::Op op0, const Operand &constant, nl::Op op1,
                      const Tensor &tile, DType type = DType::float32) {
  Tensor result = tile_like(data, type);
  nisa::scalar_tensor_tensor(result, data, op0, constant, op1, tile);
  return result;
}

/// dst = op(data * scale + bias) on ScalarE. The bias that changes nothing is -0: with +0, or
/// without one, a negative zero would not reach the function.
inline void activate_into(const Tensor &dst, nl::Op op, const Tensor &data, float scale = 1.0f,
                          float bias = -0.0f) {
  nisa::activation(dst, op, data, bias, scale);
}
inline Tensor activate(nl::Op op, const Tensor &data, float scale = 1.0f, float bias = -0.0f) {
  Tensor result = tile_like(data);
  activate_into(result, op, data, scale, bias);
  return result;
}

/// data cast to another type: to nearest even, saturating for integers (NaN gives 0).
inline Tensor cast(const Tensor &data, DType type) {
  Tensor result = tile_like(data, type);
  nisa::tensor_copy(result, data);
  return result;
}

/// Where `data op0 constant0 op1 constant1` is nonzero, as a predicate.
inline Tensor predicate(const Tensor &data, nl::Op op0, const Operand &constant0,
                        nl::Op op1 = nl::Op::none, const Operand &constant1 = {}) {
  return scalar(data, op0, constant0, op1, constant1, DType::uint8);
}

/// 1 where x is finite and not zero, else 0.
inline Tensor is_ordinary(const Tensor &x) {
  return combine(x, nl::not_equal, 0.0f, nl::multiply, scalar(x, nl::abs, {}, nl::less, kInfinity));
}

/// The operand as a tile; a number becomes one column that all lanes of a partition read.
inline Tensor tile_of(const FloatOperand &operand, const Tensor &like) {
  if (operand.tile)
    return operand.tile;
  Tensor column = nl::ndarray({like.shape(0), 1}, DType::float32, nl::sbuf, "math");
  nisa::memset(column, operand.value);
  return column.broadcast(1, like.shape(1));
}

/// 2^n for an int32 tile of n in [-126, 127], and 0 for n = -127.
inline Tensor power_of_two(const Tensor &n) {
  // (n + 127) * 2^23 has eight significant bits, so fp32 arithmetic makes the bit pattern exactly.
  return float_of(scalar(n, nl::add, 127.0f, nl::multiply, 0x1p23f, DType::int32));
}

/// Fields of a finite, nonzero float: x = mantissa * 2^(exponent - 127) with |mantissa| in [1, 2).
/// The exponent, an int32 tile, is in [-22, 254]. Zero gives mantissa 1 and exponent -24;
/// infinities and NaN have exponent 255.
struct Fields {
  Tensor mantissa, exponent;
};
enum class Sign { keep, drop };
Fields fields_of(const Tensor &x, Sign sign);

/// a * b = high - excess exactly, where nothing underflows and high does not overflow. An excess of
/// zero is +0, so that subtracting it keeps the sign of zero.
struct Product {
  Tensor high, excess;
};
Product exact_product(const Tensor &a, const Tensor &b);
Product exact_product(const Tensor &a, float b);
/// a + b = high + low exactly, where high does not overflow.
struct Sum {
  Tensor high, low;
};
Sum exact_sum(const Tensor &a, const Tensor &b);

/// high + low rounded to odd, for high = RN(high + low): the one of the two neighbours whose last
/// bit is set, where the sum lies between them. A later rounding of such a value, to fewer bits or
/// next to something larger, is that of the exact sum (Boldo and Melquiond, IEEE TC 57, 2008).
/// `inexact` is 1 where low counts, else 0; low may be an int32 tile.
Tensor to_odd(const Sum &sum, const Tensor &inexact);
/// The same where low is a number everywhere.
Tensor to_odd(const Sum &sum);

/// |x| * 2^n with the sign of `sign`, for an int32 tile n in [-252, 254], in steps that round once
/// at most: x * 2^n must be exact or overflow.
void scale_with_sign(const Tensor &dst, const Tensor &x, const Tensor &n, const Tensor &sign);

/// The largest value of all lanes, which must not be NaN, as a trip count: reduced on the chip and
/// read from a register, as a counted loop of the chip reads it.
int32_t trip_count(const Tensor &values);

/// A stretch of `count` lanes of each partition.
inline Tensor stretch(const Tensor &tile, int64_t first, int64_t count) {
  return tile.slice(1, first, first + count);
}
inline FloatOperand stretch(const FloatOperand &operand, int64_t first, int64_t count) {
  return operand.tile ? FloatOperand(stretch(operand.tile, first, count)) : operand;
}

/// f(dst, sources...) on stretches of at most `width` lanes per partition.
template <class F, class... Sources>
void in_stretches(int64_t width, F &&f, const Tensor &dst, const Sources &...sources) {
  int64_t lanes = dst.shape(1);
  for (int64_t first = 0; first < lanes; first += width) {
    int64_t count = std::min(width, lanes - first);
    f(stretch(dst, first, count), stretch(sources, first, count)...);
  }
}

/// Sequences with few live scratch tiles, and with many.
inline constexpr int64_t kWide = 2048, kNarrow = 512;

} // namespace nki::math
