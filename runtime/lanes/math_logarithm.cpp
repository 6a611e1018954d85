// Logarithms, over all floats, from ScalarE's logarithm near 1.
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

namespace {

/// x = mantissa * 2^exponent for positive finite x, with exponent = 0 for x in [0.75, 1.51] (so
/// that nothing is added to the logarithm of a number near 1), and mantissa in [0.2, 6], or in
/// [2^-24, 6] where x is subnormal. Other lanes hold anything.
struct Split {
  Tensor exponent; ///< int32
  Tensor mantissa;
};

Split split(const Tensor &x) {
  // The bit pattern is 2^23 (exponent + 127) + mantissa. Its scale here is a little less than
  // 2^-23, to stay in [-126, 126]: there 2^-exponent is a normal number, even for subnormal and
  // huge x.
  constexpr float kScale = 0x1.f9p-24f, kOffset = 125.27f;
  Tensor exponent = scalar(bits_of(x), nl::multiply, kScale, nl::subtract, kOffset, DType::int32);
  Tensor scale = scalar(exponent, nl::multiply, -0x1p23f, nl::add, 127 * 0x1p23f, DType::int32);
  return {exponent, pair(x, nl::multiply, float_of(scale))};
}

/// Where a logarithm of x has no ordinary value.
struct Specials {
  Tensor defined, zero, infinite;
  explicit Specials(const Tensor &x)
      : defined(predicate(x, nl::greater_equal, 0.0f)), zero(predicate(x, nl::equal, 0.0f)),
        infinite(predicate(x, nl::equal, kInfinity)) {}
  void apply(const Tensor &dst) const {
    nisa::tensor_copy_predicated(dst, kNaN, defined, /*reverse_pred=*/true);
    nisa::tensor_copy_predicated(dst, -kInfinity, zero);
    nisa::tensor_copy_predicated(dst, kInfinity, infinite);
  }
};

/// exponent * log(2) + log(mantissa) * per_nat, in the base that the two factors say.
void logarithm(const Tensor &dst, const Tensor &x, float log_of_2, float per_nat) {
  Specials specials(x);
  auto [exponent, mantissa] = split(x);
  Tensor log = activate(nl::log, mantissa);
  if (per_nat == 1.0f) {
    nisa::scalar_tensor_tensor(dst, exponent, nl::multiply, log_of_2, nl::add, log);
  } else if (log_of_2 == 1.0f) {
    nisa::scalar_tensor_tensor(dst, log, nl::multiply, per_nat, nl::add, exponent);
  } else {
    Tensor whole = scalar(exponent, nl::multiply, log_of_2);
    nisa::scalar_tensor_tensor(dst, log, nl::multiply, per_nat, nl::add, whole);
  }
  specials.apply(dst);
}

} // namespace

void log(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) { logarithm(to, x, kLn2, 1.0f); };
  in_stretches(kWide, compute, dst, a);
}

void log2(const Tensor &dst, const Tensor &a) {
  constexpr float kLog2OfE = 0x1.715476p0f;
  auto compute = [=](const Tensor &to, const Tensor &x) { logarithm(to, x, 1.0f, kLog2OfE); };
  in_stretches(kWide, compute, dst, a);
}

void log10(const Tensor &dst, const Tensor &a) {
  constexpr float kLog10Of2 = 0x1.344136p-2f, kLog10OfE = 0x1.bcb7b2p-2f;
  auto compute = [=](const Tensor &to, const Tensor &x) { logarithm(to, x, kLog10Of2, kLog10OfE); };
  in_stretches(kWide, compute, dst, a);
}

void log1p(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // With u = 1 + x rounded: log(1 + x) = log(u) + (x - (u - 1)) / u up to second order, and
    // 1 / u = exp(-log(u)). The minus log(u) is +0 for u = 1, so that log1p(-0) comes out as -0.
    Tensor u = scalar(x, nl::add, 1.0f);
    Specials specials(u);
    auto [exponent, mantissa] = split(u);
    Tensor log = activate(nl::log, mantissa);
    Tensor whole = tile_like(x);
    nisa::tensor_scalar(whole, exponent, nl::subtract, 0.0f, /*reverse0=*/true, nl::multiply, kLn2);
    Tensor minus_log = pair(whole, nl::subtract, log);
    Tensor rounded = scalar(u, nl::subtract, 1.0f);
    Tensor lost = pair(x, nl::subtract, rounded);
    Tensor correction = pair(lost, nl::multiply, activate(nl::exp, minus_log));
    nisa::tensor_tensor(to, correction, minus_log, nl::subtract);
    specials.apply(to);
  };
  in_stretches(kNarrow, compute, dst, a);
}

// power on GpSimdE is C's pow (docs/numerics.md says which assumption that is).
void pow(const Tensor &dst, const FloatOperand &a, const FloatOperand &b) {
  if (a.tile && !b.tile && b.value == 2.0f)
    return nisa::tensor_tensor(dst, a.tile, a.tile, nl::multiply);
  auto compute = [](const Tensor &to, const FloatOperand &base, const FloatOperand &exponent) {
    nisa::tensor_tensor(to, tile_of(base, to), tile_of(exponent, to), nl::power);
  };
  in_stretches(kWide, compute, dst, a, b);
}

} // namespace nki
