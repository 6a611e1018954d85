// 64-bit atomics from those on words where the words do not need each other, or only through a
// carry that each lane knows; the others one lane per number at a time.
#include "lanes/atomics_wide.h"

#include "lanes/atomic_lanes.h"
#include "lanes/atomic_places.h"
#include "lanes/math_tiles.h"
#include "lanes/on_chip.h"

#include "nki/error.h"

namespace nki {

namespace atomics {

namespace {

Word word_of(const IntOperand &operand) {
  return operand.tile ? Word(operand.tile) : Word(operand.value);
}

Place high_word(const Place &place) { return place + Index(int64_t(4), 64); }

/// The sum of the low words is carried by the lane that it overflows in: it has found the low word
/// before itself, so the high words only have its carry to add.
void add(const Wave &wave, const Wide &old, const Place &place, const WideOperand &value,
         const Mask &mask) {
  Tensor low = wave.tile(DType::int32), sum = wave.tile(DType::int32);
  Tensor high = wave.tile(DType::int32), carry = wave.tile(DType::uint32);
  nisa::memset(low, 0);
  atomic(wave, Atomic::add, low, place, word_of(value.low()), mask);
  iadd(sum, low, value.low());
  nisa::tensor_tensor(carry, tiles::as(sum, DType::uint32), tiles::as(low, DType::uint32),
                      nl::less);
  iadd(high, tiles::as(carry, DType::int32), value.high());
  atomic(wave, Atomic::add, old ? old.high : Tensor(), high_word(place), high, mask);
  if (old)
    nisa::tensor_copy(old.low, low);
}

/// A number, {R, 1}, as its words.
struct Pair {
  Tensor low, high;
};

Tensor compare_words(const Tensor &a, const Tensor &b, nl::Op op, DType type) {
  Tensor result = tiles::like(a, DType::uint32);
  nisa::tensor_tensor(result, tiles::as(a, type), tiles::as(b, type), op);
  return result;
}

/// a < b
Tensor is_less(const Pair &a, const Pair &b, DType type) {
  Tensor result = compare_words(a.low, b.low, nl::less, DType::uint32);
  Tensor same = compare_words(a.high, b.high, nl::equal, DType::int32);
  nisa::tensor_tensor(result, result, same, nl::bitwise_and);
  nisa::tensor_tensor(result, result, compare_words(a.high, b.high, nl::less, type),
                      nl::bitwise_or);
  return result;
}

/// Does `value` take the place of `old`?
Tensor replaces(Atomic op, const Pair &old, const Pair &value, const Pair &compare) {
  switch (op) {
  case Atomic::smin:
    return is_less(value, old, DType::int32);
  case Atomic::umin:
    return is_less(value, old, DType::uint32);
  case Atomic::smax:
    return is_less(old, value, DType::int32);
  case Atomic::umax:
    return is_less(old, value, DType::uint32);
  default: {
    Tensor same = compare_words(old.low, compare.low, nl::equal, DType::int32);
    nisa::tensor_tensor(same, same, compare_words(old.high, compare.high, nl::equal, DType::int32),
                        nl::bitwise_and);
    return same;
  }
  }
}

/// Operands as tiles {P, F} of a part of the lanes.
struct Operands {
  Pair value, compare;
};
Pair pair_of(const WideOperand &operand, const Tensor &like, const Stretch &stretch) {
  auto tile = [&](const IntOperand &word) { return cut(words(word_of(word), like), stretch); };
  return {tile(operand.low()), tile(operand.high())};
}

/// Numbers in device memory, in rounds as for words (atomic_columns.cpp).
class PairColumns {
public:
  PairColumns(Atomic op, const Operands &operands, const global::Indexed &low,
              const global::Indexed &high, const Pair &old)
      : op_(op), low_memory_(low.memory), high_memory_(high.memory), old_(old),
        low_index_(low.index, ~0u), high_index_(high.index, ~0u), value_low_(operands.value.low, 0),
        value_high_(operands.value.high, 0), compare_low_(operands.compare.low, 0),
        compare_high_(operands.compare.high, 0), found_low_(low.index, 0),
        found_high_(low.index, 0) {}

