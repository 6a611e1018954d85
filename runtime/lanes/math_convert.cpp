// Conversions between integers and floats, and rounding to integral values.
//
// The engines' own casts round to nearest even and saturate; NaN becomes 0 (docs/numerics.md).
// CUDA's float-to-integer conversions truncate, so a cast that went away from zero is taken back by
// one.
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

void int_to_float(const Tensor &dst, const Tensor &a) {
  nisa::tensor_copy(float_of(dst), a.view(DType::int32));
}

void uint_to_float(const Tensor &dst, const Tensor &a) {
  nisa::tensor_copy(float_of(dst), a.view(DType::uint32));
}

namespace {

/// |x| without its fraction, as fp32; 2^31 or 2^32 where the integer type saturates, 0 for NaN.
/// The correction is exact: a cast that rounded up had a fraction, so it is below 2^23.
Tensor truncated(const Tensor &x, nl::Op op, const Operand &operand, DType integer,
                 DType result = DType::float32) {
  Tensor nearest = scalar(x, op, operand, integer);
  Tensor too_large = combine(x, op, operand, nl::less, nearest);
  return pair(nearest, nl::subtract, too_large, result);
}

} // namespace

void float_to_int(const Tensor &dst, const Tensor &a) {
  auto convert = [](const Tensor &to, const Tensor &x) {
    Tensor magnitude = truncated(x, nl::abs, {}, DType::int32);
    Tensor sign = bitwise(x, nl::bitwise_and, kSignBit, nl::bitwise_or, kOneBits);
    nisa::tensor_tensor(bits_of(to), magnitude, float_of(sign), nl::multiply);
  };
  in_stretches(kWide, convert, dst, a);
}

void float_to_uint(const Tensor &dst, const Tensor &a) {
  auto convert = [](const Tensor &to, const Tensor &x) {
    Tensor nearest = scalar(x, nl::maximum, 0.0f, DType::uint32);
    Tensor too_large = combine(x, nl::maximum, 0.0f, nl::less, nearest);
    nisa::tensor_tensor(to.view(DType::uint32), nearest, too_large, nl::subtract);
  };
  in_stretches(kWide, convert, dst, a);
}

// ---- rounding to integral values
// ----------------------------------------------------------------- From 2^23 on every fp32 number
// is integral, and int32 saturates later than that; such lanes, and NaN, keep their value. The
// result always carries the sign of the argument (ceil(-0.5) is -0).

namespace {

/// dst = `integral` with the sign of x where |x| < 2^23, else x. `integral` has that sign or is 0.
void finish(const Tensor &dst, const Tensor &x, const Tensor &integral) {
  Tensor fits = predicate(x, nl::abs, {}, nl::less, 0x1p23f);
  Tensor sign = bitwise(x, nl::bitwise_and, kSignBit);
  Tensor result = pair(bits_of(integral), nl::bitwise_or, sign, DType::int32);
  if (dst.storage() != x.storage())
    nisa::tensor_copy(dst, x);
  nisa::tensor_copy_predicated(dst, float_of(result), fits);
}

} // namespace

void rint(const Tensor &dst, const Tensor &a) {
  auto round_to_even = [](const Tensor &to, const Tensor &x) {
    Tensor nearest = cast(x, DType::int32);
    finish(to, x, cast(nearest, DType::float32));
  };
  in_stretches(kWide, round_to_even, dst, a);
}

void floor(const Tensor &dst, const Tensor &a) {
  auto round_down = [](const Tensor &to, const Tensor &x) {
    Tensor nearest = cast(x, DType::int32);
    Tensor too_large = pair(nearest, nl::greater, x);
    finish(to, x, pair(nearest, nl::subtract, too_large));
  };
  in_stretches(kWide, round_down, dst, a);
}

void ceil(const Tensor &dst, const Tensor &a) {
  auto round_up = [](const Tensor &to, const Tensor &x) {
    Tensor nearest = cast(x, DType::int32);
    Tensor too_small = pair(nearest, nl::less, x);
    finish(to, x, pair(nearest, nl::add, too_small));
  };
  in_stretches(kWide, round_up, dst, a);
}

void trunc(const Tensor &dst, const Tensor &a) {
  auto round_to_zero = [](const Tensor &to, const Tensor &x) {
    finish(to, x, truncated(x, nl::abs, {}, DType::int32));
  };
  in_stretches(kWide, round_to_zero, dst, a);
}

void round(const Tensor &dst, const Tensor &a) {
  auto round_half_away = [](const Tensor &to, const Tensor &x) {
    // |x| truncated, plus one where the fraction is at least a half; fractions are exact.
    Tensor whole = truncated(x, nl::abs, {}, DType::int32);
    Tensor fraction = combine(x, nl::abs, {}, nl::subtract, whole);
    Tensor rounded = combine(fraction, nl::greater_equal, 0.5f, nl::add, whole);
    finish(to, x, rounded);
  };
  in_stretches(kWide, round_half_away, dst, a);
}

} // namespace nki
