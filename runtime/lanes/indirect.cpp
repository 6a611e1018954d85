// Device memory by one index per lane: gathers and scatters.
#include "lanes/global.h"
#include "lanes/last_lane.h"
#include "lanes/ops.h"

#include "chip/core.h"
#include "nki/error.h"

#include <algorithm>
#include <bit>

namespace nki::global {

namespace {

constexpr int64_t kPartitions = 128;

/// Rows of `unit` bytes, of which the element at byte `first` counts.
Tensor rows_of(const Target &target, DType type, int64_t first, int64_t unit) {
  int64_t bytes = int64_t(size_of(type));
  Dim dim{unit / bytes, std::max<int64_t>(1, (target.bytes - first - bytes) / unit + 1)};
  return Tensor(target.storage, type, {&dim, 1}, 0, first);
}

Mask is_aligned(const Index &offset, int element_bytes) {
  return eq(offset & Index(int64_t(element_bytes - 1), 64), Index(int64_t(0), 64));
}

[[noreturn]] void misaligned(int element_bytes) {
  throw Error("memory access", "addresses are multiples of the element size",
              std::to_string(element_bytes) + " bytes");
}

/// An index in less than elements, of which lanes that the program keeps away may have odd ones:
/// these point outside.
Indexed index_of_bytes(const Place &place, const Tensor &index, int64_t scale, const Target &target,
                       int element_bytes, DType type) {
  Tensor bytes = tiles::like(index, DType::int32), rest = tiles::like(index, DType::int32);
  Index offset = place.offset - Index(target.start, 64);
  imul(bytes, index, int32_t(scale));
  if (offset.is_uniform()) {
    iadd(bytes, bytes, int32_t(offset.constant()));
  } else {
    materialize(rest, trunc(offset, 32));
    iadd(bytes, bytes, rest);
  }
  iand(rest, bytes, element_bytes - 1);
  Tensor is_odd = tiles::like(index, DType::uint32);
  nisa::tensor_scalar(is_odd, rest, nl::not_equal, 0.0f);
  lshr(bytes, bytes, std::countr_zero(unsigned(element_bytes)));
  nisa::tensor_copy_predicated(bytes, tiles::numbers_like(index, uint32_t(-1), DType::int32),
                               is_odd);
  return {rows_of(target, type, 0, element_bytes), bytes};
}

} // namespace

Indexed index_of(const Place &place, const Target &target, const Wave *wave, int element_bytes,
                 DType tile_type) {
  DType type = memory_type(element_bytes, tile_type);
  int64_t scale = place.scale;
  Tensor index = tiles::as(place.index, DType::int32);
  if (scale < 0) {
    Tensor negative = tiles::like(index, DType::int32);
    isub(negative, 0, index);
    index = negative;
    scale = -scale;
  }
  if (scale > 0 && element_bytes % scale == 0 && scale < element_bytes)
    return index_of_bytes(place, index, scale, target, element_bytes, type);
  if (scale == 0 || scale % element_bytes != 0)
    misaligned(element_bytes);
  Index offset = place.offset - Index(target.start, 64);
  if (offset.is_uniform()) {
    int64_t rest = ((offset.constant() % scale) + scale) % scale;
    int64_t row = (offset.constant() - rest) / scale;
    if (rest % element_bytes != 0)
      misaligned(element_bytes);
    if (row != 0) {
      Tensor moved = tiles::like(index, DType::int32);
      iadd(moved, index, int32_t(row));
      index = moved;
    }
    return {rows_of(target, type, rest, scale), index};
  }
  if (!is_aligned(offset, element_bytes).is_all())
    misaligned(element_bytes);
  Tensor known = wave->tile(DType::int32);
  materialize(known, sdiv(offset, Index(int64_t(element_bytes), 64)));
  if (scale != element_bytes) {
    Tensor scaled = tiles::like(index, DType::int32);
    imul(scaled, index, int32_t(scale / element_bytes));
    index = scaled;
  }
  iadd(known, known, index);
  return {rows_of(target, type, 0, element_bytes), known};
}

Indexed index_of(const Index &offset, const Target &target, const Wave &wave, int element_bytes,
                 DType tile_type) {
  Tensor index = wave.tile(DType::int32);
  Index element = offset - Index(target.start, 64);
  // A misaligned lane's element must not become its neighbour, nor wrap into memory what does not
  // fit an index: both point outside instead.
  Mask legal = is_aligned(element, element_bytes);
  element = sdiv(element, Index(int64_t(element_bytes), 64));
  legal &= ule(element, Index(int64_t(INT32_MAX), 64));
  materialize(index, select(legal, element, Index(int64_t(-1), 64)));
  return {rows_of(target, memory_type(element_bytes, tile_type), 0, element_bytes), index};
}

namespace {

/// The index, and `other` in lanes outside of the mask.
Tensor index_or(const Tensor &index, const Mask &mask, int32_t other) {
  if (mask.is_all())
    return index;
  Tensor result = tiles::like(index, DType::int32);
  fill(result, other);
  nisa::tensor_copy_predicated(result, index, mask.tile(*mask.wave()));
  return result;
}

/// Does the whole of memory fit a partition, and is a copy of it for each worth it?
bool fits_partition(const Tensor &memory, const Tensor &index) {
  constexpr int64_t kMostBytes = 64 << 10, kMostPerLane = 16;
  int64_t count = memory.size(), bytes = count * int64_t(size_of(memory.dtype()));
  constexpr int64_t kScratch = 8; // tiles that the gather and what follows it may want
  const chip::Core &core = current_core();
  int64_t scratch = kScratch * 4 * index.elements_per_partition();
  return bytes <= kMostBytes && count <= kMostPerLane * index.elements_per_partition() &&
         2 * bytes + scratch <= core.capacity(Buffer::sbuf) - core.used(Buffer::sbuf);
}

/// Copies memory to every partition and gathers there.
void gather_on_chip(const Tensor &dst, const Indexed &indexed, const Mask &mask) {
  int64_t count = indexed.memory.size();
  Tensor table = nl::ndarray({dst.partitions(), count}, indexed.memory.dtype());
  Dim everywhere[] = {{0, dst.partitions()}, indexed.memory.dims()[0]};
  nisa::dma_copy(table, indexed.memory.ap(everywhere));
  Tensor index = index_or(indexed.index, mask, 0);
  if (mask.is_tile()) { // lanes outside of memory are skipped: they read element 0
    Tensor inside = tiles::like(index, DType::uint32), legal = tiles::like(index, DType::int32);
    Tensor size = tiles::numbers_like(index, uint32_t(count), DType::uint32);
    nisa::tensor_tensor(inside, tiles::as(index, DType::uint32), size, nl::less);
    fill(legal, 0);
    nisa::tensor_copy_predicated(legal, index, inside);
    index = legal;
  }
  Tensor indices = tiles::as(index, DType::uint32);
  if (dst.dtype() == table.dtype())
    return nisa::nc_n_gather(dst, table, indices);
  Tensor narrow = tiles::like(dst, table.dtype());
  nisa::nc_n_gather(narrow, table, indices);
  nisa::tensor_copy(dst, narrow);
}

} // namespace

void gather(const Tensor &dst, const Indexed &indexed, const Mask &mask) {
  if (!indexed.is_window && fits_partition(indexed.memory, indexed.index))
    return gather_on_chip(dst, indexed, mask);
  // Dead lanes of a known mask read element 0, so that a live lane outside is still noticed.
  bool skip = mask.is_tile() || (indexed.is_window && !mask.is_all());
  Tensor index = index_or(indexed.index, mask, skip ? -1 : 0);
  if (skip)
    tiles::define(dst);
  Dim pattern[] = {{0, dst.partitions()}, {1, 1}};
  for (int64_t f = 0; f < dst.elements_per_partition(); ++f)
    nisa::dma_copy(tiles::column(dst, f),
                   indexed.memory.ap_indirect(pattern, tiles::column(index, f)),
                   skip ? nisa::oob_mode::skip : nisa::oob_mode::error);
}

namespace {

/// The lanes of a tile {P, F} with consecutive lanes on consecutive partitions: {128, columns},
/// through device memory. What lies beyond the last lane is not defined.
Tensor lanes_to_partitions(const Tensor &tile) {
  int64_t lanes = tile.partitions() * tile.elements_per_partition();
  int64_t full = lanes / kPartitions, rest = lanes % kPartitions;
  Tensor memory = nl::ndarray({lanes}, tile.dtype(), nl::hbm, "scratch");
  nisa::dma_copy(memory, tile);
  Tensor result = nl::ndarray({full ? kPartitions : rest, full + (rest ? 1 : 0)}, tile.dtype());
  if (full)
    nisa::dma_copy(result.slice(1, 0, full), memory.ap({{1, kPartitions}, {kPartitions, full}}));
  if (rest)
    nisa::dma_copy(tiles::column(result, full).slice(0, 0, rest),
                   memory.ap({{1, rest}, {1, 1}}, full * kPartitions));
  return result;
}

} // namespace

void scatter(const Indexed &indexed, const Tensor &elements, const Mask &mask, bool distinct) {
  Tensor index = index_or(indexed.index, mask, -1), values = elements;
  int64_t partitions = index.partitions(), columns = index.elements_per_partition();
  int64_t lanes = partitions * columns;
  // Column after column is lane order only where there is one column, or one partition.
  if (!distinct && partitions > 1 && columns > 1) {
    index = lanes_to_partitions(index);
    values = lanes_to_partitions(values);
    partitions = index.partitions();
    columns = index.elements_per_partition();
  }
  nisa::oob_mode oob = mask.is_all() ? nisa::oob_mode::error : nisa::oob_mode::skip;
  for (int64_t f = 0; f < columns; ++f) {
    int64_t count = std::min(partitions, lanes - f * partitions);
    Dim pattern[] = {{0, count}, {1, 1}};
    Tensor rows = tiles::column(index, f).slice(0, 0, count);
    nisa::dma_copy(indexed.memory.ap_indirect(pattern, rows),
                   tiles::column(values, f).slice(0, 0, count), oob);
  }
}

} // namespace nki::global
