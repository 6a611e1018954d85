#include "lanes/votes.h"

#include "lanes/atomic_combine.h"
#include "lanes/element.h"
#include "lanes/tiles.h"

namespace nki {

namespace {

constexpr int64_t kWarp = 32;

/// The warps of a wave: lanes of a partition are blocks of `threads`, of which each gets whole
/// warps in a padded tile {P, blocks * warps * 32}.
struct Warps {
  explicit Warps(const Wave &wave)
      : partitions(wave.P()), threads(int64_t(wave.launch().blockDim.count())),
        blocks(wave.F() / threads), per_block((threads + kWarp - 1) / kWarp) {}

  int64_t count() const { return blocks * per_block; }
  bool are_whole() const { return threads % kWarp == 0; }

  /// Lanes by warp, uint32 or int32; `rest` in those that a partial warp does not have.
  Tensor padded(const Tensor &lanes, uint32_t rest) const {
    Tensor tile = nl::ndarray({partitions, count() * kWarp}, lanes.dtype());
    if (!are_whole())
      nisa::memset(tiles::as(tile, DType::uint32), rest);
    nisa::tensor_copy(by_block(tile, per_block * kWarp), by_block(lanes, threads));
    return tile;
  }
  /// A value per warp, {P, count()}, to each of its lanes.
  void spread(const Tensor &dst, const Tensor &values) const {
    Dim dims[] = {values.dims()[0], values.dims()[1], {0, kWarp}};
    Tensor every(values.storage(), dst.dtype(), dims, values.start_partition(),
                 values.offset_bytes());
    take(dst, every);
  }
  /// dst = the lanes of a view {P, count(), 32}.
  void take(const Tensor &dst, const Tensor &by_warp) const {
    if (are_whole())
      return nisa::tensor_copy(in_warps(dst), by_warp);
    Tensor all = nl::ndarray({partitions, count() * kWarp}, dst.dtype());
    nisa::tensor_copy(in_warps(all), by_warp);
    nisa::tensor_copy(by_block(dst, threads), by_block(all, per_block * kWarp));
  }
  /// A padded tile as {P, count(), 32}.
  Tensor in_warps(const Tensor &tile) const {
    Dim dims[] = {tile.dims()[0], {kWarp, count()}, {1, kWarp}};
    return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(), tile.offset_bytes());
  }
  /// Lane `lane` of each warp of a padded tile in all lanes of the warp: {P, count(), 32}.
  Tensor lane_of_all(const Tensor &tile, int64_t lane) const {
    Dim dims[] = {tile.dims()[0], {kWarp, count()}, {0, kWarp}};
    return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(),
                  tile.offset_bytes() + lane * 4);
  }

  int64_t partitions, threads, blocks, per_block;

private:
  Tensor by_block(const Tensor &tile, int64_t pitch) const {
    int64_t stride = tile.dims()[1].stride; // 0 for a tile of one number
    Dim dims[] = {tile.dims()[0], {pitch * stride, blocks}, {stride, threads}};
    return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(), tile.offset_bytes());
  }
};

/// Bits of the lanes of `mask` in each warp, uint32 {P, warps}.
Tensor bits_of(const Wave &wave, const Warps &warps, const Mask &mask) {
  Tensor lanes = warps.padded(mask.tile(wave), 0), number = tiles::like(lanes, DType::uint32);
  nisa::iota(number, {{0, warps.count()}, {1, kWarp}});
  nisa::tensor_tensor(lanes, lanes, number, nl::left_shift);
  Tensor bits = nl::ndarray({warps.partitions, warps.count()}, DType::uint32);
  nisa::tensor_reduce(bits, nl::bitwise_or, warps.in_warps(lanes), 2);
  return bits;
}

bool is_everybody(const IntOperand &members) { return !members.tile && members.value == -1; }

/// A tile of the operand.
Tensor tile_of(const Wave &wave, const IntOperand &operand) {
  if (operand.tile)
    return tiles::as(operand.tile, DType::int32);
  Tensor tile = wave.tile(DType::int32);
  fill(tile, operand.value);
  return tile;
}

} // namespace

void ballot(const Wave &wave, const Tensor &dst, const Mask &predicate, const Mask &active,
            const IntOperand &members) {
  Mask voters = predicate & active;
  if (voters.is_none())
    return fill(dst, 0);
  Warps warps(wave);
  Tensor lanes = wave.tile(DType::int32);
  warps.spread(tiles::as(lanes, DType::uint32), bits_of(wave, warps, voters));
  if (is_everybody(members))
    return nisa::tensor_copy(tiles::as(dst, DType::int32), lanes);
  iand(dst, lanes, members);
}

void activemask(const Wave &wave, const Tensor &dst, const Mask &active) {
  ballot(wave, dst, Mask(true), active, -1);
}

