// Runs of elements between memory and the compute types.

#include "chip/kernels/tables.h"
#include "chip/numbers.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

/// Elements that lie `Step` elements apart: a constant stride is vector code.
template <int Step, class Bits, class T, class F>
void load_apart(T *to, const uint8_t *from, int64_t count, F &&convert) {
  const Bits *elements = reinterpret_cast<const Bits *>(from);
  for (int64_t i = 0; i < count; ++i)
    to[i] = convert(elements[Step * i]);
}

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
  } else if (stride == 2 * int64_t(sizeof(Bits))) {
    load_apart<2, Bits>(to, from, count, Format::to_float);
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
  } else if (stride == 2 * int64_t(sizeof(Bits))) {
    load_apart<2, Bits>(to, from, count, [](Bits bits) { return uint32_t(bits); });
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

/// bfloat16 in whole vectors: the upper halves of words, taken and put by one shuffle.
constexpr int kShorts = 32;
using Shorts = uint16_t __attribute__((vector_size(kShorts * 2), aligned(2)));
using Words = uint32_t __attribute__((vector_size(kShorts * 4), aligned(4)));

void load_bfloat16(float *to, const uint8_t *from, int64_t stride, int64_t count) {
  int64_t i = 0;
  if (stride == 2)
    for (; i + kShorts <= count; i += kShorts) {
      Shorts values;
      __builtin_memcpy(&values, from + 2 * i, sizeof values);
      Words wide = __builtin_convertvector(values, Words) << 16;
      __builtin_memcpy(to + i, &wide, sizeof wide);
    }
  load_floats<BFloat16Format>(to + i, from + i * stride, stride, count - i);
}

void store_bfloat16(uint8_t *to, int64_t stride, const float *from, int64_t count) {
  using AllShorts = uint16_t __attribute__((vector_size(kShorts * 4)));
  using Floats = float __attribute__((vector_size(kShorts * 4), aligned(4)));
  int64_t i = 0;
  if (stride == 2)
    for (; i + kShorts <= count; i += kShorts) {
      Floats values;
      __builtin_memcpy(&values, from + i, sizeof values);
      const Words bits = __builtin_bit_cast(Words, values);
      const Words rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
      const Words result = values != values ? bits | 0x400000u : rounded;
      const AllShorts all = __builtin_bit_cast(AllShorts, result);
      const Shorts upper = __builtin_shufflevector(all, all, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21,
                                                   23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45,
                                                   47, 49, 51, 53, 55, 57, 59, 61, 63);
      __builtin_memcpy(to + 2 * i, &upper, sizeof upper);
    }
  store_floats<BFloat16Format>(to + i * stride, stride, from + i, count - i);
}

#ifdef __F16C__
/// float16 by the host's instructions, which round in the same way; only NaN has other bits there.
void load_halves(float *to, const uint8_t *from, int64_t stride, int64_t count) {
  int64_t i = 0;
  if (stride == 2)
    for (; i + 8 <= count; i += 8)
      _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(
                                   reinterpret_cast<const __m128i *>(from + 2 * i))));
  load_floats<Float16Format>(to + i, from + i * stride, stride, count - i);
}

void store_halves(uint8_t *to, int64_t stride, const float *from, int64_t count) {
  int64_t i = 0;
  if (stride == 2)
    for (; i + 8 <= count; i += 8) {
      __m256 values = _mm256_loadu_ps(from + i);
      __m128i halves = _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT);
      __m128i magnitude = _mm_and_si128(halves, _mm_set1_epi16(0x7fff));
      __m128i nan = _mm_cmpgt_epi16(magnitude, _mm_set1_epi16(0x7c00));
      __m128i quiet = _mm_or_si128(_mm_and_si128(halves, _mm_set1_epi16(int16_t(0x8000))),
                                   _mm_set1_epi16(0x7e00));
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + 2 * i),
                       _mm_blendv_epi8(halves, quiet, nan));
    }
  store_floats<Float16Format>(to + i * stride, stride, from + i, count - i);
}
#endif

} // namespace

void fill_conversions(Kernels &table) {
  for (int type = 0; type < kTypes; ++type)
    with_format(DType(type), [&](auto format) {
      table.load_floats[type] = load_floats<decltype(format)>;
      table.store_floats[type] = store_floats<decltype(format)>;
    });
  table.load_floats[int(DType::bfloat16)] = load_bfloat16;
  table.store_floats[int(DType::bfloat16)] = store_bfloat16;
#ifdef __F16C__
  table.load_floats[int(DType::float16)] = load_halves;
  table.store_floats[int(DType::float16)] = store_halves;
#endif
  table.load_bits[1] = load_bits<uint8_t>;
  table.load_bits[2] = load_bits<uint16_t>;
  table.load_bits[4] = load_bits<uint32_t>;
  table.store_bits[1] = store_bits<uint8_t>;
  table.store_bits[2] = store_bits<uint16_t>;
  table.store_bits[4] = store_bits<uint32_t>;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
