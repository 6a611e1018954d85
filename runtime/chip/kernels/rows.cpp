// Loops that depend on the element before: reductions and scans along rows, kRows rows abreast.
//
// The order along a row is that of the elements, so results do not depend on the vector length.
// Rows are turned into columns of lanes in blocks of eight by eight.

#include "chip/kernels/blocks.h"
#include "chip/kernels/operators.h"
#include "chip/kernels/tables.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

using Lanes = BlockLanes;

void load_block(Lanes (&block)[kBlock], const float *const *rows, int64_t column) {
  load_columns(block, [&](int r) { return rows[r] + column; });
}

/// Several chains of dependent operations hide what one waits for.
constexpr int kParts = kRows / kBlock;

/// f(part, column) for all whole blocks; `column` ends behind them. Both blocks of a cache line
/// follow each other: rows often lie half a page apart, where the first-level cache holds few
/// lines.
template <class F>
[[gnu::always_inline]] inline void for_each_block(int64_t count, int64_t &column, F &&f) {
  for (; column + 2 * kBlock <= count; column += 2 * kBlock)
#pragma clang loop unroll(full)
    for (int part = 0; part < kParts; ++part) {
      f(part, column);
      f(part, column + kBlock);
    }
  for (; column + kBlock <= count; column += kBlock)
    for (int part = 0; part < kParts; ++part)
      f(part, column);
}

template <class G> void reduce_rows(const float *const *rows, int64_t count, float *state) {
  Lanes now[kParts];
  __builtin_memcpy(now, state, sizeof now);
  int64_t column = 0;
  for_each_block(count, column, [&](int part, int64_t first) {
    Lanes block[kBlock];
    load_block(block, rows + part * kBlock, first);
    for (int i = 0; i < kBlock; ++i)
      now[part] = G()(now[part], block[i]);
  });
  __builtin_memcpy(state, now, sizeof now);
  for (; column < count; ++column)
    for (int r = 0; r < kRows; ++r)
      state[r] = G()(state[r], rows[r][column]);
}

#ifdef __AVX__
/// a > b ? a : b, or a < b ? a : b, as one instruction.
template <bool Largest> Lanes extreme(Lanes a, Lanes b) {
  return Largest ? Lanes(_mm256_max_ps(a, b)) : Lanes(_mm256_min_ps(a, b));
}
bool any_nan(const Lanes (&block)[kBlock]) {
  auto found = block[0] != block[0];
  for (int i = 1; i < kBlock; ++i)
    found |= block[i] != block[i];
  return __builtin_reduce_or(found);
}

/// The extreme of a row and `before`, in any order: right unless a NaN is there or the result is 0,
/// whose sign depends on the order. Returns whether it is right. At least 4 * kBlock elements.
template <bool Largest> bool row_extreme(const float *row, int64_t count, float &state) {
  constexpr int abreast = 4;
  using Bits = uint32_t __attribute__((vector_size(sizeof(Lanes))));
  Lanes now[abreast];
  Bits size[abreast]; // the largest magnitude, as a pattern: above infinity are NaN
  for (int i = 0; i < abreast; ++i) {
    now[i] = load(row + i * kBlock);
    size[i] = __builtin_bit_cast(Bits, now[i]) & 0x7fffffffu;
  }
  auto take = [&](int64_t column, int i) {
    Lanes values = load(row + column);
    now[i] = extreme<Largest>(now[i], values);
    size[i] = __builtin_elementwise_max(size[i], __builtin_bit_cast(Bits, values) & 0x7fffffffu);
  };
  int64_t column = abreast * kBlock;
  for (; column + abreast * kBlock <= count; column += abreast * kBlock)
    for (int i = 0; i < abreast; ++i)
      take(column + i * kBlock, i);
  for (; column < count; column += kBlock) // the last elements again
    take(column + kBlock <= count ? column : count - kBlock, 0);
  for (int i = 1; i < abreast; ++i) {
    now[0] = extreme<Largest>(now[0], now[i]);
    size[0] = __builtin_elementwise_max(size[0], size[i]);
  }
  float best = state;
  for (int i = 0; i < kBlock; ++i)
    best = (Largest ? now[0][i] > best : now[0][i] < best) ? now[0][i] : best;
  const bool ordered = __builtin_reduce_max(size[0]) <= 0x7f800000u && state == state;
  state = best;
  return ordered && best != 0.0f;
}