Mask vote_any(const Wave &wave, const Mask &predicate, const Mask &active,
              const IntOperand &members) {
  Tensor bits = wave.tile(DType::int32);
  ballot(wave, bits, predicate, active, members);
  return ne(wave, bits, 0);
}
Mask vote_all(const Wave &wave, const Mask &predicate, const Mask &active,
              const IntOperand &members) {
  return !vote_any(wave, !predicate, active, members);
}
Mask vote_uni(const Wave &wave, const Mask &predicate, const Mask &active,
              const IntOperand &members) {
  return !(vote_any(wave, predicate, active, members) &
           vote_any(wave, !predicate, active, members));
}

void match_any(const Wave &wave, const Tensor &dst, const IntOperand &value, const Mask &active,
               const IntOperand &members) {
  Warps warps(wave);
  Tensor values = warps.padded(tile_of(wave, value), 0);
  Tensor all = tiles::like(values, DType::uint32), equal = tiles::like(values, DType::uint32);
  nisa::memset(all, 0u);
  for (int64_t lane = 0; lane < kWarp; ++lane) {
    nisa::tensor_tensor(warps.in_warps(equal), warps.in_warps(values),
                        warps.lane_of_all(values, lane), nl::equal);
    if (lane > 0)
      nisa::tensor_scalar(equal, equal, nl::left_shift, int(lane));
    nisa::tensor_tensor(all, all, equal, nl::bitwise_or);
  }
  Tensor taking_part = wave.tile(DType::int32), result = wave.tile(DType::int32);
  ballot(wave, taking_part, Mask(true), active, members);
  warps.take(tiles::as(result, DType::uint32), warps.in_warps(all));
  iand(dst, result, taking_part);
}

void match_any64(const Wave &wave, const Tensor &dst, const WideOperand &value, const Mask &active,
                 const IntOperand &members) {
  Tensor low = wave.tile(DType::int32), high = wave.tile(DType::int32);
  match_any(wave, low, value.low(), active, members);
  match_any(wave, high, value.high(), active, members);
  iand(dst, low, high);
}

namespace {

/// The lanes that match if they are all that take part, else 0.
void all_or_none(const Wave &wave, const Tensor &dst, const Tensor &matching, const Mask &active,
                 const IntOperand &members) {
  Tensor taking_part = wave.tile(DType::int32);
  ballot(wave, taking_part, Mask(true), active, members);
  select(dst, eq(wave, matching, taking_part), IntOperand(matching), IntOperand(0));
}

} // namespace

void match_all64(const Wave &wave, const Tensor &dst, const WideOperand &value, const Mask &active,
                 const IntOperand &members) {
  Tensor equal = wave.tile(DType::int32);
  match_any64(wave, equal, value, active, members);
  all_or_none(wave, dst, equal, active, members);
}

void match_all(const Wave &wave, const Tensor &dst, const IntOperand &value, const Mask &active,
               const IntOperand &members) {
  Tensor equal = wave.tile(DType::int32);
  match_any(wave, equal, value, active, members);
  all_or_none(wave, dst, equal, active, members);
}

void fns(const Tensor &dst, const IntOperand &mask, const IntOperand &base,
         const IntOperand &offset) {
  Tensor like = tiles::like(dst, DType::int32);
  auto tile = [&](const IntOperand &operand) {
    return operand.tile ? tiles::as(operand.tile, DType::int32)
                        : tiles::numbers_like(like, uint32_t(operand.value), DType::int32);
  };
  auto number = [&](int64_t value) {
    return tiles::numbers_like(like, uint32_t(value), DType::int32);
  };
  auto test = [&](const Tensor &a, nl::Op op, const Tensor &b) {
    Tensor result = tiles::like(dst, DType::uint32);
    nisa::tensor_tensor(result, a, b, op);
    return result;
  };
  const Tensor bits = tile(mask), from = tile(base), wanted = tile(offset);
  Tensor result = tiles::like(dst, DType::int32), bit = tiles::like(dst, DType::uint32);
  nisa::memset(result, -1);
  for (int direction : {1, -1}) {
    Tensor count = tiles::like(dst, DType::int32);
    nisa::memset(count, 0);
    for (int step = 0; step < kWarp; ++step) {
      const int at = direction > 0 ? step : int(kWarp) - 1 - step;
      nisa::tensor_scalar(bit, tiles::as(bits, DType::uint32), nl::right_shift, at, false,
                          nl::bitwise_and, 1);
      nisa::tensor_tensor(
          bit, bit, test(from, direction > 0 ? nl::less_equal : nl::greater_equal, number(at)),
          nl::bitwise_and);
      nisa::tensor_tensor(count, count, tiles::as(bit, DType::int32),
                          direction > 0 ? nl::add : nl::subtract);
      Tensor hit = test(count, nl::equal, wanted);
      nisa::tensor_tensor(hit, hit, bit, nl::bitwise_and);
      nisa::tensor_copy_predicated(result, number(at), hit);
      if (direction < 0)
        continue;
      Tensor itself = test(from, nl::equal, number(at));
      nisa::tensor_tensor(itself, itself, test(wanted, nl::equal, number(0)), nl::bitwise_and);
      nisa::tensor_tensor(itself, itself, bit, nl::bitwise_and);
      nisa::tensor_copy_predicated(result, number(at), itself);
    }
  }
  nisa::tensor_copy(tiles::as(dst, DType::int32), result);
}

