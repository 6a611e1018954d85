#include "lanes/atomic_combine.h"

#include "lanes/math_tiles.h"
#include "lanes/ops.h"

namespace nki::atomics {

namespace {

Tensor as_int(const Tensor &tile) { return tiles::as(tile, DType::int32); }
Tensor as_uint(const Tensor &tile) { return tiles::as(tile, DType::uint32); }
Tensor as_float(const Tensor &tile) { return tiles::as(tile, DType::float32); }

IntOperand integer(const Word &word) {
  return word.tile ? IntOperand(as_int(word.tile)) : IntOperand(word.bits);
}
FloatOperand number(const Word &word) {
  return word.tile ? FloatOperand(as_float(word.tile))
                   : FloatOperand(std::bit_cast<float>(word.bits));
}

/// 1 where a op b, as a predicate like a.
Tensor where(const Tensor &a, nl::Op op, const Tensor &b, DType type) {
  Tensor result = tiles::like(a, DType::uint32);
  nisa::tensor_tensor(result, tiles::as(a, type), tiles::as(b, type), op);
  return result;
}
Tensor where(const Tensor &a, nl::Op op, const Word &b, DType type) {
  return where(a, op, words(b, a), type);
}

void swap_where_equal(const Tensor &dst, const Tensor &old, const Word &value,
                      const Word &compare) {
  Tensor equal = where(old, nl::equal, compare, DType::int32), next = words(value, old);
  nisa::tensor_copy(dst, old);
  nisa::tensor_copy_predicated(dst, next, equal);
}

void increment(const Tensor &dst, const Tensor &old, const Word &limit) {
  Tensor wraps = where(old, nl::greater_equal, limit, DType::uint32);
  iadd(dst, old, 1);
  nisa::tensor_copy_predicated(dst, tiles::numbers_like(dst, 0, DType::int32), wraps);
}

void decrement(const Tensor &dst, const Tensor &old, const Word &limit) {
  Tensor wraps = where(old, nl::greater, limit, DType::uint32);
  Tensor is_zero = where(old, nl::equal, Word(0), DType::int32);
  nisa::tensor_tensor(wraps, wraps, is_zero, nl::bitwise_or);
  Tensor from = words(limit, old);
  isub(dst, old, 1);
  nisa::tensor_copy_predicated(dst, from, wraps);
}

} // namespace

Tensor words(const Word &word, const Tensor &like) {
  return word.tile ? as_int(word.tile) : tiles::numbers_like(like, word.bits, DType::int32);
}

void apply(Atomic op, const Tensor &dst, const Tensor &old, const Word &value,
           const Word &compare) {
  switch (op) {
  case Atomic::add:
    return iadd(dst, old, integer(value));
  case Atomic::sub:
    return isub(dst, old, integer(value));
  case Atomic::exchange:
    return nisa::tensor_copy(dst, words(value, dst));
  case Atomic::smin:
    return smin(dst, old, integer(value));
  case Atomic::smax:
    return smax(dst, old, integer(value));
  case Atomic::umin:
    return umin(dst, old, integer(value));
  case Atomic::umax:
    return umax(dst, old, integer(value));
  case Atomic::bit_and:
    return iand(dst, old, integer(value));
  case Atomic::bit_or:
    return ior(dst, old, integer(value));
  case Atomic::bit_xor:
    return ixor(dst, old, integer(value));
  case Atomic::increment:
    return increment(dst, old, value);
  case Atomic::decrement:
    return decrement(dst, old, value);
  case Atomic::fadd:
    return fadd(as_float(dst), as_float(old), number(value));
  case Atomic::fsub:
    return fsub(as_float(dst), as_float(old), number(value));
  case Atomic::fmin:
    return fmin(as_float(dst), as_float(old), number(value));
  case Atomic::fmax:
    return fmax(as_float(dst), as_float(old), number(value));
  case Atomic::compare_swap:
    return swap_where_equal(dst, old, value, compare);
  }
}

// ---- many lanes, one word -----------------------------------------------------------------------

bool combines(const Request &request) {
  switch (request.op) {
  case Atomic::compare_swap:
    return false;
  case Atomic::increment:
  case Atomic::decrement:
    return !request.value.tile;
  default:
    return true;
  }
}

Combine combine_of(Atomic op) {
  switch (op) {
  case Atomic::smin:
    return {nl::minimum, DType::int32, 0x7fffffffu};
  case Atomic::smax:
  case Atomic::fmin: // on keys, see keys_of()
  case Atomic::fmax:
    return {nl::maximum, DType::int32, 0x80000000u};
  case Atomic::umin:
    return {nl::minimum, DType::uint32, 0xffffffffu};
  case Atomic::umax:
  case Atomic::exchange: // of positions
    return {nl::maximum, DType::uint32, 0};
  case Atomic::bit_and:
    return {nl::bitwise_and, DType::uint32, 0xffffffffu};
  case Atomic::bit_or:
    return {nl::bitwise_or, DType::uint32, 0};
  case Atomic::bit_xor:
    return {nl::bitwise_xor, DType::uint32, 0};
  default:
    return {nl::add, DType::int32, 0};
  }
}

namespace {

/// The involution between the bits of a float and an integer of the same order, -0 below +0.
void order(const Tensor &dst, const Tensor &bits) {
  Tensor flip = tiles::like(bits, DType::int32);
  ashr(flip, bits, 31);
  iand(flip, flip, 0x7fffffff);
  ixor(dst, bits, flip);
}

/// Integers whose maximum belongs to the wanted float; NaN loses against all others.
Tensor keys_of(const Tensor &bits, bool smallest) {
  Tensor keys = tiles::like(bits, DType::int32), size = tiles::like(bits, DType::int32);
  order(keys, bits);
  if (smallest)
    ixor(keys, keys, -1);
  iand(size, bits, 0x7fffffff);
  Tensor is_nan = where(size, nl::greater, Word(0x7f800000u), DType::uint32);
  nisa::tensor_copy_predicated(
      keys, tiles::numbers_like(keys, combine_of(Atomic::fmax).identity, DType::int32), is_nan);
  return keys;
}

/// The float of a key; NaN for the identity.
Tensor float_of_keys(const Tensor &keys, bool smallest) {
  Tensor bits = tiles::like(keys, DType::int32);
  ixor(bits, keys, smallest ? -1 : 0);
  order(bits, bits);
  return bits;
}

/// The word after `count` increments with one limit: up to the limit, then through the cycle.
void count_up(const Tensor &dst, const Tensor &old, const Tensor &count, uint32_t limit) {
  Tensor plain = tiles::like(old, DType::int32);
  iadd(plain, old, count);
  if (limit == 0xffffffffu) // the word's own wrap-around
    return nisa::tensor_copy(dst, plain);
  Tensor inside = where(old, nl::less_equal, Word(limit), DType::uint32);
  // Steps that lead to the limit, or one to zero from above it.
  Tensor room = tiles::like(old, DType::int32), start = tiles::like(old, DType::int32);
  isub(room, int32_t(limit), old);
  nisa::memset(start, 0);
  nisa::tensor_copy_predicated(start, room, inside);
  Tensor stays = where(count, nl::less_equal, start, DType::uint32);
  Tensor cycle = tiles::like(old, DType::int32);
  isub(cycle, count, start);
  isub(cycle, cycle, 1);
  urem(cycle, cycle, limit + 1);
  nisa::tensor_copy_predicated(cycle, plain, stays);
  nisa::tensor_copy(dst, cycle);
}

/// The word after `count` decrements with one limit: down to zero, then from the limit.
void count_down(const Tensor &dst, const Tensor &old, const Tensor &count, uint32_t limit) {
  Tensor plain = tiles::like(old, DType::int32);
  isub(plain, old, count);
  if (limit == 0xffffffffu)
    return nisa::tensor_copy(dst, plain);
  Tensor inside = where(old, nl::less_equal, Word(limit), DType::uint32);
  Tensor start = tiles::like(old, DType::int32);
  nisa::memset(start, 0);
  nisa::tensor_copy_predicated(start, old, inside);
  Tensor stays = where(count, nl::less_equal, start, DType::uint32);
  Tensor cycle = tiles::like(old, DType::int32);
  isub(cycle, count, start);
  isub(cycle, cycle, 1);
  urem(cycle, cycle, limit + 1);
  isub(cycle, int32_t(limit), cycle);
  nisa::tensor_copy_predicated(cycle, plain, stays);
  nisa::tensor_copy(dst, cycle);
}

} // namespace

Tensor contributions(const Request &request, const Tensor &like) {
  switch (request.op) {
  case Atomic::increment:
  case Atomic::decrement:
    return tiles::numbers_like(like, 1, DType::int32);
  case Atomic::exchange: {
    Tensor position = tiles::like(like, DType::int32);
    nisa::iota(position, {{1, like.elements_per_partition()}}, 1);
    return position;
  }
  case Atomic::sub: {
    Tensor negative = tiles::like(like, DType::int32);
    isub(negative, 0, integer(request.value));
    return negative;
  }
  case Atomic::fmin:
  case Atomic::fmax: {
    Tensor bits = tiles::like(like, DType::int32);
    nisa::tensor_copy(bits, words(request.value, like));
    return keys_of(bits, request.op == Atomic::fmin);
  }
  default:
    return words(request.value, like);
  }
}

void finish(const Request &request, const Tensor &dst, const Tensor &old, const Tensor &sum,
            const Tensor &values) {
  switch (request.op) {
  case Atomic::increment:
    return count_up(dst, old, sum, request.value.bits);
  case Atomic::decrement:
    return count_down(dst, old, sum, request.value.bits);
  case Atomic::fmin:
  case Atomic::fmax:
    return apply(request.op, dst, old, float_of_keys(sum, request.op == Atomic::fmin), 0);
  case Atomic::sub:
    return iadd(dst, old, sum);
  case Atomic::exchange: {
    Tensor position = tiles::like(sum, DType::uint32), value = tiles::like(sum, DType::int32);
    nisa::tensor_scalar(position, as_uint(sum), nl::maximum, 1.0f, false, nl::subtract, 1.0f);
    nisa::nc_n_gather(value, values, position);
    nisa::tensor_copy(dst, old);
    return nisa::tensor_copy_predicated(dst, value, as_uint(sum));
  }
  default:
    return apply(request.op, dst, old, sum, 0);
  }
}

namespace {

/// Elements [first, first + count) of each group of `pitch`.
Tensor parts(const Tensor &tile, int64_t groups, int64_t pitch, int64_t first, int64_t count) {
  Dim dims[] = {tile.dims()[0], {pitch, groups}, {1, count}};
  return Tensor(tile.storage(), tile.dtype(), dims, tile.start_partition(),
                tile.offset_bytes() + first * int64_t(size_of(tile.dtype())));
}

} // namespace

Tensor combine_groups(const Combine &combine, const Tensor &items, int64_t groups, int64_t count) {
  Tensor all = tiles::as(items, combine.type);
  // Halves onto each other; the middle of an odd number waits for the next round.
  for (int64_t left = count; left > 1; left = (left + 1) / 2) {
    int64_t kept = (left + 1) / 2, moved = left / 2;
    nisa::tensor_tensor(parts(all, groups, count, 0, moved), parts(all, groups, count, 0, moved),
                        parts(all, groups, count, kept, moved), combine.op);
  }
  Tensor result = nl::ndarray({items.partitions(), groups}, DType::int32);
  Dim dims[] = {all.dims()[0], {count, groups}};
  nisa::tensor_copy(
      result, Tensor(all.storage(), DType::int32, dims, all.start_partition(), all.offset_bytes()));
  return result;
}

Tensor combine_before(const Combine &combine, const Tensor &items) {
  int64_t count = items.elements_per_partition();
  // One to the right, and then twice as far in every round.
  Tensor now = tiles::like(items, combine.type);
  nisa::memset(as_uint(now), combine.identity);
  if (count > 1)
    nisa::tensor_copy(now.slice(1, 1, count),
                      tiles::as(items, combine.type).slice(1, 0, count - 1));
  for (int64_t step = 1; step < count; step *= 2) {
    Tensor next = tiles::like(items, combine.type);
    nisa::tensor_copy(next.slice(1, 0, step), now.slice(1, 0, step));
    nisa::tensor_tensor(next.slice(1, step, count), now.slice(1, step, count),
                        now.slice(1, 0, count - step), combine.op);
    now = next;
  }
  return as_int(now);
}

Tensor masked(const Tensor &items, const Tensor &predicate, uint32_t identity) {
  Tensor result = tiles::like(items, DType::int32);
  if (!predicate) {
    nisa::tensor_copy(result, items);
    return result;
  }
  nisa::memset(as_uint(result), identity);
  nisa::tensor_copy_predicated(result, items, predicate);
  return result;
}

Tensor addends(const Request &request, const Tensor &like) {
  if (request.op == Atomic::fadd)
    return words(request.value, like);
  Tensor negative = tiles::like(like, DType::int32);
  ixor(negative, words(request.value, like), int32_t(kNegativeZero));
  return negative;
}

void float_sums(const Tensor &sums, const Tensor &items, const Tensor &start) {
  nisa::tensor_tensor_scan(as_float(sums), as_float(items),
                           tiles::numbers_like(items, kNegativeZero, DType::float32),
                           as_float(start), nl::add, nl::add);
}

// ---- rows ---------------------------------------------------------------------------------------

namespace {

/// Where `positions`, {R, K}, lie behind `last`, {R, 1}.
Tensor behind(const Tensor &positions, const Tensor &last) {
  Tensor result = tiles::like(positions, DType::uint32);
  nisa::tensor_scalar(result, positions, nl::greater, last);
  return result;
}

} // namespace

void swap_rows(const Tensor &cell, const Tensor &old, const Tensor &values, const Tensor &compares,
               const Tensor &predicate) {
  int64_t rows = cell.partitions(), lanes = compares.elements_per_partition();
  // Positions count from 1; ranks fall from K to 1, so that the largest belongs to the first lane.
  Tensor position = nl::ndarray({rows, lanes}, DType::float32);
  Tensor rank = nl::ndarray({rows, lanes}, DType::float32);
  Tensor last = nl::ndarray({rows, 1}, DType::float32),
         hit = nl::ndarray({rows, 1}, DType::float32);
  Tensor where_hit = nl::ndarray({rows, 1}, DType::uint32);
  Tensor from = nl::ndarray({rows, 1}, DType::uint32), value = nl::ndarray({rows, 1}, DType::int32);
  nisa::iota(position, {{1, lanes}}, 1);
  nisa::iota(rank, {{-1, lanes}}, int32_t(lanes));
  nisa::memset(last, 0.0f);
  if (old)
    nisa::tensor_copy(old, tiles::spread(cell, lanes));
  while (true) {
    Tensor swaps = where(compares, nl::equal, tiles::spread(cell, lanes), DType::int32);
    nisa::tensor_tensor(swaps, swaps, behind(position, last), nl::bitwise_and);
    if (predicate)
      nisa::tensor_tensor(swaps, swaps, predicate, nl::bitwise_and);
    Tensor ranks = tiles::like(rank, DType::float32);
    nisa::tensor_tensor(ranks, rank, swaps, nl::multiply);
    nisa::tensor_reduce(hit, nl::maximum, ranks, 1);
    if (math::trip_count(hit) == 0)
      return;
    nisa::tensor_copy(where_hit, hit);
    // last = K + 1 - hit; a row without a hit is done for ever, and its last lane is as good.
    nisa::tensor_scalar(last, hit, nl::maximum, 1.0f, false, nl::subtract, float(lanes + 1), true);
    nisa::tensor_scalar(from, last, nl::subtract, 1.0f);
    nisa::nc_n_gather(value, values, from);
    nisa::tensor_copy_predicated(cell, value, where_hit);
    if (old)
      nisa::tensor_copy_predicated(old, tiles::spread(cell, lanes), behind(position, last));
  }
}

namespace {

/// Lane after lane, for operations that do not combine.
void update_one_by_one(const Request &request, const Tensor &cell, const Tensor &old, int64_t lanes,
                       const Tensor &predicate) {
  auto at = [](const Word &word, int64_t f) {
    return word.tile ? Word(tiles::column(word.tile, f)) : word;
  };
  Tensor next = tiles::like(cell, DType::int32);
  for (int64_t f = 0; f < lanes; ++f) {
    if (old)
      nisa::tensor_copy(tiles::column(old, f), cell);
    apply(request.op, next, cell, at(request.value, f), at(request.compare, f));
    if (predicate)
      nisa::tensor_copy_predicated(cell, next, tiles::column(predicate, f));
    else
      nisa::tensor_copy(cell, next);
  }
}

void sum_floats(const Request &request, const Tensor &cell, const Tensor &old, int64_t lanes,
                const Tensor &predicate) {
  Tensor like = nl::ndarray({cell.partitions(), lanes}, DType::int32);
  Tensor items = masked(addends(request, like), predicate, kNegativeZero);
  float_sums(like, items, cell);
  if (old) {
    nisa::tensor_copy(tiles::column(old, 0), cell);
    if (lanes > 1)
      nisa::tensor_copy(old.slice(1, 1, lanes), like.slice(1, 0, lanes - 1));
  }
  nisa::tensor_copy(cell, tiles::column(like, lanes - 1));
}

} // namespace

void update_rows(const Request &request, const Tensor &cell, const Tensor &old, int64_t lanes,
                 const Tensor &predicate) {
  if (request.op == Atomic::compare_swap) {
    Tensor like = nl::ndarray({cell.partitions(), lanes}, DType::int32);
    return swap_rows(cell, old, words(request.value, like), words(request.compare, like),
                     predicate);
  }
  if (!combines(request))
    return update_one_by_one(request, cell, old, lanes, predicate);
  if (is_float_sum(request.op))
    return sum_floats(request, cell, old, lanes, predicate);
  Tensor like = nl::ndarray({cell.partitions(), lanes}, DType::int32);
  Combine combine = combine_of(request.op);
  Tensor values = words(request.value, like);
  Tensor items = masked(contributions(request, like), predicate, combine.identity);
  if (old) {
    Tensor found = tiles::like(like, DType::int32);
    nisa::tensor_copy(found, tiles::spread(cell, lanes));
    finish(request, old, found, combine_before(combine, items), values);
  }
  Tensor sum = combine_groups(combine, items, 1, lanes);
  finish(request, cell, cell, sum, values);
}

} // namespace nki::atomics
