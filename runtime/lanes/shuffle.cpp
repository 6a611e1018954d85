// Warp shuffles: moves along the free axis, where a block's threads lie in warps of 32.
#include "lanes/boxes.h"
#include "lanes/ops.h"
#include "lanes/tiles.h"

#include "nki/error.h"

#include <bit>

namespace nki {

namespace {

enum class Kind : uint8_t { up, down, bfly, idx };

/// The free position that `free` reads from, as PTX shfl.sync defines it: `b` counts modulo 32, and
/// a source beyond the segment, or a thread that the block does not have, is the lane itself. The
/// butterfly may read from an earlier segment of its warp.
int64_t source_of(Kind kind, int64_t free, int64_t threads, uint32_t b, int width) {
  int64_t thread = free % threads, lane = thread % 32;
  int64_t first = lane / width * width, last = first + width - 1;
  int64_t by = b & 31, source = lane;
  switch (kind) {
  case Kind::up:
    source = lane - by >= first ? lane - by : lane;
    break;
  case Kind::down:
    source = lane + by <= last ? lane + by : lane;
    break;
  case Kind::bfly:
    source = (lane ^ by) <= last ? lane ^ by : lane;
    break;
  case Kind::idx:
    source = first + by % width;
    break;
  }
  if (thread - lane + source >= threads)
    source = lane;
  return free - lane + source;
}

Tensor lanes_of(const Tensor &tile, const Run &run, bool source) {
  Dim dims[Run::kDepth + 1] = {tile.dims()[0], {1, 1}};
  int64_t stride = tile.dims()[1].stride;
  for (int d = 0; d < run.depth; ++d)
    dims[d + 1] = {(source ? run.steps[size_t(d)].address : run.steps[size_t(d)].free) * stride,
                   run.steps[size_t(d)].count};
  int64_t first = source ? run.address : run.free;
  return Tensor(tile.storage(), tile.dtype(), {dims, size_t(std::max(run.depth, 1)) + 1},
                tile.start_partition(),
                tile.offset_bytes() + first * stride * int64_t(size_of(tile.dtype())));
}

constexpr size_t kFewRuns = 4; // beyond, a gather takes less time

/// Every partition reads sources[f] for position f, by strided copies. Returns whether it could.
bool move(const Tensor &dst, const Tensor &a, const std::vector<int64_t> &sources) {
  std::vector<Run> runs;
  find_runs(sources, nullptr, runs);
  if (runs.size() > 1) {
    // Lanes that keep their value come with one copy of everything.
    std::vector<uint8_t> moves(sources.size());
    for (size_t f = 0; f < sources.size(); ++f)
      moves[f] = sources[f] != int64_t(f);
    std::vector<Run> moving;
    find_runs(sources, moves.data(), moving);
    if (moving.size() + 1 < runs.size()) {
      nisa::tensor_copy(dst, a);
      runs = std::move(moving);
    }
  }
  if (runs.size() > kFewRuns)
    return false;
  for (const Run &run : runs)
    nisa::tensor_copy(lanes_of(dst, run, false), lanes_of(a, run, true));
  return true;
}

void check_width(int width) {
  if (width < 1 || width > 32 || !std::has_single_bit(unsigned(width)))
    throw Error("shfl", "the width is a power of two up to 32", std::to_string(width));
}

void shuffle(Kind kind, const Wave &wave, const Tensor &out, const Tensor &in, const Index &b,
             int width) {
  check_width(width);
  Tensor a = tiles::as(in, out.dtype()), dst = out;
  if (tiles::same(out, in)) {
    a = tiles::like(in, out.dtype());
    nisa::tensor_copy(a, tiles::as(in, out.dtype()));
  }
  int64_t threads = wave.threads();
  bool alike = !varies_over_partitions(b);
  int64_t rows = alike ? 1 : wave.P();
  LaneArray<int64_t> sources = lane_array<int64_t>(wave.P(), wave.F(), !alike, true);
  std::vector<int64_t> row(static_cast<size_t>(wave.F()));
  for (int64_t p = 0; p < rows; ++p) {
    fill_row(b, p, row);
    for (int64_t f = 0; f < wave.F(); ++f)
      sources.values[size_t(p * wave.F() + f)] =
          source_of(kind, f, threads, uint32_t(row[size_t(f)]), width);
  }
  if (alike && move(dst, a, sources.values))
    return;
  Tensor index = tiles::constant_tile(wave, sources, DType::uint32);
  nisa::nc_n_gather(dst, a, index);
}

} // namespace

void shfl_up(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &delta, int width) {
  shuffle(Kind::up, wave, dst, a, delta, width);
}
void shfl_down(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &delta,
               int width) {
  shuffle(Kind::down, wave, dst, a, delta, width);
}
void shfl_xor(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &lane_mask,
              int width) {
  shuffle(Kind::bfly, wave, dst, a, lane_mask, width);
}
void shfl(const Wave &wave, const Tensor &dst, const Tensor &a, const Index &source, int width) {
  shuffle(Kind::idx, wave, dst, a, source, width);
}

void shfl(const Wave &wave, const Tensor &dst, const Tensor &in, const Tensor &source, int width) {
  check_width(width);
  Tensor a = tiles::as(in, dst.dtype());
  if (tiles::same(dst, in)) {
    a = tiles::like(in, dst.dtype());
    nisa::tensor_copy(a, tiles::as(in, dst.dtype()));
  }
  // Position of the segment's first lane, plus the source modulo the width.
  int64_t threads = wave.threads();
  LaneArray<int64_t> first = lane_array<int64_t>(wave.P(), wave.F(), false, true);
  LaneArray<int64_t> room = first; // threads of the block from there on
  for (int64_t f = 0; f < wave.F(); ++f) {
    int64_t thread = f % threads, segment = thread - thread % 32 % width;
    first.values[size_t(f)] = f - thread + segment;
    room.values[size_t(f)] = threads - segment;
  }
  Tensor within = wave.tile(DType::int32), index = wave.tile(DType::int32);
  iand(within, source, width - 1);
  iadd(index, within, tiles::constant_tile(wave, first, DType::int32));
  if (threads % 32 != 0) {
    // Threads that a partial warp does not have: the lane itself.
    Tensor exists = wave.tile(DType::uint32), legal = wave.tile(DType::int32);
    nisa::tensor_tensor(exists, within, tiles::constant_tile(wave, room, DType::int32), nl::less);
    nisa::iota(legal, {{1, wave.F()}});
    nisa::tensor_copy_predicated(legal, index, exists);
    index = legal;
  }
  nisa::nc_n_gather(dst, a, tiles::as(index, DType::uint32));
}

} // namespace nki