/// Maximum or minimum, `G`: blocks without NaN need not look for it in every step.
template <class G, bool Largest>
void reduce_extremes(const float *const *rows, int64_t count, float *state) {
  if (count >= 4 * kBlock) {
    float found[kRows];
    bool right = true;
    for (int r = 0; right && r < kRows; ++r) {
      found[r] = state[r];
      right = row_extreme<Largest>(rows[r], count, found[r]);
    }
    if (right) {
      __builtin_memcpy(state, found, sizeof found);
      return;
    }
  }
  Lanes now[kParts];
  __builtin_memcpy(now, state, sizeof now);
  int64_t column = 0;
  for (; column + kBlock <= count; column += kBlock)
    for (int part = 0; part < kParts; ++part) {
      Lanes block[kBlock];
      load_block(block, rows + part * kBlock, column);
      const bool nan = any_nan(block) || __builtin_reduce_or(now[part] != now[part]);
      for (int i = 0; i < kBlock; ++i)
        now[part] = nan ? G()(now[part], block[i]) : extreme<Largest>(now[part], block[i]);
    }
  __builtin_memcpy(state, now, sizeof now);
  for (; column < count; ++column)
    for (int r = 0; r < kRows; ++r)
      state[r] = G()(state[r], rows[r][column]);
}
#endif

/// The reduction with an operator's function object.
template <class G> ReduceRows reduction([[maybe_unused]] Op op) {
#ifdef __AVX__
  if (op == Op::maximum)
    return reduce_extremes<G, true>;
  if (op == Op::minimum)
    return reduce_extremes<G, false>;
#endif
  return reduce_rows<G>;
}

#ifdef __AVX512F__
constexpr int kVector = 16;
#else
constexpr int kVector = kBlock;
#endif
using Vector = float __attribute__((vector_size(kVector * sizeof(float)), aligned(4)));

/// Columns in stripes that stay in registers.
template <class G>
void reduce_columns(float *out, const float *rows, int64_t pitch, int64_t count, int64_t columns) {
  constexpr int stripe = 8;
  int64_t column = 0;
  for (; column + stripe * kVector <= columns; column += stripe * kVector) {
    Vector sum[stripe], row[stripe];
    __builtin_memcpy(sum, rows + column, sizeof sum);
    for (int64_t r = 1; r < count; ++r) {
      __builtin_memcpy(row, rows + r * pitch + column, sizeof row);
      for (int i = 0; i < stripe; ++i)
        sum[i] = G()(sum[i], row[i]);
    }
    __builtin_memcpy(out + column, sum, sizeof sum);
  }
  for (; column < columns; ++column) {
    float sum = rows[column];
    for (int64_t r = 1; r < count; ++r)
      sum = G()(sum, rows[r * pitch + column]);
    out[column] = sum;
  }
}

// ---- statistics ---------------------------------------------------------------------------------

using ByParity = Lanes[kParts][2];

/// Adds f(element, part, parity) to the sums of rows' even and of their odd elements, in their
/// order.
template <class F>
void add_by_parity(const float *const *rows, int64_t count, ByParity &sum, F &&f) {
  int64_t column = 0;
  for_each_block(count, column, [&](int part, int64_t first) {
    Lanes block[kBlock];
    load_block(block, rows + part * kBlock, first);
    for (int i = 0; i < kBlock; ++i)
      sum[part][i % 2] += f(block[i], part, i % 2);
  });
  for (; column < count; ++column)
    for (int part = 0; part < kParts; ++part) {
      Lanes last;
      for (int r = 0; r < kBlock; ++r)
        last[r] = rows[part * kBlock + r][column];
      sum[part][column % 2] += f(last, part, int(column % 2));
    }
}

void statistics(const float *const *rows, int64_t count, float (*mean)[kRows],
                float (*spread)[kRows]) {
  ByParity means = {}, spreads = {};
  add_by_parity(rows, count, means, [](Lanes x, int, int) { return x; });
  for (auto &of_part : means)
    for (int parity = 0; parity < 2; ++parity) {
      float members = float((count + 1 - parity) / 2);
      of_part[parity] = members > 0 ? of_part[parity] / members : Lanes{};
    }
  add_by_parity(rows, count, spreads, [&](Lanes x, int part, int parity) {
    return (x - means[part][parity]) * (x - means[part][parity]);
  });
  for (int part = 0; part < kParts; ++part)
    for (int parity = 0; parity < 2; ++parity) {
      store(mean[parity] + part * kBlock, means[part][parity]);
      store(spread[parity] + part * kBlock, spreads[part][parity]);
    }
}

