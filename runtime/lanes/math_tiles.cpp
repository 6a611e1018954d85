#include "lanes/math_tiles.h"

namespace nki::math {

Fields fields_of(const Tensor &x, Sign sign) {
  // Subnormal numbers are made normal first; the exponent takes the factor back.
  Tensor subnormal = scalar(x, nl::abs, {}, nl::less, 0x1p-126f);
  Tensor factor = scalar(subnormal, nl::multiply, 0x1p24f, nl::maximum, 1.0f);
  Tensor normal = pair(x, nl::multiply, factor);
  Tensor biased = bitwise(normal, nl::right_shift, 23, nl::bitwise_and, 0xff);
  uint32_t kept = sign == Sign::keep ? kSignBit | kMantissaBits : kMantissaBits;
  Tensor mantissa = bitwise(normal, nl::bitwise_and, kept, nl::bitwise_or, kOneBits);
  return {float_of(mantissa),
          combine(subnormal, nl::multiply, -24.0f, nl::add, biased, DType::int32)};
}

namespace {

constexpr uint32_t kUpperHalf = 0xfffff000u; // of a mantissa

/// rest - a * b in one instruction.
Tensor less_product(const Tensor &rest, const Tensor &a, float b) {
  Tensor result = tile_like(a);
  nisa::scalar_tensor_tensor(result, a, nl::multiply, b, nl::subtract, rest, false,
                             /*reverse1=*/true);
  return result;
}

} // namespace

// Dekker, Numer. Math. 18 (1971): split both factors into halves of 12 bits, whose products are
// exact, and take them off the rounded product in descending order.

Product exact_product(const Tensor &a, const Tensor &b) {
  Tensor a_high = float_of(bitwise(a, nl::bitwise_and, kUpperHalf));
  Tensor b_high = float_of(bitwise(b, nl::bitwise_and, kUpperHalf));
  Tensor a_low = pair(a, nl::subtract, a_high);
  Tensor b_low = pair(b, nl::subtract, b_high);
  Tensor high = pair(a, nl::multiply, b);
  Tensor rest = pair(high, nl::subtract, pair(a_high, nl::multiply, b_high));
  rest = pair(rest, nl::subtract, pair(a_low, nl::multiply, b_high));
  rest = pair(rest, nl::subtract, pair(a_high, nl::multiply, b_low));
  return {high, pair(rest, nl::subtract, pair(a_low, nl::multiply, b_low))};
}

Product exact_product(const Tensor &a, float b) {
  float b_high = std::bit_cast<float>(std::bit_cast<uint32_t>(b) & kUpperHalf), b_low = b - b_high;
  Tensor a_high = float_of(bitwise(a, nl::bitwise_and, kUpperHalf));
  Tensor a_low = pair(a, nl::subtract, a_high);
  Tensor high = scalar(a, nl::multiply, b);
  Tensor rest = less_product(less_product(high, a_high, b_high), a_low, b_high);
  if (b_low != 0)
    rest = less_product(less_product(rest, a_high, b_low), a_low, b_low);
  return {high, rest};
}

Sum exact_sum(const Tensor &a, const Tensor &b) {
  // Knuth's two-sum, which needs no order of magnitudes.
  Tensor high = pair(a, nl::add, b);
  Tensor b_part = pair(high, nl::subtract, a);
  Tensor a_part = pair(high, nl::subtract, b_part);
  Tensor a_lost = pair(a, nl::subtract, a_part);
  Tensor b_lost = pair(b, nl::subtract, b_part);
  return {high, pair(a_lost, nl::add, b_lost)};
}

namespace {

/// 1 with the sign bit that says whether low leads away from zero.
Tensor outward(const Sum &sum) {
  Tensor signs = pair(bits_of(sum.high), nl::bitwise_xor, bits_of(sum.low), DType::int32);
  return float_of(bitwise(signs, nl::bitwise_and, kSignBit, nl::bitwise_or, kOneBits));
}

/// high moved by one in `direction`, 1 or -1 or 0, where its last bit is not set.
Tensor moved_to_odd(const Tensor &high, const Tensor &direction) {
  Tensor even = bitwise(high, nl::bitwise_and, 1, nl::bitwise_xor, 1);
  Tensor step = pair(direction, nl::multiply, even, DType::int32);
  return float_of(pair(bits_of(high), nl::add, step, DType::int32));
}

} // namespace

Tensor to_odd(const Sum &sum, const Tensor &inexact) {
  return moved_to_odd(sum.high, pair(inexact, nl::multiply, outward(sum)));
}

Tensor to_odd(const Sum &sum) {
  return moved_to_odd(sum.high, combine(sum.low, nl::not_equal, 0.0f, nl::multiply, outward(sum)));
}

void scale_with_sign(const Tensor &dst, const Tensor &x, const Tensor &n, const Tensor &sign) {
  Tensor half = scalar(n, nl::multiply, 0.5f, DType::int32);
  Tensor rest = combine(half, nl::multiply, -1.0f, nl::add, n, DType::int32);
  Tensor scaled = pair(x, nl::multiply, power_of_two(half));
  scaled = pair(scaled, nl::multiply, power_of_two(rest));
  Tensor magnitude = bitwise(scaled, nl::bitwise_and, kMagnitudeBits);
  Tensor sign_bit = bitwise(sign, nl::bitwise_and, kSignBit);
  nisa::tensor_tensor(bits_of(dst), magnitude, sign_bit, nl::bitwise_or);
}

int32_t trip_count(const Tensor &values) {
  Tensor rows = nl::ndarray({values.shape(0), 1}, DType::float32, nl::sbuf, "math");
  Tensor all = nl::ndarray({1, 1}, DType::int32, nl::sbuf, "math");
  nisa::tensor_reduce(rows, nl::maximum, values, 1);
  nisa::tensor_partition_reduce(all, nl::maximum, rows);
  nisa::Register count = nisa::register_alloc();
  nisa::register_load(count, all);
  return count.value();
}

} // namespace nki::math
