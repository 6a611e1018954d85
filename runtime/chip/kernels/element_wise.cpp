// Runs of the math operators.

#include "chip/kernels/operators.h"
#include "chip/kernels/tables.h"

#include <utility>

namespace nki::chip {
inline namespace NEURONIFY_TARGET {

namespace {

template <class T, class G>
[[gnu::flatten]] void binary_run(T *out, const T *a, const T *b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = G()(a[i], b[i]);
}
template <class T, class G>
[[gnu::flatten]] void scalar_run(T *out, const T *a, T b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = G()(a[i], b);
}
template <class T, class G>
[[gnu::flatten]] void reverse_run(T *out, const T *a, T b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = G()(b, a[i]);
}

constexpr bool has_one_operand(Op op) {
  return op == Op::invert || op == Op::bypass || op >= Op::abs;
}

template <NanRule Rule> void fill_float(Kernels &table, Op op) {
  constexpr int rule = int(Rule);
  int o = int(op);
  table.float_binary[o][rule] = with_float_operator<Rule, FloatBinary>(
      op, [](auto g) -> FloatBinary { return binary_run<float, decltype(g)>; });
  table.float_scalar[o][rule] = with_float_operator<Rule, FloatScalar>(
      op, [](auto g) -> FloatScalar { return scalar_run<float, decltype(g)>; });
  table.float_scalar_reverse[o][rule] =
      has_one_operand(op) ? table.float_scalar[o][rule]
                          : with_float_operator<Rule, FloatScalar>(op, [](auto g) -> FloatScalar {
                              return reverse_run<float, decltype(g)>;
                            });
}

template <bool LargeIsZero> void fill_bits(Kernels &table, Op op) {
  int o = int(op);
  table.bits_binary[o][LargeIsZero] = with_bits_operator<LargeIsZero, BitsBinary>(
      op, [](auto g) -> BitsBinary { return binary_run<uint32_t, decltype(g)>; });
  table.bits_scalar[o][LargeIsZero] = with_bits_operator<LargeIsZero, BitsScalar>(
      op, [](auto g) -> BitsScalar { return scalar_run<uint32_t, decltype(g)>; });
  table.bits_scalar_reverse[o][LargeIsZero] =
      has_one_operand(op)
          ? table.bits_scalar[o][LargeIsZero]
          : with_bits_operator<LargeIsZero, BitsScalar>(
                op, [](auto g) -> BitsScalar { return reverse_run<uint32_t, decltype(g)>; });
}

template <bool A, bool B, bool R> void fill_integer(Kernels &table, Op op) {
  auto pick = [](auto g) -> BitsBinary { return binary_run<uint32_t, decltype(g)>; };
  auto &entry = table.integer_binary[int(op)][A][B][R];
  entry[0] = with_integer_operator<A, B, R, false, BitsBinary>(op, pick);
  entry[1] = with_integer_operator<A, B, R, true, BitsBinary>(op, pick);
}

void select(uint32_t *out, const uint32_t *take, const uint32_t *a, const uint32_t *b,
            int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i) {
    uint32_t first = a[i], second = b[i]; // a choice of addresses would become a gather
    out[i] = take[i] ? first : second;
  }
}

void select_scalars(uint32_t *out, const uint32_t *take, const uint32_t *a, uint32_t b,
                    int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i) {
    uint32_t first = a[i];
    out[i] = take[i] ? first : b;
  }
}

template <class G>
void select_affine(uint32_t *out, const int32_t *affine, int32_t base, const uint32_t *a,
                   uint32_t other, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i) {
    int32_t value = int32_t(uint32_t(affine[i]) + uint32_t(base));
    out[i] = G()(uint32_t(value), 0u) ? a[i] : other;
  }
}

template <Op Compare> bool compare(float a, float b) {
  switch (Compare) {
  case Op::equal:
    return a == b;
  case Op::not_equal:
    return a != b;
  case Op::greater_equal:
    return a >= b;
  case Op::greater:
    return a > b;
  case Op::less_equal:
    return a <= b;
  default:
    return a < b;
  }
}

