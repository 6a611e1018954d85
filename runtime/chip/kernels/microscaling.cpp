// OCP microscaling formats: groups of 8 rows by 4 adjacent elements with one scale.

#include "chip/kernels/tables.h"
#include "chip/numbers.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

constexpr int64_t kRowsOfGroup = 8, kElements = 4;
constexpr uint32_t kNanScale = 255;

/// out[i] = x[i] times the factor of its group of four; NaN stays what it is.
template <class Format>
void quantize_row(uint8_t *out, const float *x, const float *factors, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i) {
    float value = x[i], product = value * factors[i];
    out[i] = Format::from_float(value != value ? value : product);
  }
}

/// scale[c] is that of the columns' largest magnitude: magnitudes order as their patterns do, and
/// what is not finite comes last.
template <class Format, int Most>
void quantize(const float *rows, int64_t pitch, int64_t columns, uint8_t *const *out,
              uint32_t *scales, float *spare) {
  uint32_t *largest = reinterpret_cast<uint32_t *>(spare);
  for (int64_t r = 0; r < kRowsOfGroup; ++r) {
    const uint32_t *row = reinterpret_cast<const uint32_t *>(rows + r * pitch);
#pragma clang loop vectorize(assume_safety)
    for (int64_t i = 0; i < kElements * columns; ++i) {
      uint32_t size = row[i] & 0x7fffffffu, before = r == 0 ? 0 : largest[i];
      largest[i] = size > before ? size : before;
    }
  }
#pragma clang loop vectorize(assume_safety)
  for (int64_t c = 0; c < columns; ++c) {
    uint32_t a = largest[4 * c], b = largest[4 * c + 1], d = largest[4 * c + 2],
             e = largest[4 * c + 3];
    a = a > b ? a : b;
    d = d > e ? d : e;
    a = a > d ? a : d;
    int32_t exponent = int32_t(a >> 23) - (Most - 1);
    exponent = exponent < 0 ? 0 : exponent;
    scales[c] = a >= 0x7f800000u ? kNanScale : uint32_t(exponent);
  }
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < kElements * columns; ++i) {
    uint32_t scale = scales[i / kElements]; // 2^(127 - scale): never subnormal
    spare[i] = __builtin_bit_cast(float, scale == kNanScale ? 0x7fc00000u : (254 - scale) << 23);
  }
  for (int64_t r = 0; r < kRowsOfGroup; ++r)
    quantize_row<Format>(out[r], rows + r * pitch, spare, kElements * columns);
}

struct Float4E2M1Format {
  static float to_float(uint32_t bits) {
    uint32_t magnitude = bits & 7;
    uint32_t normal = (magnitude << 22) + (126u << 23);
    uint32_t small = magnitude == 0 ? 0u : 0x3f000000u; // 0 and 0.5
    return __builtin_bit_cast(float, (magnitude < 2 ? small : normal) | (bits & 8) << 28);
  }
};

/// out[j * pitch + c] = element j of packed[c], times 2^(scale - 127) of column c.
template <class Format, int Bits>
void dequantize(float *out, int64_t pitch, const uint32_t *packed, const uint32_t *scales,
                int64_t columns) {
  for (int j = 0; j < kElements; ++j)
#pragma clang loop vectorize(assume_safety)
    for (int64_t c = 0; c < columns; ++c) {
      uint32_t element = packed[c] >> (Bits * j) & ((1u << Bits) - 1);
      float factor = Float8E8M0Format::to_float(uint8_t(scales[c]));
      if constexpr (Bits == 4)
        out[j * pitch + c] = Format::to_float(element) * factor;
      else
        out[j * pitch + c] = Format::to_float(typename Format::Bits(element)) * factor;
    }
}

} // namespace

void fill_microscaling(Kernels &table) {
  table.quantize_mx[0] = quantize<Float8E4M3FnFormat, 8>;
  table.quantize_mx[1] = quantize<Float8E5M2Format, 15>;
  table.dequantize_mx[int(DType::float8_e5m2_x4)] = dequantize<Float8E5M2Format, 8>;
  table.dequantize_mx[int(DType::float8_e4m3fn_x4)] = dequantize<Float8E4M3FnFormat, 8>;
  table.dequantize_mx[int(DType::float4_e2m1fn_x4)] = dequantize<Float4E2M1Format, 4>;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
