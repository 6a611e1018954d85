// Stores to device memory.
#include "lanes/global.h"
#include "lanes/last_lane.h"
#include "lanes/shared.h"

#include "nki/error.h"

#include <algorithm>
#include <unordered_map>

namespace nki {

namespace global {

namespace {

/// Whether the addresses of a nest of levels differ between any two of its rounds.
bool are_distinct(std::vector<Level> levels, int element_bytes) {
  std::sort(levels.begin(), levels.end(),
            [](const Level &a, const Level &b) { return std::abs(a.stride) < std::abs(b.stride); });
  Int128 reach = 0;
  for (const Level &level : levels) {
    if (std::abs(level.stride) < reach + element_bytes)
      return false;
    reach += Int128(std::abs(level.stride)) * (level.count - 1);
  }
  return true;
}

/// The levels of a piece, or only those that move the address.
std::vector<Level> levels_of(const Piece &piece, bool moving) {
  std::vector<Level> levels(piece.rows.begin(), piece.rows.begin() + piece.row_depth);
  for (int d = 0; d < piece.run.depth; ++d)
    levels.push_back({piece.run.steps[size_t(d)].count, piece.run.steps[size_t(d)].address});
  if (moving)
    std::erase_if(levels, [](const Level &level) { return level.stride == 0; });
  return levels;
}

/// The lanes of `mask` that no later one of them overwrites.
Mask last_writers(const Wave &wave, const Index &offset, const Mask &mask) {
  LaneArray<uint8_t> winners = lane_array<uint8_t>(wave.P(), wave.F(), true, true);
  auto [low, high] = IndexOps::bounds(offset, true);
  constexpr int kDense = 64; // table entries per lane, from where a hash map takes less memory
  bool dense = high - low < Int128(wave.lanes()) * kDense;
  std::vector<int32_t> table(dense ? size_t(high - low) + 1 : 0, -1); // offset - low -> lane
  std::unordered_map<int64_t, int64_t> map;                           // offset -> lane
  std::vector<int64_t> row(static_cast<size_t>(wave.F()));
  for (int64_t p = 0, lane = 0; p < wave.P(); ++p) {
    fill_row(offset, p, row);
    for (int64_t f = 0; f < wave.F(); ++f, ++lane) {
      if (!mask.is_all() && !mask.bitmap().at(p, f))
        continue;
      if (dense)
        table[size_t(row[size_t(f)] - int64_t(low))] = int32_t(lane);
      else
        map[row[size_t(f)]] = lane;
    }
  }
  for (int32_t lane : table)
    if (lane >= 0)
      winners.values[size_t(lane)] = 1;
  for (auto [place, lane] : map)
    winners.values[size_t(lane)] = 1;
  return Mask(wave, std::move(winners));
}

/// An affine piece of all lanes without those that a later one overwrites: of a step that stays at
/// one address only the last round counts.
std::vector<Piece> last_rounds(const Piece &piece) {
  Piece last = piece;
  Run &run = last.run;
  int depth = 0;
  for (int d = 0; d < piece.run.depth; ++d) {
    const Step &step = piece.run.steps[size_t(d)];
    if (step.address == 0)
      run.free += step.free * (step.count - 1);
    else
      run.steps[size_t(depth++)] = step;
  }
  run.depth = depth;
  // Partitions: the same, level by level, from the outside; what is left of a level that goes on
  // inside of it are separate pieces.
  std::vector<Piece> pieces{last};
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Piece> next;
    for (const Piece &p : pieces) {
      auto *end = p.rows.data() + p.row_depth;
      auto *still = std::find_if(p.rows.data(), end, [](const Level &l) { return l.stride == 0; });
      if (still == end) {
        next.push_back(p);
        continue;
      }
      changed = true;
      Piece inner = p;
      inner.row_depth = p.row_depth - 1;
      std::copy(p.rows.begin() + 1, p.rows.end(), inner.rows.begin());
      inner.partitions = p.partitions / p.rows[0].count;
      for (int64_t i = still == p.rows.data() ? p.rows[0].count - 1 : 0; i < p.rows[0].count; ++i) {
        Piece part = inner;
        part.partition += i * inner.partitions;
        part.run.address += i * p.rows[0].stride;
        next.push_back(part);
      }
    }
    pieces = std::move(next);
  }
  return pieces;
}

/// The lanes of a launch-known mask as pieces in which no place comes twice, if they are few.
std::optional<std::vector<Piece>> pieces_to_store(const Index &offset, const Wave &wave,
                                                  const Mask &mask, int element_bytes) {
  int64_t limit = std::max<int64_t>(8, wave.F());
  if (offset.is_affine()) {
    Piece whole = find_pieces(wave, offset, nullptr, 1)->front();
    if (are_distinct(levels_of(whole, false), element_bytes))
      return find_pieces(wave, offset, lanes_of(mask), limit);
    if (mask.is_all() && are_distinct(levels_of(whole, true), element_bytes))
      return last_rounds(whole);
  }
  Mask writers = last_writers(wave, offset, mask);
  return find_pieces(wave, offset, lanes_of(writers), limit);
}

/// The lanes of a launch-known mask, all inside of the target.
void store_known(const Target &target, const Tensor &elements, const Index &offset,
                 const Wave &wave, const Mask &mask, int element_bytes) {
  std::optional<std::vector<Piece>> pieces = pieces_to_store(offset, wave, mask, element_bytes);
  if (!pieces)
    return scatter(index_of(offset, target, wave, element_bytes, elements.dtype()), elements,
                   last_writers(wave, offset, mask), true);
  for (const Piece &piece : *pieces)
    copy_out(target, elements, piece, element_bytes);
}

void store_to_known_lanes(const Place &place, const Tensor &elements, const Index &offset,
                          const Wave &wave, const Mask &mask, int element_bytes) {
  if (mask.is_all()) {
    auto [low, high] = IndexOps::bounds(offset, true);
    std::optional<Target> target = find_target(place.base, int64_t(low));
    if (target && target->contains(low, high, element_bytes))
      return store_known(*target, elements, offset, wave, wave.all(), element_bytes);
  }
  // Nothing is written before all lanes are known to be legal.
  for (const Part &part : parts_of(place, offset, wave, mask, element_bytes, Access::store))
    store_known(part.target, elements, offset, wave, part.lanes, element_bytes);
}

/// All lanes write one element, under a mask that is known or not.
void store_uniform(const Place &place, const Tensor &elements, const Mask &mask,
                   int element_bytes) {
  int64_t offset = place.offset.constant();
  int64_t partitions = elements.partitions(), free = elements.elements_per_partition();
  std::optional<Target> target = find_target(place.base, offset);
  bool whole = target && target->contains(offset, offset, element_bytes);
  if (!whole && mask.is_tile())
    return;
  if (!whole)
    outside(Access::store, place, nullptr, 0, offset, element_bytes);
  Piece piece;
  piece.run.address = offset;
  if (!mask.is_tile()) {
    int64_t lane = partitions * free - 1;
    while (!mask.at(lane))
      --lane;
    piece.partition = lane / free;
    piece.run.free = lane % free;
    return copy_out(*target, elements, piece, element_bytes);
  }
  const Wave &wave = *mask.wave();
  LastLane last = last_lane(wave, mask);
  Tensor index = nl::ndarray({partitions, 1}, DType::int32);
  Tensor zero = tiles::number(partitions, 0, DType::int32);
  nisa::memset(index, -1);
  nisa::tensor_copy_predicated(index, zero, last.exists);
  Dim one{1, 1};
  Tensor memory(target->storage, elements.dtype(), {&one, 1}, 0, offset - target->start);
  Dim pattern[] = {{0, partitions}, {1, 1}};
  nisa::dma_copy(memory.ap_indirect(pattern, index), elements_of(last, elements),
                 nisa::oob_mode::skip);
}

/// Reads what is there, replaces the lanes of the mask, and puts it back.
void blend(const Target &target, const Tensor &elements, const std::vector<Piece> &pieces,
           const Wave &wave, const Mask &mask, int element_bytes) {
  Tensor old = tiles::like(elements, elements.dtype());
  tiles::define(old);
  for (const Piece &piece : pieces)
    copy_in(old, target, piece, element_bytes);
  nisa::tensor_copy_predicated(old, elements, mask.tile(wave));
  for (const Piece &piece : pieces)
    copy_out(target, old, piece, element_bytes);
}

/// Lanes `inside` of one allocation, of which the predicate tile `mask` selects some.
void store_under_predicate(const Target &target, const Tensor &elements, const Index &offset,
                           const Wave &wave, const Mask &inside, const Mask &mask,
                           int element_bytes) {
  bool distinct = false;
  if (offset.is_affine())
    distinct = are_distinct(levels_of(find_pieces(wave, offset, nullptr, 1)->front(), false),
                            element_bytes);
  else
    distinct = andnot(inside, last_writers(wave, offset, inside)).is_none();
  if (distinct)
    if (auto pieces = find_pieces(wave, offset, lanes_of(inside), std::max<int64_t>(8, wave.F())))
      return blend(target, elements, *pieces, wave, mask, element_bytes);
  Mask live = mask & inside;
  Indexed indexed = index_of(offset, target, wave, element_bytes, elements.dtype());
  if (distinct || wave.F() == 1 || varies_over_free(offset))
    return scatter(indexed, elements, live, distinct);
  // One place per partition: its last lane, then the partitions in order.
  LastLane last = last_lane(wave, live);
  Tensor index = nl::ndarray({wave.P(), 1}, DType::int32);
  nisa::memset(index, -1);
  nisa::tensor_copy_predicated(index, tiles::column(indexed.index, 0), last.exists);
  Dim pattern[] = {{0, wave.P()}, {1, 1}};
  nisa::dma_copy(indexed.memory.ap_indirect(pattern, index), elements_of(last, elements),
                 nisa::oob_mode::skip);
}

} // namespace

/// `elements` are of memory's type, {P, F}.
void store(const Place &place, const Tensor &elements, int element_bytes, const Mask &mask) {
  const Index &offset = place.offset;
  const Wave *wave = offset.wave() ? offset.wave() : mask.wave();
  if (place.address_low) {
    for (const InWindow &part :
         in_windows(place, mask, element_bytes, elements.dtype(), Access::store))
      scatter(part.indexed, elements, part.lanes, false);
    return;
  }
  if (place.index) {
    std::optional<Target> target = guess_target(place, offset.wave());
    if (target)
      scatter(index_of(place, *target, wave, element_bytes, elements.dtype()), elements, mask,
              false);
    else if (!mask.is_tile())
      outside(Access::store, place, offset.wave(), 0, offset.signed_at(0), element_bytes);
  } else if (offset.is_uniform()) {
    store_uniform(place, elements, mask, element_bytes);
  } else if (mask.is_tile()) {
    for (const Part &part : parts_of(place, offset, *wave, Mask(true), element_bytes, {}))
      store_under_predicate(part.target, elements, offset, *wave, part.lanes, mask, element_bytes);
  } else {
    store_to_known_lanes(place, elements, offset, *wave, mask, element_bytes);
  }
}

} // namespace global

