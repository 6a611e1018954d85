// sin, cos and tan over all floats, from ScalarE's sine on [-pi/2, pi/2].
#include "lanes/math_reduction.h"

namespace nki {

using namespace math;

namespace {

/// sin(rest), negated where bit 0 of `turns` is set (or where it is not).
void signed_sine(const Tensor &dst, const Reduced &reduced, bool negate_even) {
  Tensor flip = negate_even ? bitwise(reduced.turns, nl::bitwise_xor, 1, nl::left_shift, 31)
                            : bitwise(reduced.turns, nl::left_shift, 31);
  Tensor angle = pair(bits_of(reduced.rest), nl::bitwise_xor, flip, DType::int32);
  activate_into(dst, nl::sin, float_of(angle));
}

} // namespace

void sin(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    signed_sine(to, reduce(x, Period::pi), false);
  };
  in_stretches(kWide, compute, dst, a);
}

void cos(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // cos((k + 1/2) pi + r) = -(-1)^k sin(r)
    signed_sine(to, reduce(x, Period::pi_from_half), true);
  };
  in_stretches(kWide, compute, dst, a);
}

void tan(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // sin(r) / cos(r), and the negative inverse in odd quarters.
    Reduced reduced = reduce(x, Period::half_pi);
    Tensor size = float_of(bitwise(reduced.rest, nl::bitwise_and, kMagnitudeBits));
    Tensor sine = activate(nl::sin, reduced.rest);
    Tensor cosine = activate(nl::sin, size, -1.0f, 0x1.921fb6p0f);
    Tensor odd = bitwise(reduced.turns, nl::bitwise_and, 1).view(DType::uint32);
    Tensor numerator = cast(sine, DType::float32), denominator = cosine;
    nisa::tensor_copy_predicated(numerator, cosine, odd);
    nisa::tensor_copy_predicated(denominator, sine, odd);
    nisa::reciprocal(denominator, denominator);
    Tensor quotient = pair(numerator, nl::multiply, denominator);
    Tensor flip = bitwise(reduced.turns, nl::left_shift, 31);
    nisa::tensor_tensor(bits_of(to), bits_of(quotient), flip, nl::bitwise_xor);
  };
  in_stretches(kWide, compute, dst, a);
}

} // namespace nki
