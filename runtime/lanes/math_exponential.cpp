// Exponentials and the functions that ScalarE evaluates over all floats.
#include "lanes/math_tiles.h"

namespace nki {

using namespace math;

void exp(const Tensor &dst, const Tensor &a) { activate_into(dst, nl::exp, a); }
void tanh(const Tensor &dst, const Tensor &a) { activate_into(dst, nl::tanh, a); }
void erf(const Tensor &dst, const Tensor &a) { activate_into(dst, nl::erf, a); }

// exp2 and exp10 are base^x = 2^n * exp(r) with n the nearest integer to x * log2(base), so that no
// error is multiplied by the size of x, and so that exp2 of an integer is exact. n stays within
// [-126, 127], where 2^n is a normal number; what that leaves over goes into r, where exp copes
// with it: results overflow and become subnormal in the last multiplication only.

void exp2(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    Tensor n = scalar(x, nl::maximum, -126.0f, nl::minimum, 127.0f, DType::int32);
    Tensor r = pair(x, nl::subtract, n);
    Tensor mantissa = activate(nl::exp, r, kLn2);
    nisa::tensor_tensor(to, mantissa, power_of_two(n), nl::multiply);
  };
  in_stretches(kWide, compute, dst, a);
}

void exp10(const Tensor &dst, const Tensor &a) {
  constexpr float kLog2Of10 = 0x1.a934fp1f;
  // log10(2) in two parts; the first has 12 bits, so its product with n is exact.
  constexpr float kHigh = 0x1.344p-2f, kLow = 0x1.3509f8p-18f, kLn10 = 0x1.26bb1cp1f;
  auto compute = [](const Tensor &to, const Tensor &x) {
    Tensor scaled = scalar(x, nl::multiply, kLog2Of10, nl::maximum, -126.0f);
    Tensor n = scalar(scaled, nl::minimum, 127.0f, DType::int32);
    Tensor r = combine(n, nl::multiply, -kHigh, nl::add, x);
    r = combine(n, nl::multiply, -kLow, nl::add, r);
    Tensor mantissa = activate(nl::exp, r, kLn10);
    nisa::tensor_tensor(to, mantissa, power_of_two(n), nl::multiply);
  };
  in_stretches(kWide, compute, dst, a);
}

void expm1(const Tensor &dst, const Tensor &a) {
  auto compute = [](const Tensor &to, const Tensor &x) {
    // e^x - 1 = (e^x + 1) tanh(x / 2): nothing cancels.
    Tensor half = activate(nl::tanh, x, 0.5f);
    Tensor power = activate(nl::exp, x);
    nisa::scalar_tensor_tensor(to, power, nl::add, 1.0f, nl::multiply, half);
  };
  in_stretches(kWide, compute, dst, a);
}

} // namespace nki
