// fp16 and bf16 on the host: conversions and operations that round once, to nearest even.
//
// Plain integer and IEEE operations, so that results are the same with every compiler; no fp16 type
// of the compiler is used, because those may keep more digits than they should.
#pragma once

#include <bit>
#include <cstdint>

namespace nki {

/// The bits of one number, as memory holds it. What kernels' pointers point to.
struct float16 {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

namespace half_bits {

/// x as a float whose last bit is set where x lies between two floats (round to odd). Rounding that
/// to 16 bits gives the 16-bit number nearest to x.
constexpr float to_odd(double x) {
  const float nearest = float(x);
  if (x != x || double(nearest) == x)
    return nearest;
  const uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (bits & 1)
    return nearest;
  const bool beyond = (double(nearest) > x) == (x > 0);
  return std::bit_cast<float>(beyond ? bits - 1 : bits + 1);
}

/// x * y + z rounded to odd in double; the product of two floats of 12 bits is exact.
constexpr double fused_to_odd(double x, double y, double z) {
  const double product = x * y, sum = product + z, part = sum - product;
  const double error = (product - (sum - part)) + (z - part);
  const uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (!(error < 0 || error > 0) || (bits & 1) || sum - sum != 0)
    return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

constexpr bool is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

} // namespace half_bits

// ---- fp16
// ------------------------------------------------------------------------------------------

/// The 16 bits of the half nearest to x. A NaN stays one.
constexpr int16_t float_to_half(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), magnitude = bits & 0x7fffffffu;
  const uint32_t sign = bits >> 16 & 0x8000u;
  if (half_bits::is_nan(bits))
    return int16_t(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) // 2^16
    return int16_t(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {                              // below 2^-14: a multiple of 2^-24
    const float sum = std::bit_cast<float>(magnitude) + 0.5f; // whose last place that is
    return int16_t(sign | (std::bit_cast<uint32_t>(sum) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1);
  return int16_t(sign | ((rounded >> 13) - (112u << 10)));
}
constexpr int16_t float_to_half(double x) { return float_to_half(half_bits::to_odd(x)); }

constexpr float half_to_float(int16_t half) {
  const uint32_t bits = uint16_t(half), exponent = bits >> 10 & 31, fraction = bits & 0x3ffu;
  const uint32_t sign = (bits & 0x8000u) << 16;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000u | (fraction ? 0x400000u : 0u) | fraction << 13);
  if (exponent == 0) {
    const float value = float(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

/// The half nearest to x, as a float.
constexpr float round_half(float x) { return half_to_float(float_to_half(x)); }
constexpr float round_half(double x) { return half_to_float(float_to_half(x)); }
/// a * b + c of three halves, rounded once to a half.
constexpr float fma_half(float a, float b, float c) {
  return round_half(half_bits::fused_to_odd(a, b, c));
}

// ---- bf16
// ------------------------------------------------------------------------------------------

constexpr int16_t float_to_bfloat(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  if (half_bits::is_nan(bits))
    return int16_t(bits >> 16 | 0x40u);
  return int16_t((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}
constexpr int16_t float_to_bfloat(double x) { return float_to_bfloat(half_bits::to_odd(x)); }
constexpr float bfloat_to_float(int16_t bfloat) {
  return std::bit_cast<float>(uint32_t(uint16_t(bfloat)) << 16);
}
constexpr float round_bfloat(float x) { return bfloat_to_float(float_to_bfloat(x)); }
constexpr float round_bfloat(double x) { return bfloat_to_float(float_to_bfloat(x)); }
constexpr float fma_bfloat(float a, float b, float c) {
  return round_bfloat(half_bits::fused_to_odd(a, b, c));
}

/// An integer as a float that rounds to the nearest bf16: rounded to odd.
constexpr float to_float_odd(int32_t x) { return half_bits::to_odd(double(x)); }
constexpr float to_float_odd(uint32_t x) { return half_bits::to_odd(double(x)); }

} // namespace nki
