#include "chip/isa/alu.h"

#include "chip/math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace nki::chip {

namespace {

// ---- arithmetic on fp32
// ---------------------------------------------------------------------------

template <NanRule Rule> float max_of(float a, float b) {
  if constexpr (Rule == NanRule::propagate)
    return a > b || a != a ? a : b;
  else
    return a > b || b != b ? a : b;
}
template <NanRule Rule> float min_of(float a, float b) {
  if constexpr (Rule == NanRule::propagate)
    return a < b || a != a ? a : b;
  else
    return a < b || b != b ? a : b;
}

template <NanRule Rule, class F> decltype(auto) with_float_op(Op op, F &&f) {
  switch (op) {
  case Op::add:
    return f([](float a, float b) { return a + b; });
  case Op::subtract:
    return f([](float a, float b) { return a - b; });
  case Op::multiply:
    return f([](float a, float b) { return a * b; });
  case Op::maximum:
    return f([](float a, float b) { return max_of<Rule>(a, b); });
  case Op::minimum:
    return f([](float a, float b) { return min_of<Rule>(a, b); });
  case Op::abs_max:
    return f([](float a, float b) { return max_of<Rule>(std::fabs(a), std::fabs(b)); });
  case Op::abs_min:
    return f([](float a, float b) { return min_of<Rule>(std::fabs(a), std::fabs(b)); });
  case Op::equal:
    return f([](float a, float b) { return a == b ? 1.0f : 0.0f; });
  case Op::not_equal:
    return f([](float a, float b) { return a != b ? 1.0f : 0.0f; });
  case Op::greater_equal:
    return f([](float a, float b) { return a >= b ? 1.0f : 0.0f; });
  case Op::greater:
    return f([](float a, float b) { return a > b ? 1.0f : 0.0f; });
  case Op::less_equal:
    return f([](float a, float b) { return a <= b ? 1.0f : 0.0f; });
  case Op::less:
    return f([](float a, float b) { return a < b ? 1.0f : 0.0f; });
  case Op::logical_and:
    return f([](float a, float b) { return ((a != 0.0f) & (b != 0.0f)) ? 1.0f : 0.0f; });
  case Op::logical_or:
    return f([](float a, float b) { return ((a != 0.0f) | (b != 0.0f)) ? 1.0f : 0.0f; });
  case Op::logical_xor:
    return f([](float a, float b) { return (a != 0.0f) != (b != 0.0f) ? 1.0f : 0.0f; });
  case Op::power:
    return f([](float a, float b) { return math::power(a, b); });
  // One operand: b is not looked at.
  case Op::abs:
    return f([](float a, float) { return std::fabs(a); });
  case Op::square:
    return f([](float a, float) { return a * a; });
  case Op::relu:
    return f([](float a, float) { return max_of<Rule>(a, 0.0f); });
  case Op::rsqrt:
    return f([](float a, float) { return math::rsqrt(a); });
  case Op::reciprocal:
    return f([](float a, float) { return 1.0f / a; });
  default: // bypass
    return f([](float a, float) { return a; });
  }
}

// ---- bit patterns
// ---------------------------------------------------------------------------------

template <bool LargeIsZero> uint32_t shift_left(uint32_t a, uint32_t b) {
  uint32_t shifted = a << (b & 31);
  return LargeIsZero && b > 31 ? 0 : shifted;
}
template <bool LargeIsZero> uint32_t shift_right(uint32_t a, uint32_t b) {
  uint32_t shifted = a >> (b & 31);
  return LargeIsZero && b > 31 ? 0 : shifted;
}

template <bool LargeIsZero, class F> decltype(auto) with_bits_op(Op op, F &&f) {
  switch (op) {
  case Op::bitwise_and:
    return f([](uint32_t a, uint32_t b) { return a & b; });
  case Op::bitwise_or:
    return f([](uint32_t a, uint32_t b) { return a | b; });
  case Op::bitwise_xor:
    return f([](uint32_t a, uint32_t b) { return a ^ b; });
  case Op::left_shift:
    return f([](uint32_t a, uint32_t b) { return shift_left<LargeIsZero>(a, b); });
  case Op::right_shift:
    return f([](uint32_t a, uint32_t b) { return shift_right<LargeIsZero>(a, b); });
  default: // invert
    return f([](uint32_t a, uint32_t) { return ~a; });
  }
}

// ---- 32-bit integers
// ------------------------------------------------------------------------------

template <bool Signed> using Integer = std::conditional_t<Signed, int32_t, uint32_t>;
/// A type that holds the values of both operands; narrow where it can be, which is faster.
template <bool A, bool B> using Common = std::conditional_t<A == B, Integer<A>, int64_t>;

/// What does not fit is dropped, or clamped to the result's type.
template <bool Saturate, bool ResultSigned> uint32_t narrow(int64_t value) {
  if constexpr (Saturate)
    value = std::clamp<int64_t>(value, std::numeric_limits<Integer<ResultSigned>>::min(),
                                std::numeric_limits<Integer<ResultSigned>>::max());
  return uint32_t(value);
}

/// G on 64-bit values, the result narrowed.
template <bool A, bool B, bool R, bool Saturate, class G> struct Wide {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return narrow<Saturate, R>(G()(int64_t(Integer<A>(a)), int64_t(Integer<B>(b))));
  }
};
/// G on the operands' common type.
template <bool A, bool B, class G> struct InCommon {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return uint32_t(G()(Common<A, B>(Integer<A>(a)), Common<A, B>(Integer<B>(b))));
  }
};

