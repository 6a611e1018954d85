// Elementary functions of pairs of floats (pairs.h), from the definitions: a reduced argument, a
// Taylor series of which the terms that count for 24 bits or less are floats, and the way back. How
// far results may be off is said in docs/numerics.md and tested by test/kernel/pairs_test.cpp.
#pragma once
#include "pairs.h"

extern "C" {
float __nv_atanf(float);
float __nv_cbrtf(float);
}

namespace {

constexpr float nowhere = __builtin_inff();
constexpr float unknown = __builtin_nanf("");

INLINE float series(float, float last) { return last; }
template <class... C> INLINE float series(float x, float first, C... rest) {
  return first + x * series(x, rest...);
}

/// a / b where neither is far from one, within 4 units.
INLINE Pair ratio(Pair a, Pair b) {
  const float first = a[0] / b[0];
  const Pair rest = add(a, multiply(b, -first));
  const float second = rest[0] / b[0];
  const Pair last = add(rest, multiply(b, -second));
  const float high = first + second;
  return settled(high, (second - (high - first)) + last[0] / b[0]);
}

INLINE bool is_none(Pair a) { return !(a[0] == a[0]); }
INLINE bool is_zero(Pair a) { return a[0] == 0.0f; }

// ---- exponentials ------------------------------------------------------------------------------

/// exp(r) - 1, |r| <= 0.35: of a sixteenth, which is then doubled four times.
INLINE Pair exponential_part(Pair r) {
  const Pair t = scaled(r, 0.0625f);
  const float rest =
      series(t[0], 0x1.111112p-7f, 0x1.6c16c2p-10f, 0x1.a01a02p-13f, 0x1.a01a02p-16f);
  const Pair fourth = add(Pair{0x1.555556p-5f, -0x1.555556p-30f}, t[0] * rest);
  const Pair third = add(Pair{0x1.555556p-3f, -0x1.555556p-28f}, multiply(t, fourth));
  const Pair second = add(multiply(t, third), 0.5f);
  Pair sum = add(t, multiply(square(t), second));
  for (int i = 0; i < 4; ++i)
    sum = add(scaled(sum, 2.0f), square(sum));
  return sum;
}

/// exp(r) * 2^k - (minus_one ? 1 : 0).
INLINE Pair exponential_of(Pair r, float k, bool minus_one) {
  const Pair part = exponential_part(r);
  const Pair power = times_power(add(part, 1.0f), (int)k);
  const Pair whole = settled(power[0], power[1]);
  return minus_one ? chosen(k == 0.0f, part, add(whole, -1.0f)) : whole;
}

/// Within the range where 2^x is neither zero nor infinite, with some room.
INLINE Pair limited(Pair x, float least, float largest) {
  const float high = __nv_fminf(__nv_fmaxf(x[0], least), largest);
  return chosen(high == x[0], x, pair_of(high));
}

/// exp(x) / 2^halvings, less one where `minus_one`.
INLINE Pair exponential(Pair x, bool minus_one, float halvings = 0.0f) {
  const Pair a = limited(x, -110.0f, 90.0f);
  const float k = __nv_rintf(a[0] * 1.44269502f);
  // ln 2 in parts: 16 bits, whose product with k is exact, and a pair.
  const Pair above = add(a, k * -0x1.62e4p-1f);
  const Pair r = add(above, multiply(Pair{0x1.7f7d1cp-20f, 0x1.ef357ap-45f}, -k));
  const Pair result = exponential_of(r, k - halvings, minus_one);
  const bool zero = is_zero(x), none = is_none(x);
  return chosen(none || (zero && minus_one), x, result);
}
INLINE Pair exponential_of_two(Pair x) {
  const Pair a = limited(x, -160.0f, 130.0f);
  const float k = __nv_rintf(a[0]);
  const Pair r = multiply(add(a, -k), Pair{0x1.62e430p-1f, -0x1.05c610p-29f});
  return chosen(is_none(x), x, exponential_of(r, k, false));
}
INLINE Pair exponential_of_ten(Pair x) {
  const Pair a = limited(x, -48.0f, 39.0f);
  const float k = __nv_rintf(a[0] * 3.32192802f);
  // The logarithm of two, base ten, in parts.
  const Pair above = add(a, k * -0x1.344p-2f);
  const Pair rest = add(above, multiply(Pair{0x1.3509f8p-18f, -0x1.80433cp-44f}, -k));
  const Pair r = multiply(rest, Pair{0x1.26bb1cp+1f, -0x1.12aabap-25f});
  return chosen(is_none(x), x, exponential_of(r, k, false));
}

// ---- logarithms --------------------------------------------------------------------------------

/// 2 * artanh(s), |s| <= 0.172.
INLINE Pair logarithm_series(Pair s) {
  const Pair z = square(s);
  const float rest = series(z[0], 0x1.745d18p-4f, 0.0769230798f, 0.0666666701f, 0.0588235296f,
                            0.0526315793f, 0.0476190485f);
  const Pair ninth = add(Pair{0x1.c71c72p-4f, -0x1.c71c72p-31f}, z[0] * rest);
  const Pair seventh = add(Pair{0x1.24924ap-3f, -0x1.b6db6ep-28f}, multiply(z, ninth));
  const Pair fifth = add(Pair{0x1.99999ap-3f, -0x1.99999ap-29f}, multiply(z, seventh));
  const Pair third = add(Pair{0x1.555556p-2f, -0x1.555556p-27f}, multiply(z, fifth));
  const Pair twice = scaled(s, 2.0f);
  return add(twice, multiply(multiply(twice, z), third));
}

/// x = 2^k m, m between the square roots of 1/2 and 2: ln m, for a positive number.
INLINE Pair logarithm_of_rest(Pair x, float &k) {
  const bool is_small = x[0] < 1.17549435e-38f;
  const Pair normal = scaled(x, pick(is_small, 16777216.0f, 1.0f));
  const int exponent = (int)(bits_of(normal[0]) - 0x3f3504f3u) >> 23;
  const Pair m = times_power(normal, -exponent);
  k = (float)(exponent - pick(is_small, 24, 0));
  return logarithm_series(ratio(add(m, -1.0f), add(m, 1.0f)));
}

/// What logarithms of numbers that are not positive and finite are.
INLINE Pair logarithm_or(Pair x, Pair result) {
  const bool negative = x[0]<0.0f, infinite = x[0]> most;
  const Pair other = chosen(infinite || is_none(x), x, result);
  return chosen(is_zero(x), pair_of(-nowhere), chosen(negative, pair_of(unknown), other));
}

INLINE Pair logarithm(Pair x) {
  float k;
  const Pair rest = logarithm_of_rest(x, k);
  const Pair low = add(multiply(Pair{0x1.7f7d1cp-20f, 0x1.ef357ap-45f}, k), rest);
  return logarithm_or(x, add(low, k * 0x1.62e4p-1f));
}
INLINE Pair logarithm_of_two(Pair x) {
  float k;
  const Pair rest = logarithm_of_rest(x, k);
  return logarithm_or(x, add(multiply(rest, Pair{0x1.715476p+0f, 0x1.4ae0c0p-26f}), k));
}
INLINE Pair logarithm_of_ten(Pair x) {
  float k;
  const Pair rest = multiply(logarithm_of_rest(x, k), Pair{0x1.bcb7b2p-2f, -0x1.5b235ep-27f});
  const Pair low = add(multiply(Pair{0x1.3509f8p-18f, -0x1.80433cp-44f}, k), rest);
  return logarithm_or(x, add(low, k * 0x1.344p-2f));
}
/// ln(1 + x).
INLINE Pair logarithm_beside_one(Pair x) {
  const float size = __nv_fabsf(x[0]);
  const bool near = size < 0.25f, tiny = size < 0x1p-60f;
  const Pair inside = chosen(near, x, pair_of(0.0f));
  const Pair part = logarithm_series(ratio(inside, add(inside, 2.0f)));
  return chosen(tiny, x, chosen(near, part, logarithm(add(x, 1.0f))));
}

/// x^y as exp(y ln |x|), and the many cases of C.
INLINE Pair power(Pair x, Pair y) {
  const Pair one = pair_of(1.0f), size = absolute(x), whole = truncated(y);
  const bool even_beyond = __nv_fabsf(y[0]) >= 0x1p60f;
  const bool is_whole = !is_less(whole, y) && !is_less(y, whole);
  const bool is_odd = is_whole && !even_beyond && (low_word(whole) & 1u) != 0u;
  const Pair result = exponential(multiply(logarithm(size), y), false);
  const Pair signed_result = with_flipped(result, pick(is_odd, sign_of(x[0]), 0u));
  const bool negative = x[0] < 0.0f && x[0] >= -most;
  const bool no_root = negative && !is_whole;
  const bool is_one = x[0] == 1.0f && x[1] == 0.0f, of_one = size[0] == 1.0f && size[1] == 0.0f;
  const bool endless = __nv_fabsf(y[0]) > most, always = is_zero(y) || is_one;
  const Pair known = chosen(no_root, pair_of(unknown), signed_result);
  return chosen(always || (of_one && endless), one, known);
}

// ---- sines -------------------------------------------------------------------------------------

/// sin r and cos r, |r| <= 0.8.
INLINE void set_sine_and_cosine(Pair r, Pair &sine, Pair &cosine) {
  const Pair z = square(r);
  const float odd =
      series(z[0], -0x1.ae6456p-26f, 0x1.612462p-33f, -0x1.ae7f3ep-41f, 0x1.952c78p-49f);
  const Pair ninth = add(Pair{0x1.71de3ap-19f, 0x1.55b1ccp-45f}, z[0] * odd);
  const Pair seventh = add(Pair{-0x1.a01a02p-13f, 0x1.7f97fap-39f}, multiply(z, ninth));
  const Pair fifth = add(Pair{0x1.111112p-7f, -0x1.dddddep-32f}, multiply(z, seventh));
  const Pair third = add(Pair{-0x1.555556p-3f, 0x1.555556p-28f}, multiply(z, fifth));
  sine = add(r, multiply(multiply(r, z), third));
  const float even =
      series(z[0], 0x1.1eed8ep-29f, -0x1.93974ap-37f, 0x1.ae7f3ep-45f, -0x1.682786p-53f);
  const Pair tenth = add(Pair{-0x1.27e4fcp-22f, 0x1.10ec14p-47f}, z[0] * even);
  const Pair eighth = add(Pair{0x1.a01a02p-16f, -0x1.7f97fap-42f}, multiply(z, tenth));
  const Pair sixth = add(Pair{-0x1.6c16c2p-10f, 0x1.27d27ep-35f}, multiply(z, eighth));
  const Pair fourth = add(Pair{0x1.555556p-5f, -0x1.555556p-30f}, multiply(z, sixth));
  const Pair second = add(multiply(z, fourth), -0.5f);
  cosine = add(multiply(z, second), 1.0f);
}

/// r - a * b, of which the product is exact.
INLINE Pair without_product(Pair r, float a, float b) {
  const float product = a * b;
  return add(r, Pair{-product, -error_of_product(a, b, product)});
}

/// angle - count * pi / 2, with 72 bits of pi / 2.
INLINE Pair without_quarters(Pair angle, float count) {
  const Pair first = without_product(angle, count, 0x1.921fb6p+0f);
  const Pair second = without_product(first, count, -0x1.777a5cp-25f);
  return without_product(second, count, -0x1.ee59dap-50f);
}

/// The sine and cosine of x: from x - n pi / 2, with 72 bits of pi / 2 and 48 of n.
INLINE void set_of_angle(Pair x, Pair &sine, Pair &cosine) {
  // Beyond this a pair says nothing about the angle; of infinities and no numbers nothing is known.
  const bool inside = __nv_fabsf(x[0]) < 0x1p46f;
  const Pair angle = chosen(inside, x, pair_of(0.0f));
  const Pair n = nearest_even(multiply(angle, Pair{0x1.45f306p-1f, 0x1.b93910p-26f}));
  const Pair r = without_quarters(without_quarters(angle, n[0]), n[1]);
  Pair s, c;
  set_sine_and_cosine(r, s, c);
  const uint32_t quadrant = low_word(n);
  const bool swaps = (quadrant & 1u) != 0u;
  const Pair none = pair_of(x[0] - x[0]);
  const bool finite = is_finite_pair(x);
  sine = with_flipped(chosen(swaps, c, s), (quadrant & 2u) << 30);
  cosine = with_flipped(chosen(swaps, s, c), ((quadrant + 1u) & 2u) << 30);
  sine = chosen(finite, chosen(is_zero(x), x, sine), none);
  cosine = chosen(finite, cosine, none);
}

/// start + a / b, where the quotient is small beside the float.
INLINE Pair corrected(float start, Pair a, Pair b) {
  const float step = a[0] / b[0];
  const Pair rest = add(a, multiply(b, -step));
  return add(add(pair_of(start), step), rest[0] / b[0]);
}

/// arctan of a number between 0 and 1: from the float's, whose sine and cosine say what is missing.
INLINE Pair arc_of(Pair t) {
  const float start = __nv_atanf(t[0]);
  Pair sine, cosine;
  set_sine_and_cosine(pair_of(start), sine, cosine);
  const Pair missing = add(multiply(t, cosine), negated(sine));
  const Pair result = corrected(start, missing, add(cosine, multiply(t, sine)));
  return chosen(t[0] < 0x1p-60f, t, result);
}
constexpr float half_turn = 0x1.921fb6p+1f, half_turn_low = -0x1.777a5cp-24f;

/// The angle of (x, y), from the smaller over the larger.
INLINE Pair angle_of(Pair y, Pair x) {
  const Pair a = absolute(y), b = absolute(x);
  const bool steep = is_less(b, a), both_infinite = a[0] > most && b[0] > most;
  const bool both_zero = is_zero(a) && is_zero(b);
  const Pair quotient = divide(chosen(steep, b, a), chosen(steep, a, b));
  const Pair t = chosen(both_infinite, pair_of(1.0f), chosen(both_zero, pair_of(0.0f), quotient));
  const Pair arc = arc_of(t);
  const Pair quarter = {0.5f * half_turn, 0.5f * half_turn_low};
  const Pair upper_half = chosen(steep, add(quarter, negated(arc)), arc);
  const bool left = sign_of(x[0]) != 0u;
  const Pair result =
      chosen(left, add(Pair{half_turn, half_turn_low}, negated(upper_half)), upper_half);
  return chosen(is_none(x) || is_none(y), pair_of(unknown), with_flipped(result, sign_of(y[0])));
}
/// The square root of 1 - x^2.
INLINE Pair across(Pair x) { return square_root(multiply(add(negated(x), 1.0f), add(x, 1.0f))); }

// ---- hyperbolic functions -----------------------------------------------------------------------

INLINE Pair hyperbolic_tangent(Pair x) {
  const Pair a = limited(absolute(x), 0.0f, 20.0f);
  const Pair grown = exponential(scaled(a, 2.0f), true);
  const Pair result = ratio(grown, add(grown, 2.0f));
  const Pair size = chosen(a[0] < 0x1p-40f, a, result); // a cube below the last bit
  return chosen(is_none(x), x, with_flipped(size, sign_of(x[0])));
}
/// exp(a) / 2, which is a float where exp(a) is none.
INLINE Pair half_exponential(Pair a) { return exponential(a, false, 1.0f); }
INLINE Pair hyperbolic_sine(Pair x) {
  const Pair a = absolute(x), limit = limited(a, 0.0f, 1.0f);
  const Pair part = exponential(limit, true);
  const Pair small = scaled(add(part, ratio(part, add(part, 1.0f))), 0.5f);
  const Pair grown = half_exponential(a);
  const Pair large = add(grown, negated(divide(pair_of(0.25f), grown)));
  const Pair size = chosen(a[0] < 0x1p-40f, a, chosen(a[0] < 1.0f, small, large));
  return chosen(is_none(x), x, with_flipped(size, sign_of(x[0])));
}
INLINE Pair hyperbolic_cosine(Pair x) {
  const Pair grown = half_exponential(absolute(x));
  return add(grown, divide(pair_of(0.25f), grown));
}
INLINE Pair inverse_hyperbolic_sine(Pair x) {
  const Pair a = absolute(x);
  const bool far = a[0] > 0x1p30f;
  const Pair near = chosen(far, pair_of(1.0f), a), squared = square(near);
  const Pair root = square_root(add(squared, 1.0f));
  const Pair part = logarithm_beside_one(add(near, ratio(squared, add(root, 1.0f))));
  const Pair large = add(logarithm(a), Pair{0x1.62e430p-1f, -0x1.05c610p-29f});
  const Pair size = chosen(a[0] < 0x1p-40f, a, chosen(far, large, part));
  return chosen(is_none(x), x, with_flipped(size, sign_of(x[0])));
}
INLINE Pair inverse_hyperbolic_cosine(Pair x) {
  const bool far = x[0] > 0x1p30f;
  const Pair t = add(chosen(far, pair_of(1.0f), x), -1.0f);
  const Pair part = logarithm_beside_one(add(t, square_root(multiply(t, add(t, 2.0f)))));
  const Pair large = add(logarithm(x), Pair{0x1.62e430p-1f, -0x1.05c610p-29f});
  return chosen(x[0] < 1.0f, pair_of(unknown), chosen(far, large, part));
}
INLINE Pair inverse_hyperbolic_tangent(Pair x) {
  const Pair a = absolute(x);
  const Pair part = logarithm_beside_one(divide(scaled(a, 2.0f), add(negated(a), 1.0f)));
  return with_flipped(chosen(a[0] < 0x1p-40f, a, scaled(part, 0.5f)), sign_of(x[0]));
}

// ---- roots and remainders ----------------------------------------------------------------------

/// By Halley's step from the float's, at a size where nothing is lost.
INLINE Pair cubic_root(Pair x) {
  const float size = __nv_fabsf(x[0]);
  const bool small = size < 0x1p-60f, large = size > 0x1p60f;
  const Pair a = scaled(x, pick(small, 0x1p90f, pick(large, 0x1p-60f, 1.0f)));
  const float start = __nv_cbrtf(a[0]), squared = start * start;
  const Pair cube = multiply(Pair{squared, error_of_product(start, start, squared)}, start);
  const Pair missing = add(a, negated(cube));
  const Pair near = corrected(start, multiply(missing, start), add(scaled(cube, 2.0f), a));
  const Pair root = scaled(near, pick(small, 0x1p-30f, pick(large, 0x1p20f, 1.0f)));
  return chosen(is_zero(x) || !is_finite_pair(x), x, settled(root[0], root[1]));
}
INLINE Pair length(Pair a, Pair b) {
  const Pair x = absolute(a), y = absolute(b);
  const Pair larger = chosen(is_less(x, y), y, x);
  const int exponent = pick(larger[0] < 0x1p-120f, -120, exponent_of(larger[0]));
  const Pair p = times_power(x, -exponent), q = times_power(y, -exponent);
  const Pair root = times_power(square_root(add(square(p), square(q))), exponent);
  const bool infinite = x[0] > most || y[0] > most;
  return chosen(infinite, pair_of(nowhere), settled(root[0], root[1]));
}
/// x - n y, n the whole number of y in x.
INLINE Pair remainder_in(Pair x, Pair y) {
  const Pair a = absolute(x), b = absolute(y);
  const Pair n = truncated(divide(a, b));
  const Pair upper_half = without_product(without_product(a, n[0], b[0]), n[0], b[1]);
  Pair rest = without_product(without_product(upper_half, n[1], b[0]), n[1], b[1]);
  // The quotient may have been rounded to a whole number from either side.
  rest = chosen(rest[0] < 0.0f, add(rest, b), rest);
  rest = chosen(is_less(rest, b), rest, add(rest, negated(b)));
  const bool none = !is_finite_pair(a) || is_zero(b) || is_none(b);
  const Pair inside = chosen(is_less(a, b), a, rest);
  return chosen(none, pair_of(unknown), with_flipped(inside, sign_of(x[0])));
}

} // namespace

