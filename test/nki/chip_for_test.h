// A core to run instructions on, and tiles with given values.
#pragma once

#include "chip/core.h"
#include "chip/numbers.h"
#include "chip/poison.h"
#include "chip/view.h"
#include "nki/error.h"
#include "nki/isa.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace nki {

class ChipTest : public testing::Test {
protected:
  explicit ChipTest(const char *generation = "trn3", chip::ChipAssumptions assumptions = {})
      : core(chip::generation(generation), hbm, assumptions), scope(core) {}

  chip::Hbm hbm;
  chip::Core core;
  CoreScope scope;
};

/// The address of element `index` (partition-major) of a view.
inline uint8_t *address_of(const Tensor &tensor, int64_t index) {
  chip::View view = chip::view_of(tensor);
  chip::PatternWalk walk(view.pattern);
  for (int64_t i = 0; i < index % view.elements; ++i)
    walk.advance();
  return view.row(index / view.elements) + walk.offset();
}

/// Puts values, rounded to the type, into all elements, past the instructions.
inline void put(const Tensor &tensor, const std::vector<float> &values) {
  chip::View view = chip::view_of(tensor);
  chip::begin_write(view);
  size_t i = 0;
  for (int64_t p = 0; p < view.partitions; ++p) {
    chip::PatternWalk walk(view.pattern);
    for (int64_t e = 0; e < view.elements; ++e, walk.advance())
      chip::store_float(view.type, view.row(p) + walk.offset(), values[i++ % values.size()]);
  }
  chip::end_write(view);
}
template <class T> void put_bits(const Tensor &tensor, const std::vector<T> &values) {
  chip::View view = chip::view_of(tensor);
  chip::begin_write(view);
  size_t i = 0;
  for (int64_t p = 0; p < view.partitions; ++p) {
    chip::PatternWalk walk(view.pattern);
    for (int64_t e = 0; e < view.elements; ++e, walk.advance())
      std::memcpy(view.row(p) + walk.offset(), &values[i++ % values.size()], size_of(view.type));
  }
  chip::end_write(view);
}
inline std::vector<float> get(const Tensor &tensor) {
  chip::View view = chip::view_of(tensor);
  std::vector<float> values;
  for (int64_t p = 0; p < view.partitions; ++p) {
    chip::PatternWalk walk(view.pattern);
    for (int64_t e = 0; e < view.elements; ++e, walk.advance())
      values.push_back(chip::load_float(view.type, view.row(p) + walk.offset()));
  }
  return values;
}
/// Bit patterns, zero-extended.
inline std::vector<uint32_t> get_bits(const Tensor &tensor) {
  chip::View view = chip::view_of(tensor);
  std::vector<uint32_t> values;
  for (int64_t p = 0; p < view.partitions; ++p) {
    chip::PatternWalk walk(view.pattern);
    for (int64_t e = 0; e < view.elements; ++e, walk.advance()) {
      uint32_t bits = 0;
      std::memcpy(&bits, view.row(p) + walk.offset(), size_of(view.type));
      values.push_back(bits);
    }
  }
  return values;
}

inline Tensor tile(int64_t partitions, int64_t free, DType type = nl::float32) {
  return nl::ndarray({partitions, free}, type);
}
inline Tensor tile_of(const std::vector<float> &values, int64_t partitions, int64_t free,
                      DType type = nl::float32) {
  Tensor result = tile(partitions, free, type);
  put(result, values);
  return result;
}

/// Numbers that break sloppy code, then random ones of all magnitudes.
inline std::vector<float> hard_floats(size_t count, unsigned seed = 1) {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> values = {
      0.0f,       -0.0f,           1.0f,      -1.0f,    inf,     -inf,   NAN,    0x1p-149f,
      -0x1p-140f, 0x1.fffffep127f, 0x1p-126f, 2.5f,     3.5f,    -0.5f,  255.5f, -128.5f,
      65504.0f,   65536.0f,        0x1p31f,   -0x1p31f, 0x1p32f, 448.0f, 464.0f, 0x1.000001p0f};
  std::mt19937 random(seed);
  while (values.size() < count) {
    float magnitude = std::ldexp(float(random()) / 4294967296.0f, int(random() % 60) - 30);
    values.push_back(random() % 2 ? magnitude : -magnitude);
  }
  values.resize(count);
  return values;
}

inline uint32_t bits_of(float value) { return __builtin_bit_cast(uint32_t, value); }
/// Equal bit for bit, or both NaN.
inline bool same(float a, float b) {
  return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
}

/// Expects nki::Error with `text` in its message.
#define EXPECT_RULE(statement, text)                                                               \
  try {                                                                                            \
    statement;                                                                                     \
    ADD_FAILURE() << "no error, expected: " << text;                                               \
  } catch (const nki::Error &error) {                                                              \
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();            \
  }

} // namespace nki
