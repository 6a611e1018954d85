// a * b + c with one rounding.
#include "lanes/math_tiles.h"

#include <cmath>

namespace nki {

using namespace math;

namespace {

// Few ULP: p = a * b loses e, which is found exactly; s = p + c. Where the sum cancels so far that
// e matters, p + c is exact; where p + c rounds, the result is not much smaller than p and e is
// small. So s + e has the error of the two additions.

void add_product(const Tensor &dst, const Product &product, const FloatOperand &c) {
  if (c.tile)
    nisa::tensor_tensor(dst, product.high, c.tile, nl::add);
  else
    nisa::tensor_scalar(dst, product.high, nl::add, c.value);
  Tensor finite = predicate(dst, nl::abs, {}, nl::less, kInfinity);
  Tensor corrected = pair(dst, nl::subtract, product.excess);
  nisa::tensor_copy_predicated(dst, corrected, finite);
}

/// a * b may overflow while the sum does not, but only next to a huge c, and where |a| > 1: all a
/// quarter then.
void add_scaled_product(const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &c) {
  Tensor smaller = combine(a, nl::multiply, 0x1p100f, nl::abs_min, c);
  Tensor ordinary = scalar(smaller, nl::less, 0x1p100f);
  Tensor x = combine(ordinary, nl::maximum, 0.25f, nl::multiply, a);
  Tensor z = combine(ordinary, nl::maximum, 0.25f, nl::multiply, c);
  Tensor restore = scalar(ordinary, nl::multiply, -3.0f, nl::add, 4.0f);
  Tensor sum = tile_like(dst);
  add_product(sum, exact_product(x, b), z);
  nisa::tensor_tensor(sum, sum, restore, nl::multiply);
  // An infinite c is the result for any finite a and b, also where their product overflows.
  Tensor factors = pair(predicate(a, nl::abs, {}, nl::less, kInfinity), nl::logical_and,
                        predicate(b, nl::abs, {}, nl::less, kInfinity), DType::uint8);
  Tensor infinite = predicate(c, nl::abs, {}, nl::equal, kInfinity);
  nisa::tensor_copy_predicated(sum, c, pair(infinite, nl::logical_and, factors, DType::uint8));
  nisa::tensor_copy(dst, sum);
}

bool is_number_up_to(const FloatOperand &operand, float limit) {
  return !operand.tile && std::fabs(operand.value) <= limit;
}

void fused(const Tensor &dst, const FloatOperand &a, const FloatOperand &b, const FloatOperand &c) {
  bool may_overflow =
      !is_number_up_to(a, 1.0f) && !is_number_up_to(b, 1.0f) && !is_number_up_to(c, 0x1p100f);
  if (may_overflow)
    add_scaled_product(dst, tile_of(a, dst), tile_of(b, dst), tile_of(c, dst));
  else if (!b.tile && std::isfinite(b.value))
    add_product(dst, exact_product(tile_of(a, dst), b.value), c);
  else if (!a.tile && std::isfinite(a.value))
    add_product(dst, exact_product(tile_of(b, dst), a.value), c);
  else
    add_product(dst, exact_product(tile_of(a, dst), tile_of(b, dst)), c);
}

/// The operands with the product's exponents taken out: the sum is (a * b + c) * 2^exponent, with a
/// and b in [1, 2) and |c| in [2^-60, 2^61]. Beyond those the smaller of product and c is so small
/// that only its sign matters, and it is moved to the bound.
struct Scaled {
  Tensor a, b, c, exponent;
};

Scaled scaled(const Tensor &a, const Tensor &b, const Tensor &c) {
  Fields x = fields_of(a, Sign::keep), y = fields_of(b, Sign::keep), z = fields_of(c, Sign::keep);
  Tensor of_c = scalar(z.exponent, nl::subtract, 127.0f);
  Tensor of_product = combine(x.exponent, nl::subtract, 254.0f, nl::add, y.exponent);
  Tensor distance = pair(of_c, nl::subtract, of_product);
  distance = scalar(distance, nl::maximum, -60.0f, nl::minimum, 60.0f, DType::int32);
  Tensor moved = pair(z.mantissa, nl::multiply, power_of_two(distance));
  Tensor exponent = combine(of_c, nl::subtract, 60.0f, nl::maximum, of_product, DType::int32);
  return {x.mantissa, y.mantissa, moved, exponent};
}

/// RN of the exact a * b + c, with the last place no lower than 2^-149 in the unscaled result.
Tensor rounded_sum(const Scaled &in) {
  Product product = exact_product(in.a, in.b);
  Sum low = exact_sum(in.c, scalar(product.excess, nl::multiply, -1.0f));
  Sum sum = exact_sum(product.high, low.high); // sum.high + sum.low + low.low, exactly
  sum = exact_sum(sum.high, to_odd(exact_sum(sum.low, low.low)));
  // A subnormal result is rounded by adding a number whose last place is that of subnormals.
  Tensor unit = scalar(in.exponent, nl::multiply, -1.0f, nl::subtract, 126.0f);
  unit = scalar(unit, nl::maximum, -100.0f, nl::minimum, 120.0f, DType::int32);
  Tensor anchor = power_of_two(unit);
  Tensor subnormal = combine(sum.high, nl::abs, {}, nl::less, anchor);
  Tensor sign = bitwise(sum.high, nl::bitwise_and, kSignBit, nl::bitwise_or, kOneBits);
  anchor = pair(pair(anchor, nl::multiply, subnormal), nl::multiply, float_of(sign));
  Tensor high = pair(anchor, nl::add, sum.high);
  Tensor lost = pair(sum.high, nl::subtract, pair(high, nl::subtract, anchor));
  Tensor tail = to_odd(exact_sum(lost, sum.low));
  Tensor rounded = pair(pair(high, nl::add, tail), nl::subtract, anchor);
  // The anchor swallows the sign of a result that rounds to zero.
  Tensor magnitude = bitwise(rounded, nl::bitwise_and, kMagnitudeBits);
  Tensor sign_bit = bitwise(sign, nl::bitwise_and, kSignBit);
  return float_of(pair(magnitude, nl::bitwise_or, sign_bit, DType::int32));
}

void fused_precisely(const Tensor &dst, const Tensor &a, const Tensor &b, const Tensor &c) {
  // With a zero, an infinity or a NaN, two roundings are one. A zero c leaves the product alone,
  // and an infinite one hides that it overflows.
  Tensor product = pair(a, nl::multiply, b);
  Tensor result = pair(product, nl::add, c);
  Tensor factors = pair(is_ordinary(a), nl::multiply, is_ordinary(b));
  Tensor product_only = combine(c, nl::equal, 0.0f, nl::multiply, factors, DType::uint8);
  nisa::tensor_copy_predicated(result, product, product_only);
  Tensor infinite = scalar(c, nl::abs, {}, nl::equal, kInfinity);
  nisa::tensor_copy_predicated(result, c, pair(infinite, nl::multiply, factors, DType::uint8));
  Tensor ordinary = pair(is_ordinary(c), nl::multiply, factors, DType::uint8);

  Scaled in = scaled(a, b, c);
  Tensor sum = rounded_sum(in);
  Tensor unscaled = tile_like(dst);
  scale_with_sign(unscaled, sum, in.exponent, sum);
  nisa::tensor_copy_predicated(result, unscaled, ordinary);
  nisa::tensor_copy(dst, result);
}

} // namespace

void fma(const Tensor &dst, const FloatOperand &a, const FloatOperand &b, const FloatOperand &c,
         bool precise) {
  auto compute = [&](const Tensor &to, const FloatOperand &x, const FloatOperand &y,
                     const FloatOperand &z) {
    if (precise)
      fused_precisely(to, tile_of(x, to), tile_of(y, to), tile_of(z, to));
    else
      fused(to, x, y, z);
  };
  in_stretches(kNarrow, compute, dst, a, b, c);
}

} // namespace nki
