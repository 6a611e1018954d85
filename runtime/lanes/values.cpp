// Moving values between lanes' variables: constants, predicated copies, selections.
#include "lanes/boxes.h"
#include "lanes/ops.h"
#include "lanes/tiles.h"

#include <bit>

namespace nki {

IntOperand::IntOperand(const Tensor &tile) : tile(tile) {}
IntOperand::IntOperand(const IntOperand &other) = default;
IntOperand::~IntOperand() = default;
FloatOperand::FloatOperand(const Tensor &tile) : tile(tile) {}
FloatOperand::FloatOperand(const FloatOperand &other) = default;
FloatOperand::~FloatOperand() = default;

void materialize(const Tensor &dst, const Index &value) {
  Tensor out = tiles::as(dst, DType::int32);
  if (value.is_uniform())
    return fill(out, int32_t(value.constant()));
  const Wave &wave = *value.wave();
  if (!value.is_affine()) {
    Tensor tile = tiles::constant_tile(wave, value.table(), DType::int32);
    nisa::tensor_copy(out, value.table().varies_over_free() ? tile : tiles::spread(tile, wave.F()));
    return;
  }
  LaneForm form = lane_form(value);
  Level rows[kPartitionAxes], levels[kWaveAxes];
  int row_depth = merge_axes(wave, form.strides, 0, kPartitionAxes, rows);
  int depth = merge_axes(wave, form.strides, kPartitionAxes, kWaveAxes, levels);
  Dim pattern[kWaveAxes] = {{0, 1}};
  for (int d = 0; d < depth; ++d)
    pattern[d] = {int32_t(levels[d].stride), levels[d].count};
  std::span<const Dim> nest(pattern, size_t(std::max(depth, 1)));
  if (row_depth <= 1) {
    nisa::iota(out, nest, int32_t(form.first), row_depth ? int32_t(rows[0].stride) : 0);
    return;
  }
  // Partitions step through a box of blocks: their part comes as a column.
  nisa::iota(out, nest, 0, 0);
  Tensor column = tiles::partition_column(wave, value);
  nisa::tensor_tensor(out, out, tiles::spread(column, wave.F()), nl::add);
}

void fill(const Tensor &dst, int32_t value) { nisa::memset(tiles::as(dst, DType::int32), value); }
void fill(const Tensor &dst, float value) {
  nisa::memset(tiles::as(dst, DType::uint32), std::bit_cast<uint32_t>(value));
}

namespace {

/// A tile, or the bits of one number.
struct Source {
  Tensor tile;
  uint32_t bits = 0;
};
Source source_of(const IntOperand &a) { return {a.tile, uint32_t(a.value)}; }
Source source_of(const FloatOperand &a) { return {a.tile, std::bit_cast<uint32_t>(a.value)}; }

/// Positions `run` of all partitions of a tile.
Tensor lanes_of_run(const Tensor &tile, const Run &run) {
  Dim dims[Run::kDepth + 1] = {tile.dims()[0], {1, 1}};
  int64_t stride = tile.dims()[1].stride;
  for (int d = 0; d < run.depth; ++d)
    dims[d + 1] = {run.steps[size_t(d)].free * stride, run.steps[size_t(d)].count};
  return Tensor(tile.storage(), tile.dtype(),
                std::span<const Dim>(dims, size_t(std::max(run.depth, 1)) + 1),
                tile.start_partition(),
                tile.offset_bytes() + run.free * stride * int64_t(size_of(tile.dtype())));
}

/// dst = source in all lanes.
void put(const Tensor &dst, const Source &source) {
  if (!source.tile)
    nisa::memset(tiles::as(dst, DType::uint32), source.bits);
  else if (!tiles::same(dst, source.tile))
    nisa::tensor_copy(dst, tiles::as(source.tile, dst.dtype()));
}

/// The lanes of a mask that is the same in all partitions, as runs, if they are few.
std::vector<Run> few_runs(const Mask &mask, int64_t free) {
  constexpr size_t kFew = 2;
  std::vector<Run> runs;
  if (mask.is_tile() || mask.bitmap().varies_over_partitions())
    return runs;
  std::vector<int64_t> no_addresses(static_cast<size_t>(free));
  find_runs(no_addresses, mask.bitmap().values.data(), runs);
  if (runs.size() > kFew)
    runs.clear();
  return runs;
}

/// Lanes of `mask`, neither all nor none, of dst take the source.
void put_some(const Tensor &dst, const Source &source, const Mask &mask) {
  std::vector<Run> runs = few_runs(mask, dst.elements_per_partition());
  for (const Run &run : runs) {
    Source part = source;
    if (source.tile)
      part.tile = lanes_of_run(tiles::as(source.tile, dst.dtype()), run);
    Tensor lanes = lanes_of_run(dst, run);
    if (part.tile)
      nisa::tensor_copy(lanes, part.tile);
    else
      put(lanes, part);
  }
  if (!runs.empty())
    return;
  Tensor tile = source.tile ? tiles::as(source.tile, dst.dtype())
                            : tiles::numbers_like(dst, source.bits, dst.dtype());
  nisa::tensor_copy_predicated(dst, tile, mask.tile(*mask.wave()));
}

void assign_source(const Tensor &variable, const Source &source, const Mask &mask) {
  if (mask.is_none())
    return;
  // Lanes that have no value yet may take any.
  if (mask.is_all() || tiles::is_unwritten(variable))
    put(variable, source);
  else if (!tiles::same(variable, source.tile))
    put_some(variable, source, mask);
}

void select_source(const Tensor &dst, const Mask &mask, const Source &a, const Source &b) {
  if (mask.is_all() || mask.is_none())
    return put(dst, mask.is_all() ? a : b);
  if (tiles::same(dst, a.tile)) {
    if (!mask.is_tile() || !b.tile)
      return put_some(dst, b, !mask);
    nisa::tensor_copy_predicated(dst, tiles::as(b.tile, dst.dtype()), mask.tile(*mask.wave()),
                                 true);
    return;
  }
  put(dst, b);
  put_some(dst, a, mask);
}

} // namespace

void assign(const Tensor &variable, const Tensor &value, const Mask &mask) {
  assign_source(variable, {value, 0}, mask);
}
void assign(const Tensor &variable, float value, const Mask &mask) {
  assign_source(variable, {{}, std::bit_cast<uint32_t>(value)}, mask);
}
void assign(const Tensor &variable, int32_t value, const Mask &mask) {
  assign_source(variable, {{}, uint32_t(value)}, mask);
}

void select(const Tensor &dst, const Mask &mask, const IntOperand &a, const IntOperand &b) {
  select_source(dst, mask, source_of(a), source_of(b));
}
void select(const Tensor &dst, const Mask &mask, const FloatOperand &a, const FloatOperand &b) {
  select_source(dst, mask, source_of(a), source_of(b));
}

void from_mask(const Tensor &dst, const Mask &mask) {
  if (mask.is_all() || mask.is_none())
    return fill(dst, int32_t(mask.is_all()));
  nisa::tensor_copy(tiles::as(dst, DType::uint32), mask.tile(*mask.wave()));
}

} // namespace nki
