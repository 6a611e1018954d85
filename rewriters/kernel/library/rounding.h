// Float operations that round down, up or towards zero, computed with integers: exact numbers of 64
// bits with what lies below them jammed into the last bit, rounded once at the end.
#pragma once
#include "definitions.h"

namespace {

enum Mode { down, up, to_zero };

/// A number significand * 2^exponent * (-1)^sign that is not zero unless its significand is; the
/// last bit of the significand is also set where anything below it is not zero.
struct Exact {
  uint32_t sign; ///< 0 or 1
  int exponent;
  uint64_t significand;
};

constexpr uint32_t infinity = 0x7f800000u;

INLINE uint32_t size_of(float x) { return bits_of(x) & 0x7fffffffu; }
INLINE bool is_finite(float x) { return size_of(x) < infinity; }

/// The number that a finite float is. Structs are results through references: a value of several
/// parts in a register is nothing that a kernel has.
INLINE void set_exact(Exact &number, float x) {
  const uint32_t bits = size_of(x), biased = bits >> 23;
  const uint32_t fraction = bits & 0x007fffffu;
  number.sign = bits_of(x) >> 31;
  number.exponent = (biased ? (int)biased : 1) - 150;
  number.significand = biased ? fraction | 0x00800000u : fraction;
}

/// n places to the right, 0 <= n; what falls out is jammed.
INLINE uint64_t shift_right(uint64_t x, int n) {
  if (n > 63)
    return x != 0;
  const uint64_t rest = x & (((uint64_t)1 << n) - 1);
  return x >> n | (rest != 0);
}

/// The highest bit of the significand at bit 62.
INLINE void normalise(Exact &x) {
  const int shift = (x.significand ? __builtin_clzll(x.significand) : 1) - 1;
  if (shift < 0) {
    x.significand = shift_right(x.significand, 1);
    x.exponent += 1;
  } else {
    x.significand <<= shift;
    x.exponent -= shift;
  }
}

/// Does `mode` take a number of this sign away from zero?
INLINE bool is_outward(Mode mode, uint32_t sign) {
  return mode == up ? !sign : mode == down && sign;
}

INLINE float rounded(Mode mode, Exact x) {
  if (x.significand == 0)
    return float_of(x.sign << 31);
  normalise(x);
  // The float has 24 bits, the last one at 2^-149 or above: bits of the significand to drop.
  const int least = x.exponent + 39 < -149 ? -149 : x.exponent + 39;
  const int drop = least - x.exponent;
  const uint32_t bits = drop > 63 ? 0 : (uint32_t)(x.significand >> drop);
  const bool inexact = drop > 63 || (x.significand & (((uint64_t)1 << drop) - 1)) != 0;
  // A float as a number: the exponent above the fraction, whose highest bit counts as one. A carry
  // out of the fraction is right.
  const uint32_t biased = (uint32_t)(least + 149);
  uint32_t result = (biased << 23) + bits;
  const bool outward = is_outward(mode, x.sign);
  if (least > 104) // beyond the largest float
    result = outward ? infinity : infinity - 1;
  else if (inexact && outward)
    ++result;
  return float_of(result | x.sign << 31);
}

/// The sum; where it is exactly zero and its numbers are not of one sign, it is -0 only when
/// rounded down.
INLINE float sum(Mode mode, Exact a, Exact b) {
  if (a.significand == 0 && b.significand == 0)
    return float_of((a.sign == b.sign ? a.sign : mode == down) << 31);
  normalise(a);
  normalise(b);
  if (a.significand == 0)
    return rounded(mode, b);
  if (b.significand == 0)
    return rounded(mode, a);
  if (a.exponent < b.exponent) {
    const Exact larger = b;
    b = a;
    a = larger;
  }
  // One bit of room for the sum.
  const uint64_t x = a.significand >> 1 | (a.significand & 1);
  const uint64_t y = shift_right(b.significand, a.exponent - b.exponent + 1);
  Exact result = {a.sign, a.exponent + 1, 0};
  if (a.sign == b.sign) {
    result.significand = x + y;
  } else if (x == y) {
    result.sign = mode == down;
  } else {
    result.significand = x > y ? x - y : y - x;
    result.sign = x > y ? a.sign : b.sign;
  }
  return rounded(mode, result);
}

INLINE float add(Mode mode, float a, float b) {
  if (!is_finite(a) || !is_finite(b))
    return a + b;
  Exact x, y;
  set_exact(x, a);
  set_exact(y, b);
  return sum(mode, x, y);
}

INLINE void set_product(Exact &number, float a, float b) {
  Exact factor;
  set_exact(number, a);
  set_exact(factor, b);
  number.sign ^= factor.sign;
  number.exponent += factor.exponent;
  number.significand *= factor.significand;
}

INLINE float multiply(Mode mode, float a, float b) {
  if (!is_finite(a) || !is_finite(b))
    return a * b;
  Exact number;
  set_product(number, a, b);
  return rounded(mode, number);
}

INLINE float multiply_add(Mode mode, float a, float b, float c) {
  if (!is_finite(a) || !is_finite(b))
    return a * b + c;
  if (!is_finite(c))
    return c;
  Exact number, summand;
  set_product(number, a, b);
  set_exact(summand, c);
  return sum(mode, number, summand);
}

/// a / b and the square root: digit by digit, one bit a round, and one that says that there is
/// more.
INLINE float divide(Mode mode, float a, float b) {
  const uint32_t sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
  const uint32_t x = size_of(a), y = size_of(b);
  if (x > infinity || y > infinity || (x == infinity && y == infinity) || (x == 0 && y == 0))
    return float_of(0x7fffffffu);
  if (x == infinity || y == 0)
    return float_of(sign | infinity);
  if (x == 0 || y == infinity)
    return float_of(sign);
  Exact dividend, divisor;
  set_exact(dividend, a);
  set_exact(divisor, b);
  normalise(dividend);
  normalise(divisor);
  uint32_t rest = (uint32_t)(dividend.significand >> 39),
           by = (uint32_t)(divisor.significand >> 39);
  uint32_t quotient = 0;
  for (int i = 0; i < 27; ++i) {
    const uint32_t digit = rest >= by;
    quotient = quotient << 1 | digit;
    rest = (rest - (digit ? by : 0)) << 1;
  }
  return rounded(mode, {sign >> 31, dividend.exponent - divisor.exponent - 27,
                        (uint64_t)quotient << 1 | (rest != 0)});
}

INLINE float square_root(Mode mode, float a) {
  const uint32_t size = size_of(a);
  if (size == 0 || bits_of(a) == infinity)
    return a;
  if (size > infinity || bits_of(a) >> 31)
    return float_of(0x7fffffffu);
  Exact x;
  set_exact(x, a);
  normalise(x);
  // 24 bits at the top of 54, with an even exponent below them.
  const int low = x.exponent + 9; // 53 bits: the exponent of the last one
  const uint64_t number = x.significand >> 9 << (low & 1);
  uint64_t rest = 0;
  uint32_t root = 0;
  for (int i = 27; i >= 0; --i) {
    rest = rest << 2 | (number >> 2 * i & 3);
    const uint64_t test = (uint64_t)root << 2 | 1;
    const uint32_t digit = rest >= test;
    rest -= digit ? test : 0;
    root = root << 1 | digit;
  }
  return rounded(mode, {0, (low - (low & 1)) / 2 - 1, (uint64_t)root << 1 | (rest != 0)});
}

INLINE float of_integer(Mode mode, uint32_t sign, uint64_t size) {
  return rounded(mode, {sign, 0, size});
}

INLINE float of_double(Mode mode, double a) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, a);
  const uint64_t fraction = bits & 0xfffffffffffffull;
  const uint32_t sign = (uint32_t)(bits >> 63), biased = (uint32_t)(bits >> 52) & 0x7ffu;
  if (biased == 0x7ff)
    return float_of(fraction ? 0x7fffffffu : sign << 31 | infinity);
  return rounded(mode, {sign, (biased ? (int)biased : 1) - 1075,
                        biased ? fraction | 0x10000000000000ull : fraction});
}

} // namespace

