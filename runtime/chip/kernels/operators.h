// The math operators, on single elements and on short vectors alike.
//
// Each is a function object without state, so that a kernel can be instantiated with its type.
#pragma once

#include "chip/assumptions.h"
#include "chip/kernels/kernels.h"
#include "chip/kernels/math.h"
#include "chip/kernels/power.h"

#include <type_traits>

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

/// f where the operator's condition holds, a lane of 1.0 or 0.0.
template <class T, class C> inline T truth(C condition) {
  T zero = T{}, one = zero + 1.0f;
  return condition ? one : zero;
}
template <class T> inline T magnitude(T a) {
  if constexpr (std::is_same_v<T, float>) {
    return math::absolute(a);
  } else {
    return __builtin_elementwise_abs(a);
  }
}
template <NanRule Rule, class T> inline T larger(T a, T b) {
  if constexpr (Rule == NanRule::propagate)
    return ((a > b) | (a != a)) ? a : b;
  else
    return ((a > b) | (b != b)) ? a : b;
}
template <NanRule Rule, class T> inline T smaller(T a, T b) {
  if constexpr (Rule == NanRule::propagate)
    return ((a < b) | (a != a)) ? a : b;
  else
    return ((a < b) | (b != b)) ? a : b;
}

/// Calls f with the operator's function object: two operands, float or a vector of float. Operators
/// of one operand ignore the second. Returns f's result, or R() where `op` is not arithmetic.
template <NanRule Rule, class R, class F> constexpr R with_float_operator(Op op, F f) {
  switch (op) {
  case Op::add:
    return f([](auto a, auto b) { return a + b; });
  case Op::subtract:
    return f([](auto a, auto b) { return a - b; });
  case Op::multiply:
    return f([](auto a, auto b) { return a * b; });
  case Op::maximum:
    return f([](auto a, auto b) { return larger<Rule>(a, b); });
  case Op::minimum:
    return f([](auto a, auto b) { return smaller<Rule>(a, b); });
  case Op::abs_max:
    return f([](auto a, auto b) { return larger<Rule>(magnitude(a), magnitude(b)); });
  case Op::abs_min:
    return f([](auto a, auto b) { return smaller<Rule>(magnitude(a), magnitude(b)); });
  case Op::equal:
    return f([](auto a, auto b) { return truth<decltype(a)>(a == b); });
  case Op::not_equal:
    return f([](auto a, auto b) { return truth<decltype(a)>(a != b); });
  case Op::greater_equal:
    return f([](auto a, auto b) { return truth<decltype(a)>(a >= b); });
  case Op::greater:
    return f([](auto a, auto b) { return truth<decltype(a)>(a > b); });
  case Op::less_equal:
    return f([](auto a, auto b) { return truth<decltype(a)>(a <= b); });
  case Op::less:
    return f([](auto a, auto b) { return truth<decltype(a)>(a < b); });
  case Op::logical_and:
    return f([](auto a, auto b) { return truth<decltype(a)>((a != 0.0f) & (b != 0.0f)); });
  case Op::logical_or:
    return f([](auto a, auto b) { return truth<decltype(a)>((a != 0.0f) | (b != 0.0f)); });
  case Op::logical_xor:
    return f([](auto a, auto b) { return truth<decltype(a)>((a != 0.0f) ^ (b != 0.0f)); });
  case Op::power:
    return f([](auto a, auto b) {
      if constexpr (std::is_same_v<decltype(a), float>) {
        return math::power(a, b);
      } else {
        for (int lane = 0; lane < int(sizeof(a) / sizeof(float)); ++lane)
          a[lane] = math::power(a[lane], b[lane]);
        return a;
      }
    });
  case Op::abs:
    return f([](auto a, auto) { return magnitude(a); });
  case Op::square:
    return f([](auto a, auto) { return a * a; });
  case Op::relu:
    return f([](auto a, auto) { return larger<Rule>(a, decltype(a){}); });
  case Op::rsqrt:
    return f([](auto a, auto) {
      if constexpr (std::is_same_v<decltype(a), float>)
        return math::rsqrt(a);
      else
        return 1.0f / __builtin_elementwise_sqrt(a);
    });
  case Op::reciprocal:
    return f([](auto a, auto) { return 1.0f / a; });
  case Op::bypass:
    return f([](auto a, auto) { return a; });
  default:
    return R();
  }
}

