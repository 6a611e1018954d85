// Shared memory and local arrays: strided views where places are affine, gathers elsewhere.
#include "lanes/shared.h"

#include "lanes/global.h"
#include "lanes/last_lane.h"
#include "lanes/on_chip.h"
#include "lanes/ops.h"

#include "nki/error.h"

#include <algorithm>

namespace nki {

namespace {

Place make_array(const Wave &wave, Place::Space space, int64_t bytes_per_partition,
                 const char *name) {
  Place place;
  place.space = space;
  int64_t padded = (std::max<int64_t>(bytes_per_partition, 1) + 3) / 4 * 4;
  place.storage = nl::ndarray({wave.P(), padded}, DType::uint8, nl::sbuf, name);
  // Lanes that read what nobody wrote get zero, so that masks made of it are masks.
  nisa::memset(place.storage.view(DType::uint32), 0u);
  return place;
}

} // namespace

Place shared_array(const Wave &wave, int64_t bytes, const char *name) {
  return make_array(wave, Place::Space::shared, bytes, name);
}

Place local_array(const Wave &wave, int64_t bytes, const char *name) {
  // Lanes are a multiple of four bytes apart, so that every type stays aligned.
  int64_t padded = (std::max<int64_t>(bytes, 1) + 3) / 4 * 4;
  Place place = make_array(wave, Place::Space::local, wave.F() * padded, name);
  place.local_bytes = padded;
  return place;
}

Place Place::operator+(const Index &bytes) const {
  Place place = *this;
  place.offset += bytes.bits() == 64 ? bytes : sext(bytes, 64);
  return place;
}

Place Place::plus(const Tensor &by, int64_t bytes) const {
  Place place = *this;
  if (!place.index) {
    place.index = by;
    place.scale = bytes;
    return place;
  }
  // Both in the smaller unit, if that is one of the two; else in bytes.
  int64_t unit = bytes == 0 || scale == 0 ? std::max<int64_t>(1, std::abs(bytes + scale))
                 : bytes % scale == 0     ? scale
                 : scale % bytes == 0     ? bytes
                                          : 1;
  Tensor left = tiles::like(by, DType::int32), right = tiles::like(by, DType::int32);
  imul(left, index, int32_t(scale / unit));
  imul(right, by, int32_t(bytes / unit));
  iadd(left, left, right);
  place.index = left;
  place.scale = unit;
  return place;
}

namespace shared {

int64_t in_elements(int64_t bytes, int element_bytes) {
  if (bytes % element_bytes != 0)
    throw Error("shared memory access", "addresses are multiples of the element size",
                std::to_string(bytes) + " bytes, elements have " + std::to_string(element_bytes));
  return bytes / element_bytes;
}

namespace {

/// The places of one statement, for `free` lanes per partition.
class Places {
public:
  Places(const Place &place, int64_t free, int element_bytes, const Mask &mask)
      : place_(place), free_(free), element_bytes_(element_bytes), mask_(mask),
        wave_(place.offset.wave() ? place.offset.wave() : mask.wave()) {}

  const Wave *wave() const { return wave_; }
  bool is_local() const { return place_.space == Place::Space::local; }
  int64_t bytes() const { return is_local() ? place_.local_bytes : place_.storage.shape(1); }
  bool same_in_all_partitions() const { return !varies_over_partitions(place_.offset); }
  /// All lanes lie inside.
  bool are_inside() const {
    auto [low, high] = IndexOps::bounds(place_.offset, true);
    return low >= 0 && high + element_bytes_ <= bytes();
  }
  /// The lanes that lie inside; an error if a lane of a launch-known mask does not.
  Mask inside(const char *access) const {
    if (are_inside())
      return Mask(true);
    Mask inside = bytes() < element_bytes_
                      ? Mask(false)
                      : ule(place_.offset, Index(bytes() - element_bytes_, 64));
    Mask bad = mask_.is_tile() ? Mask(false) : andnot(mask_, inside);
    if (!bad.is_none())
      report(access, bad);
    return inside;
  }

  /// All lanes of an affine place that is the same in all partitions.
  Run affine_run() const {
    Run run{0, place_.offset.constant(), 0, {}};
    if (!place_.offset.wave()) {
      run.depth = 1;
      run.steps[0] = {free_, 1, is_local() ? place_.local_bytes : 0};
      return run;
    }
    const Wave &wave = *place_.offset.wave();
    LaneForm form = lane_form(place_.offset);
    run.address = form.first;
    int64_t lanes = 1;
    for (int axis = kWaveAxes - 1; is_local() && axis >= kPartitionAxes; --axis) {
      form.strides[size_t(axis)] += lanes * place_.local_bytes;
      lanes *= wave.counts()[size_t(axis)];
    }
    Level levels[kWaveAxes];
    run.depth = merge_axes(wave, form.strides, kPartitionAxes, kWaveAxes, levels);
    lanes = 1;
    for (int d = run.depth - 1; d >= 0; --d) {
      run.steps[size_t(d)] = {levels[d].count, lanes, levels[d].stride};
      lanes *= levels[d].count;
    }
    return run;
  }

