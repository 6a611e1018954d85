#include "chip/isa/mx.h"

#include "chip/numbers.h"
#include "chip/stream.h"

#include <array>
#include <cmath>

namespace nki::chip::isa {

namespace {

constexpr uint8_t kNanScale = 255;

DType element_type(DType packed) {
  return packed == DType::float8_e5m2_x4 ? DType::float8_e5m2 : DType::float8_e4m3fn;
}

/// The biased exponent of a group's scale: the maximum exponent of the element type less one stays
/// for the elements.
uint8_t scale_of(float largest, DType packed) {
  if (!std::isfinite(largest))
    return kNanScale;
  int most = packed == DType::float8_e5m2_x4 ? 15 : 8;
  int exponent = largest == 0 ? -127 : std::ilogb(largest) - (most - 1);
  return uint8_t(std::max(exponent, -127) + 127);
}

float value_of_scale(uint8_t bits) { return load_float(DType::float8_e8m0fnu, &bits); }

/// The four values of a packed element, in order of their bytes, or half bytes.
std::array<float, 4> unpack(DType packed, uint32_t bits) {
  static constexpr float fp4[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  std::array<float, 4> values;
  for (unsigned j = 0; j < 4; ++j) {
    if (packed == DType::float4_e2m1fn_x4) {
      uint32_t nibble = bits >> (4 * j) & 15;
      values[j] = nibble & 8 ? -fp4[nibble & 7] : fp4[nibble & 7];
    } else {
      uint8_t byte = uint8_t(bits >> (8 * j));
      values[j] = load_float(element_type(packed), &byte);
    }
  }
  return values;
}

} // namespace

void quantize_mx(const View &dst, const View &src, const View &scales) {
  auto values = scratch<float>(src.partitions * src.elements);
  auto packed = scratch<uint32_t>(dst.partitions * dst.elements);
  auto row = scratch<uint32_t>(dst.elements);
  read_rows(src, values.get());
  Sink<uint32_t> to_scales(scales);
  for (int64_t group = 0; group < src.partitions / kGroupPartitions; ++group) {
    for (int64_t c = 0; c < dst.elements; ++c) {
      auto element = [&](int64_t p, int64_t j) {
        return values[size_t((group * kGroupPartitions + p) * src.elements + c * kGroupElements +
                             j)];
      };
      float largest = 0;
      for (int64_t i = 0; i < kGroupPartitions * kGroupElements; ++i) {
        float size = std::fabs(element(i / kGroupElements, i % kGroupElements));
        largest = size > largest || size != size ? size : largest;
        if (largest != largest)
          break;
      }
      uint8_t scale = scale_of(largest, dst.type);
      row[size_t(c)] = scale;
      double divisor = value_of_scale(scale);
      for (int64_t p = 0; p < kGroupPartitions; ++p) {
        uint32_t bits = 0;
        for (int64_t j = 0; j < kGroupElements; ++j) {
          uint8_t byte = 0;
          store_float(element_type(dst.type), &byte, float(double(element(p, j)) / divisor));
          bits |= uint32_t(byte) << (8 * j);
        }
        packed[size_t((group * kGroupPartitions + p) * dst.elements + c)] = bits;
      }
    }
    to_scales.begin(scale_partition(group));
    write_row(to_scales, row.get(), dst.elements);
  }
  write_rows(dst, packed.get());
}

void dequantize_mx(float *out, const View &data, const View &scales) {
  Source<uint32_t> from(data);
  for (int64_t p = 0; p < data.partitions; ++p) {
    from.begin(p);
    const uint8_t *scale_row = scales.row(scale_partition(p / kGroupPartitions));
    PatternWalk scale(scales.pattern);
    for (int64_t done = 0; done < data.elements; done += kChunk) {
      int64_t count = std::min(kChunk, data.elements - done);
      const uint32_t *packed = from.next(count);
      for (int64_t i = 0; i < count; ++i, scale.advance()) {
        float factor = value_of_scale(scale_row[scale.offset()]);
        std::array<float, 4> values = unpack(data.type, packed[i]);
        for (int64_t j = 0; j < kGroupElements; ++j)
          out[(p * kGroupElements + j) * data.elements + done + i] = values[size_t(j)] * factor;
      }
    }
  }
}

} // namespace nki::chip::isa
