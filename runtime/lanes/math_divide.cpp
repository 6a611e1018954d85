// Division and square roots.
//
// By default a quotient is a product with VectorE's reciprocal, and a square root is a product with
// GpSimdE's reciprocal square root. The precise sequences find the nearest integer N to the result
// in units of its last place: an approximation is exact to one or two units, the exact remainder
// says which. Dividing into units of 2^-149 where the result is subnormal rounds those correctly
// too.
#include "lanes/math_tiles.h"

#include <cmath>

namespace nki {

using namespace math;

namespace {

/// Few ULP: a * (1 / b), with tiny b made larger first, since 1 / b would overflow.
void divide(const Tensor &dst, const Tensor &a, const Tensor &b) {
  Tensor tiny = scalar(b, nl::abs, {}, nl::less, 0x1p-100f);
  Tensor factor = scalar(tiny, nl::multiply, 0x1p32f, nl::maximum, 1.0f);
  Tensor inverse = pair(b, nl::multiply, factor);
  nisa::reciprocal(inverse, inverse);
  Tensor quotient = pair(a, nl::multiply, inverse);
  nisa::tensor_tensor(dst, quotient, factor, nl::multiply);
}

/// a / b for a launch-known b: one instruction, with the factors found at launch.
void divide_by_number(const Tensor &dst, const Tensor &a, float b) {
  // 1 / b in two factors, so that neither it nor a product overflows or underflows early.
  float factor = std::fabs(b) < 0x1p-100f ? 0x1p32f : std::fabs(b) > 0x1p100f ? 0x1p-32f : 1.0f;
  float inverse = 1.0f / (b * factor);
  if (factor == 1.0f)
    nisa::tensor_scalar(dst, a, nl::multiply, inverse);
  else
    nisa::tensor_scalar(dst, a, nl::multiply, inverse, false, nl::multiply, factor);
}

/// The quotient in units of its last place is |a| * 2^bits / |b| for mantissas a and b; such a unit
/// is worth 2^unit.
struct Units {
  Tensor bits, unit; ///< int32
};

Units units_of_quotient(const Fields &a, const Fields &b) {
  Tensor exponent = pair(a.exponent, nl::subtract, b.exponent, DType::float32);
  Tensor below_one = pair(a.mantissa, nl::less, b.mantissa);
  Tensor normal_bits = scalar(below_one, nl::add, 23.0f);
  Tensor unit = pair(exponent, nl::subtract, normal_bits);
  unit = scalar(unit, nl::maximum, -149.0f, DType::int32);
  // With less than half a unit the quotient is 0 whatever it is.
  Tensor bits = pair(exponent, nl::subtract, unit);
  return {scalar(bits, nl::maximum, -2.0f, DType::int32), unit};
}

/// RN(a / b) as an integer, a up to 2^25 b.
Tensor nearest_quotient(const Tensor &a, const Tensor &b) {
  Tensor inverse = tile_like(b);
  nisa::reciprocal(inverse, b);
  Tensor estimate = cast(pair(a, nl::multiply, inverse, DType::int32), DType::float32);
  Product product = exact_product(estimate, b);
  Tensor remainder = pair(pair(a, nl::subtract, product.high), nl::add, product.excess);
  // At most two units off: their products with b are exact.
  Tensor step = pair(remainder, nl::multiply, inverse, DType::int32);
  estimate = pair(estimate, nl::add, step);
  remainder = pair(remainder, nl::subtract, pair(step, nl::multiply, b));
  // Half a unit away: to even. (Only where the result is subnormal.)
  Tensor odd = bitwise(cast(estimate, DType::int32), nl::bitwise_and, 1);
  Tensor up = combine(remainder, nl::multiply, 2.0f, nl::greater, b);
  Tensor tie_up = pair(combine(remainder, nl::multiply, 2.0f, nl::equal, b), nl::multiply, odd);
  Tensor down = combine(remainder, nl::multiply, -2.0f, nl::greater, b);
  Tensor tie_down = pair(combine(remainder, nl::multiply, -2.0f, nl::equal, b), nl::multiply, odd);
  up = pair(up, nl::add, tie_up);
  down = pair(down, nl::add, tie_down);
  return pair(estimate, nl::add, pair(up, nl::subtract, down));
}

void divide_precisely(const Tensor &dst, const Tensor &a, const Tensor &b) {
  Tensor ordinary = pair(is_ordinary(a), nl::multiply, is_ordinary(b), DType::uint8);
  Tensor special = tile_like(dst);
  divide(special, a, b);
  Tensor sign = pair(bits_of(a), nl::bitwise_xor, bits_of(b), DType::int32);
  Fields x = fields_of(a, Sign::drop), y = fields_of(b, Sign::drop);
  Units units = units_of_quotient(x, y);
  Tensor dividend = pair(x.mantissa, nl::multiply, power_of_two(units.bits));
  Tensor result = tile_like(dst);
  scale_with_sign(result, nearest_quotient(dividend, y.mantissa), units.unit, sign);
  nisa::tensor_copy_predicated(special, result, ordinary);
  nisa::tensor_copy(dst, special);
}

bool is_power_of_two(float value) {
  int exponent;
  return std::fabs(std::frexp(value, &exponent)) == 0.5f && std::isnormal(1.0f / value) &&
         std::isnormal(value);
}

} // namespace

void fdiv(const Tensor &dst, const FloatOperand &a, const FloatOperand &b, bool precise) {
  bool exact_inverse = !b.tile && is_power_of_two(b.value);
  if (a.tile && !b.tile && (!precise || exact_inverse))
    return divide_by_number(dst, a.tile, b.value);
  auto compute = [&](const Tensor &to, const FloatOperand &x, const FloatOperand &y) {
    (precise ? divide_precisely : divide)(to, tile_of(x, to), tile_of(y, to));
  };
  in_stretches(precise ? kNarrow : kWide, compute, dst, a, b);
}

void reciprocal(const Tensor &dst, const Tensor &a, bool precise) {
  if (precise)
    fdiv(dst, 1.0f, a, true);
  else
    nisa::reciprocal(dst, a);
}

void rsqrt(const Tensor &dst, const Tensor &a) { nisa::tensor_scalar(dst, a, nl::rsqrt, 0.0f); }

namespace {

void square_root(const Tensor &dst, const Tensor &x) {
  Tensor negative = predicate(x, nl::less, 0.0f);
  Tensor inverse = scalar(x, nl::rsqrt, 0.0f);
  // A finite, positive factor keeps zeros and infinity, which x * (1 / sqrt(x)) would turn into
  // NaN.
  Tensor factor = scalar(inverse, nl::maximum, 0x1p-66f, nl::minimum, 0x1p76f);
  nisa::tensor_tensor(dst, x, factor, nl::multiply);
  nisa::tensor_copy_predicated(dst, kNaN, negative);
}

/// RN(sqrt(x) * 2^23) for x in [1, 4).
Tensor nearest_square_root(const Tensor &x) {
  Tensor inverse = scalar(x, nl::rsqrt, 0.0f);
  Tensor estimate =
      cast(combine(x, nl::multiply, 0x1p23f, nl::multiply, inverse, DType::int32), DType::float32);
  Product square = exact_product(estimate, estimate);
  Tensor coarse = combine(x, nl::multiply, 0x1p46f, nl::subtract, square.high);
  Tensor remainder = pair(coarse, nl::add, square.excess);
  // A step s of at most two units changes the square by 2 s n + s^2, in steps that stay exact.
  Tensor step = combine(remainder, nl::multiply, 0x1p-24f, nl::multiply, inverse, DType::int32);
  Tensor double_step = combine(step, nl::multiply, 2.0f, nl::multiply, estimate);
  Tensor step_squared = pair(step, nl::multiply, step, DType::float32);
  coarse = pair(coarse, nl::subtract, double_step);
  remainder = pair(coarse, nl::add, pair(square.excess, nl::subtract, step_squared));
  estimate = pair(estimate, nl::add, step);
  // sqrt > n + 1/2 means remainder > n, sqrt < n - 1/2 means remainder <= -n; ties do not exist.
  Tensor up = pair(remainder, nl::greater, estimate);
  Tensor down = combine(remainder, nl::multiply, -1.0f, nl::greater_equal, estimate);
  return pair(estimate, nl::add, pair(up, nl::subtract, down));
}

void square_root_precisely(const Tensor &dst, const Tensor &x) {
  Tensor positive = scalar(x, nl::greater, 0.0f);
  Tensor ordinary = combine(x, nl::less, kInfinity, nl::multiply, positive, DType::uint8);
  Tensor special = tile_like(dst);
  square_root(special, x);
  Fields fields = fields_of(x, Sign::drop);
  // The biased exponent is even where the exponent is odd: then twice the mantissa.
  Tensor odd = bitwise(fields.exponent, nl::bitwise_and, 1, nl::bitwise_xor, 1);
  Tensor radicand = combine(odd, nl::add, 1.0f, nl::multiply, fields.mantissa);
  Tensor exponent = combine(fields.exponent, nl::subtract, 127.0f, nl::subtract, odd);
  Tensor half = scalar(exponent, nl::multiply, 0.5f, DType::int32);
  Tensor result = combine(nearest_square_root(radicand), nl::multiply, 0x1p-23f, nl::multiply,
                          power_of_two(half));
  nisa::tensor_copy_predicated(special, result, ordinary);
  nisa::tensor_copy(dst, special);
}

} // namespace

void sqrt(const Tensor &dst, const Tensor &a, bool precise) {
  in_stretches(precise ? kNarrow : kWide, precise ? square_root_precisely : square_root, dst, a);
}

} // namespace nki
