// Comparisons, minima and selections of launch-known integers.
#include "lanes/index_form.h"

#include "nki/error.h"

#include <algorithm>
#include <cstring>

namespace nki {

namespace {

/// Sets out[i] where value + i * stride < 0, for a nest of levels; advances `out` by its lanes.
uint8_t *negative_nest(const Level *level, int depth, int64_t value, uint8_t *out) {
  if (depth == 0) {
    *out = value < 0;
    return out + 1;
  }
  if (depth > 1) {
    for (int64_t i = 0; i < level->count; ++i, value += level->stride)
      out = negative_nest(level + 1, depth - 1, value, out);
    return out;
  }
  // One run of ones: a prefix where values rise, a suffix where they fall.
  int64_t count = level->count, stride = level->stride, ones;
  if (stride == 0)
    ones = value < 0 ? count : 0;
  else if (stride > 0)
    ones = value >= 0 ? 0 : std::min(count, (-value + stride - 1) / stride);
  else
    ones = value < 0 ? count : count - std::min(count, value / -stride + 1);
  bool prefix = stride >= 0 || value < 0;
  std::memset(out, 0, size_t(count));
  std::memset(out + (prefix ? 0 : count - ones), 1, size_t(ones));
  return out + count;
}

/// Lanes where an exact affine difference is negative; all its values fit 62 bits.
Mask negative(const Index &difference) {
  const Wave &wave = *difference.wave();
  LaneForm form = lane_form(difference);
  bool over_partitions = form.varies_over_partitions(), over_free = form.varies_over_free();
  LaneArray<uint8_t> lanes = lane_array<uint8_t>(wave.P(), wave.F(), over_partitions, over_free);
  Level levels[kWaveAxes];
  int depth = over_free ? merge_axes(wave, form.strides, kPartitionAxes, kWaveAxes, levels) : 0;
  uint8_t *out = lanes.values.data();
  auto [nz, ny, nx] = std::array{wave.counts()[0], wave.counts()[1], wave.counts()[2]};
  if (!over_partitions)
    nz = ny = nx = 1;
  for (int64_t z = 0; z < nz; ++z)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x)
        out = negative_nest(
            levels, depth,
            form.first + z * form.strides[0] + y * form.strides[1] + x * form.strides[2], out);
  return Mask(wave, std::move(lanes));
}

/// a < b, as numbers of their type.
Mask less(const Index &left, const Index &right, bool is_signed) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  int bits = a.bits();
  auto test = [=](int64_t x, int64_t y) {
    return is_signed ? x < y : low_bits(uint64_t(x), bits) < low_bits(uint64_t(y), bits);
  };
  if (a.is_uniform() && b.is_uniform()) {
    bool result = test(a.constant(), b.constant());
    return wave ? Mask(*wave, result) : Mask(result);
  }
  std::optional<Range> x = IndexOps::exact(a, is_signed), y = IndexOps::exact(b, is_signed);
  if (!x || !y) {
    auto [low_a, high_a] = IndexOps::bounds(a, is_signed);
    auto [low_b, high_b] = IndexOps::bounds(b, is_signed);
    if (high_a < low_b || low_a >= high_b)
      return Mask(*wave, high_a < low_b);
    return map_mask(*wave, a, b, test);
  }
  // As one form, in which what both depend on cancels.
  std::array<int64_t, kAxes> coefficients;
  Int128 constant = x->constant - y->constant, low = constant, high = constant;
  for (int axis = 0; axis < kAxes; ++axis) {
    Int128 coefficient = Int128(a.coefficient(Axis(axis))) - b.coefficient(Axis(axis));
    coefficients[axis] = int64_t(coefficient);
    if (coefficient == 0)
      continue;
    Int128 first = coefficient * wave->first(Axis(axis)),
           last = coefficient * wave->last(Axis(axis));
    low += std::min(first, last);
    high += std::max(first, last);
  }
  if (high < 0 || low >= 0)
    return Mask(*wave, high < 0);
  // Leaves room for a step beyond either end.
  if (low < INT64_MIN / 4 || high > INT64_MAX / 4)
    return map_mask(*wave, a, b, test);
  return negative(IndexOps::affine(wave, 64, uint64_t(constant), coefficients));
}

} // namespace

