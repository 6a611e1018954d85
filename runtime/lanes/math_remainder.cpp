// fmod, exactly.
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

namespace {

/// An integer remainder r of a divisor of 24 bits, |r| <= 0.51 divisor, and the next ones.
class LongDivision {
public:
  explicit LongDivision(const Tensor &divisor)
      : divisor_(divisor), inverse_(tile_like(divisor)),
        high_(float_of(bitwise(divisor, nl::bitwise_and, 0xfffff000u))),
        low_(pair(divisor, nl::subtract, high_)) {
    nisa::reciprocal(inverse_, divisor);
  }
  /// The remainder nearest to 0 of a dividend of up to 24 significant bits, below 2^12 divisors.
  /// The quotient has 12 bits, so every product and difference is exact.
  Tensor remainder(const Tensor &dividend) const {
    Tensor quotient = pair(dividend, nl::multiply, inverse_, DType::int32);
    Tensor rest = pair(dividend, nl::subtract, pair(quotient, nl::multiply, high_));
    return pair(rest, nl::subtract, pair(quotient, nl::multiply, low_));
  }
  /// The same in [0, divisor).
  Tensor make_positive(const Tensor &remainder) const {
    Tensor negative = scalar(remainder, nl::less, 0.0f);
    return pair(pair(negative, nl::multiply, divisor_), nl::add, remainder);
  }

private:
  Tensor divisor_, inverse_, high_, low_;
};

void remainder_of(const Tensor &dst, const Tensor &a, const Tensor &b) {
  Tensor finite = scalar(a, nl::abs, {}, nl::less, kInfinity);
  Tensor divisible = scalar(b, nl::abs, {}, nl::greater, 0.0f); // 0 for NaN too
  Tensor defined = pair(finite, nl::multiply, divisible, DType::uint8);
  // With integers of 24 bits, a = x 2^(distance) units of b = y.
  Fields x = fields_of(a, Sign::drop), y = fields_of(b, Sign::drop);
  Tensor distance = pair(x.exponent, nl::subtract, y.exponent, DType::float32);
  Tensor reducible = predicate(distance, nl::greater_equal, 0.0f);
  LongDivision division(scalar(y.mantissa, nl::multiply, 0x1p23f));
  Tensor rest = division.remainder(scalar(x.mantissa, nl::multiply, 0x1p23f));
  // Twelve bits of the quotient per round, for as many rounds as the largest distance needs.
  Tensor left = scalar(distance, nl::maximum, 0.0f);
  Tensor rounds = scalar(left, nl::add, 5.5f, nl::multiply, 1.0f / 12, DType::int32);
  for (int32_t round = trip_count(rounds); round > 0; --round) {
    Tensor shift = scalar(left, nl::minimum, 12.0f, DType::int32);
    left = pair(left, nl::subtract, shift);
    rest = division.remainder(pair(rest, nl::multiply, power_of_two(shift)));
  }
  Tensor unit = scalar(y.exponent, nl::subtract, 150.0f, DType::int32);
  Tensor result = tile_like(dst);
  scale_with_sign(result, division.make_positive(rest), unit, a);
  Tensor kept = cast(a, DType::float32); // where |a| is less than |b| at first sight
  nisa::tensor_copy_predicated(kept, result, reducible);
  nisa::tensor_copy_predicated(kept, kNaN, defined, /*reverse_pred=*/true);
  nisa::tensor_copy(dst, kept);
}

} // namespace

void fmod(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  auto compute = [](const Tensor &to, const FloatOperand &x, const FloatOperand &y) {
    remainder_of(to, tile_of(x, to), tile_of(y, to));
  };
  in_stretches(kNarrow, compute, dst, a, b);
}

} // namespace nki