  /// Addresses of the lanes of a partition, in the whole array.
  std::vector<int64_t> row(int64_t partition) const {
    std::vector<int64_t> addresses(static_cast<size_t>(free_));
    fill_row(place_.offset, partition, addresses);
    for (int64_t f = 0; is_local() && f < free_; ++f)
      addresses[size_t(f)] += f * place_.local_bytes;
    return addresses;
  }

private:
  [[noreturn]] void report(const char *access, const Mask &bad) const {
    int64_t lane = 0;
    while (!bad.at(lane))
      ++lane;
    std::string who = "every thread";
    int64_t offset = place_.offset.constant();
    if (wave_) {
      offset = place_.offset.signed_at(lane);
      auto at = [&](Axis axis) { return std::to_string(wave_->coordinate(axis, lane)); };
      who = "thread (" + at(Axis::thread_x) + "," + at(Axis::thread_y) + "," + at(Axis::thread_z) +
            ") of block (" + at(Axis::block_x) + "," + at(Axis::block_y) + "," + at(Axis::block_z) +
            ")";
    }
    throw Error(access, who + (access[0] == 'l' ? " reads " : " writes ") +
                            std::to_string(element_bytes_) + " bytes at byte " +
                            std::to_string(offset) + " of " +
                            (is_local() ? "a local array" : "shared memory") + " of " +
                            std::to_string(bytes()) + " bytes");
  }

