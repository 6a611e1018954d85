// Arithmetic of doubles as pairs of floats, for --fp64=df32: high + low, where `high` is the float
// nearest to the sum. The algorithms are those of Joldes, Muller and Popescu, "Tight and rigorous
// error bounds for basic building blocks of double-word arithmetic" (2017), whose names stand
// beside them; u is 2^-24. A pair that is no finite number has `low` zero.
//
// Nothing here is changed by rounding modes or reassociation: kernels compute float operations as
// they are written.
#pragma once
#include "definitions.h"

extern "C" {
float __nv_fabsf(float);
float __nv_fminf(float, float);
float __nv_fmaxf(float, float);
float __nv_sqrtf(float);
float __nv_floorf(float);
float __nv_ceilf(float);
float __nv_truncf(float);
float __nv_rintf(float);
}

typedef float Pair __attribute__((vector_size(8)));

namespace {

constexpr float most = 3.40282347e38f; ///< the largest float

/// One of two values, both of them computed: a choice in place of a branch.
template <class T> INLINE T pick(bool condition, T a, T b) { return condition ? a : b; }

/// Does `low` add to `high`? Not if it is zero, where `high` may be the other zero, and not if it
/// is no number, as it is beside a `high` that is none or too large.
INLINE bool counts(float low) {
  const float size = __nv_fabsf(low);
  const bool above = size > 0.0f, below = size <= most;
  return above && below;
}
/// high + low, where low is not larger than high (Fast2Sum).
INLINE Pair settled(float high, float low) {
  const bool any = counts(low);
  const float sum = pick(any, high + low, high), rest = low - (sum - high);
  const bool finite = __nv_fabsf(sum) <= most;
  return Pair{sum, pick(any && finite, rest, 0.0f)};
}
INLINE Pair pair_of(float x) { return Pair{x, 0.0f}; }

/// What a + b lacks of the sum (2Sum, Knuth).
INLINE float sum_error(float a, float b, float sum) {
  const float b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}
/// The upper 12 bits of a float; what is left has 12 too, and neither step can overflow.
INLINE float upper(float x) { return float_of(bits_of(x) & 0xfffff000u); }
/// What a * b lacks of the product (2Prod, with Dekker's products of halves).
INLINE float error_of_product(float a, float b, float product) {
  const float a_high = upper(a), a_low = a - a_high, b_high = upper(b), b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

/// Within 3 u^2 (AccurateDWPlusDW).
INLINE Pair add(Pair a, Pair b) {
  const float high = a[0] + b[0], high_rest = sum_error(a[0], b[0], high);
  const float low = a[1] + b[1], low_rest = sum_error(a[1], b[1], low);
  const float middle = high_rest + low;
  const bool any = counts(middle);
  const float sum = pick(any, high + middle, high);
  return settled(sum, low_rest + pick(any, middle - (sum - high), 0.0f));
}
/// Within 2 u^2 (DWPlusFP).
INLINE Pair add(Pair a, float b) {
  const float high = a[0] + b;
  return settled(high, sum_error(a[0], b, high) + a[1]);
}
/// Within 5 u^2 (DWTimesDW1; Muller and Rideau, 2022).
INLINE Pair multiply(Pair a, Pair b) {
  const float product = a[0] * b[0];
  return settled(product, error_of_product(a[0], b[0], product) + (a[0] * b[1] + a[1] * b[0]));
}
/// Within 3 u^2 (DWTimesFP2).
INLINE Pair multiply(Pair a, float b) {
  const float product = a[0] * b;
  return settled(product, error_of_product(a[0], b, product) + a[1] * b);
}
/// Both halves times a power of two.
INLINE Pair scaled(Pair a, float power) { return a * Pair{power, power}; }
INLINE Pair negated(Pair a) { return -a; }
INLINE Pair square(Pair a) { return multiply(a, a); }

INLINE bool is_less(Pair a, Pair b) {
  const bool equal = a[0] == b[0], high = a[0] < b[0], low = a[1] < b[1];
  return equal ? low : high;
}
INLINE Pair chosen(bool condition, Pair a, Pair b) {
  return Pair{pick(condition, a[0], b[0]), pick(condition, a[1], b[1])};
}
INLINE bool is_finite_pair(Pair a) { return __nv_fabsf(a[0]) <= most; }
/// With the sign that the bit says, exactly.
INLINE Pair with_flipped(Pair a, uint32_t sign) {
  return Pair{float_of(bits_of(a[0]) ^ sign), float_of(bits_of(a[1]) ^ sign)};
}
INLINE uint32_t sign_of(float x) { return bits_of(x) & 0x80000000u; }
INLINE Pair absolute(Pair a) { return with_flipped(a, sign_of(a[0])); }

/// 2^n, -126 <= n <= 127.
INLINE float power_of_two(int n) { return float_of((uint32_t)(n + 127) << 23); }
/// a * 2^n, -250 <= n <= 250; two steps, since one factor would be no float.
INLINE Pair times_power(Pair a, int n) {
  const int half = n >> 1;
  return scaled(scaled(a, power_of_two(half)), power_of_two(n - half));
}
/// The exponent of a normal float: 1 <= |x| / 2^n < 2.
INLINE int exponent_of(float x) { return (int)(bits_of(x) >> 23 & 255u) - 127; }

/// a / b by long division in three steps, each from what the one before left. Both are brought near
/// one first, since what is left must not fall below the floats.
INLINE Pair divide(Pair a, Pair b) {
  const float simple = a[0] / b[0];
  // Where there is nothing to be gained: zeros, numbers that are none, results that are none.
  const bool a_zero = a[0] == 0.0f, b_zero = b[0] == 0.0f;
  const bool a_finite = is_finite_pair(a), b_finite = is_finite_pair(b);
  const bool plain = a_zero || b_zero || !a_finite || !b_finite;
  // Subnormal numbers have no exponent of their own.
  const bool a_small = __nv_fabsf(a[0]) < 1.17549435e-38f,
             b_small = __nv_fabsf(b[0]) < 1.17549435e-38f;
  const Pair a_normal = scaled(a, a_small ? 16777216.0f : 1.0f);
  const Pair b_normal = scaled(b, b_small ? 16777216.0f : 1.0f);
  const int a_exponent = exponent_of(a_normal[0]), b_exponent = exponent_of(b_normal[0]);
  const Pair x = times_power(a_normal, -a_exponent), y = times_power(b_normal, -b_exponent);
  const float first = x[0] / y[0];
  const Pair rest = add(x, multiply(y, -first));
  const float second = rest[0] / y[0];
  const Pair last = add(rest, multiply(y, -second));
  const float high = first + second;
  const Pair quotient = settled(high, (second - (high - first)) + last[0] / y[0]);
  const int exponent = a_exponent - b_exponent - (a_small ? 24 : 0) + (b_small ? 24 : 0);
  // Numbers of 2^150 and more are none here, and 2^-200 and less are zero.
  const int limited = exponent > 150 ? 150 : exponent < -200 ? -200 : exponent;
  const Pair result = times_power(quotient, limited);
  return chosen(plain, pair_of(simple), settled(result[0], result[1]));
}

/// The square root by two of Newton's steps from the float's.
INLINE Pair square_root(Pair a) {
  const bool positive = a[0] > 0.0f, finite = is_finite_pair(a), plain = !(positive && finite);
  // By an even power of two to between 1/2 and 4.
  const bool is_small = __nv_fabsf(a[0]) < 1.17549435e-38f;
  const Pair normal = scaled(a, is_small ? 16777216.0f : 1.0f);
  const int half = exponent_of(normal[0]) >> 1;
  const Pair x = times_power(normal, -2 * half);
  const float root = __nv_sqrtf(x[0]), inverse = 0.5f / root;
  const float square = root * root;
  const Pair rest = add(x, Pair{-square, -error_of_product(root, root, square)});
  const float step = rest[0] * inverse;
  const float high = root + step;
  const Pair near = {high, step - (high - root)};
  const Pair last = add(x, negated(multiply(near, near)));
  const Pair result = settled(near[0], near[1] + last[0] * inverse);
  return chosen(plain, pair_of(__nv_sqrtf(a[0])), times_power(result, half - (is_small ? 12 : 0)));
}

/// Rounded to whole numbers: where `high` is one, `low` decides.
INLINE Pair floor_of(Pair a) {
  const float whole = __nv_floorf(a[0]), rest = __nv_floorf(a[1]);
  return settled(whole, pick(whole == a[0], rest, 0.0f));
}
INLINE Pair ceiling_of(Pair a) {
  const float whole = __nv_ceilf(a[0]), rest = __nv_ceilf(a[1]);
  return settled(whole, pick(whole == a[0], rest, 0.0f));
}
INLINE Pair truncated(Pair a) {
  const uint32_t sign = sign_of(a[0]);
  return with_flipped(floor_of(with_flipped(a, sign)), sign);
}

/// To the nearest whole number. A tie of `high` is none where `low` is not zero; one of `low` lies
/// between whole numbers of which `high`, the even one, has none nearer.
INLINE Pair nearest_even(Pair a) {
  const float whole = __nv_rintf(a[0]), below = __nv_floorf(a[0]), rest = __nv_rintf(a[1]);
  const bool tie = a[0] - below == 0.5f;
  const bool above = a[1] > 0.0f, less = a[1] < 0.0f;
  const float up = pick(tie && above, below + 1.0f, whole);
  const float high = pick(tie && less, below, up);
  return settled(high, pick(high == a[0], rest, 0.0f));
}
INLINE Pair nearest_away(Pair a) {
  const uint32_t sign = sign_of(a[0]);
  const Pair size = with_flipped(a, sign), below = floor_of(size), up = add(below, 1.0f);
  const Pair fraction = add(size, negated(below));
  return with_flipped(chosen(is_less(fraction, pair_of(0.5f)), below, up), sign);
}

// ---- integers ----------------------------------------------------------------------------------

/// Exactly, from 16 bits at a time.
INLINE Pair from_words(float upper_half, uint32_t lower_half) {
  return settled(upper_half * 65536.0f, (float)(int)lower_half);
}
INLINE Pair from_int(int x) { return from_words((float)(x >> 16), (uint32_t)x & 0xffffu); }
INLINE Pair from_uint(uint32_t x) { return from_words((float)(int)(x >> 16), x & 0xffffu); }
INLINE Pair from_long(Pair upper_word, uint32_t lower_word) {
  return add(scaled(upper_word, 4294967296.0f), from_uint(lower_word));
}

/// The low word of a whole number.
INLINE uint32_t word_of(float whole) {
  const float size = __nv_fabsf(whole); // what is left of it is exact at each step
  const float modulo = size - __nv_floorf(size * 0x1p-32f) * 0x1p32f;
  const float rest = pick(modulo >= 0.0f, modulo, 0.0f); // of no number, nothing
  const float high = __nv_floorf(rest * 0x1p-16f);
  const uint32_t word = ((uint32_t)(int)high << 16) + (uint32_t)(int)(rest - high * 0x1p16f);
  return pick(whole < 0.0f, 0u - word, word);
}
INLINE uint32_t low_word(Pair whole) { return word_of(whole[0]) + word_of(whole[1]); }

/// Whole numbers as integers; beyond their range the nearest, and `none` for no number.
INLINE int to_int(Pair whole, int none) {
  const int inside = (int)low_word(whole);
  const int up = pick(is_less(whole, pair_of(0x1p31f)), inside, 0x7fffffff);
  const int down = pick(is_less(whole, pair_of(-0x1p31f)), (int)0x80000000u, up);
  return pick(whole[0] == whole[0], down, none);
}
INLINE uint32_t to_uint(Pair whole, uint32_t none) {
  const uint32_t up = pick(is_less(whole, pair_of(0x1p32f)), low_word(whole), 0xffffffffu);
  const uint32_t down = pick(whole[0] > 0.0f, up, 0u);
  return pick(whole[0] == whole[0], down, none);
}
INLINE uint64_t to_words(Pair whole) {
  const Pair above = floor_of(scaled(whole, 0x1p-32f));
  return (uint64_t)low_word(above) << 32 | low_word(whole);
}
INLINE int64_t to_long(Pair whole, int64_t none) {
  const int64_t inside = (int64_t)to_words(whole);
  const int64_t up = pick(is_less(whole, pair_of(0x1p63f)), inside, (int64_t)0x7fffffffffffffff);
  const int64_t down = pick(is_less(whole, pair_of(-0x1p63f)), (int64_t)0x8000000000000000u, up);
  return pick(whole[0] == whole[0], down, none);
}
INLINE uint64_t to_ulong(Pair whole, uint64_t none) {
  const uint64_t most_of_all = 0xffffffffffffffffu, inside = to_words(whole);
  const uint64_t up = pick(is_less(whole, pair_of(0x1p64f)), inside, most_of_all);
  const uint64_t down = pick(whole[0] > 0.0f, up, (uint64_t)0);
  return pick(whole[0] == whole[0], down, none);
}

// ---- the bits of doubles
// -------------------------------------------------------------------------

/// The pair of a double: 24 bits of its significand, and 29 more, of which the float keeps 24.
INLINE Pair from_bits(uint64_t bits) {
  const uint32_t above = (uint32_t)(bits >> 32), below = (uint32_t)bits;
  const int biased = (int)(above >> 20 & 0x7ffu);
  const uint32_t fraction = (above & 0xfffffu) << 3 | below >> 29, rest = below & 0x1fffffffu;
  const uint32_t sign = above & 0x80000000u;
  // 2^(biased - 1023) as two factors, of which the second is one unless the number is subnormal.
  const int exponent = biased - 896;
  const int first = exponent < 1 ? 1 : exponent > 254 ? 254 : exponent;
  const int second = exponent < -60 ? -61 : exponent < 1 ? exponent - 1 : 0;
  const float power = float_of((uint32_t)first << 23), small = power_of_two(second);
  const float high = float_of(0x3f800000u | fraction) * power * small;
  const float low = (float)(int)rest * 0x1p-52f * power * small;
  const bool is_large = exponent > 254;
  const bool last = biased == 2047, any = (fraction | rest) != 0u, is_none = last && any;
  const Pair finite = settled(high, low);
  const Pair size =
      chosen(is_large, pair_of(float_of(is_none ? 0x7fc00000u : 0x7f800000u)), finite);
  return with_flipped(size, sign);
}

/// The double nearest to a pair, ties to even: `high` with 29 zeros behind it, plus `low` in units
/// of the last of these. Exact where the pair is one of 53 bits.
INLINE uint64_t to_bits(Pair a) {
  const uint32_t sign = sign_of(a[0]);
  Pair size = with_flipped(a, sign);
  const bool is_number = size[0] <= most, is_zero = size[0] == 0.0f;
  const bool is_small = size[0] < 1.17549435e-38f; // subnormal: `low` is zero
  const float normal = is_small ? size[0] * 0x1p24f : size[0];
  const uint32_t bits = bits_of(normal);
  int exponent = (int)(bits >> 23) - 127;
  uint32_t significand = (bits & 0x7fffffu) | 0x800000u;
  // Below a power of two units are half as large.
  const bool is_power = significand == 0x800000u, is_less = size[1] < 0.0f;
  const bool crosses = is_power && is_less;
  significand = crosses ? 0x1000000u : significand;
  exponent = crosses ? exponent - 1 : exponent;
  const int half = exponent >> 1;
  const float units =
      size[1] * 0x1p24f * power_of_two(-half) * power_of_two(half - exponent) * 0x1p28f;
  const int64_t low = (int64_t)(int)__nv_rintf(units);
  const uint32_t biased = (uint32_t)(exponent + 1022 - (is_small ? 24 : 0));
  const uint64_t number =
      ((uint64_t)(biased << 20) << 32) + ((uint64_t)significand << 29) + (uint64_t)low;
  const uint64_t none = (uint64_t)(size[0] == size[0] ? 0x7ff00000u : 0x7ff80000u) << 32;
  const uint64_t result = pick(is_number, pick(is_zero, (uint64_t)0, number), none);
  return result | (uint64_t)sign << 32;
}

} // namespace

LIBRARY Pair neuronify_pair_from_bits(uint64_t bits) { return from_bits(bits); }
LIBRARY uint64_t neuronify_pair_to_bits(Pair a) { return to_bits(a); }
LIBRARY Pair neuronify_pair_fadd(Pair a, Pair b) { return add(a, b); }
LIBRARY Pair neuronify_pair_fsub(Pair a, Pair b) { return add(a, negated(b)); }
LIBRARY Pair neuronify_pair_fmul(Pair a, Pair b) { return multiply(a, b); }
LIBRARY Pair neuronify_pair_fdiv(Pair a, Pair b) { return divide(a, b); }
LIBRARY Pair neuronify_pair_fma(Pair a, Pair b, Pair c) { return add(multiply(a, b), c); }
LIBRARY Pair neuronify_pair_reciprocal(Pair a) { return divide(pair_of(1.0f), a); }
LIBRARY Pair neuronify_pair_sqrt(Pair a) { return square_root(a); }
LIBRARY Pair neuronify_pair_rsqrt(Pair a) { return divide(pair_of(1.0f), square_root(a)); }
LIBRARY Pair neuronify_pair_fabs(Pair a) { return absolute(a); }
LIBRARY Pair neuronify_pair_copysign(Pair a, Pair b) {
  return with_flipped(a, sign_of(a[0]) ^ sign_of(b[0]));
}
LIBRARY Pair neuronify_pair_fmin(Pair a, Pair b) {
  const float high = __nv_fminf(a[0], b[0]); // the other where one is no number
  return Pair{high, pick(a[0] == b[0], __nv_fminf(a[1], b[1]), pick(high == a[0], a[1], b[1]))};
}
LIBRARY Pair neuronify_pair_fmax(Pair a, Pair b) {
  const float high = __nv_fmaxf(a[0], b[0]);
  return Pair{high, pick(a[0] == b[0], __nv_fmaxf(a[1], b[1]), pick(high == a[0], a[1], b[1]))};
}
LIBRARY Pair neuronify_pair_floor(Pair a) { return floor_of(a); }
LIBRARY Pair neuronify_pair_ceil(Pair a) { return ceiling_of(a); }
LIBRARY Pair neuronify_pair_trunc_float(Pair a) { return truncated(a); }
LIBRARY Pair neuronify_pair_rint(Pair a) { return nearest_even(a); }
LIBRARY Pair neuronify_pair_round(Pair a) { return nearest_away(a); }
LIBRARY int neuronify_pair_isnan(Pair a) { return a[0] != a[0]; }
LIBRARY int neuronify_pair_isinf(Pair a) { return __nv_fabsf(a[0]) > most; }
LIBRARY int neuronify_pair_isfinite(Pair a) { return is_finite_pair(a); }
LIBRARY int neuronify_pair_signbit(Pair a) { return (int)(bits_of(a[0]) >> 31); }
LIBRARY Pair neuronify_pair_ldexp(Pair a, int n) {
  const int limited = n > 500 ? 500 : n < -500 ? -500 : n, half = limited >> 1;
  const Pair result = times_power(times_power(a, half), limited - half);
  return settled(result[0], result[1]);
}

// Conversions, by the name of the direction in which they round.
#define CONVERSIONS(rounding, whole)                                                               \
  LIBRARY int neuronify_pair_float_to_int##rounding(Pair a) { return to_int(whole, 0); }           \
  LIBRARY uint32_t neuronify_pair_float_to_uint##rounding(Pair a) { return to_uint(whole, 0); }    \
  LIBRARY int64_t neuronify_pair_float_to_long##rounding(Pair a) {                                 \
    return to_long(whole, (int64_t)0x8000000000000000u);                                           \
  }                                                                                                \
  LIBRARY uint64_t neuronify_pair_float_to_ulong##rounding(Pair a) {                               \
    return to_ulong(whole, 0x8000000000000000u);                                                   \
  }
CONVERSIONS(, truncated(a))
CONVERSIONS(_rn, nearest_even(a))
CONVERSIONS(_rd, floor_of(a))
CONVERSIONS(_ru, ceiling_of(a))
#undef CONVERSIONS
LIBRARY Pair neuronify_pair_int_to_float(int x) { return from_int(x); }
LIBRARY Pair neuronify_pair_uint_to_float(uint32_t x) { return from_uint(x); }
LIBRARY Pair neuronify_pair_long_to_float(int64_t x) {
  return from_long(from_int((int)(x >> 32)), (uint32_t)x);
}
LIBRARY Pair neuronify_pair_ulong_to_float(uint64_t x) {
  return from_long(from_uint((uint32_t)(x >> 32)), (uint32_t)x);
}