// ---- reductions ---------------------------------------------------------------------------------

namespace {

atomics::Combine combine_of(WarpReduction op) {
  constexpr Atomic same[] = {Atomic::add,  Atomic::smin,    Atomic::smax,   Atomic::umin,
                             Atomic::umax, Atomic::bit_and, Atomic::bit_or, Atomic::bit_xor};
  return atomics::combine_of(same[size_t(op)]);
}

/// The lanes that a number names.
Mask lanes_named(const Wave &wave, int32_t members) {
  if (members == -1)
    return wave.all();
  return ne(lshr(Index(members), lane_id(wave)) & Index(1), Index(0));
}

/// Each lane combines the values of the lanes that its own member mask names.
void reduce_by_lane(const Wave &wave, const atomics::Combine &combine, const Tensor &dst,
                    const Tensor &values, const Tensor &members) {
  Warps warps(wave);
  Tensor padded = warps.padded(values, combine.identity);
  Tensor result = nl::ndarray({wave.P(), wave.F()}, combine.type);
  Tensor value = wave.tile(DType::int32), named = wave.tile(DType::uint32);
  nisa::memset(tiles::as(result, DType::uint32), combine.identity);
  for (int64_t lane = 0; lane < kWarp; ++lane) {
    warps.take(value, warps.lane_of_all(padded, lane));
    nisa::tensor_scalar(named, tiles::as(members, DType::uint32), nl::right_shift, int(lane), false,
                        nl::bitwise_and, 1);
    Tensor item = atomics::masked(value, named, combine.identity);
    nisa::tensor_tensor(result, result, tiles::as(item, combine.type), combine.op);
  }
  nisa::tensor_copy(tiles::as(dst, DType::int32), tiles::as(result, DType::int32));
}

} // namespace

void reduce(const Wave &wave, WarpReduction op, const Tensor &dst, const IntOperand &value,
            const Mask &active, const IntOperand &members) {
  atomics::Combine combine = combine_of(op);
  Mask taking_part = members.tile ? active : active & lanes_named(wave, members.value);
  Tensor values = tile_of(wave, value);
  values = atomics::masked(values, taking_part.is_all() ? Tensor() : taking_part.tile(wave),
                           combine.identity);
  if (members.tile)
    return reduce_by_lane(wave, combine, dst, values, members.tile);
  Warps warps(wave);
  Tensor result = atomics::combine_groups(combine, warps.padded(values, combine.identity),
                                          warps.count(), kWarp);
  warps.spread(tiles::as(dst, DType::int32), result);
}

// ---- blocks -------------------------------------------------------------------------------------

void block_count(const Wave &wave, const Tensor &dst, const Mask &predicate, const Mask &active) {
  Mask counted = predicate & active;
  if (counted.is_none())
    return fill(dst, 0);
  int64_t threads = int64_t(wave.launch().blockDim.count()), blocks = wave.F() / threads;
  Tensor lanes = counted.tile(wave);
  Dim dims[] = {lanes.dims()[0],
                {threads * lanes.dims()[1].stride, blocks},
                {lanes.dims()[1].stride, threads}};
  Tensor by_block(lanes.storage(), lanes.dtype(), dims, lanes.start_partition(),
                  lanes.offset_bytes());
  Tensor counts = nl::ndarray({wave.P(), blocks}, DType::int32); // far below 2^24: exact
  nisa::tensor_reduce(counts, nl::add, by_block, 2);
  Dim every[] = {counts.dims()[0], {1, blocks}, {0, threads}};
  Dim all[] = {
      dst.dims()[0], {threads * dst.dims()[1].stride, blocks}, {dst.dims()[1].stride, threads}};
  nisa::tensor_copy(
      Tensor(dst.storage(), DType::int32, all, dst.start_partition(), dst.offset_bytes()),
      Tensor(counts.storage(), DType::int32, every, counts.start_partition(),
             counts.offset_bytes()));
}

Mask block_any(const Wave &wave, const Mask &predicate, const Mask &active) {
  Tensor count = wave.tile(DType::int32);
  block_count(wave, count, predicate, active);
  return ne(wave, count, 0);
}
Mask block_all(const Wave &wave, const Mask &predicate, const Mask &active) {
  return !block_any(wave, !predicate, active);
}

// ---- known at launch ----------------------------------------------------------------------------

Index warp_id(const Wave &wave) {
  const Dim3 &block = wave.launch().blockDim;
  return lshr(wave.threadIdx.x + wave.threadIdx.y * Index(block.x) +
                  wave.threadIdx.z * Index(block.x * block.y),
              Index(5));
}
Index lane_mask_eq(const Wave &wave) { return Index(1) << lane_id(wave); }
Index lane_mask_lt(const Wave &wave) { return lane_mask_eq(wave) - Index(1); }
Index lane_mask_le(const Wave &wave) { return lane_mask_lt(wave) | lane_mask_eq(wave); }
Index lane_mask_gt(const Wave &wave) { return ~lane_mask_le(wave); }
Index lane_mask_ge(const Wave &wave) { return ~lane_mask_lt(wave); }

} // namespace nki
