// Inside of Index: canonical affine forms, their ranges, and tables over lanes. Private to this
// room.
#pragma once

#include "lanes/launch.h"

#include <optional>
#include <span>

namespace nki {

using Int128 = __int128;

/// Sign-extends the low `bits` of a value.
inline int64_t canonical(uint64_t value, int bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}
inline uint64_t low_bits(uint64_t value, int bits) { return value << (64 - bits) >> (64 - bits); }

/// An affine value as an exact integer, and the range it takes over the lanes of its wave.
struct Range {
  Int128 low, high;
  Int128 constant; ///< with Index::coefficient, the form whose range this is
};

/// A launch-known affine value along the axes of its wave: first + sum strides[d] * position[d],
/// modulo 2^64.
struct LaneForm {
  int64_t first = 0;
  std::array<int64_t, kWaveAxes> strides{};
  bool varies_over_partitions() const { return strides[0] || strides[1] || strides[2]; }
  bool varies_over_free() const { return strides[3] || strides[4] || strides[5] || strides[6]; }
};

/// One level of a nest of loops over lanes.
struct Level {
  int64_t count = 1, stride = 0;
};
/// The axes [from, to) of a wave as a nest, outermost first, without axes of one step and with
/// neighbours merged where their strides continue each other. Returns how many levels remain.
int merge_axes(const Wave &wave, const std::array<int64_t, kWaveAxes> &strides, int from, int to,
               Level *levels);

class IndexOps {
public:
  /// Reduces constant and coefficients modulo 2^bits; axes of one step go into the constant.
  static Index affine(const Wave *wave, int bits, uint64_t constant,
                      const std::array<int64_t, kAxes> &coefficients);
  static Index like(const Index &a, uint64_t constant) {
    return affine(a.wave_, a.bits_, constant, a.coefficients_);
  }
  static Index uniform(const Wave *wave, int bits, uint64_t value) {
    return affine(wave, bits, value, {});
  }
  /// Takes the simplest form that holds the table's values: uniform, affine, or the table.
  static Index table(const Wave &wave, int bits, LaneArray<int64_t> values);

  /// A table at a larger width: values are sign-extended already.
  static Index same_values(const Index &table, int bits);

  /// Brings both to one wave and one width; throws where that is impossible.
  static const Wave *join(Index &a, Index &b);
  static Index sext_or_trunc(const Index &uniform, int bits);
  static const std::array<int64_t, kAxes> &coefficients(const Index &a) { return a.coefficients_; }

  /// The range of an affine value before it is taken modulo 2^bits.
  static Range range(const Index &a);
  /// The range if the value, as a signed or unsigned number of its width, is affine exactly: the
  /// constant is moved by a multiple of 2^bits so that all lanes are in the type's range.
  static std::optional<Range> exact(const Index &a, bool is_signed);
  /// Smallest and largest value as a number of its type, whatever the form.
  static std::pair<Int128, Int128> bounds(const Index &a, bool is_signed);
};

LaneForm lane_form(const Index &a);
bool varies_over_partitions(const Index &a);
bool varies_over_free(const Index &a);

/// Writes the sign-extended values of the lanes of one partition.
void fill_row(const Index &a, int64_t partition, std::span<int64_t> row);

/// Reduces values modulo 2^bits, sign-extended.
inline void reduce_all(std::span<int64_t> values, int bits) {
  if (bits == 64)
    return;
  if (bits == 32) { // by far the most frequent; vectorises
    for (int64_t &value : values)
      value = int32_t(value);
    return;
  }
  for (int64_t &value : values)
    value = canonical(uint64_t(value), bits);
}

/// op(a, b) for every lane, on sign-extended values; a and b are joined.
template <class Op> Index map_lanes(const Wave &wave, const Index &a, const Index &b, Op op) {
  bool over_free = varies_over_free(a) || varies_over_free(b);
  bool b_varies = varies_over_partitions(b);
  bool over_partitions = varies_over_partitions(a) || b_varies;
  int64_t rows = over_partitions ? wave.P() : 1, columns = over_free ? wave.F() : 1;
  LaneArray<int64_t> result = lane_array<int64_t>(wave.P(), wave.F(), over_partitions, over_free);
  std::vector<int64_t> other(static_cast<size_t>(columns));
  for (int64_t p = 0; p < rows; ++p) {
    std::span<int64_t> row(result.values.data() + p * columns, size_t(columns));
    fill_row(a, p, row);
    if (p == 0 || b_varies)
      fill_row(b, p, other);
    const int64_t *right = other.data();
    int64_t *left = row.data();
    for (int64_t f = 0; f < columns; ++f)
      left[f] = int64_t(op(left[f], right[f]));
    reduce_all(row, a.bits());
  }
  return IndexOps::table(wave, a.bits(), std::move(result));
}

/// test(a, b) for every lane, on sign-extended values.
template <class Test> Mask map_mask(const Wave &wave, const Index &a, const Index &b, Test test) {
  bool over_free = varies_over_free(a) || varies_over_free(b);
  bool over_partitions = varies_over_partitions(a) || varies_over_partitions(b);
  int64_t rows = over_partitions ? wave.P() : 1, columns = over_free ? wave.F() : 1;
  LaneArray<uint8_t> result = lane_array<uint8_t>(wave.P(), wave.F(), over_partitions, over_free);
  std::vector<int64_t> left(static_cast<size_t>(columns)), right(static_cast<size_t>(columns));
  for (int64_t p = 0; p < rows; ++p) {
    fill_row(a, p, left);
    fill_row(b, p, right);
    uint8_t *row = result.values.data() + p * columns;
    for (int64_t f = 0; f < columns; ++f)
      row[f] = test(left[size_t(f)], right[size_t(f)]);
  }
  return Mask(wave, std::move(result));
}

} // namespace nki