namespace {

void check_size(int element_bytes) {
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4)
    throw Error("store", "elements have 1, 2 or 4 bytes", std::to_string(element_bytes));
}

/// The low bytes of each lane, as elements of memory's type.
Tensor low_bytes(const Tensor &tile, int element_bytes) {
  if (element_bytes == 4)
    return tile;
  Dim dims[] = {tile.dims()[0], {tile.dims()[1].stride * (4 / element_bytes), tile.shape(1)}};
  return Tensor(tile.storage(), global::memory_type(element_bytes, tile.dtype()), dims,
                tile.start_partition(), tile.offset_bytes());
}

void store_elements(const Place &place, const Tensor &elements, int element_bytes,
                    const Mask &mask) {
  if (place.space == Place::Space::global)
    global::store(place, elements, element_bytes, mask);
  else
    shared::store(place, elements, element_bytes, mask);
}

} // namespace

void store(const Place &place, const Tensor &src, int element_bytes, const Mask &mask) {
  check_size(element_bytes);
  if (!mask.is_none())
    store_elements(place, low_bytes(src, element_bytes), element_bytes, mask);
}

void store(const Place &place, uint32_t bits, int element_bytes, const Mask &mask) {
  check_size(element_bytes);
  if (mask.is_none())
    return;
  int64_t partitions = 1, free = 1;
  const Wave *wave = mask.wave() ? mask.wave() : place.offset.wave();
  if (wave) {
    partitions = wave->P();
    free = wave->F();
  } else if (place.index || place.address_low) {
    const Tensor &lanes = place.index ? place.index : place.address_low;
    partitions = lanes.partitions();
    free = lanes.elements_per_partition();
  } else if (place.storage) {
    partitions = place.storage.partitions();
    if (place.local_bytes) // every lane has one
      free = place.storage.elements_per_partition() / place.local_bytes;
  }
  Tensor column = tiles::number(partitions, bits, DType::int32);
  store_elements(place, low_bytes(tiles::spread(column, free), element_bytes), element_bytes, mask);
}

} // namespace nki
