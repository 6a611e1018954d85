#include "lanes/global.h"

#include "chip/core.h"
#include "chip/storage.h"
#include "nki/error.h"

#include <cinttypes>
#include <cstdio>

namespace nki::global {

Mask Target::inside(const Index &offset, int element_bytes) const {
  if (bytes < element_bytes)
    return Mask(false);
  return ule(offset - Index(start, 64), Index(bytes - element_bytes, 64));
}

std::optional<Target> find_target(const char *base, int64_t offset) {
  const char *address = base + offset;
  std::optional<chip::Allocation> found = current_core().hbm().find(address);
  if (!found)
    return {};
  Target target;
  target.start = int64_t(static_cast<char *>(found->base) - base);
  target.bytes = int64_t(found->size);
  target.storage = chip::Storage::in_hbm(found->base, target.bytes, DType::uint8);
  return target;
}

std::optional<Target> guess_target(const Place &place, const Wave *wave) {
  int64_t first = wave ? place.offset.signed_at(0) : place.offset.constant();
  int64_t last = wave ? place.offset.signed_at(wave->lanes() - 1) : first;
  // A pointer one past the end, with negative offsets, belongs to what lies before it.
  for (int64_t offset : {int64_t(0), first, last, int64_t(-1)})
    if (std::optional<Target> target = find_target(place.base, offset))
      return target;
  return {};
}

namespace {

std::string hex(const char *pointer) {
  char text[32];
  snprintf(text, sizeof text, "0x%" PRIxPTR, reinterpret_cast<uintptr_t>(pointer));
  return text;
}

std::string coordinates(const Wave &wave, Axis x, Axis y, Axis z, int64_t lane) {
  return "(" + std::to_string(wave.coordinate(x, lane)) + "," +
         std::to_string(wave.coordinate(y, lane)) + "," + std::to_string(wave.coordinate(z, lane)) +
         ")";
}

} // namespace

void outside(Access access, const Place &place, const Wave *wave, int64_t lane, int64_t offset,
             int element_bytes) {
  const char *address = place.base + offset;
  std::string who = "every thread";
  if (wave)
    who = "thread " + coordinates(*wave, Axis::thread_x, Axis::thread_y, Axis::thread_z, lane) +
          " of block " + coordinates(*wave, Axis::block_x, Axis::block_y, Axis::block_z, lane);
  std::string text = "out of bounds: " + who + (access == Access::load ? " reads " : " writes ") +
                     std::to_string(element_bytes) + " bytes at " + hex(address) + ", ";
  std::optional<Target> near = find_target(place.base, offset);
  if (!near)
    near = find_target(place.base, 0);
  if (!near)
    throw Error(access == Access::load ? "load" : "store", text + "which is in no allocation");
  int64_t distance = offset - near->start;
  throw Error(access == Access::load ? "load" : "store",
              text + std::to_string(distance) + " bytes from the start of the allocation of " +
                  std::to_string(near->bytes) + " bytes at " + hex(place.base + near->start));
}

std::vector<Part> parts_of(const Place &place, const Index &offset, const Wave &wave,
                           const Mask &mask, int element_bytes, std::optional<Access> access) {
  std::vector<Part> parts;
  Mask left = mask.is_all() ? wave.all() : mask;
  auto take = [&](const Target &target) {
    Mask inside = target.inside(offset, element_bytes);
    Mask lanes = left & inside;
    left = andnot(left, inside);
    if (!lanes.is_none())
      parts.push_back({target, lanes});
  };
  // Mostly the base's allocation has all lanes; looking there first skips those that are nowhere.
  if (std::optional<Target> base = find_target(place.base, 0))
    take(*base);
  for (int64_t lane = 0; lane < wave.lanes() && !left.is_none(); ++lane) {
    if (!left.at(lane))
      continue;
    int64_t at = offset.signed_at(lane);
    if (std::optional<Target> target = find_target(place.base, at))
      take(*target);
    if (access && left.at(lane))
      outside(*access, place, &wave, lane, at, element_bytes);
  }
  return parts;
}

namespace {

/// The two sides of a transfer of one piece.
struct Sides {
  Tensor tile, memory;
};

int64_t elements(int64_t bytes, int element_bytes) {
  if (bytes % element_bytes != 0)
    throw Error("memory access", "addresses are multiples of the element size",
                "lanes are " + std::to_string(bytes) + " bytes apart, elements have " +
                    std::to_string(element_bytes));
  return bytes / element_bytes;
}

Sides sides(const Tensor &tile, const Target &target, const Piece &piece, int element_bytes,
            DType type) {
  Dim on_chip[1 + Run::kDepth] = {{1, piece.partitions}, {1, 1}};
  Dim in_memory[kPartitionAxes + Run::kDepth] = {{1, 1}};
  const Run &run = piece.run;
  int depth = 0;
  for (int d = 0; d < piece.row_depth; ++d)
    in_memory[depth++] = {elements(piece.rows[size_t(d)].stride, element_bytes),
                          piece.rows[size_t(d)].count};
  int64_t stride = tile.dims()[1].stride;
  for (int d = 0; d < run.depth; ++d) {
    const Step &step = run.steps[size_t(d)];
    on_chip[d + 1] = {step.free * stride, step.count};
    in_memory[depth++] = {elements(step.address, element_bytes), step.count};
  }
  int64_t offset = run.address - target.start;
  return {Tensor(tile.storage(), tile.dtype(), {on_chip, size_t(std::max(run.depth, 1)) + 1},
                 tile.start_partition() + piece.partition,
                 tile.offset_bytes() + run.free * stride * int64_t(size_of(tile.dtype()))),
          Tensor(target.storage, type, {in_memory, size_t(std::max(depth, 1))}, 0, offset)};
}

/// Calls f with the piece, or with parts of it that an access pattern has enough levels for.
template <class F> void for_each_pattern(const Piece &piece, F &&f) {
  if (piece.row_depth + piece.run.depth <= Tensor::kMaxDims)
    return f(piece);
  Piece part = piece;
  part.row_depth = piece.row_depth - 1;
  std::copy(piece.rows.begin() + 1, piece.rows.end(), part.rows.begin());
  part.partitions = piece.partitions / piece.rows[0].count;
  for (int64_t i = 0; i < piece.rows[0].count; ++i) {
    f(part);
    part.partition += part.partitions;
    part.run.address += piece.rows[0].stride;
  }
}

} // namespace

void copy_in(const Tensor &tile, const Target &target, const Piece &piece, int element_bytes) {
  DType type = memory_type(element_bytes, tile.dtype());
  for_each_pattern(piece, [&](const Piece &part) {
    Sides s = sides(tile, target, part, element_bytes, type);
    nisa::dma_copy(s.tile, s.memory);
  });
}

void copy_out(const Target &target, const Tensor &tile, const Piece &piece, int element_bytes) {
  for_each_pattern(piece, [&](const Piece &part) {
    Sides s = sides(tile, target, part, element_bytes, tile.dtype());
    nisa::dma_copy(s.memory, s.tile);
  });
}

} // namespace nki::global