// ---- scans --------------------------------------------------------------------------------------

using LaneOperator = void (*)(Lanes &out, const Lanes &a, const Lanes &b);

template <NanRule Rule> LaneOperator lane_operator(Op op) {
  return with_float_operator<Rule, LaneOperator>(op, [](auto g) -> LaneOperator {
    return [](Lanes &out, const Lanes &a, const Lanes &b) { out = decltype(g)()(a, b); };
  });
}

/// Runs step(state, column of a, column of b) over kRows rows, kParts chains abreast.
template <class F>
[[gnu::always_inline]] inline void for_each_column(float *const *out, const float *const *a,
                                                   const float *const *b, int64_t count,
                                                   float *state, F &&step) {
  Lanes now[kParts];
  __builtin_memcpy(now, state, sizeof now);
  int64_t column = 0;
  for_each_block(count, column, [&](int part, int64_t first) {
    Lanes x[kBlock], y[kBlock];
    load_block(x, a + part * kBlock, first);
    if (b)
      load_block(y, b + part * kBlock, first);
    for (int i = 0; i < kBlock; ++i) {
      step(now[part], x[i], y[i]);
      x[i] = now[part];
    }
    transpose_block(x);
    for (int r = 0; r < kBlock; ++r)
      store(out[part * kBlock + r] + first, x[r]);
  });
  for (; column < count; ++column)
    for (int part = 0; part < kParts; ++part) {
      Lanes x{}, y{};
      for (int r = 0; r < kBlock; ++r) {
        x[r] = a[part * kBlock + r][column];
        y[r] = b ? b[part * kBlock + r][column] : 0.0f;
      }
      step(now[part], x, y);
      for (int r = 0; r < kBlock; ++r)
        out[part * kBlock + r][column] = now[part][r];
    }
  __builtin_memcpy(state, now, sizeof now);
}

template <NanRule Rule>
void scan_rows(float *const *out, const float *const *a, const float *const *b, int64_t count,
               float *state, Op op0, Op op1, bool reverse0, bool reverse1) {
  if (op0 == Op::multiply && op1 == Op::add)
    return for_each_column(out, a, b, count, state,
                           [](Lanes &now, const Lanes &x, const Lanes &y) { now = x * now + y; });
  const LaneOperator first = lane_operator<Rule>(op0), second = lane_operator<Rule>(op1);
  for_each_column(out, a, b, count, state, [=](Lanes &now, const Lanes &x, const Lanes &y) {
    Lanes middle;
    first(middle, reverse0 ? now : x, reverse0 ? x : now);
    second(now, reverse1 ? y : middle, reverse1 ? middle : y);
  });
}

template <class G>
void cumulate_rows(float *const *out, const float *const *in, int64_t count, float *state) {
  for_each_column(out, in, nullptr, count, state,
                  [](Lanes &now, const Lanes &x, const Lanes &) { now = G()(x, now); });
}

// ---- the largest
// ----------------------------------------------------------------------------------

constexpr int kStep = 32;
using Wide = float __attribute__((vector_size(kStep * sizeof(float)), aligned(4)));

/// Which of the lanes hold, as bits.
template <class Mask> uint32_t bits_of(Mask mask) {
  using Bits = bool __attribute__((ext_vector_type(kStep)));
  return __builtin_bit_cast(uint32_t, __builtin_convertvector(mask, Bits));
}

int64_t find_above(const float *values, int64_t from, int64_t count, float limit) {
  int64_t i = from;
  for (; i + kStep <= count; i += kStep) {
    Wide block;
    __builtin_memcpy(&block, values + i, sizeof block);
    if (uint32_t bits = bits_of(block > limit))
      return i + __builtin_ctz(bits);
  }
  while (i < count && !(values[i] > limit))
    ++i;
  return i;
}

