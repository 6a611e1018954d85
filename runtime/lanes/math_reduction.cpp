#include "lanes/math_reduction.h"

#include <array>

namespace nki::math {

namespace {

constexpr float kMostTurns = 4095;

/// Cody and Waite: pi in four parts, three of them of 8 to 11 bits. Their products with turns of up
/// to 13 bits (counting the half) are exact, and so are the first three differences as long as they
/// matter.
Reduced reduce_near(const Tensor &x, Period period) {
  constexpr float kInversePi = 0x1.45f306p-2f;
  constexpr std::array<float, 4> kPi = {0x1.92p1f, 0x1.fb4p-11f, 0x1.444p-23f, 0x1.68c234p-38f};
  float per_turn = period == Period::half_pi ? 0.5f : 1.0f;
  bool from_half = period == Period::pi_from_half;
  Tensor turns = from_half ? scalar(x, nl::multiply, kInversePi, nl::subtract, 0.5f, DType::int32)
                           : scalar(x, nl::multiply, kInversePi / per_turn, DType::int32);
  Tensor periods = from_half ? scalar(turns, nl::add, 0.5f) : turns;
  Tensor rest = x;
  for (float part : kPi)
    rest = combine(periods, nl::multiply, -part * per_turn, nl::add, rest);
  return {turns, rest};
}

constexpr int kLimbBits = 12;
constexpr int kColumns = 7; ///< limbs of x / pi that count: one integer, six of fraction

/// 1 / pi in limbs of 12 bits, highest first, after two limbs of zeros.
constexpr std::array<int, 18> kInversePiLimbs = {0,    0,    1303, 3265, 2930, 1826,
                                                 169,  1278, 314,  3048, 4009, 2670,
                                                 3590, 3505, 1196, 3230, 540,  2080};

Tensor integers(const Tensor &a, nl::Op op, const Tensor &b) {
  return pair(a, op, b, DType::int32); // all int32: exact, on GpSimdE
}

/// |x| = (limb[0] + limb[1] 2^12 + limb[2] 2^24) * 2^(12 (first - 1)); with x2 for half_pi, twice
/// that.
struct Limbs {
  std::array<Tensor, 3> limb;
  Tensor first; ///< int32 in [0, 9]; right for |x| >= 2^11
};

Limbs limbs_of(const Tensor &x, Period period) {
  // |x| = M * 2^(E - 150); shifting M left by (E - 138) mod 12 leaves a multiple of 12.
  int bias = period == Period::half_pi ? 137 : 138;
  Tensor exponent = bitwise(x, nl::right_shift, 23, nl::bitwise_and, 0xff);
  exponent = scalar(exponent, nl::subtract, float(bias), DType::int32);
  Tensor first = scalar(exponent, nl::multiply, 1.0f / 12, nl::subtract, 5.5f / 12, DType::int32);
  Tensor shift = combine(first, nl::multiply, -12.0f, nl::add, exponent, DType::int32);
  first = scalar(first, nl::maximum, 0.0f, nl::minimum, 9.0f, DType::int32);
  Tensor low = bitwise(x, nl::bitwise_and, 0xfff);
  Tensor high = bitwise(x, nl::bitwise_and, kMantissaBits, nl::bitwise_or, 0x800000);
  high = bitwise(high, nl::right_shift, kLimbBits);
  low = integers(low, nl::left_shift, shift);
  high = integers(high, nl::left_shift, shift);
  high = integers(high, nl::add, bitwise(low, nl::right_shift, kLimbBits));
  return {{bitwise(low, nl::bitwise_and, 0xfff), bitwise(high, nl::bitwise_and, 0xfff),
           bitwise(high, nl::right_shift, kLimbBits)},
          first};
}

/// The limbs of 1 / pi that column 0 and those after it need: entry first + v of the table.
std::array<Tensor, kColumns + 2> inverse_pi_from(const Tensor &first) {
  Tensor table = nl::ndarray({first.shape(0), int64_t(kInversePiLimbs.size())}, DType::int32,
                             nl::sbuf, "inverse_pi");
  for (size_t i = 0; i < kInversePiLimbs.size(); ++i)
    nisa::memset(table.slice(1, int64_t(i), int64_t(i) + 1), kInversePiLimbs[i]);
  std::array<Tensor, kColumns + 2> limbs;
  for (size_t v = 0; v < limbs.size(); ++v) {
    Tensor index = scalar(first, nl::add, float(v), DType::uint32);
    limbs[v] = tile_like(first, DType::int32);
    nisa::nc_n_gather(limbs[v], table, index);
  }
  return limbs;
}

/// |x| / pi (or 2 |x| / pi) modulo 4096 in limbs: column 0 is the integer part, each later one
/// counts 2^-12 of the one before. Multiples of 4096 are left out from the start.
std::array<Tensor, kColumns> turns_in_limbs(const Tensor &x, Period period) {
  Limbs factor = limbs_of(x, period);
  std::array<Tensor, kColumns + 2> inverse = inverse_pi_from(factor.first);
  std::array<Tensor, kColumns> columns;
  for (size_t u = 0; u < kColumns; ++u) {
    columns[u] = integers(factor.limb[0], nl::multiply, inverse[u]);
    for (size_t a = 1; a < 3; ++a)
      columns[u] =
          integers(columns[u], nl::add, integers(factor.limb[a], nl::multiply, inverse[a + u]));
  }
  for (size_t u = kColumns - 1; u > 0; --u) {
    Tensor carry = bitwise(columns[u], nl::right_shift, kLimbBits);
    columns[u - 1] = integers(columns[u - 1], nl::add, carry);
    columns[u] = bitwise(columns[u], nl::bitwise_and, 0xfff);
  }
  return columns;
}

/// Payne and Hanek: the bits of 1 / pi that matter for the exponent of x, times x.
Reduced reduce_far(const Tensor &x, Period period) {
  std::array<Tensor, kColumns> turns = turns_in_limbs(x, period);
  Tensor whole = turns[0], leading = turns[1];
  if (period == Period::pi_from_half) {
    leading = scalar(leading, nl::subtract, 2048.0f);
  } else {
    Tensor round_up = scalar(leading, nl::greater_equal, 2048.0f, DType::int32);
    whole = integers(whole, nl::add, round_up);
    leading = combine(round_up, nl::multiply, -4096.0f, nl::add, leading);
  }
  // The fraction in three numbers of 24 bits. The first two cancel exactly where they do; what
  // their sum and pi lose otherwise is added to the last one.
  Tensor high = combine(leading, nl::multiply, 4096.0f, nl::add, turns[2]);
  Tensor middle = combine(turns[3], nl::multiply, 4096.0f, nl::add, turns[4]);
  Tensor low = combine(turns[5], nl::multiply, 4096.0f, nl::add, turns[6]);
  high = scalar(high, nl::multiply, 0x1p24f);
  Tensor fraction = pair(high, nl::add, middle);
  Tensor lost = pair(pair(high, nl::subtract, fraction), nl::add, middle);
  low = combine(low, nl::multiply, 0x1p-24f, nl::add, lost);
  constexpr float kPi = 0x1.921fb6p1f, kPiExcess = 0x1.777a5cp-24f; // pi = kPi - kPiExcess
  low = combine(fraction, nl::multiply, -kPiExcess / kPi, nl::add, low);
  float period_length = period == Period::half_pi ? kPi / 2 : kPi;
  Tensor rest = scalar(pair(fraction, nl::add, low), nl::multiply, period_length * 0x1p-48f);
  rest = combine(x, nl::multiply, 0.0f, nl::add, rest); // NaN for infinities
  if (period == Period::pi_from_half)
    return {whole, rest}; // of |x|: cos is even
  Tensor sign = bitwise(x, nl::bitwise_and, kSignBit);
  return {whole, float_of(pair(bits_of(rest), nl::bitwise_xor, sign, DType::int32))};
}

} // namespace

Reduced reduce(const Tensor &x, Period period) {
  Reduced near = reduce_near(x, period);
  Tensor far_lanes = predicate(near.turns, nl::abs, {}, nl::greater, kMostTurns);
  auto replace = [&](const Tensor &turns, const Tensor &rest, const Tensor &angle,
                     const Tensor &lanes) {
    Reduced far = reduce_far(angle, period);
    nisa::tensor_copy_predicated(turns, far.turns, lanes);
    nisa::tensor_copy_predicated(rest, far.rest, lanes);
  };
  for (int32_t round = trip_count(far_lanes); round > 0; --round)
    in_stretches(kNarrow, replace, near.turns, near.rest, x, far_lanes);
  return near;
}

} // namespace nki::math
