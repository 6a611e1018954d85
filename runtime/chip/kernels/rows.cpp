// Loops that depend on the element before: reductions and scans along rows, kRows rows abreast.
//
// The order along a row is that of the elements, so results do not depend on the vector length.
// Rows are turned into columns of lanes in blocks of eight by eight.

#include "chip/kernels/operators.h"
#include "chip/kernels/tables.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

constexpr int kBlock = 8;
using Lanes = float __attribute__((vector_size(kBlock * sizeof(float)), aligned(4)));

Lanes load(const float *from) {
  Lanes lanes;
  __builtin_memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
void store(float *to, Lanes lanes) { __builtin_memcpy(to, &lanes, sizeof lanes); }

/// An 8 by 8 block, rows to columns.
void transpose(Lanes (&m)[kBlock]) {
  Lanes t[kBlock];
  for (int i = 0; i < kBlock; i += 2) {
    t[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    t[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < kBlock; i += 4)
    for (int j = 0; j < 2; ++j) {
      m[i + j] = __builtin_shufflevector(t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      m[i + j + 2] = __builtin_shufflevector(t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    t[i] = __builtin_shufflevector(m[i], m[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    t[i + 4] = __builtin_shufflevector(m[i], m[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int i = 0; i < kBlock; ++i)
    m[i] = t[i];
}

void load_block(Lanes (&block)[kBlock], const float *const *rows, int64_t column) {
  for (int r = 0; r < kBlock; ++r)
    block[r] = load(rows[r] + column);
  transpose(block);
}

template <class G> void reduce_rows(const float *const *rows, int64_t count, float *state) {
  static_assert(kRows == 2 * kBlock); // two chains hide the latency of one
  Lanes low = load(state), high = load(state + kBlock);
  int64_t column = 0;
  for (; column + kBlock <= count; column += kBlock) {
    Lanes a[kBlock], b[kBlock];
    load_block(a, rows, column);
    load_block(b, rows + kBlock, column);
    for (int i = 0; i < kBlock; ++i) {
      low = G()(low, a[i]);
      high = G()(high, b[i]);
    }
  }
  store(state, low);
  store(state + kBlock, high);
  for (; column < count; ++column)
    for (int r = 0; r < kRows; ++r)
      state[r] = G()(state[r], rows[r][column]);
}

// ---- scans --------------------------------------------------------------------------------------

using LaneOperator = void (*)(Lanes &out, const Lanes &a, const Lanes &b);

template <NanRule Rule> LaneOperator lane_operator(Op op) {
  return with_float_operator<Rule, LaneOperator>(op, [](auto g) -> LaneOperator {
    return [](Lanes &out, const Lanes &a, const Lanes &b) { out = decltype(g)()(a, b); };
  });
}

/// One step for eight rows.
template <NanRule Rule> struct Step {
  LaneOperator op0, op1;
  bool reverse0, reverse1, multiply_add;

  void operator()(Lanes &state, const Lanes &a, const Lanes &b) const {
    if (multiply_add) {
      state = a * state + b;
      return;
    }
    Lanes middle;
    op0(middle, reverse0 ? state : a, reverse0 ? a : state);
    op1(state, reverse1 ? b : middle, reverse1 ? middle : b);
  }
};

template <NanRule Rule>
void scan_rows(float *const *out, const float *const *a, const float *const *b, int64_t count,
               float *state, Op op0, Op op1, bool reverse0, bool reverse1) {
  Step<Rule> step{lane_operator<Rule>(op0), lane_operator<Rule>(op1), reverse0, reverse1,
                  op0 == Op::multiply && op1 == Op::add};
  for (int group = 0; group < kRows; group += kBlock) {
    Lanes now = load(state + group);
    int64_t column = 0;
    for (; column + kBlock <= count; column += kBlock) {
      Lanes x[kBlock], y[kBlock];
      load_block(x, a + group, column);
      load_block(y, b + group, column);
      for (int i = 0; i < kBlock; ++i) {
        step(now, x[i], y[i]);
        x[i] = now;
      }
      transpose(x);
      for (int r = 0; r < kBlock; ++r)
        store(out[group + r] + column, x[r]);
    }
    for (; column < count; ++column) {
      Lanes x{}, y{};
      for (int r = 0; r < kBlock; ++r) {
        x[r] = a[group + r][column];
        y[r] = b[group + r][column];
      }
      step(now, x, y);
      for (int r = 0; r < kBlock; ++r)
        out[group + r][column] = now[r];
    }
    store(state + group, now);
  }
}

// ---- the largest
// ----------------------------------------------------------------------------------

/// Inserts into a descending list; equal values keep their order.
void insert(float *best, float value) {
  int place = 7;
  for (; place > 0 && !(best[place - 1] >= value); --place)
    best[place] = best[place - 1];
  best[place] = value;
}

void max8(float *best, const float *values, int64_t count) {
  int64_t i = 0;
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

int64_t find_any8(const float *values, int64_t from, int64_t count, const float *wanted) {
  constexpr int64_t kStep = 32;
  auto is_wanted = [&](int64_t i) {
    bool any = false;
    for (int k = 0; k < 8; ++k)
      any |= values[i] == wanted[k];
    return any;
  };
  int64_t i = from;
  for (; i + kStep <= count; i += kStep) {
    int any = 0;
    for (int64_t j = i; j < i + kStep; ++j)
      any |= is_wanted(j);
    if (any)
      break;
  }
  while (i < count && !is_wanted(i))
    ++i;
  return i;
}

template <NanRule Rule> void fill(Kernels &table) {
  for (int o = 0; o < kOps; ++o)
    table.reduce_rows[o][int(Rule)] = with_float_operator<Rule, ReduceRows>(
        Op(o), [](auto g) -> ReduceRows { return reduce_rows<decltype(g)>; });
  table.scan_rows[int(Rule)] = scan_rows<Rule>;
}

} // namespace

void fill_rows(Kernels &table) {
  fill<NanRule::propagate>(table);
  fill<NanRule::number>(table);
  table.max8 = max8;
  table.find_any8 = find_any8;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
