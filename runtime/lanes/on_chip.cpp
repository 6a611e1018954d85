#include "lanes/on_chip.h"

#include "lanes/ops.h"

#include <algorithm>

namespace nki::shared {

Tensor elements_of_array(const Place &place, DType type) {
  const Tensor &storage = place.storage;
  Dim dims[] = {storage.dims()[0], {1, storage.shape(1) / int64_t(size_of(type))}};
  return Tensor(storage.storage(), type, dims, storage.start_partition(), storage.offset_bytes());
}

Tensor element_index(const Place &place, const Tensor &like, int element_bytes, bool own) {
  Tensor index = tiles::like(like, DType::int32);
  // Launch-known part. A byte offset that is no multiple of the element size is an error where a
  // lane uses it; only uniform ones can be told here.
  const Index &offset = place.offset;
  if (offset.is_uniform())
    in_elements(offset.constant(), element_bytes);
  materialize(index, trunc(sdiv(offset, Index(int64_t(element_bytes), 64)), 32));
  if (place.space == Place::Space::local && !own) {
    Tensor lane = tiles::like(like, DType::int32);
    nisa::iota(lane, {{place.local_bytes / element_bytes, like.elements_per_partition()}});
    iadd(index, index, lane);
  }
  if (!place.index)
    return index;
  Tensor scaled = tiles::like(like, DType::int32);
  imul(scaled, place.index, int32_t(in_elements(place.scale, element_bytes)));
  iadd(index, index, scaled);
  return index;
}

namespace {

/// Lanes of `mask` whose index is one of the array's elements; -1 elsewhere.
Tensor legal_index(const Tensor &index, const Mask &mask, int64_t count) {
  Tensor inside = tiles::like(index, DType::uint32), legal = tiles::like(index, DType::int32);
  nisa::tensor_tensor(inside, tiles::as(index, DType::uint32),
                      tiles::numbers_like(index, uint32_t(count), DType::uint32), nl::less);
  if (!mask.is_all())
    nisa::tensor_tensor(inside, inside, mask.tile(*mask.wave()), nl::bitwise_and);
  nisa::memset(legal, -1);
  nisa::tensor_copy_predicated(legal, index, inside);
  return legal;
}

/// Free position + 1 of the lane that writes each of `count` elements last, or 0: uint32 {P,
/// count}. By comparing: two instructions per lane, for short arrays.
Tensor writers_by_comparison(const Tensor &index, int64_t count) {
  int64_t partitions = index.partitions();
  Tensor element = nl::ndarray({partitions, count}, DType::float32);
  Tensor is_written = nl::ndarray({partitions, count}, DType::uint32);
  Tensor writer = nl::ndarray({partitions, count}, DType::float32);
  Tensor wanted = tiles::like(index, DType::float32); // below 2^24: exact
  nisa::iota(element, {{1, count}});
  nisa::tensor_copy(wanted, index);
  nisa::memset(writer, 0.0f);
  for (int64_t f = 0; f < index.elements_per_partition(); ++f) {
    nisa::tensor_scalar(is_written, element, nl::equal, tiles::column(wanted, f));
    nisa::tensor_copy_predicated(writer, float(f + 1), is_written);
  }
  nisa::tensor_copy(is_written, writer);
  return is_written;
}

/// The same through device memory: one transfer per lane. Rows of different partitions never meet,
/// so lanes may go column by column.
Tensor writers_by_scatter(const Tensor &index, int64_t count) {
  int64_t partitions = index.partitions(), free = index.elements_per_partition();
  Tensor memory = nl::ndarray({partitions * count}, DType::uint32, nl::hbm, "scratch");
  Tensor writer = nl::ndarray({partitions, count}, DType::uint32);
  nisa::memset(writer, 0u);
  nisa::dma_copy(memory, writer);
  // Row p of the scratch for partition p; skipped lanes stay outside of all rows.
  Tensor row = nl::ndarray({partitions, 1}, DType::int32), place = tiles::like(index, DType::int32);
  Tensor is_legal = tiles::like(index, DType::uint32), number = tiles::like(index, DType::uint32);
  nisa::iota(row, {{0, 1}}, 0, int32_t(count));
  nisa::tensor_tensor(place, index, tiles::spread(row, free), nl::add);
  nisa::tensor_tensor(is_legal, index, tiles::numbers_like(index, 0, DType::int32),
                      nl::greater_equal);
  Tensor target = tiles::like(index, DType::int32);
  nisa::memset(target, -1);
  nisa::tensor_copy_predicated(target, place, is_legal);
  nisa::iota(number, {{1, free}}, 1);
  Dim pattern[] = {{0, partitions}, {1, 1}};
  for (int64_t f = 0; f < free; ++f)
    nisa::dma_copy(memory.ap_indirect(pattern, tiles::column(target, f)), tiles::column(number, f),
                   nisa::oob_mode::skip);
  nisa::dma_copy(writer, memory);
  return writer;
}

constexpr int64_t kShortArray = 64; // elements, up to which comparing beats transfers

} // namespace

void scatter(const Place &place, const Tensor &index, const Tensor &elements, const Mask &mask) {
  Tensor array = elements_of_array(place, elements.dtype());
  int64_t count = array.shape(1);
  Tensor legal = legal_index(index, mask, count);
  Tensor writer =
      count <= kShortArray ? writers_by_comparison(legal, count) : writers_by_scatter(legal, count);
  Tensor lane = tiles::like(writer, DType::uint32), value = tiles::like(writer, elements.dtype());
  nisa::tensor_scalar(lane, writer, nl::maximum, 1.0f, false, nl::subtract, 1.0f);
  nisa::nc_n_gather(value, elements, lane);
  nisa::tensor_copy_predicated(array, value, writer);
}

void scatter_local(const Place &place, const Tensor &index, const Tensor &elements,
                   const Mask &mask) {
  int bytes = int(size_of(elements.dtype()));
  int64_t count = place.local_bytes / bytes;
  if (count > kShortArray) {
    Tensor whole = tiles::like(index, DType::int32);
    Tensor lane = tiles::like(index, DType::int32);
    Tensor legal = legal_index(index, mask, count);
    nisa::iota(lane, {{count, index.elements_per_partition()}});
    nisa::memset(whole, -1);
    Tensor inside = tiles::like(index, DType::uint32);
    nisa::tensor_tensor(inside, legal, tiles::numbers_like(index, 0, DType::int32),
                        nl::greater_equal);
    nisa::tensor_tensor(lane, lane, legal, nl::add);
    nisa::tensor_copy_predicated(whole, lane, inside);
    return scatter(place, whole, elements, Mask(true));
  }
  // Element after element: the lanes that want it write it.
  Tensor legal = legal_index(index, mask, count);
  Tensor wanted = tiles::like(index, DType::float32), writes = tiles::like(index, DType::uint32);
  nisa::tensor_copy(wanted, legal);
  Tensor array = elements_of_array(place, elements.dtype());
  for (int64_t element = 0; element < count; ++element) {
    nisa::tensor_scalar(writes, wanted, nl::equal, float(element));
    Dim dims[] = {array.dims()[0], {count, index.elements_per_partition()}};
    Tensor lanes(array.storage(), array.dtype(), dims, array.start_partition(),
                 array.offset_bytes() + element * bytes);
    nisa::tensor_copy_predicated(lanes, elements, writes);
  }
}

void scatter_known(const Place &place, const Tensor &elements, const std::vector<int32_t> &winners,
                   int64_t first, int64_t count, const Mask &mask) {
  int64_t partitions = elements.partitions();
  std::vector<uint32_t> lanes, written;
  for (int32_t lane : winners) {
    lanes.push_back(uint32_t(std::max(lane, 0)));
    written.push_back(lane >= 0);
  }
  int64_t row = int64_t(winners.size()) == count ? 0 : count;
  Tensor lane = tiles::constant_tile(partitions, count, lanes, row, 1, DType::uint32);
  Tensor is_written = tiles::constant_tile(partitions, count, written, row, 1, DType::uint32);
  Tensor value = nl::ndarray({partitions, count}, elements.dtype());
  nisa::nc_n_gather(value, elements, lane);
  if (!mask.is_all()) {
    Tensor chosen = nl::ndarray({partitions, count}, DType::uint32);
    nisa::nc_n_gather(chosen, mask.tile(*mask.wave()), lane);
    nisa::tensor_tensor(is_written, is_written, chosen, nl::bitwise_and);
  }
  Tensor array = elements_of_array(place, elements.dtype());
  nisa::tensor_copy_predicated(array.slice(1, first, first + count), value, is_written);
}

} // namespace nki::shared
