// base^exponent = 2^(exponent log2(base)), several at a time in double precision.
//
// log2 takes 1/16 steps of the mantissa from a table and the rest from a polynomial; both
// polynomials are Chebyshev fits of our own in 50-digit arithmetic, to 2^-37 and 2^-27, so that
// results are within 0.6 ULP. Zero, infinite, NaN and negative operands are rare: lanes that hold
// them are done again, one by one.

#include "chip/kernels/power.h"

#include "chip/kernels/math.h"
#include "chip/kernels/tables.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace math {
namespace {

// Two vectors at a time, since each waits for itself most of the time.
#ifdef __AVX512F__
constexpr int kLanes = 32, kVectors = 4;
#else
constexpr int kLanes = 8;
#endif
using Floats = float __attribute__((vector_size(kLanes * 4), aligned(4)));
using Doubles = double __attribute__((vector_size(kLanes * 8)));
using Longs = int64_t __attribute__((vector_size(kLanes * 8)));
using Integers = int32_t __attribute__((vector_size(kLanes * 4)));

/// Reciprocals of the middles of the sixteen parts of [1, 2), and minus their binary logarithms.
/// The first and the last part take 1 and 2 instead, so that logarithms near 0 have no error.
alignas(64) constexpr double kReciprocal[16] = {0x1.p+0,
                                                0x1.d41d41d41d41dp-1,
                                                0x1.bacf914c1bad0p-1,
                                                0x1.a41a41a41a41ap-1,
                                                0x1.8f9c18f9c18fap-1,
                                                0x1.7d05f417d05f4p-1,
                                                0x1.6c16c16c16c17p-1,
                                                0x1.5c9882b931057p-1,
                                                0x1.4e5e0a72f0539p-1,
                                                0x1.4141414141414p-1,
                                                0x1.3521cfb2b78c1p-1,
                                                0x1.29e4129e4129ep-1,
                                                0x1.1f7047dc11f70p-1,
                                                0x1.15b1e5f75270dp-1,
                                                0x1.0c9714fbcda3bp-1,
                                                0x1.p-1};
alignas(64) constexpr double kLogarithm[16] = {0x0p+0,
                                               0x1.08c588cda79e5p-3,
                                               0x1.acf5e2db4ec91p-3,
                                               0x1.24407ab0e073ap-2,
                                               0x1.6e221cd9d0cddp-2,
                                               0x1.b47ebf73882a1p-2,
                                               0x1.f7a8568cb06cep-2,
                                               0x1.1bf311e95d00ep-1,
                                               0x1.3abb3faa02168p-1,
                                               0x1.5848226989d34p-1,
                                               0x1.74b1fd64e0754p-1,
                                               0x1.900e6160002cep-1,
                                               0x1.aa708f58014d4p-1,
                                               0x1.c3e9ca2e1a055p-1,
                                               0x1.dc899ab3ff56cp-1,
                                               0x1.0000000000000p+0};

/// table[index mod 16]
inline Doubles look_up(const double (&table)[16], Longs index) {
  Doubles result;
#ifdef __AVX512F__
  __m512i half[kVectors];
  __m512d found[kVectors];
  __builtin_memcpy(half, &index, sizeof half);
  for (int i = 0; i < kVectors; ++i)
    found[i] = _mm512_permutex2var_pd(_mm512_load_pd(table), half[i], _mm512_load_pd(table + 8));
  __builtin_memcpy(&result, found, sizeof result);
#else
  for (int lane = 0; lane < kLanes; ++lane)
    result[lane] = table[index[lane] & 15];
#endif
  return result;
}

inline Doubles spread(double value) { return value - Doubles{}; }

template <int N> inline Doubles horner(Doubles x, const double (&c)[N]) {
  Doubles sum = spread(c[N - 1]);
  for (int i = N - 2; i >= 0; --i)
    sum = __builtin_elementwise_fma(sum, x, spread(c[i]));
  return sum;
}

/// base = 2^exponent * mantissa in [1, 2), and which sixteenth of [1, 2) that is (modulo 16). Where
/// base is not positive and finite, something is infinite or NaN, or nothing is defined (AVX2).
struct Parts {
  Doubles exponent, mantissa;
  Longs sixteenth;
};
inline Parts parts_of(Doubles base) {
  Longs bits = __builtin_bit_cast(Longs, base);
  Parts parts;
  parts.sixteenth = bits >> 48;
#ifdef __AVX512F__
  __m512d from[kVectors], exponent[kVectors], mantissa[kVectors];
  __builtin_memcpy(from, &base, sizeof from);
  for (int i = 0; i < kVectors; ++i) {
    exponent[i] = _mm512_getexp_pd(from[i]);
    mantissa[i] = _mm512_getmant_pd(from[i], _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);
  }
  __builtin_memcpy(&parts.exponent, exponent, sizeof exponent);
  __builtin_memcpy(&parts.mantissa, mantissa, sizeof mantissa);
#else
  parts.exponent = __builtin_convertvector((bits >> 52) - 1023, Doubles);
  parts.mantissa = __builtin_bit_cast(Doubles, (bits & 0x000fffffffffffff) | 0x3ff0000000000000);
#endif
  return parts;
}

/// log2(base), for a positive, finite base.
inline Doubles log2(Floats base) {
  Parts parts = parts_of(__builtin_convertvector(base, Doubles));
  Doubles rest = __builtin_elementwise_fma(parts.mantissa, look_up(kReciprocal, parts.sixteenth),
                                           spread(-1.0));
  constexpr double log2_of_one_plus[] = {0x1.715476529cc82p+0, -0x1.7154760a8663ap-1,
                                         0x1.ec70aa1865529p-2, -0x1.715b3cf0f1173p-2,
                                         0x1.277990495f6bcp-2, -0x1.c8fa1652b1107p-3};
  return __builtin_elementwise_fma(horner(rest, log2_of_one_plus), rest,
                                   look_up(kLogarithm, parts.sixteenth) + parts.exponent);
}

/// Adding it leaves the nearest integer, plus 512, in the low ten bits.
constexpr double kMagic = 0x1.8p52 + 512;

/// 2^(a b), where `shifted` is the product plus kMagic, and the product at most 500 either way.
inline Floats exp2(Doubles a, Doubles b, Doubles shifted) {
  Doubles fraction = __builtin_elementwise_fma(a, b, kMagic - shifted);
  // Times 2^-512, for the 512 in the exponent.
  constexpr double exp2_minus_one[] = {0x1.62e4302fc626ep-513, 0x1.ebfbe00e63baep-515,
                                       0x1.c6af6cdbbdcc7p-517, 0x1.3b2a53045179ap-519,
                                       0x1.5f0890162a90ap-522, 0x1.4413896e1ad27p-525};
  Doubles power =
      __builtin_elementwise_fma(horner(fraction, exp2_minus_one), fraction, spread(0x1p-512));
  Longs scaled = __builtin_bit_cast(Longs, power) + (__builtin_bit_cast(Longs, shifted) << 52);
  return __builtin_convertvector(__builtin_bit_cast(Doubles, scaled), Floats);
}

/// Whether some lane's base is not positive and finite, or its result far out of range or NaN.
inline bool any_extraordinary([[maybe_unused]] Floats base, Doubles shifted) {
  Longs odd = __builtin_bit_cast(Longs, shifted) ^ __builtin_bit_cast(int64_t, 0x1.8p52);
#ifdef __AVX512F__ // a wrong base shows in the result
  __m512i parts[kVectors];
  __builtin_memcpy(parts, &odd, sizeof parts);
  for (int i = 1; i < kVectors; ++i)
    parts[0] |= parts[i];
  return _mm512_test_epi64_mask(parts[0], _mm512_set1_epi64(~1023)) != 0;
#else
  using Unsigned = uint32_t __attribute__((vector_size(kLanes * 4)));
  Integers bad = __builtin_bit_cast(Unsigned, base) - 1 >= 0x7f7fffffu;
  return ((__builtin_reduce_or(odd) & ~1023) != 0) | (__builtin_reduce_or(bad) != 0);
#endif
}

/// out = base^exponent; both are called with an element and a number of lanes, and give a vector
/// from there on.
template <class Base, class Exponent>
void run(float *out, int64_t count, Base base, Exponent exponent) {
  auto special = [&](int64_t i, int lanes, Floats b, Floats e) {
    for (int lane = 0; lane < lanes; ++lane)
      out[i + lane] = power(b[lane], e[lane]);
  };
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Floats b = base(i, kLanes), e = exponent(i, kLanes);
    Doubles logarithm = log2(b), factor = __builtin_convertvector(e, Doubles);
    Doubles shifted = __builtin_elementwise_fma(logarithm, factor, spread(kMagic));
    if (any_extraordinary(b, shifted)) [[unlikely]] {
      special(i, kLanes, b, e);
      continue;
    }
    Floats result = exp2(logarithm, factor, shifted);
    __builtin_memcpy(out + i, &result, sizeof result);
  }
  if (i < count)
    special(i, int(count - i), base(i, int(count - i)), exponent(i, int(count - i)));
}