template <bool A, bool B, bool R, bool Saturate, class F>
decltype(auto) with_integer_op(Op op, F &&f) {
  using C = Common<A, B>;
  auto wide = [](auto g) { return Wide<A, B, R, Saturate, decltype(g)>(); };
  auto common = [](auto g) { return InCommon<A, B, decltype(g)>(); };
  switch (op) {
  case Op::add:
    if constexpr (Saturate)
      return f(wide([](int64_t a, int64_t b) { return a + b; }));
    else
      return f([](uint32_t a, uint32_t b) { return a + b; });
  case Op::subtract:
    if constexpr (Saturate)
      return f(wide([](int64_t a, int64_t b) { return a - b; }));
    else
      return f([](uint32_t a, uint32_t b) { return a - b; });
  case Op::multiply:
    if constexpr (Saturate)
      return f(wide([](int64_t a, int64_t b) {
        int64_t product = 0; // of two uint32 values it may exceed int64
        return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max()
                                                      : product;
      }));
    else
      return f([](uint32_t a, uint32_t b) { return a * b; });
  case Op::maximum:
    return f(common([](C a, C b) { return a > b ? a : b; }));
  case Op::minimum:
    return f(common([](C a, C b) { return a < b ? a : b; }));
  case Op::equal:
    return f(common([](C a, C b) { return a == b; }));
  case Op::not_equal:
    return f(common([](C a, C b) { return a != b; }));
  case Op::greater_equal:
    return f(common([](C a, C b) { return a >= b; }));
  case Op::greater:
    return f(common([](C a, C b) { return a > b; }));
  case Op::less_equal:
    return f(common([](C a, C b) { return a <= b; }));
  case Op::less:
    return f(common([](C a, C b) { return a < b; }));
  case Op::logical_and:
    return f([](uint32_t a, uint32_t b) { return uint32_t((a != 0) & (b != 0)); });
  case Op::logical_or:
    return f([](uint32_t a, uint32_t b) { return uint32_t((a | b) != 0); });
  case Op::logical_xor:
    return f([](uint32_t a, uint32_t b) { return uint32_t((a != 0) != (b != 0)); });
  case Op::abs_max:
    return f(wide([](int64_t a, int64_t b) { return std::max(std::abs(a), std::abs(b)); }));
  default: // abs_min
    return f(wide([](int64_t a, int64_t b) { return std::min(std::abs(a), std::abs(b)); }));
  }
}

// ---- runs
// -----------------------------------------------------------------------------------------

// The lambdas above have no state, so a run can make its own.
template <class T, class G> void binary_run(T *out, const T *a, const T *b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = G()(a[i], b[i]);
}
template <class T, class G> void scalar_run(T *out, const T *a, T b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = G()(a[i], b);
}
template <class T, class G> void reverse_scalar_run(T *out, const T *a, T b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = G()(b, a[i]);
}

template <class F> decltype(auto) with_float_op(Op op, const ChipAssumptions &assumptions, F &&f) {
  if (assumptions.nan_in_min_max == NanRule::propagate)
    return with_float_op<NanRule::propagate>(op, f);
  return with_float_op<NanRule::number>(op, f);
}

