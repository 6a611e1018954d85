// Runs of elements between memory and the compute types.

#include "chip/kernels/tables.h"
#include "chip/numbers.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

template <class Format>
void load_floats(float *to, const uint8_t *from, int64_t stride, int64_t count) {
  using Bits = typename Format::Bits;
  if (stride == int64_t(sizeof(Bits))) {
    const Bits *elements = reinterpret_cast<const Bits *>(from);
    for (int64_t i = 0; i < count; ++i)
      to[i] = Format::to_float(elements[i]);
  } else if (stride == 0) {
    float value = Format::to_float(*reinterpret_cast<const Bits *>(from));
    for (int64_t i = 0; i < count; ++i)
      to[i] = value;
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = Format::to_float(*reinterpret_cast<const Bits *>(from + i * stride));
  }
}

template <class Format>
void store_floats(uint8_t *to, int64_t stride, const float *from, int64_t count) {
  using Bits = typename Format::Bits;
  if (stride == int64_t(sizeof(Bits))) {
    Bits *elements = reinterpret_cast<Bits *>(to);
    for (int64_t i = 0; i < count; ++i)
      elements[i] = Format::from_float(from[i]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      *reinterpret_cast<Bits *>(to + i * stride) = Format::from_float(from[i]);
  }
}

template <class Bits>
void load_bits(uint32_t *to, const uint8_t *from, int64_t stride, int64_t count) {
  if (stride == int64_t(sizeof(Bits))) {
    const Bits *elements = reinterpret_cast<const Bits *>(from);
    for (int64_t i = 0; i < count; ++i)
      to[i] = elements[i];
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = *reinterpret_cast<const Bits *>(from + i * stride);
  }
}

template <class Bits>
void store_bits(uint8_t *to, int64_t stride, const uint32_t *from, int64_t count) {
  if (stride == int64_t(sizeof(Bits))) {
    Bits *elements = reinterpret_cast<Bits *>(to);
    for (int64_t i = 0; i < count; ++i)
      elements[i] = Bits(from[i]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      *reinterpret_cast<Bits *>(to + i * stride) = Bits(from[i]);
  }
}

} // namespace

void fill_conversions(Kernels &table) {
  for (int type = 0; type < kTypes; ++type)
    with_format(DType(type), [&](auto format) {
      table.load_floats[type] = load_floats<decltype(format)>;
      table.store_floats[type] = store_floats<decltype(format)>;
    });
  table.load_bits[1] = load_bits<uint8_t>;
  table.load_bits[2] = load_bits<uint16_t>;
  table.load_bits[4] = load_bits<uint32_t>;
  table.store_bits[1] = store_bits<uint8_t>;
  table.store_bits[2] = store_bits<uint16_t>;
  table.store_bits[4] = store_bits<uint32_t>;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
