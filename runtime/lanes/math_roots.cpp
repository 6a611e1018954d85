// Cubic roots, lengths, and the complementary error function.
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

namespace {

Tensor magnitude(const Tensor &x) { return float_of(bitwise(x, nl::bitwise_and, kMagnitudeBits)); }

/// where(|x| is infinite) dst = infinity
void infinite_where(const Tensor &dst, const Tensor &x) {
  nisa::tensor_copy_predicated(dst, kInfinity, predicate(x, nl::abs, {}, nl::equal, kInfinity));
}

/// sqrt(x^2 + y^2), scaled by a power of two where squares would overflow or be subnormal.
void length(const Tensor &dst, const Tensor &x, const Tensor &y) {
  Tensor larger = pair(magnitude(x), nl::maximum, magnitude(y));
  Tensor tiny = scalar(larger, nl::less, 0x1p-50f, nl::multiply, 100.0f, DType::int32);
  Tensor huge = scalar(larger, nl::greater, 0x1p60f, nl::multiply, -70.0f);
  Tensor power = pair(huge, nl::add, tiny, DType::int32);
  Tensor scale = power_of_two(power),
         back = power_of_two(scalar(power, nl::multiply, -1.0f, DType::int32));
  Tensor a = pair(x, nl::multiply, scale), b = pair(y, nl::multiply, scale);
  Tensor sum = pair(pair(a, nl::multiply, a), nl::add, pair(b, nl::multiply, b));
  Tensor root = tile_like(sum);
  sqrt(root, sum, false);
  Tensor result = pair(root, nl::multiply, back);
  infinite_where(result, x);
  infinite_where(result, y);
  nisa::tensor_copy(dst, result);
}

} // namespace

void cbrt(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // e^(log(size) / 3), and a step of Newton's, after which only its own rounding is left.
    Tensor size = magnitude(x), root = tile_like(x), quotient = tile_like(x);
    log(root, size);
    activate_into(root, nl::exp, root, 0x1.555556p-2f);
    fdiv(quotient, size, pair(root, nl::multiply, root), false);
    root = combine(root, nl::multiply, 2.0f, nl::add, quotient);
    Tensor third = scalar(root, nl::multiply, 0x1.555556p-2f);
    Tensor ordinary = scalar(is_ordinary(x), nl::greater, 0.0f, DType::uint8);
    nisa::tensor_copy_predicated(third, size, ordinary, /*reverse_pred=*/true);
    Tensor sign = bitwise(x, nl::bitwise_and, kSignBit);
    nisa::tensor_tensor(bits_of(to), bits_of(third), sign, nl::bitwise_or);
  };
  in_stretches(kNarrow, compute, dst, a);
}

void hypot(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  auto compute = [](const Tensor &to, const FloatOperand &x, const FloatOperand &y) {
    length(to, cast(tile_of(x, to), DType::float32), cast(tile_of(y, to), DType::float32));
  };
  in_stretches(kNarrow, compute, dst, a, b);
}

void erfc(const Tensor &dst, const Tensor &a) {
  // Chebyshev fit of log(erfc(z) e^(z^2) / t) in t = 1 / (1 + z / 2), fractional error 1.2e-7.
  // Press et al., Numerical Recipes, section 6.2.
  constexpr float kFit[] = {0.17087277f,  -0.82215223f, 1.48851587f, -1.13520398f, 0.27886807f,
                            -0.18628806f, 0.09678418f,  0.37409196f, 1.00002368f,  -1.26551223f};
  auto compute = [=](const Tensor &to, const Tensor &x) {
    Tensor near = scalar(activate(nl::erf, x), nl::multiply, -1.0f, nl::add, 1.0f);
    Tensor z = scalar(x, nl::maximum, 0.0f, nl::minimum, 12.0f);
    Tensor t = scalar(z, nl::multiply, 0.5f, nl::add, 1.0f);
    nisa::reciprocal(t, t);
    Tensor fit = scalar(t, nl::multiply, kFit[0], nl::add, kFit[1]);
    for (size_t i = 2; i < std::size(kFit); ++i)
      fit = scalar(pair(fit, nl::multiply, t), nl::add, kFit[i]);
    // e^(-z^2) in two factors: the square of the first 12 bits of z is exact.
    Tensor high = float_of(bitwise(z, nl::bitwise_and, 0xfffff000u));
    Tensor rest = pair(pair(z, nl::subtract, high), nl::multiply, pair(z, nl::add, high));
    Tensor tail = activate(nl::exp, pair(fit, nl::subtract, rest));
    tail = pair(tail, nl::multiply, t);
    Tensor square = pair(high, nl::multiply, high);
    tail = pair(tail, nl::multiply, activate(nl::exp, square, -1.0f));
    nisa::tensor_copy_predicated(near, tail, predicate(x, nl::greater, 0.5f));
    nisa::tensor_copy(to, near);
  };
  in_stretches(kNarrow, compute, dst, a);
}

} // namespace nki