template <class F> decltype(auto) with_bits_op(Op op, const ChipAssumptions &assumptions, F &&f) {
  if (assumptions.large_shift_is_zero)
    return with_bits_op<true>(op, f);
  return with_bits_op<false>(op, f);
}

template <bool A, bool B, bool R>
BitsBinary integer_binary(Op op, const ChipAssumptions &assumptions) {
  auto pick = [](auto g) -> BitsBinary { return binary_run<uint32_t, decltype(g)>; };
  if (assumptions.integer_overflow == OverflowRule::saturate)
    return with_integer_op<A, B, R, true>(op, pick);
  return with_integer_op<A, B, R, false>(op, pick);
}

} // namespace

bool is_bitvec(Op op) { return op >= Op::invert && op <= Op::right_shift; }
bool is_arithmetic_binary(Op op) { return op >= Op::add && op <= Op::abs_min; }
bool is_arithmetic_unary(Op op) { return op >= Op::abs && op <= Op::reciprocal; }
bool is_comparison(Op op) { return op >= Op::equal && op <= Op::less; }

bool is_reduction(Op op) {
  switch (op) {
  case Op::bitwise_and:
  case Op::bitwise_or:
  case Op::bitwise_xor:
  case Op::add:
  case Op::subtract:
  case Op::multiply:
  case Op::maximum:
  case Op::minimum:
  case Op::logical_and:
  case Op::logical_or:
  case Op::logical_xor:
    return true;
  default:
    return false;
  }
}

bool is_commutative(Op op) {
  return op != Op::subtract && op != Op::power && op != Op::left_shift && op != Op::right_shift &&
         !(op >= Op::greater_equal && op <= Op::less);
}

FloatBinary float_binary(Op op, const ChipAssumptions &assumptions) {
  return with_float_op(op, assumptions,
                       [](auto g) -> FloatBinary { return binary_run<float, decltype(g)>; });
}

FloatScalar float_scalar(Op op, bool reverse, const ChipAssumptions &assumptions) {
  return with_float_op(op, assumptions, [&](auto g) -> FloatScalar {
    return reverse && !is_arithmetic_unary(op) ? reverse_scalar_run<float, decltype(g)>
                                               : scalar_run<float, decltype(g)>;
  });
}

BitsBinary bits_binary(Op op, const ChipAssumptions &assumptions) {
  return with_bits_op(op, assumptions,
                      [](auto g) -> BitsBinary { return binary_run<uint32_t, decltype(g)>; });
}

BitsScalar bits_scalar(Op op, bool reverse, const ChipAssumptions &assumptions) {
  return with_bits_op(op, assumptions, [&](auto g) -> BitsScalar {
    return reverse && op != Op::invert ? reverse_scalar_run<uint32_t, decltype(g)>
                                       : scalar_run<uint32_t, decltype(g)>;
  });
}

BitsBinary integer_binary(Op op, bool a_signed, bool b_signed, bool result_signed,
                          const ChipAssumptions &assumptions) {
  if (is_bitvec(op))
    return bits_binary(op, assumptions);
  bool r = result_signed;
  if (a_signed && b_signed)
    return r ? integer_binary<true, true, true>(op, assumptions)
             : integer_binary<true, true, false>(op, assumptions);
  if (a_signed)
    return r ? integer_binary<true, false, true>(op, assumptions)
             : integer_binary<true, false, false>(op, assumptions);
  if (b_signed)
    return r ? integer_binary<false, true, true>(op, assumptions)
             : integer_binary<false, true, false>(op, assumptions);
  return r ? integer_binary<false, false, true>(op, assumptions)
           : integer_binary<false, false, false>(op, assumptions);
}

float apply_float(Op op, float a, float b, const ChipAssumptions &assumptions) {
  return with_float_op(op, assumptions, [&](auto g) { return g(a, b); });
}

float reduction_identity(Op op) {
  switch (op) {
  case Op::multiply:
  case Op::logical_and:
    return 1.0f;
  case Op::maximum:
    return -std::numeric_limits<float>::infinity();
  case Op::minimum:
    return std::numeric_limits<float>::infinity();
  default:
    return 0.0f;
  }
}

} // namespace nki::chip
