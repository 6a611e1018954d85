// How the grid is cut into waves.
#include "lanes/launch.h"

#include <algorithm>

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
/// blocks: pieces of one row, or whole rows of one layer, or whole layers.
void cut_in_order(const Dim3 &grid, uint64_t k, std::vector<Waves::Region> &regions) {
  if (grid.y * uint64_t(grid.z) > 1)
    while (grid.x % k != 0)
      --k;
  uint64_t columns = grid.x / k, rest = grid.x % k;
  if (columns * grid.y <= kPartitions && rest == 0)
    return cut_line({0, 0, 0}, {columns, grid.y, 1}, 2, grid.z, kPartitions / (columns * grid.y), k,
                    regions);
  for (uint64_t z = 0; z < grid.z; ++z) {
    if (columns <= kPartitions && rest == 0) {
      cut_line({0, 0, z}, {columns, 1, 1}, 1, grid.y, kPartitions / columns, k, regions);
      continue;
    }
    for (uint64_t y = 0; y < grid.y; ++y) {
      cut_line({0, y, z}, {1, 1, 1}, 0, columns, kPartitions, k, regions);
      if (rest)
        regions.push_back(line({columns * k, y, z}, {1, 1, 1}, 0, 1, rest));
    }
  }
}

/// Blocks per partition of a flat kernel: enough for long runs, few enough to use all partitions.
uint64_t flat_blocks(const Dim3 &grid, uint64_t threads, uint64_t cores) {
  uint64_t most = std::clamp<uint64_t>(kFlatLanes / threads, 1, grid.x);
  uint64_t k = std::clamp<uint64_t>(ceil_div(grid.count(), kPartitions * cores), 1, most);
  return ceil_div(grid.x, ceil_div(grid.x, k)); // evens out the last one
}

} // namespace

Waves::Waves(const Launch &launch, std::vector<Region> regions, int core, int cores)
    : launch_(&launch), regions_(std::move(regions)) {
  unsigned __int128 total = 0;
  for (const Region &region : regions_)
    total += region.count();
  begin_ = uint64_t(total * unsigned(core) / unsigned(cores));
  end_ = uint64_t(total * unsigned(core + 1) / unsigned(cores));
}

Waves::Iterator::Iterator(const Waves &waves) : waves_(&waves), next_(waves.begin_) { ++*this; }

Waves::Iterator &Waves::Iterator::operator++() {
  if (next_ < waves_->end_)
    make(next_);
  ++next_;
  return *this;
}

void Waves::Iterator::make(uint64_t number) {
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
  wave_.emplace(*waves_->launch_, first, region->box, region->blocks_per_partition);
}

Waves Launch::waves(Mapping mapping, Order order) const {
  std::vector<Waves::Region> regions;
  uint64_t threads = blockDim.count();
  bool everything = order == Order::sequential;
  if (threads != 0 && gridDim.count() != 0 && !(everything && core != 0)) {
    uint64_t k =
        mapping == Mapping::flat ? flat_blocks(gridDim, threads, everything ? 1 : cores) : 1;
    if (everything)
      cut_in_order(gridDim, k, regions);
    else
      cut({{0, 0, 0}, {gridDim.x, gridDim.y, gridDim.z}}, k, regions);
  }
  return everything ? Waves(*this, std::move(regions), 0, 1)
                    : Waves(*this, std::move(regions), core, cores);
}

} // namespace nki