Mask slt(const Index &a, const Index &b) { return less(a, b, true); }
Mask sgt(const Index &a, const Index &b) { return less(b, a, true); }
Mask sle(const Index &a, const Index &b) { return !less(b, a, true); }
Mask sge(const Index &a, const Index &b) { return !less(a, b, true); }
Mask ult(const Index &a, const Index &b) { return less(a, b, false); }
Mask ugt(const Index &a, const Index &b) { return less(b, a, false); }
Mask ule(const Index &a, const Index &b) { return !less(b, a, false); }
Mask uge(const Index &a, const Index &b) { return !less(a, b, false); }

Mask eq(const Index &left, const Index &right) {
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (a.is_affine() && b.is_affine()) {
    Index difference = a - b;
    if (difference.is_uniform()) {
      bool result = difference.constant() == 0;
      return wave ? Mask(*wave, result) : Mask(result);
    }
    // Equal lanes are those where the difference is a multiple of 2^bits.
    Range range = IndexOps::range(difference);
    if ((range.low - 1) >> a.bits() == range.high >> a.bits())
      return Mask(*wave, false);
    return map_mask(*wave, difference, Index(int64_t(0), a.bits()),
                    [](int64_t x, int64_t) { return x == 0; });
  }
  return map_mask(*wave, a, b, [](int64_t x, int64_t y) { return x == y; });
}
Mask ne(const Index &a, const Index &b) { return !eq(a, b); }

namespace {

Index extremum(const Index &left, const Index &right, bool is_signed, bool smaller) {
  Index a = left, b = right;
  IndexOps::join(a, b);
  return select(less(a, b, is_signed), smaller ? a : b, smaller ? b : a);
}

} // namespace

Index smin(const Index &a, const Index &b) { return extremum(a, b, true, true); }
Index smax(const Index &a, const Index &b) { return extremum(a, b, true, false); }
Index umin(const Index &a, const Index &b) { return extremum(a, b, false, true); }
Index umax(const Index &a, const Index &b) { return extremum(a, b, false, false); }
Index abs(const Index &a) { return select(slt(a, Index(int64_t(0), a.bits())), -a, a); }

Index select(const Mask &mask, const Index &left, const Index &right) {
  if (mask.is_tile())
    throw Error("select", "a launch-known mask for launch-known values", "a predicate tile");
  Index a = left, b = right;
  const Wave *wave = IndexOps::join(a, b);
  if (mask.is_all() || mask.is_none())
    return mask.is_all() ? a : b;
  if (wave && wave != mask.wave())
    throw Error("select", "operands of one wave");
  wave = mask.wave();
  const LaneArray<uint8_t> &lanes = mask.bitmap();
  bool over_free = lanes.varies_over_free() || varies_over_free(a) || varies_over_free(b);
  bool over_partitions =
      lanes.varies_over_partitions() || varies_over_partitions(a) || varies_over_partitions(b);
  int64_t rows = over_partitions ? wave->P() : 1, columns = over_free ? wave->F() : 1;
  LaneArray<int64_t> result = lane_array<int64_t>(wave->P(), wave->F(), over_partitions, over_free);
  std::vector<int64_t> other(static_cast<size_t>(columns));
  for (int64_t p = 0; p < rows; ++p) {
    std::span<int64_t> row(result.values.data() + p * columns, size_t(columns));
    fill_row(a, p, row);
    fill_row(b, p, other);
    const uint8_t *in = lanes.values.data() + p * lanes.partition_stride;
    const int64_t *otherwise = other.data();
    int64_t *out = row.data();
    if (lanes.varies_over_free())
      for (int64_t f = 0; f < columns; ++f)
        out[f] = in[f] ? out[f] : otherwise[f];
    else if (!*in)
      std::copy_n(otherwise, columns, out);
  }
  return IndexOps::table(*wave, a.bits(), std::move(result));
}

void assign(Index &variable, const Index &value, const Mask &mask) {
  variable = select(mask.launch_part(), value, variable);
}

} // namespace nki