LIBRARY Pair neuronify_pair_exp(Pair x) { return exponential(x, false); }
LIBRARY Pair neuronify_pair_expm1(Pair x) { return exponential(x, true); }
LIBRARY Pair neuronify_pair_exp2(Pair x) { return exponential_of_two(x); }
LIBRARY Pair neuronify_pair_exp10(Pair x) { return exponential_of_ten(x); }
LIBRARY Pair neuronify_pair_log(Pair x) { return logarithm(x); }
LIBRARY Pair neuronify_pair_log2(Pair x) { return logarithm_of_two(x); }
LIBRARY Pair neuronify_pair_log10(Pair x) { return logarithm_of_ten(x); }
LIBRARY Pair neuronify_pair_log1p(Pair x) { return logarithm_beside_one(x); }
LIBRARY Pair neuronify_pair_pow(Pair x, Pair y) { return power(x, y); }
LIBRARY Pair neuronify_pair_sin(Pair x) {
  Pair sine, cosine;
  set_of_angle(x, sine, cosine);
  return sine;
}
LIBRARY Pair neuronify_pair_cos(Pair x) {
  Pair sine, cosine;
  set_of_angle(x, sine, cosine);
  return cosine;
}
LIBRARY Pair neuronify_pair_tan(Pair x) {
  Pair sine, cosine;
  set_of_angle(x, sine, cosine);
  return divide(sine, cosine);
}
LIBRARY Pair neuronify_pair_atan2(Pair y, Pair x) { return angle_of(y, x); }
LIBRARY Pair neuronify_pair_atan(Pair x) { return angle_of(x, pair_of(1.0f)); }
LIBRARY Pair neuronify_pair_asin(Pair x) { return angle_of(x, across(x)); }
LIBRARY Pair neuronify_pair_acos(Pair x) { return angle_of(across(x), x); }
LIBRARY Pair neuronify_pair_tanh(Pair x) { return hyperbolic_tangent(x); }
LIBRARY Pair neuronify_pair_sinh(Pair x) { return hyperbolic_sine(x); }
LIBRARY Pair neuronify_pair_cosh(Pair x) { return hyperbolic_cosine(x); }
LIBRARY Pair neuronify_pair_asinh(Pair x) { return inverse_hyperbolic_sine(x); }
LIBRARY Pair neuronify_pair_acosh(Pair x) { return inverse_hyperbolic_cosine(x); }
LIBRARY Pair neuronify_pair_atanh(Pair x) { return inverse_hyperbolic_tangent(x); }
LIBRARY Pair neuronify_pair_cbrt(Pair x) { return cubic_root(x); }
LIBRARY Pair neuronify_pair_hypot(Pair a, Pair b) { return length(a, b); }
LIBRARY Pair neuronify_pair_fmod(Pair x, Pair y) { return remainder_in(x, y); }
