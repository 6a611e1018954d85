#include "lanes/predicate.h"

#include "lanes/boxes.h"
#include "lanes/tiles.h"

#include <cstring>

namespace nki::predicate {

namespace {

const Wave &wave_of(const Mask &a, const Mask &b) { return *(a.wave() ? a.wave() : b.wave()); }

Mask bitwise(const Mask &a, const Mask &b, nl::Op op) {
  const Wave &wave = wave_of(a, b);
  Tensor result = wave.tile(DType::uint32);
  nisa::tensor_tensor(result, a.tile(wave), b.tile(wave), op);
  return Mask(wave, result);
}

} // namespace

Mask both(const Mask &a, const Mask &b) { return bitwise(a, b, nl::bitwise_and); }
Mask either(const Mask &a, const Mask &b) { return bitwise(a, b, nl::bitwise_or); }
Mask one_of(const Mask &a, const Mask &b) { return bitwise(a, b, nl::bitwise_xor); }

Mask negation(const Mask &a) {
  Tensor result = a.wave()->tile(DType::uint32);
  nisa::tensor_scalar(result, a.tile(*a.wave()), nl::bitwise_xor, 1);
  return Mask(*a.wave(), result);
}

bool any(const Mask &mask) {
  const Wave &wave = *mask.wave();
  Tensor rows = nl::ndarray({wave.P(), 1}, DType::uint32);
  Tensor all = nl::ndarray({1, 1}, DType::uint32);
  nisa::tensor_reduce(rows, nl::bitwise_or, mask.tile(wave), 1);
  nisa::tensor_partition_reduce(all, nl::bitwise_or, rows);
  nisa::Register flag = nisa::register_alloc();
  nisa::register_load(flag, all);
  return flag.value() != 0;
}

Tensor uniform(const Wave &wave, bool value) {
  return tiles::spread(tiles::number(wave.P(), value, DType::uint32), wave.F());
}

namespace {

/// Partitions [begin, end) with the same lanes, as runs along the free axis.
struct Group {
  int64_t begin, end;
  std::vector<Run> runs;
};

constexpr size_t kMostInstructions = 8; // beyond, one transfer is cheaper

/// Groups from the first partition on, or none where painting them takes too many instructions.
std::vector<Group> groups_of(const Wave &wave, const LaneArray<uint8_t> &lanes) {
  std::vector<Group> groups;
  std::vector<int64_t> no_addresses(static_cast<size_t>(wave.F()));
  std::vector<uint8_t> row(static_cast<size_t>(wave.F()));
  size_t instructions = 0;
  int64_t rows = lanes.varies_over_partitions() ? wave.P() : 1;
  auto values = [&](int64_t p) { return lanes.values.data() + p * lanes.partition_stride; };
  size_t width = lanes.varies_over_free() ? size_t(wave.F()) : 1;
  for (int64_t p = 0; p < rows; ++p) {
    if (p > 0 && std::memcmp(values(p), values(p - 1), width) == 0) {
      groups.back().end = p + 1;
      continue;
    }
    for (int64_t f = 0; f < wave.F(); ++f)
      row[size_t(f)] = lanes.at(p, f);
    groups.push_back({p, p + 1, {}});
    find_runs(no_addresses, row.data(), groups.back().runs);
    instructions += 1 + groups.back().runs.size();
    if (instructions > kMostInstructions)
      return {};
  }
  groups.back().end = wave.P();
  return groups;
}

/// Sets the lanes of a run to 1 in partitions [0, end): engines start at partition 0 with any
/// number of partitions, but not anywhere else.
void paint(const Tensor &tile, const Run &run, int64_t end) {
  Dim dims[Run::kDepth + 1] = {{1, end}};
  int depth = 1;
  for (int d = 0; d < run.depth; ++d)
    dims[depth++] = {run.steps[size_t(d)].free, run.steps[size_t(d)].count};
  if (depth == 1)
    dims[depth++] = {1, 1};
  Tensor part(tile.storage(), tile.dtype(), std::span<const Dim>(dims, size_t(depth)), 0,
              run.free * 4);
  nisa::memset(part, 1u);
}

} // namespace

Tensor known(const Wave &wave, const LaneArray<uint8_t> &lanes) {
  std::vector<Group> groups = groups_of(wave, lanes);
  if (groups.empty()) {
    Tensor memory =
        tiles::constant(lanes.values.data(), int64_t(lanes.values.size()), DType::uint8);
    Tensor tile = wave.tile(DType::uint32);
    nisa::dma_copy(tile,
                   memory.ap({{lanes.partition_stride, wave.P()}, {lanes.free_stride, wave.F()}}));
    return tile;
  }
  // From the last group to the first: each overwrites what those behind it left in its partitions.
  Tensor tile = wave.tile(DType::uint32);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    nisa::memset(tile.slice(0, 0, group->end), 0u);
    for (const Run &run : group->runs)
      paint(tile, run, group->end);
  }
  return tile;
}

} // namespace nki::predicate