/// Inserts into a descending list; equal values keep their order.
void insert(float *best, float value) {
  int place = 7;
  for (; place > 0 && !(best[place - 1] >= value); --place)
    best[place] = best[place - 1];
  best[place] = value;
}

/// A number that at least eight of the values reach, or -infinity: the eighth of the largest in
/// each of kStep lanes.
float reached_by_eight(const float *values, int64_t count) {
  Wide largest = Wide{} - math::kInfinity;
  for (int64_t i = 0; i + kStep <= count; i += kStep) {
    Wide block;
    __builtin_memcpy(&block, values + i, sizeof block);
    largest = block > largest ? block : largest; // NaN is not
  }
  using Counts = int32_t __attribute__((vector_size(sizeof(Wide)), aligned(4)));
  Counts larger{};
  for (int lane = 0; lane < kStep; ++lane)
    larger -= Counts((largest[lane] - Wide{}) > largest);
  Wide candidates = larger < 8 ? largest : Wide{} + math::kInfinity;
  return __builtin_reduce_min(candidates);
}

void max8(float *best, const float *values, int64_t count) {
  int64_t i = 0;
  if (count >= 4 * kStep) {
    // Elements below cannot be among the eight; few others are left.
    const float limit = reached_by_eight(values, count);
    for (; i + kStep <= count; i += kStep) {
      Wide block;
      __builtin_memcpy(&block, values + i, sizeof block);
      for (uint32_t bits = bits_of(block >= limit); bits; bits &= bits - 1) {
        const float value = values[i + __builtin_ctz(bits)];
        if (value > best[7])
          insert(best, value);
      }
    }
  }
  for (; i + kBlock <= count; i += kBlock) {
    // Most blocks hold nothing larger than the eighth value so far.
    bool any = false;
    for (int j = 0; j < kBlock; ++j)
      any |= values[i + j] > best[7];
    for (int j = 0; any && j < kBlock; ++j)
      if (values[i + j] > best[7])
        insert(best, values[i + j]);
  }
  for (; i < count; ++i)
    if (values[i] > best[7])
      insert(best, values[i]);
}

int64_t equal_any8(const float *values, int64_t count, const float *wanted, uint32_t *hits) {
  // Most values are outside of the range of those that are wanted.
  float low = math::kInfinity, high = -math::kInfinity;
  for (int k = 0; k < 8; ++k) {
    low = wanted[k] < low ? wanted[k] : low;
    high = wanted[k] > high ? wanted[k] : high;
  }
  int64_t found = 0, i = 0;
  for (; i + kStep <= count; i += kStep) {
    Wide block;
    __builtin_memcpy(&block, values + i, sizeof block);
    if (!__builtin_reduce_or((block >= low) & (block <= high)))
      continue;
    auto any = block == wanted[0];
    for (int k = 1; k < 8; ++k)
      any |= block == wanted[k];
    for (uint32_t bits = bits_of(any); bits; bits &= bits - 1)
      hits[found++] = uint32_t(i) + uint32_t(__builtin_ctz(bits));
  }
  for (; i < count; ++i) {
    bool any = false;
    for (int k = 0; k < 8; ++k)
      any |= values[i] == wanted[k];
    hits[found] = uint32_t(i);
    found += any;
  }
  return found;
}

template <NanRule Rule> void fill(Kernels &table) {
  for (int o = 0; o < kOps; ++o) {
    table.reduce_rows[o][int(Rule)] = with_float_operator<Rule, ReduceRows>(
        Op(o), [&](auto g) -> ReduceRows { return reduction<decltype(g)>(Op(o)); });
    table.reduce_columns[o][int(Rule)] = with_float_operator<Rule, ReduceColumns>(
        Op(o), [](auto g) -> ReduceColumns { return reduce_columns<decltype(g)>; });
    table.cumulate_rows[o][int(Rule)] = with_float_operator<Rule, CumulateRows>(
        Op(o), [](auto g) -> CumulateRows { return cumulate_rows<decltype(g)>; });
  }
  table.scan_rows[int(Rule)] = scan_rows<Rule>;
}

} // namespace

void fill_rows(Kernels &table) {
  fill<NanRule::propagate>(table);
  fill<NanRule::number>(table);
  table.statistics = statistics;
  table.max8 = max8;
  table.find_above = find_above;
  table.equal_any8 = equal_any8;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
