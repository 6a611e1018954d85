// Number formats of the chip: how bits become fp32 and back.
//
// Every engine and every casting DMA computes in fp32: a source element is widened, the result is
// rounded to the destination type (to nearest even, integers saturate). All conversions are plain
// integer and IEEE operations, so results are the same on every host and compilers vectorise them.
// What the public documentation leaves open is numbered in docs/chip-assumptions.md.
#pragma once

#include "chip/kernels/target.h"
#include "nki/tensor.h"

#include <cstdint>
#include <limits>

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

inline constexpr bool is_float(DType type) {
  return type >= DType::float16 && type <= DType::float8_e8m0fnu;
}
inline constexpr bool is_integer(DType type) { return type <= DType::int32; }
inline constexpr bool is_packed(DType type) { return type >= DType::float8_e5m2_x4; }

/// An integer type: exact up to 32 bits, saturating on the way back.
template <class T> struct IntegerFormat {
  using Bits = T;
  static float to_float(T value) { return float(value); }
  /// Rounds to nearest even and saturates; NaN gives 0 (assumption 7).
  static T from_float(float value) {
    if constexpr (sizeof(T) < 4) {
      constexpr float low = float(std::numeric_limits<T>::min());
      constexpr float high = float(std::numeric_limits<T>::max());
      float clamped = value > high ? high : value < low ? low : value;
      clamped = value != value ? 0.0f : clamped;
      return T(int32_t(__builtin_rintf(clamped)));
    } else if constexpr (std::numeric_limits<T>::is_signed) {
      float clamped = value < -0x1p31f ? -0x1p31f : value;
      clamped = value != value || value >= 0x1p31f ? 0.0f : clamped;
      int32_t result = int32_t(__builtin_rintf(clamped));
      return value >= 0x1p31f ? std::numeric_limits<int32_t>::max() : result;
    } else {
      // Halves of the range, since hosts convert to signed integers only.
      float clamped = value > 0.0f ? value : 0.0f;
      clamped = clamped >= 0x1p32f ? 0.0f : clamped;
      bool upper = clamped >= 0x1p31f;
      float shifted = upper ? clamped - 0x1p31f : clamped;
      uint32_t result = uint32_t(int32_t(__builtin_rintf(shifted)));
      result ^= upper ? 0x80000000u : 0u;
      return value >= 0x1p32f ? 0xffffffffu : result;
    }
  }
};

struct BoolFormat {
  using Bits = uint8_t;
  static float to_float(uint8_t value) { return value ? 1.0f : 0.0f; }
  static uint8_t from_float(float value) { return value != 0.0f; }
};

struct Float32Format {
  using Bits = float;
  static float to_float(float value) { return value; }
  static float from_float(float value) { return value; }
};

/// Rounds away the low `Drop` mantissa bits of fp32 (nearest even); NaN stays NaN, made quiet.
template <int Drop> inline uint32_t round_mantissa(float value) {
  uint32_t bits = __builtin_bit_cast(uint32_t, value);
  uint32_t rounded = bits + ((1u << (Drop - 1)) - 1) + ((bits >> Drop) & 1);
  bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return (nan ? bits | 0x400000u : rounded) & ~((1u << Drop) - 1);
}

/// tfloat32 occupies four bytes; its low 13 mantissa bits are zero.
struct TFloat32Format {
  using Bits = float;
  static float to_float(float value) { return value; }
  static float from_float(float value) {
    return __builtin_bit_cast(float, round_mantissa<13>(value));
  }
};

struct BFloat16Format {
  using Bits = uint16_t;
  static float to_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t(bits) << 16); }
  static uint16_t from_float(float value) { return uint16_t(round_mantissa<16>(value) >> 16); }
};

/// What an overflowing value becomes, and what the all-ones exponent means.
enum class Specials : uint8_t {
  ieee,   ///< infinities and NaNs, as fp16 and fp8 e5m2
  finite, ///< no infinity, one NaN (all ones): fp8 e4m3fn; overflow gives NaN (assumption 8)
};

