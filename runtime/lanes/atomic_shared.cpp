// Atomics on shared memory: blocks never meet, each has its own partition, and all of them go
// through their lanes at the same time.
#include "lanes/atomic_places.h"

#include "lanes/on_chip.h"
#include "lanes/ops.h"

#include "nki/error.h"

#include <algorithm>

namespace nki::atomics {

namespace {

using shared::elements_of_array;

/// Lanes inside of the mask and the array keep their index, the others get -1.
Tensor live_index(const Tensor &index, const Tensor &predicate, int64_t count) {
  Tensor inside = tiles::like(index, DType::uint32), live = tiles::like(index, DType::int32);
  nisa::tensor_tensor(inside, tiles::as(index, DType::uint32),
                      tiles::numbers_like(index, uint32_t(count), DType::uint32), nl::less);
  if (predicate)
    nisa::tensor_tensor(inside, inside, predicate, nl::bitwise_and);
  nisa::memset(live, -1);
  nisa::tensor_copy_predicated(live, index, inside);
  return live;
}

/// Lane after lane, all partitions at the same time.
void one_by_one(const Request &request, const Tensor &array, const Tensor &index,
                const Tensor &old) {
  int64_t partitions = array.partitions(), count = array.shape(1);
  Tensor wanted = tiles::like(index, DType::float32), from = tiles::like(index, DType::int32);
  nisa::tensor_copy(wanted, index);
  smax(from, index, 0);
  Tensor element = nl::ndarray({partitions, count}, DType::float32);
  Tensor hit = nl::ndarray({partitions, count}, DType::uint32);
  nisa::iota(element, {{1, count}});
  Tensor word = nl::ndarray({partitions, 1}, DType::int32), next = tiles::like(word, DType::int32);
  auto at = [](const Word &operand, int64_t f) {
    return operand.tile ? Word(tiles::column(operand.tile, f)) : operand;
  };
  for (int64_t f = 0; f < index.elements_per_partition(); ++f) {
    nisa::nc_n_gather(word, array, tiles::column(tiles::as(from, DType::uint32), f));
    if (old)
      nisa::tensor_copy(tiles::column(old, f), word);
    apply(request.op, next, word, at(request.value, f), at(request.compare, f));
    nisa::tensor_scalar(hit, element, nl::equal, tiles::column(wanted, f));
    nisa::tensor_copy_predicated(array, tiles::spread(next, count), hit);
  }
}

/// The same on a copy in device memory, where a lane costs two transfers whatever the array's size:
/// rows of different partitions never meet, so one column of lanes has no conflicts.
void through_memory(const Request &request, const Tensor &array, const Tensor &index,
                    const Tensor &old) {
  int64_t partitions = array.partitions(), count = array.shape(1);
  int64_t lanes = index.elements_per_partition();
  Tensor memory = nl::ndarray({partitions * count}, DType::int32, nl::hbm, "scratch");
  nisa::dma_copy(memory, array);
  Tensor row = nl::ndarray({partitions, 1}, DType::int32), place = tiles::like(index, DType::int32);
  Tensor is_live = tiles::like(index, DType::uint32), target = tiles::like(index, DType::int32);
  nisa::iota(row, {{0, 1}}, 0, int32_t(count));
  iadd(place, index, tiles::spread(row, lanes));
  nisa::tensor_scalar(is_live, index, nl::greater_equal, 0.0f);
  nisa::memset(target, -1);
  nisa::tensor_copy_predicated(target, place, is_live);
  Dim pattern[] = {{0, partitions}, {1, 1}};
  Tensor word = nl::ndarray({partitions, 1}, DType::int32), next = tiles::like(word, DType::int32);
  nisa::memset(word, 0);
  auto at = [](const Word &operand, int64_t f) {
    return operand.tile ? Word(tiles::column(operand.tile, f)) : operand;
  };
  for (int64_t f = 0; f < lanes; ++f) {
    Tensor rows = memory.ap_indirect(pattern, tiles::column(target, f));
    nisa::dma_copy(word, rows, nisa::oob_mode::skip);
    if (old)
      nisa::tensor_copy(tiles::column(old, f), word);
    apply(request.op, next, word, at(request.value, f), at(request.compare, f));
    nisa::dma_copy(rows, next, nisa::oob_mode::skip);
  }
  nisa::dma_copy(array, memory);
}

constexpr int64_t kLongArray = 4096; // elements, from where transfers beat comparisons

void anywhere(const Request &request, const Tensor &array, const Tensor &index, const Tensor &old) {
  int64_t count = array.shape(1);
  if (std::min(count, index.elements_per_partition()) > 1 && count > kLongArray)
    return through_memory(request, array, index, old);
  if (old || !is_counted(request))
    return one_by_one(request, array, index, old);
  add_counts(request, array, count_lanes(index, count));
}

/// Lanes whose element lies in the array; throws where a lane that is known to be live is not.
Mask legal_lanes(const Place &place, const Wave &wave, const Mask &mask) {
  int64_t bytes = place.space == Place::Space::local ? place.local_bytes : place.storage.shape(1);
  auto [low, high] = IndexOps::bounds(place.offset, true);
  if (low >= 0 && high + 4 <= bytes)
    return mask;
  Mask inside = bytes < 4 ? Mask(false) : ule(place.offset, Index(bytes - 4, 64));
  if (!mask.is_tile() && !andnot(mask.is_all() ? wave.all() : mask, inside).is_none())
    throw Error("atomic",
                "lanes stay inside of shared memory of " + std::to_string(bytes) + " bytes");
  return mask & inside;
}

} // namespace

bool is_counted(const Request &request) {
  return !request.value.tile &&
         (request.op == Atomic::add || request.op == Atomic::sub ||
          request.op == Atomic::increment || request.op == Atomic::decrement);
}

void add_counts(const Request &request, const Tensor &words, const Tensor &counts) {
  if (request.op == Atomic::increment || request.op == Atomic::decrement)
    return finish(request, words, words, counts, words);
  const uint32_t step = request.value.bits;
  Tensor sum = tiles::like(counts, DType::int32);
  imul(sum, counts, int32_t(request.op == Atomic::add ? step : 0 - step));
  iadd(words, words, sum);
}

Tensor count_lanes(const Tensor &index, int64_t count) {
  int64_t partitions = index.partitions(), lanes = index.elements_per_partition();
  Tensor wanted = tiles::like(index, DType::float32); // below 2^24: exact
  Tensor counts = nl::ndarray({partitions, count}, DType::float32);
  nisa::tensor_copy(wanted, index);
  if (count <= lanes) {
    Tensor hits = tiles::like(index, DType::float32);
    for (int64_t e = 0; e < count; ++e)
      nisa::tensor_scalar_reduce(hits, wanted, nl::equal, float(e), nl::add,
                                 tiles::column(counts, e));
  } else {
    Tensor element = nl::ndarray({partitions, count}, DType::float32);
    nisa::iota(element, {{1, count}});
    nisa::memset(counts, 0.0f);
    for (int64_t f = 0; f < lanes; ++f)
      nisa::scalar_tensor_tensor(counts, element, nl::equal, tiles::column(wanted, f), nl::add,
                                 counts);
  }
  Tensor result = nl::ndarray({partitions, count}, DType::int32);
  nisa::tensor_copy(result, counts);
  return result;
}

void update_shared(const Wave &wave, const Request &request, const Place &place, const Tensor &old,
                   const Mask &mask) {
  Tensor array = elements_of_array(place, DType::int32);
  if (place.space == Place::Space::local)
    return update_distinct(wave, request, place, old, mask);
  Mask live = mask;
  if (!place.index) {
    live = legal_lanes(place, wave, mask);
    if (live.is_none())
      return;
    if (!place.offset.is_uniform() && are_distinct(wave, place.offset, live, true))
      return update_distinct(wave, request, place, old, live);
  }
  Stretch stretch = stretch_of(wave, live);
  Request part = cut(request, stretch);
  Tensor predicate = live.is_all() ? Tensor() : cut(live.tile(wave), stretch);
  if (!place.index && place.offset.is_uniform()) {
    Tensor cell = tiles::column(array, shared::in_elements(place.offset.constant(), 4));
    return update_rows(part, cell, cut(old, stretch), stretch.count, predicate);
  }
  Tensor like = wave.tile(DType::int32);
  Tensor index = cut(shared::element_index(place, like, 4, false), stretch);
  anywhere(part, array, live_index(index, predicate, array.shape(1)), cut(old, stretch));
}

} // namespace nki::atomics
