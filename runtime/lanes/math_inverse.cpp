// Inverse trigonometric functions, from ScalarE's arctangent on [0, 1].
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

namespace {

// pi / 2 in two parts; pi is twice these.
constexpr float kHalfPi = 0x1.921fb6p0f, kHalfPiRest = -0x1.777a5cp-25f;

Tensor magnitude(const Tensor &x) { return float_of(bitwise(x, nl::bitwise_and, kMagnitudeBits)); }

/// dst = x with the sign of `sign`, for x >= 0.
void with_sign(const Tensor &dst, const Tensor &x, const Tensor &sign) {
  Tensor bit = bitwise(sign, nl::bitwise_and, kSignBit);
  nisa::tensor_tensor(bits_of(dst), bits_of(x), bit, nl::bitwise_or);
}

/// where(predicate) angle = turn - angle, for a turn of `halves` times pi / 2.
void reflect(const Tensor &angle, const Tensor &predicate, float halves) {
  Tensor other = scalar(angle, nl::multiply, -1.0f, nl::add, halves * kHalfPi);
  other = scalar(other, nl::add, halves * kHalfPiRest);
  nisa::tensor_copy_predicated(angle, other, predicate);
}

enum class Ratio { plain, root };

/// arctan(a / b), or of the square root of that, for a and b >= 0. Zero over zero is 0, infinity
/// over infinity pi / 4. Lanes with NaN hold anything.
Tensor first_quadrant(const Tensor &a, const Tensor &b, Ratio kind) {
  Tensor small = pair(a, nl::minimum, b), large = pair(a, nl::maximum, b);
  Tensor ratio = tile_like(a);
  fdiv(ratio, small, large, false);
  if (kind == Ratio::root) {
    sqrt(ratio, ratio, false);
  } else {
    Tensor one = scalar(large, nl::greater, 0.0f);
    nisa::tensor_copy_predicated(ratio, one, pair(a, nl::equal, b, DType::uint8));
  }
  Tensor angle = activate(nl::arctan, ratio);
  reflect(angle, pair(a, nl::greater, b, DType::uint8), 1);
  return angle;
}

void nan_where(const Tensor &dst, const Tensor &predicate, bool reverse = false) {
  nisa::tensor_copy_predicated(dst, kNaN, predicate, reverse);
}

} // namespace

void atan(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // arctan(size), or pi / 2 - arctan(1 / size). From 2^30 on the latter is nothing.
    Tensor size = magnitude(x);
    Tensor inverse = scalar(size, nl::maximum, 1.0f, nl::minimum, 0x1p30f);
    nisa::reciprocal(inverse, inverse);
    Tensor angle = activate(nl::arctan, combine(size, nl::minimum, 1.0f, nl::multiply, inverse));
    reflect(angle, predicate(size, nl::greater, 1.0f), 1);
    Tensor unordered = pair(x, nl::not_equal, x, DType::uint8);
    with_sign(to, angle, x);
    nan_where(to, unordered);
  };
  in_stretches(kNarrow, compute, dst, a);
}

void atan2(const Tensor &dst, const FloatOperand &y, const FloatOperand &x) {
  auto compute = [](const Tensor &to, const FloatOperand &upward, const FloatOperand &rightward) {
    Tensor y_tile = tile_of(upward, to), x_tile = tile_of(rightward, to);
    Tensor y = cast(y_tile, DType::float32), x = cast(x_tile, DType::float32);
    Tensor unordered = pair(y, nl::not_equal, y);
    unordered = pair(unordered, nl::add, pair(x, nl::not_equal, x), DType::uint8);
    Tensor angle = first_quadrant(magnitude(y), magnitude(x), Ratio::plain);
    Tensor left = bitwise(x, nl::right_shift, 31).view(DType::uint32);
    reflect(angle, left, 2);
    with_sign(to, angle, y);
    nan_where(to, unordered);
  };
  in_stretches(kNarrow, compute, dst, y, x);
}

void asin(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // arctan(x / sqrt((1 - x) (1 + x))): 1 - x is exact where the root is small.
    Tensor size = magnitude(x);
    Tensor other = scalar(size, nl::multiply, -1.0f, nl::add, 1.0f);
    other = combine(size, nl::add, 1.0f, nl::multiply, other);
    Tensor inside = predicate(size, nl::less_equal, 1.0f);
    sqrt(other, other, false);
    with_sign(to, first_quadrant(size, other, Ratio::plain), x);
    nan_where(to, inside, /*reverse=*/true);
  };
  in_stretches(kNarrow, compute, dst, a);
}

void acos(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // 2 arctan(sqrt((1 - x) / (1 + x)))
    Tensor inside = predicate(x, nl::abs, {}, nl::less_equal, 1.0f);
    Tensor up = scalar(x, nl::multiply, -1.0f, nl::add, 1.0f), down = scalar(x, nl::add, 1.0f);
    Tensor half = first_quadrant(up, down, Ratio::root);
    nisa::tensor_scalar(to, half, nl::multiply, 2.0f);
    nan_where(to, inside, /*reverse=*/true);
  };
  in_stretches(kNarrow, compute, dst, a);
}

} // namespace nki