auto from_memory(const float *values) {
  return [values](int64_t i, int lanes) {
    Floats loaded{};
    if (lanes == kLanes)
      __builtin_memcpy(&loaded, values + i, sizeof loaded);
    else
      __builtin_memcpy(&loaded, values + i, size_t(lanes) * 4);
    return loaded;
  };
}
auto constant(float value) {
  return [value](int64_t, int) { return value - Floats{}; };
}

void binary(float *out, const float *a, const float *b, int64_t count) {
  run(out, count, from_memory(a), from_memory(b));
}
void scalar(float *out, const float *a, float b, int64_t count) {
  run(out, count, from_memory(a), constant(b));
}
void reverse(float *out, const float *a, float b, int64_t count) {
  run(out, count, constant(b), from_memory(a));
}

} // namespace

/// Positive, finite base and finite exponent; too large and too small results included.
static float power_of_ordinary(float base, float exponent) {
  Doubles logarithm = log2(base - Floats{});
  double limit = absolute(200.0 / logarithm[0]); // infinite where the base is 1
  Doubles factor = spread(clamp(exponent, -limit, limit));
  return exp2(logarithm, factor, __builtin_elementwise_fma(logarithm, factor, spread(kMagic)))[0];
}

float power(float base, float exponent) {
  if ((exponent == 0.0f) | (base == 1.0f))
    return 1.0f;
  if ((base != base) | (exponent != exponent))
    return kNaN;
  float b = absolute(base);
  bool grows = exponent > 0.0f;
  if (absolute(exponent) == kInfinity)
    return b == 1.0f ? 1.0f : (b > 1.0f) == grows ? kInfinity : 0.0f;
  bool whole = __builtin_rintf(exponent) == exponent;
  float half = exponent * 0.5f;
  bool odd = whole & (__builtin_rintf(half) != half);
  bool negative = bits_as<uint32_t>(base) >> 31;
  float result;
  if (b == 0.0f || b == kInfinity)
    result = (b == 0.0f) == grows ? 0.0f : kInfinity;
  else if (negative && !whole)
    return kNaN;
  else
    result = power_of_ordinary(b, exponent);
  return negative && odd ? -result : result;
}

} // namespace math

void fill_power(Kernels &table) {
  for (int rule = 0; rule < 2; ++rule) {
    table.float_binary[int(Op::power)][rule] = math::binary;
    table.float_scalar[int(Op::power)][rule] = math::scalar;
    table.float_scalar_reverse[int(Op::power)][rule] = math::reverse;
  }
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