/// A sign bit, `Exponent` bits, `Mantissa` bits, subnormals kept.
template <class B, int Exponent, int Mantissa, Specials Kind> struct SmallFloatFormat {
  using Bits = B;
  static constexpr int kDrop = 23 - Mantissa;
  static constexpr int kBias = (1 << (Exponent - 1)) - 1;
  static constexpr uint32_t kSign = 1u << (Exponent + Mantissa);
  static constexpr uint32_t kExponentMask = ((1u << Exponent) - 1) << Mantissa;
  static constexpr uint32_t kNaN =
      Kind == Specials::ieee ? kExponentMask | (1u << (Mantissa - 1)) : kSign - 1;
  /// Largest finite value, as bits without the sign.
  static constexpr uint32_t kMax = Kind == Specials::ieee ? kExponentMask - 1 : kSign - 2;
  static constexpr uint32_t kOverflow = Kind == Specials::ieee ? kExponentMask : kNaN;

  static float to_float(B bits) {
    uint32_t magnitude = bits & (kSign - 1);
    // Put the fields into place with a too small exponent, then scale by a power of two: exact,
    // and right for subnormals as well.
    float scaled = __builtin_bit_cast(float, magnitude << kDrop) *
                   __builtin_bit_cast(float, uint32_t(127 + 127 - kBias) << 23);
    uint32_t result = __builtin_bit_cast(uint32_t, scaled);
    if constexpr (Kind == Specials::ieee) {
      uint32_t special = 0x7f800000u | ((magnitude & ((1u << Mantissa) - 1)) << kDrop);
      bool nan = magnitude > kExponentMask;
      special |= nan ? 0x400000u : 0u;
      result = magnitude >= kExponentMask ? special : result;
    } else {
      result = magnitude == kNaN ? 0x7fc00000u : result;
    }
    uint32_t sign = uint32_t(bits & kSign) << (31 - Exponent - Mantissa);
    return __builtin_bit_cast(float, result | sign);
  }

  static B from_float(float value) {
    uint32_t bits = __builtin_bit_cast(uint32_t, value);
    uint32_t magnitude = bits & 0x7fffffffu;
    uint32_t sign = (bits >> 31) * kSign;
    // Normal results: round the mantissa, rebias the exponent.
    uint32_t rounded = magnitude + ((1u << (kDrop - 1)) - 1) + ((magnitude >> kDrop) & 1);
    uint32_t normal = (rounded >> kDrop) - (uint32_t(127 - kBias) << Mantissa);
    // Subnormal results: adding a power of two leaves exactly the wanted bits at the bottom.
    constexpr uint32_t magic = uint32_t(127 - kBias + 1 + kDrop) << 23;
    float sum = __builtin_bit_cast(float, magnitude) + __builtin_bit_cast(float, magic);
    uint32_t subnormal = __builtin_bit_cast(uint32_t, sum) - magic;
    uint32_t result = magnitude < (uint32_t(127 - kBias + 1) << 23) ? subnormal : normal;
    bool overflow = magnitude >= 0x7f800000u || int32_t(normal) > int32_t(kMax);
    result = magnitude >= (uint32_t(127 - kBias + 1) << 23) && overflow ? kOverflow : result;
    result = magnitude > 0x7f800000u ? kNaN : result;
    return B(result | sign);
  }
};

using Float16Format = SmallFloatFormat<uint16_t, 5, 10, Specials::ieee>;
using Float8E5M2Format = SmallFloatFormat<uint8_t, 5, 2, Specials::ieee>;
using Float8E4M3Format = SmallFloatFormat<uint8_t, 4, 3, Specials::ieee>;
using Float8E4M3FnFormat = SmallFloatFormat<uint8_t, 4, 3, Specials::finite>;

/// A power of two, 2^(bits - 127); 255 is NaN. Used as scale of MX formats.
struct Float8E8M0Format {
  using Bits = uint8_t;
  static float to_float(uint8_t bits) {
    uint32_t normal = bits == 0 ? 0x00400000u : uint32_t(bits) << 23;
    return __builtin_bit_cast(float, bits == 255 ? 0x7fc00000u : normal);
  }
  static uint8_t from_float(float value) {
    uint32_t bits = __builtin_bit_cast(uint32_t, value);
    uint32_t exponent = (bits + 0x400000u) >> 23; // the nearest power of two
    // 2^-127 is a subnormal of fp32: the middle between it and 2^-126 is 0x600000.
    exponent = bits < 0x600000u ? 0u : exponent;
    bool invalid = value != value || int32_t(bits) < 0 || exponent > 254;
    return uint8_t(invalid ? 255u : exponent);
  }
};

/// Calls f with the format type of `type`. Packed types have no element format.
template <class F> decltype(auto) with_format(DType type, F &&f) {
  switch (type) {
  case DType::uint8:
    return f(IntegerFormat<uint8_t>());
  case DType::int8:
    return f(IntegerFormat<int8_t>());
  case DType::uint16:
    return f(IntegerFormat<uint16_t>());
  case DType::int16:
    return f(IntegerFormat<int16_t>());
  case DType::uint32:
    return f(IntegerFormat<uint32_t>());
  case DType::int32:
    return f(IntegerFormat<int32_t>());
  case DType::bool_:
    return f(BoolFormat());
  case DType::float16:
    return f(Float16Format());
  case DType::bfloat16:
    return f(BFloat16Format());
  case DType::tfloat32:
    return f(TFloat32Format());
  case DType::float8_e4m3:
    return f(Float8E4M3Format());
  case DType::float8_e5m2:
    return f(Float8E5M2Format());
  case DType::float8_e4m3fn:
    return f(Float8E4M3FnFormat());
  case DType::float8_e8m0fnu:
    return f(Float8E8M0Format());
  default:
    return f(Float32Format());
  }
}

/// One element, for scalar operands, registers and messages.
inline float load_float(DType type, const void *address) {
  return with_format(type, [&](auto format) {
    typename decltype(format)::Bits bits;
    __builtin_memcpy(&bits, address, sizeof bits);
    return format.to_float(bits);
  });
}
inline void store_float(DType type, void *address, float value) {
  with_format(type, [&](auto format) {
    auto bits = format.from_float(value);
    __builtin_memcpy(address, &bits, sizeof bits);
  });
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
