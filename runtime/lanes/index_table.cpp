// Index values lane by lane: rows of affine forms, and tables in their simplest form.
#include "lanes/index_form.h"

#include <algorithm>

namespace nki {

int merge_axes(const Wave &wave, const std::array<int64_t, kWaveAxes> &strides, int from, int to,
               Level *levels) {
  int depth = 0;
  for (int axis = from; axis < to; ++axis) {
    Level level{wave.counts()[axis], strides[axis]};
    if (level.count == 1)
      continue;
    Level *outer = depth ? &levels[depth - 1] : nullptr;
    if (outer && uint64_t(outer->stride) == uint64_t(level.stride) * uint64_t(level.count))
      *outer = {outer->count * level.count, level.stride};
    else
      levels[depth++] = level;
  }
  return depth;
}

LaneForm lane_form(const Index &a) {
  LaneForm form;
  form.first = a.constant();
  const Wave *wave = a.wave();
  for (int axis = 0; axis < kAxes; ++axis) {
    uint64_t coefficient = uint64_t(a.coefficient(Axis(axis)));
    if (coefficient == 0)
      continue;
    form.first = int64_t(uint64_t(form.first) + coefficient * uint64_t(wave->first(Axis(axis))));
    std::array<int64_t, kWaveAxes> steps = wave->steps(Axis(axis));
    for (int dim = 0; dim < kWaveAxes; ++dim)
      if (wave->counts()[dim] != 1)
        form.strides[dim] =
            int64_t(uint64_t(form.strides[dim]) + coefficient * uint64_t(steps[dim]));
  }
  return form;
}

bool varies_over_partitions(const Index &a) {
  return a.is_affine() ? lane_form(a).varies_over_partitions() : a.table().varies_over_partitions();
}
bool varies_over_free(const Index &a) {
  return a.is_affine() ? lane_form(a).varies_over_free() : a.table().varies_over_free();
}

namespace {

/// Value at the first lane of a partition.
uint64_t partition_start(const Wave &wave, const LaneForm &form, int64_t partition) {
  uint64_t value = uint64_t(form.first);
  for (int axis = kPartitionAxes - 1; axis >= 0; --axis) {
    value += uint64_t(partition % wave.counts()[axis]) * uint64_t(form.strides[axis]);
    partition /= wave.counts()[axis];
  }
  return value;
}

int64_t *fill_nest(const Level *level, int depth, uint64_t value, int shift, int64_t *out) {
  if (depth == 0) {
    *out = int64_t(value << shift) >> shift;
    return out + 1;
  }
  uint64_t stride = uint64_t(level->stride);
  if (depth > 1) {
    for (int64_t i = 0; i < level->count; ++i, value += stride)
      out = fill_nest(level + 1, depth - 1, value, shift, out);
    return out;
  }
  if (shift == 32)
    for (int64_t i = 0; i < level->count; ++i)
      out[i] = int32_t(uint32_t(value) + uint32_t(i) * uint32_t(stride));
  else
    for (int64_t i = 0; i < level->count; ++i)
      out[i] = int64_t((value + uint64_t(i) * stride) << shift) >> shift;
  return out + level->count;
}

/// The only affine form that a table can have: from the neighbours of its first lane.
std::optional<Index> affine_guess(const Wave &wave, int bits, const LaneArray<int64_t> &table) {
  std::array<int64_t, kWaveAxes> strides{};
  int64_t distance = 1; // lanes between neighbours along `dim`
  for (int dim = kWaveAxes - 1; dim >= 0; --dim) {
    if (wave.counts()[dim] > 1)
      strides[dim] = int64_t(uint64_t(table.at(distance / wave.F(), distance % wave.F())) -
                             uint64_t(table.at(0, 0)));
    distance *= wave.counts()[dim];
  }
  auto [z, y, x, k, tz, ty, tx] = strides;
  int64_t blocks = wave.counts()[3];
  if (wave.counts()[2] > 1 && blocks > 1 &&
      canonical(uint64_t(k) * uint64_t(blocks) - uint64_t(x), bits) != 0)
    return {};
  int64_t along_x = blocks > 1 ? k : x;
  std::array<int64_t, kAxes> coefficients{tx, ty, tz, along_x, y, z};
  uint64_t constant = uint64_t(table.at(0, 0));
  for (int axis = 0; axis < kAxes; ++axis)
    constant -= uint64_t(coefficients[axis]) * uint64_t(wave.first(Axis(axis)));
  return Index(wave, bits, int64_t(constant), coefficients);
}

/// Drops the axis along which a full table does not vary.
void compress(const Wave &wave, LaneArray<int64_t> &table) {
  if (!table.varies_over_partitions() || !table.varies_over_free())
    return;
  auto row = [&](int64_t p) { return table.values.begin() + p * wave.F(); };
  bool same_rows = true, flat_rows = *row(0) == *(row(1) - 1);
  for (int64_t p = 0; p < wave.P() && (same_rows || flat_rows); ++p) {
    same_rows = same_rows && std::equal(row(0), row(1), row(p));
    flat_rows =
        flat_rows && std::all_of(row(p), row(p + 1), [&](int64_t v) { return v == *row(p); });
  }
  if (same_rows) {
    table.values.resize(size_t(wave.F()));
    table.partition_stride = 0;
  } else if (flat_rows) {
    for (int64_t p = 0; p < wave.P(); ++p)
      table.values[size_t(p)] = *row(p);
    table.values.resize(size_t(wave.P()));
    table.partition_stride = 1;
    table.free_stride = 0;
  }
}

} // namespace

void fill_row(const Index &a, int64_t partition, std::span<int64_t> row) {
  if (!a.is_affine()) {
    const LaneArray<int64_t> &table = a.table();
    const int64_t *values = table.values.data() + partition * table.partition_stride;
    if (table.varies_over_free())
      std::copy_n(values, row.size(), row.begin());
    else
      std::fill(row.begin(), row.end(), *values);
    return;
  }
  if (a.is_uniform()) {
    std::fill(row.begin(), row.end(), a.constant());
    return;
  }
  const Wave &wave = *a.wave();
  LaneForm form = lane_form(a);
  uint64_t start = partition_start(wave, form, partition);
  if (row.size() == 1) {
    row[0] = canonical(start, a.bits());
    return;
  }
  Level levels[kWaveAxes];
  int depth = merge_axes(wave, form.strides, kPartitionAxes, kWaveAxes, levels);
  fill_nest(levels, depth, start, 64 - a.bits(), row.data());
}

Index IndexOps::table(const Wave &wave, int bits, LaneArray<int64_t> values) {
  int64_t first = values.values.front();
  if (std::all_of(values.values.begin(), values.values.end(),
                  [&](int64_t value) { return value == first; }))
    return uniform(&wave, bits, uint64_t(first));
  compress(wave, values);
  int64_t columns = values.varies_over_free() ? wave.F() : 1;
  int64_t rows = int64_t(values.values.size()) / columns;
  if (std::optional<Index> guess = affine_guess(wave, bits, values)) {
    std::vector<int64_t> row(static_cast<size_t>(columns));
    int64_t p = 0;
    for (; p < rows; ++p) {
      fill_row(*guess, p, row);
      if (!std::equal(row.begin(), row.end(), values.values.begin() + p * columns))
        break;
    }
    if (p == rows)
      return *guess;
  }
  Index result(int64_t(0), bits);
  result.wave_ = &wave;
  result.table_ = std::make_shared<const LaneArray<int64_t>>(std::move(values));
  return result;
}

std::pair<Int128, Int128> IndexOps::bounds(const Index &a, bool is_signed) {
  Int128 least = is_signed ? -(Int128(1) << (a.bits_ - 1)) : 0;
  if (a.is_affine()) {
    if (std::optional<Range> range = exact(a, is_signed))
      return {range->low, range->high};
    return {least, least + (Int128(1) << a.bits_) - 1};
  }
  auto number = [&](int64_t value) {
    return is_signed ? Int128(value) : Int128(low_bits(uint64_t(value), a.bits_));
  };
  Int128 low = number(a.table_->values.front()), high = low;
  for (int64_t value : a.table_->values) {
    low = std::min(low, number(value));
    high = std::max(high, number(value));
  }
  return {low, high};
}

} // namespace nki