template <bool LargeIsZero, class R, class F> constexpr R with_bits_operator(Op op, F f) {
  switch (op) {
  case Op::invert:
    return f([](uint32_t a, uint32_t) { return ~a; });
  case Op::bitwise_and:
    return f([](uint32_t a, uint32_t b) { return a & b; });
  case Op::bitwise_or:
    return f([](uint32_t a, uint32_t b) { return a | b; });
  case Op::bitwise_xor:
    return f([](uint32_t a, uint32_t b) { return a ^ b; });
  case Op::left_shift:
    return f([](uint32_t a, uint32_t b) { return LargeIsZero && b > 31 ? 0u : a << (b & 31); });
  case Op::right_shift:
    return f([](uint32_t a, uint32_t b) { return LargeIsZero && b > 31 ? 0u : a >> (b & 31); });
  default:
    return R();
  }
}

template <bool Signed> using Integer = std::conditional_t<Signed, int32_t, uint32_t>;
/// Holds the values of both operands; narrow where it can be, which is faster.
template <bool A, bool B> using Common = std::conditional_t<A == B, Integer<A>, int64_t>;

/// What does not fit the result is dropped, or clamped to its type.
template <bool Saturate, bool ResultSigned> inline uint32_t narrowed(int64_t value) {
  if constexpr (Saturate) {
    constexpr int64_t low = ResultSigned ? INT32_MIN : 0;
    constexpr int64_t high = ResultSigned ? INT32_MAX : UINT32_MAX;
    value = value > high ? high : value;
    value = value < low ? low : value;
  }
  return uint32_t(value);
}

/// 32-bit integers with the signedness of operands A, B and result R.
template <bool A, bool B, bool R, bool Saturate, class Result, class F>
constexpr Result with_integer_operator(Op op, F f) {
  using C = Common<A, B>;
  using IA = Integer<A>;
  using IB = Integer<B>;
  switch (op) {
  case Op::add:
    return f([](uint32_t a, uint32_t b) {
      if constexpr (Saturate)
        return narrowed<true, R>(int64_t(IA(a)) + int64_t(IB(b)));
      else
        return a + b;
    });
  case Op::subtract:
    return f([](uint32_t a, uint32_t b) {
      if constexpr (Saturate)
        return narrowed<true, R>(int64_t(IA(a)) - int64_t(IB(b)));
      else
        return a - b;
    });
  case Op::multiply:
    return f([](uint32_t a, uint32_t b) {
      if constexpr (!Saturate)
        return a * b;
      else if constexpr (A || B)
        return narrowed<true, R>(int64_t(IA(a)) * int64_t(IB(b)));
      else // may exceed int64
        return narrowed<true, R>(int64_t((uint64_t(a) * b) >> 1 > uint64_t(INT32_MAX) * 4
                                             ? uint64_t(INT64_MAX)
                                             : uint64_t(a) * b));
    });
  case Op::maximum:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) > C(IB(b)) ? a : b); });
  case Op::minimum:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) < C(IB(b)) ? a : b); });
  case Op::abs_max:
    return f([](uint32_t a, uint32_t b) {
      int64_t x = IA(a), y = IB(b);
      x = x < 0 ? -x : x;
      y = y < 0 ? -y : y;
      return narrowed<Saturate, R>(x > y ? x : y);
    });
  case Op::abs_min:
    return f([](uint32_t a, uint32_t b) {
      int64_t x = IA(a), y = IB(b);
      x = x < 0 ? -x : x;
      y = y < 0 ? -y : y;
      return narrowed<Saturate, R>(x < y ? x : y);
    });
  case Op::equal:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) == C(IB(b))); });
  case Op::not_equal:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) != C(IB(b))); });
  case Op::greater_equal:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) >= C(IB(b))); });
  case Op::greater:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) > C(IB(b))); });
  case Op::less_equal:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) <= C(IB(b))); });
  case Op::less:
    return f([](uint32_t a, uint32_t b) { return uint32_t(C(IA(a)) < C(IB(b))); });
  case Op::logical_and:
    return f([](uint32_t a, uint32_t b) { return uint32_t((a != 0) & (b != 0)); });
  case Op::logical_or:
    return f([](uint32_t a, uint32_t b) { return uint32_t((a | b) != 0); });
  case Op::logical_xor:
    return f([](uint32_t a, uint32_t b) { return uint32_t((a != 0) ^ (b != 0)); });
  default:
    return Result();
  }
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
