// Hyperbolic functions and their inverses.
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

namespace {

Tensor magnitude(const Tensor &x) { return float_of(bitwise(x, nl::bitwise_and, kMagnitudeBits)); }

void with_sign(const Tensor &dst, const Tensor &x, const Tensor &sign) {
  Tensor bit = bitwise(sign, nl::bitwise_and, kSignBit);
  Tensor size = bitwise(x, nl::bitwise_and, kMagnitudeBits);
  nisa::tensor_tensor(bits_of(dst), size, bit, nl::bitwise_or);
}

/// (e^|x| + e^-|x|) / 2, where e^|x| / 2 is (e^(|x| / 2) / 2) e^(|x| / 2) and overflows no earlier.
Tensor cosine(const Tensor &x) {
  Tensor root = activate(nl::exp, magnitude(x), 0.5f);
  Tensor half = combine(root, nl::multiply, 0.5f, nl::multiply, root);
  Tensor inverse = tile_like(x);
  nisa::reciprocal(inverse, half);
  return combine(inverse, nl::multiply, 0.25f, nl::add, half);
}

/// From here on sqrt(x^2 +- 1) is x.
constexpr float kFar = 0x1p20f;

/// where(x > kFar) dst = log(2 x)
void far_logarithm(const Tensor &dst, const Tensor &x) {
  Tensor far = predicate(x, nl::greater, kFar);
  Tensor log_of_x = tile_like(x);
  log(log_of_x, x);
  nisa::tensor_copy_predicated(dst, scalar(log_of_x, nl::add, kLn2), far);
}

} // namespace

void cosh(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) { nisa::tensor_copy(to, cosine(x)); };
  in_stretches(kWide, compute, dst, a);
}

void sinh(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // sinh(x) = tanh(x / 2) (1 + cosh(x)): nothing cancels.
    Tensor half = activate(nl::tanh, x, 0.5f);
    nisa::scalar_tensor_tensor(to, cosine(x), nl::add, 1.0f, nl::multiply, half);
  };
  in_stretches(kWide, compute, dst, a);
}

void asinh(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // log(1 + size + size^2 / (1 + sqrt(1 + size^2)))
    Tensor size = magnitude(x), square = pair(size, nl::multiply, size);
    Tensor root = scalar(square, nl::add, 1.0f), sum = tile_like(x);
    sqrt(root, root, false);
    fdiv(sum, square, scalar(root, nl::add, 1.0f), false);
    sum = pair(sum, nl::add, size);
    Tensor result = tile_like(x);
    log1p(result, sum);
    far_logarithm(result, size);
    with_sign(to, result, x);
  };
  in_stretches(kNarrow, compute, dst, a);
}

void acosh(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // log(1 + above + sqrt(above (above + 2))) with above = x - 1
    Tensor inside = predicate(x, nl::greater_equal, 1.0f);
    Tensor above = scalar(x, nl::subtract, 1.0f);
    Tensor root = combine(above, nl::add, 2.0f, nl::multiply, above), result = tile_like(x);
    sqrt(root, root, false);
    log1p(result, pair(root, nl::add, above));
    far_logarithm(result, x);
    nisa::tensor_copy_predicated(result, kNaN, inside, /*reverse_pred=*/true);
    nisa::tensor_copy(to, result);
  };
  in_stretches(kNarrow, compute, dst, a);
}

void atanh(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // log(1 + 2 size / (1 - size)) / 2
    Tensor size = magnitude(x), quotient = tile_like(x);
    fdiv(quotient, scalar(size, nl::multiply, 2.0f),
         scalar(size, nl::multiply, -1.0f, nl::add, 1.0f), false);
    log1p(quotient, quotient);
    with_sign(to, scalar(quotient, nl::multiply, 0.5f), x);
  };
  in_stretches(kNarrow, compute, dst, a);
}

} // namespace nki