  void run() {
    for (int64_t column = 0; column < low_index_.columns(); ++column)
      run(column);
    if (!old_.low)
      return;
    found_low_.take(old_.low);
    found_high_.take(old_.high);
  }

private:
  void run(int64_t column) {
    Tensor low_index = low_index_.on_partitions(column, 1),
           high_index = high_index_.on_partitions(column, 1);
    Tensor rank = combine_groups(combine_of(Atomic::add),
                                 earlier(meetings(low_index_, low_index, column, 1), 1), 1,
                                 low_index_.height());
    Tensor is_live = tiles::like(rank, DType::uint32), turn = tiles::like(rank, DType::uint32);
    nisa::tensor_scalar(is_live, low_index, nl::greater_equal, 0.0f);
    nisa::tensor_tensor(rank, rank, tiles::as(is_live, DType::int32), nl::multiply);
    Pair value{value_low_.on_partitions(column, 1), value_high_.on_partitions(column, 1)};
    Pair compare{compare_low_.on_partitions(column, 1), compare_high_.on_partitions(column, 1)};
    Pair found{tiles::like(rank, DType::int32), tiles::like(rank, DType::int32)};
    nisa::memset(found.low, 0);
    nisa::memset(found.high, 0);
    int32_t last = math::trip_count(rank);
    for (int32_t round = 0; round <= last; ++round) {
      nisa::tensor_scalar(turn, rank, nl::equal, float(round));
      Tensor low_rows = chosen(low_index, turn), high_rows = chosen(high_index, turn);
      Pair now{read(low_memory_, low_rows), read(high_memory_, high_rows)};
      nisa::tensor_copy_predicated(found.low, now.low, turn);
      nisa::tensor_copy_predicated(found.high, now.high, turn);
      Tensor takes = replaces(op_, now, value, compare);
      nisa::tensor_copy_predicated(now.low, value.low, takes);
      nisa::tensor_copy_predicated(now.high, value.high, takes);
      write(low_memory_, low_rows, now.low);
      write(high_memory_, high_rows, now.high);
    }
    found_low_.put(found.low, column);
    found_high_.put(found.high, column);
  }

  static Tensor chosen(const Tensor &index, const Tensor &turn) {
    Tensor rows = tiles::like(index, DType::int32);
    nisa::memset(rows, -1);
    nisa::tensor_copy_predicated(rows, index, turn);
    return rows;
  }
  static Tensor read(const Tensor &memory, const Tensor &rows) {
    Tensor word = tiles::like(rows, DType::int32);
    nisa::memset(word, 0);
    Dim pattern[] = {{0, rows.partitions()}, {1, 1}};
    nisa::dma_copy(word, memory.ap_indirect(pattern, rows), nisa::oob_mode::skip);
    return word;
  }
  static void write(const Tensor &memory, const Tensor &rows, const Tensor &word) {
    Dim pattern[] = {{0, rows.partitions()}, {1, 1}};
    nisa::dma_copy(memory.ap_indirect(pattern, rows), word, nisa::oob_mode::skip);
  }

