// Loads from device memory.
#include "lanes/global.h"
#include "lanes/ops.h"
#include "lanes/shared.h"

#include "nki/error.h"

namespace nki {

namespace global {

namespace {

/// Lanes that share an element inside a partition are worth a small transfer and a copy on chip,
/// from this many lanes per element.
constexpr int64_t kWorthSpreading = 4;

/// The piece without the steps that stay at one address.
Piece distinct_part(const Piece &piece) {
  Piece part = piece;
  part.run.depth = 0;
  int64_t free = 1;
  for (int d = piece.run.depth - 1; d >= 0; --d) {
    const Step &step = piece.run.steps[size_t(d)];
    if (step.address == 0)
      continue;
    std::copy_backward(part.run.steps.begin(), part.run.steps.begin() + part.run.depth,
                       part.run.steps.begin() + part.run.depth + 1);
    part.run.steps[0] = {step.count, free, step.address};
    free *= step.count;
    ++part.run.depth;
  }
  return part;
}

int64_t lanes_per_partition(const Run &run) {
  int64_t lanes = 1;
  for (int d = 0; d < run.depth; ++d)
    lanes *= run.steps[size_t(d)].count;
  return lanes;
}

/// Loads each element once and copies it to its lanes on the chip.
void load_spread(const Tensor &dst, const Target &target, const Piece &piece, const Piece &part,
                 int element_bytes) {
  Tensor few = nl::ndarray({dst.partitions(), lanes_per_partition(part.run)}, dst.dtype());
  copy_in(few, target, part, element_bytes);
  Dim dims[Run::kDepth + 1] = {few.dims()[0], {0, 1}};
  for (int d = 0, e = 0; d < piece.run.depth; ++d) {
    const Step &step = piece.run.steps[size_t(d)];
    dims[d + 1] = {step.address ? part.run.steps[size_t(e++)].free : 0, step.count};
  }
  nisa::tensor_copy(dst, Tensor(few.storage(), few.dtype(),
                                {dims, size_t(std::max(piece.run.depth, 1)) + 1}, 0, 0));
}

/// The same element for all lanes.
void load_uniform(const Tensor &dst, const Target &target, int64_t offset, int element_bytes) {
  Tensor column = nl::ndarray({dst.partitions(), 1}, dst.dtype());
  Piece piece;
  piece.run.address = offset;
  piece.partitions = dst.partitions();
  piece.row_depth = 1;
  piece.rows[0] = {dst.partitions(), 0};
  copy_in(column, target, piece, element_bytes);
  nisa::tensor_copy(dst, tiles::spread(column, dst.elements_per_partition()));
}

/// All lanes, or those of `lanes`, which lie inside of the target.
void load_known(const Tensor &dst, const Target &target, const Index &offset, const Wave &wave,
                const Mask &mask, int element_bytes) {
  if (!mask.is_all())
    tiles::define(dst);
  int64_t limit = std::max<int64_t>(8, wave.F());
  auto pieces = find_pieces(wave, offset, lanes_of(mask), limit);
  constexpr size_t kMany = 8; // transfers, from where looking for a better way pays
  if (!offset.is_affine() && (!pieces || pieces->size() > kMany)) {
    if (pieces)
      limit = int64_t(pieces->size()) - 1;
    if (auto fewer = patched_pieces(wave, offset, mask, target, element_bytes, limit)) {
      for (const Piece &piece : *fewer)
        copy_in(dst, target, piece, element_bytes);
      return;
    }
  }
  if (!pieces) {
    gather(dst, index_of(offset, target, wave, element_bytes, dst.dtype()), mask);
    return;
  }
  if (pieces->size() == 1 && mask.is_all()) {
    const Piece &piece = pieces->front();
    Piece part = distinct_part(piece);
    if (lanes_per_partition(part.run) * kWorthSpreading <= lanes_per_partition(piece.run))
      return load_spread(dst, target, piece, part, element_bytes);
  }
  for (const Piece &piece : *pieces)
    copy_in(dst, target, piece, element_bytes);
}

/// Of two sets of lanes that both will do, the one that takes fewer transfers.
const Mask &cheaper(const Mask &exact, const Mask &more, const Wave &wave, const Index &offset) {
  constexpr int64_t kFew = 4;
  if (exact.is_all() || more.is_none() || find_pieces(wave, offset, lanes_of(exact), kFew))
    return exact;
  return more.is_all() || find_pieces(wave, offset, lanes_of(more), kFew) ? more : exact;
}

/// Lanes in several allocations: what reads more than the lanes of one must not reach dst.
void load_from_several(const Tensor &dst, const std::vector<Part> &parts, const Index &offset,
                       const Wave &wave, int element_bytes) {
  constexpr int64_t kFew = 8; // transfers
  for (const Part &part : parts) {
    if (auto pieces = find_pieces(wave, offset, lanes_of(part.lanes), kFew)) {
      for (const Piece &piece : *pieces)
        copy_in(dst, part.target, piece, element_bytes);
      continue;
    }
    Tensor loaded = tiles::like(dst, dst.dtype());
    load_known(loaded, part.target, offset, wave, part.lanes, element_bytes);
    assign(dst, loaded, part.lanes);
  }
}

/// Not all lanes lie in one allocation: those that do are read where they are.
void load_clipped(const Tensor &dst, const Place &place, const Index &offset, const Wave &wave,
                  const Mask &mask, int element_bytes) {
  std::optional<Access> access;
  if (!mask.is_tile())
    access = Access::load;
  tiles::define(dst);
  const Mask known = mask.is_tile() ? wave.all() : mask;
  const std::vector<Part> parts = parts_of(place, offset, wave, known, element_bytes, access);
  if (parts.size() > 1)
    return load_from_several(dst, parts, offset, wave, element_bytes);
  for (const Part &part : parts) {
    Mask inside = part.target.inside(offset, element_bytes);
    load_known(dst, part.target, offset, wave, cheaper(part.lanes, inside, wave, offset),
               element_bytes);
  }
}

} // namespace

void load(const Tensor &dst, const Place &place, int element_bytes, const Mask &mask) {
  const Index &offset = place.offset;
  const Wave *wave = offset.wave() ? offset.wave() : mask.wave();
  if (place.address_low) {
    for (const InWindow &part : in_windows(place, mask, element_bytes, dst.dtype(), Access::load))
      gather(dst, part.indexed, part.lanes);
    return;
  }
  if (place.index) {
    std::optional<Target> target = guess_target(place, offset.wave());
    if (target)
      return gather(dst, index_of(place, *target, wave, element_bytes, dst.dtype()), mask);
    if (!mask.is_tile())
      outside(Access::load, place, offset.wave(), 0, offset.signed_at(0), element_bytes);
    return tiles::define(dst);
  }
  auto [low, high] = IndexOps::bounds(offset, true);
  std::optional<Target> target = find_target(place.base, int64_t(low));
  bool whole = target && target->contains(low, high, element_bytes);
  if (offset.is_uniform()) {
    if (whole)
      return load_uniform(dst, *target, offset.constant(), element_bytes);
    if (!mask.is_tile())
      outside(Access::load, place, nullptr, 0, offset.constant(), element_bytes);
    return tiles::define(dst);
  }
  // Loads have no side effects: lanes outside of the mask read along where that is possible.
  if (whole)
    return load_known(dst, *target, offset, *wave, wave->all(), element_bytes);
  load_clipped(dst, place, offset, *wave, mask, element_bytes);
}

} // namespace global

void load(const Tensor &dst, const Place &place, int element_bytes, const Mask &mask) {
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4)
    throw Error("load", "elements have 1, 2 or 4 bytes", std::to_string(element_bytes));
  if (mask.is_none())
    return tiles::define(dst);
  if (place.space == Place::Space::global)
    global::load(dst, place, element_bytes, mask);
  else
    shared::load(dst, place, element_bytes, mask);
}

} // namespace nki