template <Op First, Op Second>
void select_range(float *out, const float *in, float start, float bound0, float bound1, float other,
                  int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int32_t i = 0; i < int32_t(count); ++i) {
    float index = start + float(i), value = in[i];
    const int inside = int(compare<First>(index, bound0)) & int(compare<Second>(index, bound1));
    out[i] = inside ? value : other;
  }
}

template <int First, int... Second>
void fill_row_of_ranges(Kernels &table, std::integer_sequence<int, Second...>) {
  ((table.select_range[First][Second] =
        select_range<Op(int(Op::equal) + First), Op(int(Op::equal) + Second)>),
   ...);
}
template <int... First> void fill_ranges(Kernels &table, std::integer_sequence<int, First...> all) {
  (fill_row_of_ranges<First>(table, all), ...);
}

void multiply_add(float *out, const float *a, float factor, const float *b, int64_t count) {
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i)
    out[i] = math::fma(a[i], factor, b[i]);
}

void fill(uint32_t *out, uint32_t value, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = value;
}

void ramp(int32_t *out, int32_t start, int32_t step, int64_t count) {
  for (int32_t i = 0; i < int32_t(count); ++i)
    out[i] = int32_t(uint32_t(start) + uint32_t(i) * uint32_t(step));
}

void float_ramp(float *out, float start, int64_t count) {
  for (int32_t i = 0; i < int32_t(count); ++i)
    out[i] = start + float(i);
}

/// One by one, but stored in pairs: gathers of the host are slower than single loads.
void gather(uint32_t *out, const uint32_t *row, const uint32_t *index, int64_t count) {
  int64_t i = 0;
#pragma clang loop vectorize(disable) unroll_count(4)
  for (; i + 2 <= count; i += 2) {
    uint64_t places;
    __builtin_memcpy(&places, index + i, sizeof places);
    uint64_t pair = row[uint32_t(places)] | uint64_t(row[places >> 32]) << 32;
    __builtin_memcpy(out + i, &pair, sizeof pair);
  }
  if (i < count)
    out[i] = row[index[i]];
}

uint32_t largest(const uint32_t *values, int64_t count) {
  uint32_t result = 0;
  for (int64_t i = 0; i < count; ++i)
    result = values[i] > result ? values[i] : result;
  return result;
}

void flush(float *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = __builtin_bit_cast(uint32_t, values[i]);
    bits = (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
    values[i] = __builtin_bit_cast(float, bits);
  }
}

} // namespace

void fill_element_wise(Kernels &table) {
  for (int o = 0; o < kOps; ++o) {
    Op op = Op(o);
    fill_float<NanRule::propagate>(table, op);
    fill_float<NanRule::number>(table, op);
    fill_bits<false>(table, op);
    fill_bits<true>(table, op);
    fill_integer<false, false, false>(table, op);
    fill_integer<false, false, true>(table, op);
    fill_integer<false, true, false>(table, op);
    fill_integer<false, true, true>(table, op);
    fill_integer<true, false, false>(table, op);
    fill_integer<true, false, true>(table, op);
    fill_integer<true, true, false>(table, op);
    fill_integer<true, true, true>(table, op);
    table.select_affine[o] = with_integer_operator<true, true, true, false, SelectAffine>(
        op, [](auto g) -> SelectAffine { return select_affine<decltype(g)>; });
  }
  fill_ranges(table, std::make_integer_sequence<int, kComparisons>());
  table.select = select;
  table.select_scalars = select_scalars;
  table.multiply_add = multiply_add;
  table.fill = fill;
  table.ramp = ramp;
  table.float_ramp = float_ramp;
  table.gather = gather;
  table.largest = largest;
  table.flush = flush;
}

} // namespace NEURONIFY_TARGET
} // namespace nki::chip
