#include "lanes/tiles.h"

#include "chip/storage.h"
#include "lanes/index_form.h"

#include <bit>
#include <cstring>

namespace nki::tiles {

Tensor number(int64_t partitions, uint32_t bits, DType type) {
  Tensor column = nl::ndarray({partitions, 1}, type);
  nisa::memset(as(column, DType::uint32), bits);
  return column;
}

bool is_unwritten(const Tensor &tile) {
  return tile.storage()->contents == chip::Contents::unwritten;
}

void clear(const Tensor &dst) {
  if (size_of(dst.dtype()) == 4)
    nisa::memset(as(dst, DType::uint32), 0u);
  else
    nisa::memset(as(dst, size_of(dst.dtype()) == 1 ? DType::uint8 : DType::uint16), 0u);
}

void define(const Tensor &tile) {
  if (is_unwritten(tile))
    clear(tile);
}

Tensor constant(const void *values, int64_t count, DType type) {
  Tensor tensor = nl::ndarray({count}, type, nl::hbm, "constant");
  std::memcpy(tensor.storage()->base, values, size_t(count) * size_of(type));
  return tensor;
}

Tensor constant_tile(int64_t partitions, int64_t columns, const std::vector<uint32_t> &values,
                     int64_t row, int64_t column, DType type) {
  Tensor memory = constant(values.data(), int64_t(values.size()), type);
  Tensor tile = nl::ndarray({partitions, columns}, type);
  nisa::dma_copy(tile, memory.ap({{row, partitions}, {column, columns}}));
  return tile;
}

Tensor constant_tile(const Wave &wave, const LaneArray<int64_t> &values, DType type) {
  std::vector<uint32_t> words(values.values.begin(), values.values.end());
  return constant_tile(wave.P(), values.varies_over_free() ? wave.F() : 1, words,
                       values.partition_stride, values.free_stride, type);
}

Tensor partition_column(const Wave &wave, const Index &value) {
  if (value.is_affine()) {
    LaneForm form = lane_form(value);
    Level levels[kPartitionAxes];
    int depth = merge_axes(wave, form.strides, 0, kPartitionAxes, levels);
    if (depth <= 1) {
      Tensor column = nl::ndarray({wave.P(), 1}, DType::int32);
      nisa::iota(column, {{0, 1}}, int32_t(form.first), depth ? int32_t(levels[0].stride) : 0);
      return column;
    }
  }
  LaneArray<int64_t> rows = lane_array<int64_t>(wave.P(), wave.F(), true, false);
  std::vector<int64_t> row(static_cast<size_t>(wave.F()));
  for (int64_t p = 0; p < wave.P(); ++p) {
    fill_row(value, p, std::span(row).first(value.is_affine() ? 1 : row.size()));
    rows.values[size_t(p)] = row[0];
  }
  return constant_tile(wave, rows, DType::int32);
}

} // namespace nki::tiles