  Atomic op_;
  Tensor low_memory_, high_memory_;
  Pair old_;
  Lanes low_index_, high_index_, value_low_, value_high_, compare_low_, compare_high_, found_low_,
      found_high_;
};

/// Numbers in shared memory: lane after lane, all partitions at the same time.
void one_by_one(Atomic op, const Operands &operands, const Tensor &array, const Tensor &index,
                const Pair &old) {
  int64_t partitions = array.partitions(), count = array.shape(1);
  Tensor wanted = tiles::like(index, DType::float32), from = tiles::like(index, DType::int32);
  nisa::tensor_copy(wanted, index);
  smax(from, index, 0);
  Tensor element = nl::ndarray({partitions, count}, DType::float32);
  Tensor hit = nl::ndarray({partitions, count}, DType::uint32);
  Tensor next_index = nl::ndarray({partitions, 1}, DType::int32);
  nisa::iota(element, {{1, count}});
  Pair now{nl::ndarray({partitions, 1}, DType::int32), nl::ndarray({partitions, 1}, DType::int32)};
  auto put = [&](const Tensor &word, int64_t f, float offset) {
    nisa::tensor_scalar(hit, element, nl::subtract, offset, false, nl::equal,
                        tiles::column(wanted, f));
    nisa::tensor_copy_predicated(array, tiles::spread(word, count), hit);
  };
  for (int64_t f = 0; f < index.elements_per_partition(); ++f) {
    Tensor at = tiles::column(from, f);
    iadd(next_index, at, 1);
    nisa::nc_n_gather(now.low, array, tiles::as(at, DType::uint32));
    nisa::nc_n_gather(now.high, array, tiles::as(next_index, DType::uint32));
    if (old.low) {
      nisa::tensor_copy(tiles::column(old.low, f), now.low);
      nisa::tensor_copy(tiles::column(old.high, f), now.high);
    }
    Pair value{tiles::column(operands.value.low, f), tiles::column(operands.value.high, f)};
    Pair compare{tiles::column(operands.compare.low, f), tiles::column(operands.compare.high, f)};
    Tensor takes = replaces(op, now, value, compare);
    nisa::tensor_copy_predicated(now.low, value.low, takes);
    nisa::tensor_copy_predicated(now.high, value.high, takes);
    put(now.low, f, 0.0f);
    put(now.high, f, 1.0f);
  }
}

/// The index in lanes of the mask, `other` in others, of a stretch.
Tensor live_index(const Wave &wave, Tensor index, const Mask &mask, const Stretch &stretch,
                  int other = -1) {
  if (index.elements_per_partition() == 1 && wave.F() > 1)
    index = tiles::spread(index, wave.F());
  Tensor result = tiles::like(index, DType::int32);
  nisa::memset(result, other);
  nisa::tensor_copy_predicated(result, index, mask.tile(wave));
  return cut(result, stretch);
}

void in_memory(const Wave &wave, Atomic op, const Operands &operands, const Place &place,
               const Pair &old, const Mask &mask, const Stretch &stretch) {
  auto run = [&](const global::Indexed &low, const global::Indexed &high, const Mask &lanes) {
    global::Indexed low_part{low.memory, live_index(wave, low.index, lanes, stretch)};
    global::Indexed high_part{high.memory, live_index(wave, high.index, lanes, stretch)};
    PairColumns(op, operands, low_part, high_part, old).run();
  };
  if (place.address_low) {
    auto low = in_windows(place, mask, 4, DType::int32, global::Access::store);
    auto high = in_windows(high_word(place), mask, 4, DType::int32, global::Access::store);
    if (low.size() > 1)
      throw Error("atomic", "64-bit numbers of one statement lie in one window of device memory");
    return run(low[0].indexed, high[0].indexed, mask);
  }
  if (place.index) {
    std::optional<global::Target> target = global::guess_target(place, place.offset.wave());
    if (target)
      return run(index_of(place, *target, &wave, 4, DType::int32),
                 index_of(high_word(place), *target, &wave, 4, DType::int32), mask);
    if (!mask.is_tile())
      outside(global::Access::store, place, place.offset.wave(), 0, place.offset.signed_at(0), 8);
    return;
  }
  std::optional<global::Access> access;
  if (!mask.is_tile())
    access = global::Access::store;
  std::vector<global::Part> parts =
      parts_of(place, place.offset, wave, mask.launch_part(), 8, access);
  if (parts.size() > 1)
    throw Error("atomic", "64-bit numbers of one statement lie in one allocation");
  for (const global::Part &part : parts) {
    Index next = place.offset + Index(int64_t(4), 64);
    run(index_of(place.offset, part.target, wave, 4, DType::int32),
        index_of(next, part.target, wave, 4, DType::int32), mask & part.lanes);
  }
}

} // namespace

/// Operations that keep the old number or replace it.
void replace(const Wave &wave, Atomic op, const Wide &old, const Place &place,
             const WideOperand &value, const WideOperand &compare, const Mask &mask) {
  Stretch stretch = stretch_of(wave, mask);
  Tensor like = wave.tile(DType::int32);
  Operands operands{pair_of(value, like, stretch), pair_of(compare, like, stretch)};
  Pair found;
  if (old)
    found = {cut(old.low, stretch), cut(old.high, stretch)};
  if (place.space == Place::Space::global)
    return in_memory(wave, op, operands, place, found, mask, stretch);
  if (place.space == Place::Space::local)
    throw Error("atomic", "64-bit numbers are in device or shared memory");
  Tensor array = shared::elements_of_array(place, DType::int32);
  constexpr int nowhere = -2; // and the word behind it
  Tensor index =
      live_index(wave, shared::element_index(place, like, 4, false), mask, stretch, nowhere);
  one_by_one(op, operands, array, index, found);
}

} // namespace atomics

void atomic(const Wave &wave, Atomic op, const Wide &old, const Place &place,
            const WideOperand &value, const Mask &mask, const WideOperand &compare) {
  auto separate = [&](const WideOperand &operand) {
    if (!old || operand.is_number() || !tiles::same(old.low, operand.tile.low))
      return operand;
    Wide copied{wave.tile(DType::int32), wave.tile(DType::int32)};
    copy(copied, operand.tile);
    return WideOperand(copied);
  };
  if (old) {
    tiles::define(old.low);
    tiles::define(old.high);
  }
  if (mask.launch_part().is_none())
    return;
  const WideOperand operand = separate(value);
  switch (op) {
  case Atomic::add:
    return atomics::add(wave, old, place, operand, mask);
  case Atomic::sub: {
    Wide negative{wave.tile(DType::int32), wave.tile(DType::int32)};
    isub(negative, 0, operand);
    return atomics::add(wave, old, place, negative, mask);
  }
  case Atomic::exchange:
  case Atomic::bit_and:
  case Atomic::bit_or:
  case Atomic::bit_xor:
    atomic(wave, op, old ? old.low : Tensor(), place, atomics::word_of(operand.low()), mask);
    return atomic(wave, op, old ? old.high : Tensor(), atomics::high_word(place),
                  atomics::word_of(operand.high()), mask);
  default:
    return atomics::replace(wave, op, old, place, operand, separate(compare), mask);
  }
}

} // namespace nki
