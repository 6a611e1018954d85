// Atomics by shape: one word for all lanes, one per partition, one per lane, anything.
#include "lanes/atomics.h"

#include "lanes/atomic_places.h"
#include "lanes/ops.h"

#include <algorithm>

namespace nki {

namespace atomics {

using global::Access;
using global::Indexed;
using global::Part;
using global::Target;

Stretch stretch_of(const Wave &wave, const Mask &lanes) {
  const Mask mask = lanes.launch_part();
  if (mask.is_all())
    return {0, wave.F()};
  int64_t first = wave.F(), last = -1;
  for (int64_t p = 0; p < wave.P(); ++p)
    for (int64_t f = 0; f < wave.F(); ++f)
      if (mask.at(p * wave.F() + f)) {
        first = std::min(first, f);
        last = std::max(last, f);
      }
  return last < 0 ? Stretch{} : Stretch{first, last - first + 1};
}

Request cut(const Request &request, const Stretch &stretch) {
  Request part = request;
  part.value.tile = cut(request.value.tile, stretch);
  part.compare.tile = cut(request.compare.tile, stretch);
  return part;
}

Request apart(const Request &request, const Tensor &old) {
  Request result = request;
  for (Word *word : {&result.value, &result.compare})
    if (old && word->tile && tiles::same(old, word->tile)) {
      Tensor copy = tiles::like(word->tile, word->tile.dtype());
      nisa::tensor_copy(copy, word->tile);
      word->tile = copy;
    }
  return result;
}

bool are_distinct(const Wave &wave, const Index &offset, const Mask &lanes, bool per_partition) {
  const Mask mask = lanes.launch_part();
  std::vector<int64_t> row(static_cast<size_t>(wave.F())), seen;
  auto repeats = [&] {
    std::sort(seen.begin(), seen.end());
    return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
  };
  for (int64_t p = 0; p < wave.P(); ++p) {
    fill_row(offset, p, row);
    for (int64_t f = 0; f < wave.F(); ++f)
      if (mask.at(p * wave.F() + f))
        seen.push_back(row[size_t(f)]);
    if (!per_partition)
      continue;
    if (repeats())
      return false;
    seen.clear();
  }
  return !repeats();
}

void update_distinct(const Wave &wave, const Request &request, const Place &place,
                     const Tensor &old, const Mask &mask) {
  Tensor word = wave.tile(DType::int32), next = wave.tile(DType::int32);
  load(word, place, 4, mask);
  apply(request.op, next, word, request.value, request.compare);
  store(place, next, 4, mask);
  if (old)
    nisa::tensor_copy(old, word);
}

namespace {

/// Lanes of every partition as one row {1, lanes}. Engines start at partition 0 only, so they come
/// through memory.
Tensor one_row(const Tensor &tile) {
  if (!tile)
    return tile;
  int64_t lanes = tile.partitions() * tile.elements_per_partition();
  Tensor memory = nl::ndarray({lanes}, tile.dtype(), nl::hbm, "scratch");
  Tensor row = nl::ndarray({1, lanes}, tile.dtype());
  nisa::dma_copy(memory, tile);
  nisa::dma_copy(row, memory);
  return row;
}
void from_one_row(const Tensor &tile, const Tensor &row) {
  Tensor memory = nl::ndarray({row.shape(1)}, row.dtype(), nl::hbm, "scratch");
  nisa::dma_copy(memory, row);
  nisa::dma_copy(tile, memory);
}

constexpr int64_t kLongestRow = 4096; // lanes in one partition at a time

/// Partitions [first, first + count) of the tiles of a request.
Request partitions_of(const Request &request, int64_t first, int64_t count) {
  Request part = request;
  for (Word *word : {&part.value, &part.compare})
    if (word->tile)
      word->tile = word->tile.slice(0, first, first + count);
  return part;
}

/// All lanes work on one word, cell {1, 1}. Integers that nobody asks for meet inside of their
/// partitions first; floats are added one after the other, as the original's threads do.
void update_one_word(const Request &request, const Tensor &cell, const Tensor &old,
                     const Tensor &predicate, int64_t partitions, int64_t count) {
  bool inside_first = !old && combines(request) && !is_float_sum(request.op) &&
                      request.op != Atomic::exchange && partitions > 1 && count > 1;
  if (inside_first) {
    Tensor like = nl::ndarray({partitions, count}, DType::int32);
    Combine combine = combine_of(request.op);
    Tensor items = masked(contributions(request, like), predicate, combine.identity);
    Tensor sums = one_row(combine_groups(combine, items, 1, count));
    return finish(request, cell, cell, combine_groups(combine, sums, 1, partitions), sums);
  }
  int64_t step = std::max<int64_t>(1, kLongestRow / count); // partitions that make one row
  for (int64_t p = 0; p < partitions; p += step) {
    int64_t now = std::min(step, partitions - p);
    Request part = partitions_of(request, p, now);
    part.value.tile = one_row(part.value.tile);
    part.compare.tile = one_row(part.compare.tile);
    Tensor found;
    if (old)
      found = nl::ndarray({1, now * count}, DType::int32);
    update_rows(part, cell, found, now * count,
                one_row(predicate ? predicate.slice(0, p, p + now) : predicate));
    if (old)
      from_one_row(old.slice(0, p, p + now), found);
  }
}

void update_uniform(const Wave &wave, const Request &request, const Target &target, int64_t offset,
                    const Tensor &old, const Mask &mask) {
  Stretch stretch = stretch_of(wave, mask);
  Dim one{1, 1};
  Tensor memory(target.storage, DType::int32, {&one, 1}, 0, offset - target.start);
  Tensor cell = nl::ndarray({1, 1}, DType::int32);
  nisa::dma_copy(cell, memory);
  Tensor predicate = mask.is_all() ? Tensor() : cut(mask.tile(wave), stretch);
  update_one_word(cut(request, stretch), cell, cut(old, stretch), predicate, wave.P(),
                  stretch.count);
  nisa::dma_copy(memory, cell);
}

/// One word per partition, different ones.
void update_per_partition(const Wave &wave, const Request &request, const Indexed &indexed,
                          const Tensor &old, const Mask &mask) {
  Stretch stretch = stretch_of(wave, mask);
  Tensor index = tiles::column(indexed.index, stretch.first), predicate;
  if (!mask.is_all()) { // partitions without a lane stay away
    predicate = cut(mask.tile(wave), stretch);
    Tensor some = nl::ndarray({wave.P(), 1}, DType::uint32);
    Tensor live = nl::ndarray({wave.P(), 1}, DType::int32);
    nisa::tensor_reduce(some, nl::bitwise_or, predicate, 1);
    nisa::memset(live, -1);
    nisa::tensor_copy_predicated(live, index, some);
    index = live;
  }
  Dim pattern[] = {{0, wave.P()}, {1, 1}};
  Tensor cell = nl::ndarray({wave.P(), 1}, DType::int32);
  nisa::memset(cell, 0);
  Tensor rows = indexed.memory.ap_indirect(pattern, index);
  nisa::dma_copy(cell, rows, nisa::oob_mode::skip);
  update_rows(cut(request, stretch), cell, cut(old, stretch), stretch.count, predicate);
  nisa::dma_copy(rows, cell, nisa::oob_mode::skip);
}

/// The index in lanes of the mask, -1 in others.
Tensor live_index(const Tensor &index, const Mask &mask) {
  if (mask.is_all())
    return index;
  Tensor result = tiles::like(index, DType::int32);
  nisa::memset(result, -1);
  nisa::tensor_copy_predicated(result, index, mask.tile(*mask.wave()));
  return result;
}

/// Is counting how often each word is named cheaper than taking 128 lanes at a time?
bool is_table(const Indexed &indexed, const Wave &wave, const Stretch &stretch) {
  constexpr int64_t kLongest = 4096, kColumn = 20000; // words; cycles that 128 lanes take
  int64_t words = indexed.memory.size();
  return !indexed.is_window && words <= kLongest &&
         words * stretch.count < stretch.count * wave.P() / 128 * kColumn;
}

/// Counts in every partition, sums over partitions, and one update of all words.
void update_table(const Request &request, const Indexed &indexed) {
  int64_t count = indexed.memory.size();
  Tensor counts = count_lanes(indexed.index, count);
  if (counts.partitions() > 1) { // far below 2^24: exact
    Tensor sum = nl::ndarray({1, count}, DType::int32);
    nisa::tensor_partition_reduce(sum, nl::add, counts);
    counts = sum;
  }
  Tensor words = nl::ndarray({1, count}, DType::int32);
  nisa::dma_copy(words, indexed.memory);
  add_counts(request, words, counts);
  nisa::dma_copy(indexed.memory, words);
}

void update_columns(const Wave &wave, const Request &request, Indexed indexed, const Tensor &old,
                    const Mask &mask) {
  Stretch stretch = stretch_of(wave, mask);
  if (indexed.index.elements_per_partition() == 1)
    indexed.index = tiles::spread(indexed.index, wave.F());
  bool table = !old && is_counted(request) && is_table(indexed, wave, stretch);
  indexed.index = cut(live_index(indexed.index, mask), stretch);
  if (table)
    return update_table(request, indexed);
  update_columns(cut(request, stretch), indexed, cut(old, stretch));
}

bool same_in_partition(const Index &offset) { return !varies_over_free(offset); }

/// A stretch of one partition is enough to compare the words of partitions.
bool partitions_differ(const Wave &wave, const Index &offset) {
  std::vector<int64_t> row(static_cast<size_t>(wave.F())), seen;
  for (int64_t p = 0; p < wave.P(); ++p) {
    fill_row(offset, p, row);
    seen.push_back(row[0]);
  }
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) == seen.end();
}

/// Lanes `mask` of one allocation, launch-known places.
void update_known(const Wave &wave, const Request &request, const Place &place, const Part &part,
                  const Tensor &old, const Mask &mask) {
  const Index &offset = place.offset;
  if (offset.is_uniform())
    return update_uniform(wave, request, part.target, offset.constant(), old, mask);
  auto indexed = [&] { return index_of(offset, part.target, wave, 4, DType::int32); };
  if (same_in_partition(offset) && partitions_differ(wave, offset))
    return update_per_partition(wave, request, indexed(), old, mask);
  if (are_distinct(wave, offset, mask, false))
    return update_distinct(wave, request, place, old, mask);
  update_columns(wave, request, indexed(), old, mask);
}

/// Words at addresses that only the chip knows.
void update_by_address(const Wave &wave, const Request &request, const Place &place,
                       const Tensor &old, const Mask &mask) {
  auto parts = in_windows(place, mask, 4, DType::int32, Access::store);
  for (const global::InWindow &part : parts) {
    Tensor found = old;
    if (old && parts.size() > 1) {
      found = tiles::like(old, DType::int32);
      tiles::define(found);
    }
    update_columns(wave, request, part.indexed, found, part.lanes);
    if (old && parts.size() > 1)
      assign(old, found, part.lanes);
  }
}

void update_global(const Wave &wave, const Request &request, const Place &place, const Tensor &old,
                   const Mask &mask) {
  const Index &offset = place.offset;
  if (place.address_low)
    return update_by_address(wave, request, place, old, mask);
  if (place.index) {
    std::optional<Target> target = global::guess_target(place, offset.wave());
    if (target)
      update_columns(wave, request, index_of(place, *target, &wave, 4, DType::int32), old, mask);
    else if (!mask.is_tile())
      outside(Access::store, place, offset.wave(), 0, offset.signed_at(0), 4);
    return;
  }
  std::optional<Access> access;
  if (!mask.is_tile())
    access = Access::store;
  const Mask candidates = mask.launch_part();
  std::vector<Part> parts = parts_of(place, offset, wave, candidates, 4, access);
  for (const Part &part : parts) {
    Mask lanes = mask.is_tile() ? mask & part.lanes : part.lanes;
    if (parts.size() == 1 || !old) {
      update_known(wave, request, place, part, old, lanes);
      continue;
    }
    Tensor found = tiles::like(old, DType::int32);
    tiles::define(found);
    update_known(wave, request, place, part, found, lanes);
    assign(old, found, lanes);
  }
}

} // namespace

} // namespace atomics

void atomic(const Wave &wave, Atomic op, const Tensor &old, const Place &place, const Word &value,
            const Mask &mask, const Word &compare) {
  Tensor found = old ? tiles::as(old, DType::int32) : old;
  if (mask.launch_part().is_none()) {
    if (old)
      tiles::define(found);
    return;
  }
  atomics::Request request = atomics::apart({op, value, compare, bool(old)}, found);
  if (old)
    tiles::define(found);
  if (place.space == Place::Space::global)
    atomics::update_global(wave, request, place, found, mask);
  else
    atomics::update_shared(wave, request, place, found, mask);
}

} // namespace nki
