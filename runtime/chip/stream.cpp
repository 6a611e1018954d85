#include "chip/stream.h"

namespace nki::chip {

namespace {

template <class Format>
void load_floats_as(float *to, const uint8_t *from, int64_t stride, int64_t count) {
  using Bits = typename Format::Bits;
  if (stride == int64_t(sizeof(Bits))) {
    const Bits *elements = reinterpret_cast<const Bits *>(from);
    for (int64_t i = 0; i < count; ++i)
      to[i] = Format::to_float(elements[i]);
  } else if (stride == 0) {
    std::fill_n(to, count, Format::to_float(*reinterpret_cast<const Bits *>(from)));
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = Format::to_float(*reinterpret_cast<const Bits *>(from + i * stride));
  }
}

template <class Format>
void store_floats_as(uint8_t *to, int64_t stride, const float *from, int64_t count) {
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
void load_bits_as(uint32_t *to, const uint8_t *from, int64_t stride, int64_t count) {
  if (stride == int64_t(sizeof(Bits))) {
    const Bits *elements = reinterpret_cast<const Bits *>(from);
    for (int64_t i = 0; i < count; ++i)
      to[i] = uint32_t(elements[i]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = uint32_t(*reinterpret_cast<const Bits *>(from + i * stride));
  }
}

template <class Bits>
void store_bits_as(uint8_t *to, int64_t stride, const uint32_t *from, int64_t count) {
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

void load_floats(float *to, DType type, const uint8_t *from, int64_t stride, int64_t count) {
  with_format(type,
              [&](auto format) { load_floats_as<decltype(format)>(to, from, stride, count); });
}

void store_floats(uint8_t *to, DType type, int64_t stride, const float *from, int64_t count) {
  with_format(type,
              [&](auto format) { store_floats_as<decltype(format)>(to, stride, from, count); });
}

void load_bits(uint32_t *to, DType type, const uint8_t *from, int64_t stride, int64_t count) {
  switch (size_of(type)) {
  case 1:
    return load_bits_as<uint8_t>(to, from, stride, count);
  case 2:
    return load_bits_as<uint16_t>(to, from, stride, count);
  default:
    return load_bits_as<uint32_t>(to, from, stride, count);
  }
}

void store_bits(uint8_t *to, DType type, int64_t stride, const uint32_t *from, int64_t count) {
  switch (size_of(type)) {
  case 1:
    return store_bits_as<uint8_t>(to, stride, from, count);
  case 2:
    return store_bits_as<uint16_t>(to, stride, from, count);
  default:
    return store_bits_as<uint32_t>(to, stride, from, count);
  }
}

} // namespace nki::chip
