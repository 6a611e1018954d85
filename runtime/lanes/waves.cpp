// How the grid is cut into waves.
#include "lanes/launch.h"

#include "chip/core.h"

#include <algorithm>
#include <numeric>

namespace nki {

namespace {

constexpr uint64_t kPartitions = 128;
// 1,024 lanes are 4 KiB of a partition, from where transfers run at full speed (DESIGN.md 5,
// "Flat").
constexpr uint64_t kFlatLanes = 1024;

struct Box {
  std::array<uint64_t, 3> first, extent; // blocks
};

uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// Columns, rows and layers of one wave for a box of `columns` x `rows` x `layers` partitions: the
/// fewest waves, and the longest runs along x among those.
std::array<uint32_t, 3> choose_box(uint64_t columns, uint64_t rows, uint64_t layers) {
  std::array<uint32_t, 3> best{1, 1, 1};
  double fewest = 0;
  for (uint64_t x = std::min(columns, kPartitions); x >= 1; --x) {
    uint64_t y = std::min(rows, kPartitions / x);
    uint64_t z = y == rows ? std::min(layers, kPartitions / (x * y)) : 1;
    double waves =
        double(ceil_div(columns, x)) * double(ceil_div(rows, y)) * double(ceil_div(layers, z));
    if (fewest != 0 && waves >= fewest)
      continue;
    fewest = waves;
    best = {uint32_t(x), uint32_t(y), uint32_t(z)};
  }
  return best;
}

/// Cuts `box` into equal waves and, recursively, what remains beside, below and behind them.
void cut(const Box &box, uint64_t blocks_per_partition, std::vector<Waves::Region> &regions) {
  auto [nx, ny, nz] = box.extent;
  if (nx == 0 || ny == 0 || nz == 0)
    return;
  uint64_t k = std::min(blocks_per_partition, nx);
  std::array<uint32_t, 3> wave = choose_box(nx / k, ny, nz);
  std::array<uint64_t, 3> step{wave[0] * k, wave[1], wave[2]}, whole;
  Waves::Region region{.first = {}, .box = wave, .waves = {}, .blocks_per_partition = uint32_t(k)};
  for (int dim = 0; dim < 3; ++dim) {
    region.first[dim] = uint32_t(box.first[dim]);
    region.waves[dim] = box.extent[dim] / step[dim];
    whole[dim] = region.waves[dim] * step[dim];
  }
  regions.push_back(region);
  const auto &f = box.first;
  cut({{f[0] + whole[0], f[1], f[2]}, {nx - whole[0], ny, nz}}, k, regions);
  cut({{f[0], f[1] + whole[1], f[2]}, {whole[0], ny - whole[1], nz}}, k, regions);
  cut({{f[0], f[1], f[2] + whole[2]}, {whole[0], whole[1], nz - whole[2]}}, k, regions);
}

/// Equal waves of `box` partitions one after the other along axis `along`, from block `first` on.
Waves::Region line(std::array<uint64_t, 3> first, std::array<uint64_t, 3> box, int along,
                   uint64_t waves, uint64_t blocks_per_partition) {
  Waves::Region region{{}, {}, {1, 1, 1}, uint32_t(blocks_per_partition)};
  for (size_t dim = 0; dim < 3; ++dim) {
    region.first[dim] = uint32_t(first[dim]);
    region.box[dim] = uint32_t(box[dim]);
  }
  region.waves[size_t(along)] = waves;
  return region;
}

/// Cuts along `along` into waves of at most `most` steps of `box`, the last one shorter.
void cut_line(std::array<uint64_t, 3> first, std::array<uint64_t, 3> box, int along, uint64_t count,
              uint64_t most, uint64_t blocks_per_partition, std::vector<Waves::Region> &regions) {
  uint64_t step = std::min(count, most);
  if (count == 0)
    return;
  box[size_t(along)] = step;
  regions.push_back(line(first, box, along, count / step, blocks_per_partition));
  if (count % step == 0)
    return;
  first[size_t(along)] += (count - count % step) * (along == 0 ? blocks_per_partition : 1);
  box[size_t(along)] = count % step;
  regions.push_back(line(first, box, along, 1, blocks_per_partition));
}

/// Cuts the grid so that lane order inside of a wave, and then wave after wave, is the order of
/// blocks: pieces of one row, or whole rows of one layer, or whole layers. At most `partitions`.
void cut_in_order(const Dim3 &grid, uint64_t k, uint64_t partitions,
                  std::vector<Waves::Region> &regions) {
  if (grid.y * uint64_t(grid.z) > 1)
    while (grid.x % k != 0)
      --k;
  uint64_t columns = grid.x / k, rest = grid.x % k;
  if (columns * grid.y <= partitions && rest == 0)
    return cut_line({0, 0, 0}, {columns, grid.y, 1}, 2, grid.z, partitions / (columns * grid.y), k,
                    regions);
  for (uint64_t z = 0; z < grid.z; ++z) {
    if (columns <= partitions && rest == 0) {
      cut_line({0, 0, z}, {columns, 1, 1}, 1, grid.y, partitions / columns, k, regions);
      continue;
    }
    for (uint64_t y = 0; y < grid.y; ++y) {
      cut_line({0, y, z}, {1, 1, 1}, 0, columns, partitions, k, regions);
      if (rest)
        regions.push_back(line({columns * k, y, z}, {1, 1, 1}, 0, 1, rest));
    }
  }
}

/// Blocks per partition of a flat kernel: enough for long runs, few enough to use all partitions.
uint64_t flat_blocks(const Dim3 &grid, uint64_t threads, uint64_t cores, uint64_t most_lanes) {
  uint64_t most = std::clamp<uint64_t>(most_lanes / threads, 1, grid.x);
  uint64_t k = std::clamp<uint64_t>(ceil_div(grid.count(), kPartitions * cores), 1, most);
  return ceil_div(grid.x, ceil_div(grid.x, k)); // evens out the last one
}

/// Lanes that a partition may have: as many as fit, up to what makes transfers fast.
uint64_t lanes_that_fit(const LaneBytes &lane_bytes) {
  if (lane_bytes.count <= LaneBytes().count)
    return kFlatLanes;
  uint64_t lanes = uint64_t(current_core().capacity(Buffer::sbuf) / lane_bytes.count);
  return std::clamp<uint64_t>(lanes, 1, kFlatLanes);
}

uint64_t count(const Wave::Threads &box) {
  return uint64_t(box.extent[0]) * box.extent[1] * box.extent[2];
}

/// Cuts consecutive threads of a block into parts of at most `most` where that can be, which start
/// at multiples of `unit` (a power of two) threads: pieces of a row, whole rows or whole layers.
Waves::Parts cut_threads(const Wave::Threads &box, uint64_t most, uint64_t unit) {
  std::array<uint32_t, 3> part = box.extent;
  uint64_t inner = count(box); // threads of one step along `dim`
  for (size_t dim = 3; dim-- > 0 && count({{}, part}) > most;) {
    uint64_t size = box.extent[dim];
    if (size == 1)
      continue;
    inner /= size;
    uint64_t step = unit / std::gcd(unit, inner); // multiples of this many steps may start a part
    uint64_t fit = std::max<uint64_t>(most / inner / step, 1) * step;
    if (fit >= size)
      break; // no part of this axis starts where it may
    part[dim] = uint32_t(ceil_div(ceil_div(size, ceil_div(size, fit)), step) * step);
    // Only what is one step of this axis can be divided further.
    if (part[dim] > 1)
      break;
  }
  Waves::Parts parts;
  std::array<uint32_t, 3> at;
  for (at[2] = 0; at[2] < box.extent[2]; at[2] += part[2])
    for (at[1] = 0; at[1] < box.extent[1]; at[1] += part[1])
      for (at[0] = 0; at[0] < box.extent[0]; at[0] += part[0]) {
        Wave::Threads next;
        for (size_t dim = 0; dim < 3; ++dim) {
          next.first[dim] = box.first[dim] + at[dim];
          next.extent[dim] = std::min(part[dim], box.extent[dim] - at[dim]);
        }
        parts.push_back(next);
      }
  return parts;
}

} // namespace

Waves::Waves(const Launch &launch, std::vector<Region> regions, const std::vector<Parts> &parts,
             int core, int cores)
    : launch_(&launch), regions_(std::move(regions)) {
  std::vector<uint64_t> starts; // of each list in parts_
  for (const Parts &list : parts) {
    starts.push_back(parts_.size());
    parts_.insert(parts_.end(), list.begin(), list.end());
  }
  unsigned __int128 total = 0; // lists of parts in all waves
  for (const Region &region : regions_)
    total += (unsigned __int128)region.count() * parts.size();
  auto start_of = [&](int share) {
    uint64_t number = uint64_t(total * unsigned(share) / unsigned(cores));
    return number / parts.size() * parts_.size() + starts[number % parts.size()];
  };
  begin_ = start_of(core);
  end_ = start_of(core + 1);
}

Waves::Iterator::Iterator(const Waves &waves, uint64_t number)
    : waves_(&waves), next_(waves.begin_ + number) {
  ++*this;
}

Waves::Iterator &Waves::Iterator::operator++() {
  if (next_ < waves_->end_)
    make(next_);
  ++next_;
  return *this;
}

void Waves::Iterator::make(uint64_t number) {
  const Wave::Threads &threads = waves_->parts_[number % waves_->parts_.size()];
  number /= waves_->parts_.size();
  const Region *region = waves_->regions_.data();
  while (number >= region->count())
    number -= (region++)->count();
  std::array<uint32_t, 3> first = region->first;
  for (int dim = 0; dim < 3; ++dim) {
    uint64_t step = uint64_t(region->box[dim]) * (dim == 0 ? region->blocks_per_partition : 1);
    first[dim] += uint32_t(number % region->waves[dim] * step);
    number /= region->waves[dim];
  }
  wave_.reset();
  wave_.emplace(*waves_->launch_, first, region->box, region->blocks_per_partition, threads);
}

Waves Launch::waves(Mapping mapping, Order order, LaneBytes lane_bytes) const {
  std::vector<Waves::Region> regions;
  const Wave::Threads block{{0, 0, 0}, {blockDim.x, blockDim.y, blockDim.z}};
  std::vector<Waves::Parts> parts{{block}};
  uint64_t threads = blockDim.count(), blocks = 1;
  bool everything = order != Order::any;
  bool whole_blocks = mapping == Mapping::block_per_partition;
  can_halve = false;
  needed_bytes = int64_t(threads) * lane_bytes.count;
  bool is_empty = threads == 0 || gridDim.count() == 0;
  if (!is_empty && !whole_blocks) {
    const uint64_t unit = mapping == Mapping::warps ? 32 : 1, lanes = lanes_that_fit(lane_bytes);
    if (threads <= lanes)
      blocks = flat_blocks(gridDim, threads, everything ? 1 : cores, lanes);
    parts.clear();
    for (const Wave::Threads &part : cut_threads(block, lanes, unit)) {
      const uint64_t most = std::max<uint64_t>(count(part) >> halvings, 1);
      parts.push_back(cut_threads(part, most, unit));
      can_halve |= most > unit;
    }
  }
  if (is_empty || (everything && core != 0))
    parts = {{block}};
  else if (order == Order::sequential && parts.size() * parts[0].size() > 1)
    cut_in_order(gridDim, 1, 1, regions); // a block in parts comes before the next block
  else if (order == Order::sequential)
    cut_in_order(gridDim, blocks, kPartitions, regions);
  else
    cut({{0, 0, 0}, {gridDim.x, gridDim.y, gridDim.z}}, blocks, regions);
  return everything ? Waves(*this, std::move(regions), parts, 0, 1)
                    : Waves(*this, std::move(regions), parts, core, cores);
}

} // namespace nki