  const Place &place_;
  int64_t free_;
  int element_bytes_;
  const Mask &mask_;
  const Wave *wave_;
};

/// The elements of a run in the array.
Tensor view_of(const Place &place, const Run &run, DType type) {
  int bytes = int(size_of(type));
  Dim dims[Run::kDepth + 1] = {place.storage.dims()[0], {1, 1}};
  for (int d = 0; d < run.depth; ++d)
    dims[d + 1] = {in_elements(run.steps[size_t(d)].address, bytes), run.steps[size_t(d)].count};
  in_elements(run.address, bytes);
  return Tensor(place.storage.storage(), type, {dims, size_t(std::max(run.depth, 1)) + 1},
                place.storage.start_partition(), place.storage.offset_bytes() + run.address);
}

/// The lanes of a run in a tile {P, F}.
Tensor lanes_of(const Tensor &tile, const Run &run) {
  Dim dims[Run::kDepth + 1] = {tile.dims()[0], {1, 1}};
  int64_t stride = tile.dims()[1].stride;
  for (int d = 0; d < run.depth; ++d)
    dims[d + 1] = {run.steps[size_t(d)].free * stride, run.steps[size_t(d)].count};
  return Tensor(tile.storage(), tile.dtype(), {dims, size_t(std::max(run.depth, 1)) + 1},
                tile.start_partition(),
                tile.offset_bytes() + run.free * stride * int64_t(size_of(tile.dtype())));
}

constexpr size_t kFewRuns = 4; // beyond, a gather takes less time

/// Positions of `mask` along the free axis, if it is the same in all partitions: 1 for each lane.
bool read_free_mask(const Mask &mask, std::vector<uint8_t> &active) {
  if (mask.is_tile())
    return false;
  if (mask.is_all() || mask.is_none()) {
    std::fill(active.begin(), active.end(), uint8_t(mask.is_all()));
    return true;
  }
  const LaneArray<uint8_t> &lanes = mask.bitmap();
  if (lanes.varies_over_partitions())
    return false;
  for (size_t f = 0; f < active.size(); ++f)
    active[f] = lanes.at(0, int64_t(f));
  return true;
}

/// dst = array[index] for the lanes of `mask`; the others read element 0.
void gather(const Tensor &dst, const Place &place, int element_bytes, const Mask &mask) {
  Tensor index = element_index(place, dst, element_bytes, false);
  if (!mask.is_all()) {
    Tensor legal = tiles::like(index, DType::int32);
    nisa::memset(legal, 0);
    nisa::tensor_copy_predicated(legal, index, mask.tile(*mask.wave()));
    index = legal;
  }
  DType type = global::memory_type(element_bytes, dst.dtype());
  Tensor array = elements_of_array(place, type);
  if (type == dst.dtype())
    return nisa::nc_n_gather(dst, array, tiles::as(index, DType::uint32));
  Tensor narrow = tiles::like(dst, type);
  nisa::nc_n_gather(narrow, array, tiles::as(index, DType::uint32));
  nisa::tensor_copy(dst, narrow);
}

} // namespace

void load(const Tensor &dst, const Place &place, int element_bytes, const Mask &mask) {
  if (place.index)
    return gather(dst, place, element_bytes, mask);
  int64_t free = dst.elements_per_partition();
  Places places(place, free, element_bytes, mask);
  DType type = global::memory_type(element_bytes, dst.dtype());
  Mask inside = places.inside("load");
  // A mask that is the same in all partitions saves work; what lanes of others read is harmless.
  std::vector<uint8_t> active(static_cast<size_t>(free)), legal(static_cast<size_t>(free));
  bool alike = places.same_in_all_partitions();
  if (alike && inside.is_all() && mask.is_all() && place.offset.is_affine())
    return nisa::tensor_copy(dst, view_of(place, places.affine_run(), type));
  if (!alike || !read_free_mask(inside, legal))
    return gather(dst, place, element_bytes, inside.is_all() ? Mask(true) : inside);
  if (!read_free_mask(mask, active))
    active = legal;
  for (size_t f = 0; f < active.size(); ++f)
    active[f] &= legal[f];
  std::vector<Run> runs;
  find_runs(places.row(0), active.data(), runs);
  if (runs.size() > kFewRuns)
    return gather(dst, place, element_bytes, inside);
  tiles::define(dst);
  for (const Run &run : runs)
    nisa::tensor_copy(lanes_of(dst, run), view_of(place, run, type));
}

namespace {

/// Which lane writes each element of the array in one row: the last active one.
struct Winners {
  int64_t first = 0, count = 0; ///< elements
  bool distinct = true;         ///< no two lanes write one element
  std::vector<int32_t> lanes;   ///< rows of `count`
};

/// `active(p, f)` tells whether a lane writes (or may write).
template <class Active>
Winners find_winners(const Places &places, int64_t rows, int64_t free, int element_bytes,
                     Active active) {
  Winners winners;
  int64_t low = INT64_MAX, high = INT64_MIN;
  std::vector<std::vector<int64_t>> addresses;
  for (int64_t p = 0; p < rows; ++p) {
    addresses.push_back(places.row(p));
    for (int64_t f = 0; f < free; ++f)
      if (active(p, f)) {
        int64_t element = in_elements(addresses.back()[size_t(f)], element_bytes);
        low = std::min(low, element);
        high = std::max(high, element);
      }
  }
  if (low > high)
    return winners;
  winners.first = low;
  winners.count = high - low + 1;
  winners.lanes.assign(size_t(rows * winners.count), -1);
  for (int64_t p = 0; p < rows; ++p)
    for (int64_t f = 0; f < free; ++f)
      if (active(p, f)) {
        int32_t &lane = winners.lanes[size_t(
            p * winners.count + addresses[size_t(p)][size_t(f)] / element_bytes - low)];
        winners.distinct &= lane < 0;
        lane = int32_t(f);
      }
  return winners;
}

/// The same positions of all partitions, as a mask.
Mask all_of(const std::vector<uint8_t> &active, const Wave &wave) {
  return Mask(wave, LaneArray<uint8_t>{active, 0, 1});
}

/// Lanes of all partitions alike, known at launch.
void store_alike(const Place &place, const Tensor &elements, const Places &places,
                 std::vector<uint8_t> active, int element_bytes) {
  int64_t free = elements.elements_per_partition();
  std::vector<int64_t> row = places.row(0);
  Winners winners = find_winners(places, 1, free, element_bytes,
                                 [&](int64_t, int64_t f) { return active[size_t(f)] != 0; });
  if (!winners.distinct) {
    std::fill(active.begin(), active.end(), uint8_t(0));
    for (int32_t f : winners.lanes)
      if (f >= 0)
        active[size_t(f)] = 1;
  }
  std::vector<Run> runs;
  find_runs(row, active.data(), runs);
  if (runs.size() > kFewRuns && places.is_local())
    return scatter_local(place, element_index(place, elements, element_bytes, true), elements,
                         all_of(active, *places.wave()));
  if (runs.size() > kFewRuns)
    return scatter_known(place, elements, winners.lanes, winners.first, winners.count, Mask(true));
  for (const Run &run : runs)
    nisa::tensor_copy(view_of(place, run, elements.dtype()), lanes_of(elements, run));
}

/// Clears the positions that a launch-known mask has in no partition.
void leave_out_idle(const Mask &mask, std::vector<uint8_t> &positions) {
  if (mask.is_tile() || mask.is_all())
    return;
  const LaneArray<uint8_t> &lanes = mask.bitmap();
  std::vector<uint8_t> live(positions.size(), 0);
  int64_t rows = lanes.varies_over_partitions() ? mask.wave()->P() : 1;
  for (int64_t p = 0; p < rows; ++p)
    for (size_t f = 0; f < live.size(); ++f)
      live[f] |= lanes.at(p, int64_t(f));
  for (size_t f = 0; f < live.size(); ++f)
    positions[f] &= live[f];
}

/// Under a mask that differs between partitions, to places that do not. `legal`: inside the array.
void store_alike_masked(const Place &place, const Tensor &elements, const Places &places,
                        std::vector<uint8_t> legal, int element_bytes, const Mask &mask) {
  int64_t free = elements.elements_per_partition();
  const Wave &wave = *mask.wave();
  leave_out_idle(mask, legal);
  std::vector<Run> runs;
  find_runs(places.row(0), legal.data(), runs);
  if (places.is_local() && runs.size() > kFewRuns)
    return scatter_local(place, element_index(place, elements, element_bytes, true), elements,
                         mask);
  Winners winners = find_winners(places, 1, free, element_bytes,
                                 [&](int64_t, int64_t f) { return legal[size_t(f)] != 0; });
  if (winners.count == 0)
    return;
  if (winners.count == 1 && free > 1) { // one place per block
    LastLane last = last_lane(wave, mask);
    Run place_of_all{0, winners.first * element_bytes, 0, {}};
    return nisa::tensor_copy_predicated(view_of(place, place_of_all, elements.dtype()),
                                        elements_of(last, elements), last.exists);
  }
  if (!winners.distinct)
    return scatter(place, element_index(place, elements, element_bytes, false), elements, mask);
  if (runs.size() > kFewRuns)
    return scatter_known(place, elements, winners.lanes, winners.first, winners.count, mask);
  Tensor predicate = mask.tile(wave);
  for (const Run &run : runs)
    nisa::tensor_copy_predicated(view_of(place, run, elements.dtype()), lanes_of(elements, run),
                                 lanes_of(predicate, run));
}

/// To launch-known places that differ between partitions.
void store_per_partition(const Place &place, const Tensor &elements, const Places &places,
                         int element_bytes, const Mask &mask) {
  const Wave &wave = *places.wave();
  Mask inside = places.inside("store");
  if (places.is_local())
    return scatter_local(place, element_index(place, elements, element_bytes, true), elements,
                         inside.is_all() ? mask : mask & inside);
  Mask writes = mask.is_tile() ? inside : mask & inside;
  Winners winners = find_winners(places, wave.P(), wave.F(), element_bytes,
                                 [&](int64_t p, int64_t f) { return writes.at(p * wave.F() + f); });
  if (winners.count == 0)
    return;
  if (mask.is_tile() && !winners.distinct)
    return scatter(place, element_index(place, elements, element_bytes, false), elements,
                   mask & inside);
  scatter_known(place, elements, winners.lanes, winners.first, winners.count,
                mask.is_tile() ? mask : Mask(true));
}

} // namespace

void store(const Place &place, const Tensor &elements, int element_bytes, const Mask &mask) {
  int64_t free = elements.elements_per_partition();
  Places places(place, free, element_bytes, mask);
  if (place.index) {
    if (places.is_local())
      return scatter_local(place, element_index(place, elements, element_bytes, true), elements,
                           mask);
    return scatter(place, element_index(place, elements, element_bytes, false), elements, mask);
  }
  if (!places.same_in_all_partitions())
    return store_per_partition(place, elements, places, element_bytes, mask);
  Mask inside = places.inside("store");
  // The common case without tables: every lane writes an element of its own.
  if (mask.is_all() && inside.is_all() && place.offset.is_affine()) {
    Run run = places.affine_run();
    bool distinct = true;
    int64_t reach = 0; // levels from the inside out: each must go beyond those inside of it
    for (int d = run.depth - 1; d >= 0; --d) {
      const Step &step = run.steps[size_t(d)];
      distinct &= std::abs(step.address) >= reach + element_bytes;
      reach += std::abs(step.address) * (step.count - 1);
    }
    if (distinct)
      return nisa::tensor_copy(view_of(place, run, elements.dtype()), elements);
  }
  std::vector<uint8_t> active(static_cast<size_t>(free)), legal(static_cast<size_t>(free));
  read_free_mask(inside, legal);
  if (!read_free_mask(mask, active)) {
    Mask live = inside.is_all() ? mask : mask & inside;
    if (!live.is_none())
      store_alike_masked(place, elements, places, legal, element_bytes, live);
    return;
  }
  for (size_t f = 0; f < active.size(); ++f)
    active[f] &= legal[f];
  store_alike(place, elements, places, active, element_bytes);
}

} // namespace shared

std::optional<Tensor> shared_view(const Place &place, const Wave &wave, DType type) {
  if (place.space == Place::Space::global || place.index || !place.offset.is_affine())
    return {};
  Mask all = wave.all();
  shared::Places places(place, wave.F(), int(size_of(type)), all);
  if (!places.same_in_all_partitions() || !places.are_inside())
    return {};
  return shared::view_of(place, places.affine_run(), type);
}

} // namespace nki
