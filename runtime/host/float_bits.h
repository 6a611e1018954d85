// Bits of floating-point formats: values, distances in units in the last place.
#pragma once

#include "host/element_type.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace neuronify {

/// Layout of a binary format: sign, exponent bits, fraction bits.
struct FloatFormat {
  int exponent_bits, fraction_bits;
  constexpr int bits() const { return 1 + exponent_bits + fraction_bits; }
};

constexpr FloatFormat format_of(ElementType type) {
  switch (type) {
  case ElementType::f16:
    return {5, 10};
  case ElementType::bf16:
    return {8, 7};
  case ElementType::f64:
    return {11, 52};
  default:
    return {8, 23};
  }
}

inline double smallest_normal(ElementType type) {
  return std::ldexp(1.0, 2 - (1 << (format_of(type).exponent_bits - 1)));
}

/// A power of two at most twice as large as the largest number of the format.
inline double largest_number(ElementType type) {
  return std::ldexp(1.0, (1 << (format_of(type).exponent_bits - 1)) - 1);
}

/// The bits of a floating-point element, zero extended.
inline uint64_t read_bits(ElementType type, const void *element) {
  uint64_t bits = 0;
  switch (format_of(type).bits()) { // a copy of a size that is known compiles to one load
  case 16:
    std::memcpy(&bits, element, 2);
    break;
  case 32:
    std::memcpy(&bits, element, 4);
    break;
  default:
    std::memcpy(&bits, element, 8);
  }
  return bits;
}

/// The value of an fp16, bf16, fp32 or fp64 element; exact.
inline double read_float(ElementType type, const void *element) {
  uint64_t bits = read_bits(type, element);
  switch (type) {
  case ElementType::f64:
    return std::bit_cast<double>(bits);
  case ElementType::f32:
    return std::bit_cast<float>(uint32_t(bits));
  case ElementType::bf16:
    return std::bit_cast<float>(uint32_t(bits) << 16);
  default:
    break;
  }
  int exponent = int(bits >> 10) & 31, fraction = int(bits) & 1023;
  double magnitude = exponent == 31  ? (fraction ? std::nan("") : double(INFINITY))
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

/// How many representable values apart two numbers (not NaN) of one format are; +0 and -0 are the
/// same value. Counts through zero: the distance of the smallest positive and negative is 2.
inline uint64_t ulp_distance(FloatFormat format, uint64_t a, uint64_t b) {
  uint64_t sign = uint64_t(1) << (format.bits() - 1);
  uint64_t magnitude_a = a & ~sign, magnitude_b = b & ~sign;
  if ((a ^ b) & sign)
    return magnitude_a + magnitude_b;
  return magnitude_a > magnitude_b ? magnitude_a - magnitude_b : magnitude_b - magnitude_a;
}

} // namespace neuronify