#define ROUNDED(ending, mode)                                                                      \
  LIBRARY float __nv_fadd_##ending(float a, float b) { return add(mode, a, b); }                   \
  LIBRARY float __nv_fsub_##ending(float a, float b) { return add(mode, a, -b); }                  \
  LIBRARY float __nv_fmul_##ending(float a, float b) { return multiply(mode, a, b); }              \
  LIBRARY float __nv_fdiv_##ending(float a, float b) { return divide(mode, a, b); }                \
  LIBRARY float __nv_frcp_##ending(float a) { return divide(mode, 1.0f, a); }                      \
  LIBRARY float __nv_fsqrt_##ending(float a) { return square_root(mode, a); }                      \
  LIBRARY float __nv_fmaf_##ending(float a, float b, float c) {                                    \
    return multiply_add(mode, a, b, c);                                                            \
  }                                                                                                \
  LIBRARY float __nv_fmaf_ieee_##ending(float a, float b, float c) {                               \
    return multiply_add(mode, a, b, c);                                                            \
  }                                                                                                \
  LIBRARY float __nv_int2float_##ending(int a) {                                                   \
    return of_integer(mode, a < 0, a < 0 ? 0u - (uint32_t)a : (uint32_t)a);                        \
  }                                                                                                \
  LIBRARY float __nv_uint2float_##ending(uint32_t a) { return of_integer(mode, 0, a); }            \
  LIBRARY float __nv_ll2float_##ending(int64_t a) {                                                \
    return of_integer(mode, a < 0, a < 0 ? 0ull - (uint64_t)a : (uint64_t)a);                      \
  }                                                                                                \
  LIBRARY float __nv_ull2float_##ending(uint64_t a) { return of_integer(mode, 0, a); }             \
  LIBRARY float __nv_double2float_##ending(double a) { return of_double(mode, a); }
ROUNDED(rd, down)
ROUNDED(ru, up)
ROUNDED(rz, to_zero)
#undef ROUNDED
