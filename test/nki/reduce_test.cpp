// Reductions and scans: the order along the free axis is part of the result.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

using Op = nl::Op;

class Reduce : public ChipTest {};

float apply(Op op, float a, float b) {
  switch (op) {
  case Op::add:
    return a + b;
  case Op::subtract:
    return a - b;
  case Op::multiply:
    return a * b;
  case Op::maximum:
    return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b);
  default:
    return std::isnan(a) || std::isnan(b) ? NAN : std::min(a, b);
  }
}

std::vector<float> mild(size_t count) {
  std::vector<float> values;
  std::mt19937 random(3);
  for (size_t i = 0; i < count; ++i)
    values.push_back(float(int(random() % 20001) - 10000) / 777.0f);
  return values;
}

TEST_F(Reduce, SumsGoFromTheFirstElementToTheLast) {
  for (auto [p, f] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 2500}, {128, 9}, {17, 513}, {128, 512}})
    for (Op op : {Op::add, Op::subtract, Op::multiply, Op::maximum, Op::minimum}) {
      std::vector<float> x = mild(size_t(p * f));
      Tensor a = tile_of(x, p, f), c = tile(p, 1);
      nisa::tensor_reduce(c, op, a, 1);
      std::vector<float> z = get(c);
      for (int64_t i = 0; i < p; ++i) {
        float expected = x[size_t(i * f)];
        for (int64_t j = 1; j < f; ++j)
          expected = apply(op, expected, x[size_t(i * f + j)]);
        ASSERT_TRUE(same(z[size_t(i)], expected)) << nl::name_of(op) << " " << p << " " << f;
      }
    }
}

TEST_F(Reduce, OnlyTheNamedAxesAndConvertedInputs) {
  for (DType type : {nl::float32, nl::bfloat16, nl::int16}) {
    Tensor a = nl::ndarray({5, 4, 3, 7}, type), c = tile(5, 4), d = tile(5, 12);
    put(a, mild(5 * 84));
    std::vector<float> x = get(a);
    nisa::tensor_reduce(c, nl::add, a, {2, 3}, true);
    nisa::tensor_reduce(d, nl::maximum, a, 3);
    std::vector<float> z = get(c), m = get(d);
    for (size_t i = 0; i < 20; ++i) {
      float sum = x[i * 21];
      for (size_t j = 1; j < 21; ++j)
        sum += x[i * 21 + j];
      ASSERT_EQ(z[i], -sum);
    }
    for (size_t i = 0; i < 60; ++i)
      ASSERT_EQ(m[i], *std::max_element(&x[i * 7], &x[i * 7] + 7));
  }
}

TEST_F(Reduce, StridedViewsAndBitOperators) {
  Tensor a = tile_of(mild(6 * 40), 6, 40), c = tile(6, 1);
  std::vector<float> x = get(a);
  nisa::tensor_reduce(c, nl::minimum, a.slice(1, 3, 40, 5), 1);
  for (size_t p = 0; p < 6; ++p) {
    float expected = x[p * 40 + 3];
    for (size_t i = 8; i < 40; i += 5)
      expected = std::min(expected, x[p * 40 + i]);
    EXPECT_EQ(get(c)[p], expected);
  }
  Tensor bits = tile(2, 3, nl::uint16), all = tile(2, 1, nl::uint16);
  put_bits<uint32_t>(bits, {0xff00, 0x0f0f, 0xff0f, 1, 2, 4});
  nisa::tensor_reduce(all, nl::bitwise_or, bits, 1);
  EXPECT_EQ(get_bits(all), (std::vector<uint32_t>{0xff0f, 7}));
}

TEST_F(Reduce, AccumulatorsCarryOverInstructions) {
  std::vector<float> x = mild(20 * 30);
  Tensor a = tile_of(x, 20, 30), c = tile(20, 30, nl::bfloat16), sum = tile(20, 1);
  nisa::tensor_scalar_reduce(c, a, nl::multiply, 2.0f, nl::add);
  nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, sum, false, nisa::reduce_cmd::reduce, {},
                             true);
  for (size_t p = 0; p < 20; ++p) {
    float expected = 0;
    for (size_t i = 0; i < 30; ++i)
      expected += x[p * 30 + i] * 2.0f;
    for (size_t i = 0; i < 30; ++i)
      expected += x[p * 30 + i] + 1.0f;
    EXPECT_EQ(get(sum)[p], -expected);
  }
}

TEST_F(Reduce, ScansOfEveryPairOfOperators) {
  for (auto [p, f] : {std::pair<int64_t, int64_t>{1, 1}, {3, 100}, {128, 37}, {20, 1100}})
    for (Op op0 : {Op::multiply, Op::add, Op::subtract, Op::maximum})
      for (Op op1 : {Op::add, Op::minimum, Op::subtract})
        for (bool reverse : {false, true}) {
          std::vector<float> x = mild(size_t(p * f)), y = x;
          std::reverse(y.begin(), y.end());
          for (float &value : x)
            value /= 20;
          Tensor a = tile_of(x, p, f), b = tile_of(y, p, f), c = tile(p, f);
          Tensor start = tile_of({0.5f, -2.0f, 3.0f}, p, 1);
          nisa::tensor_tensor_scan(c, a, b, start, op0, op1, reverse, reverse);
          std::vector<float> z = get(c), s = get(start);
          for (size_t i = 0; i < size_t(p); ++i) {
            float state = s[i];
            for (size_t j = i * size_t(f); j < (i + 1) * size_t(f); ++j) {
              float middle = reverse ? apply(op0, state, x[j]) : apply(op0, x[j], state);
              state = reverse ? apply(op1, y[j], middle) : apply(op1, middle, y[j]);
              ASSERT_TRUE(same(z[j], state)) << nl::name_of(op0) << nl::name_of(op1) << j;
            }
          }
        }
}

TEST_F(Reduce, CumulativeSubtractionTakesTheRegisterSecond) {
  Tensor a = tile_of({1, 2, 3, 4}, 1, 4), c = tile(1, 4);
  nisa::tensor_scalar_cumulative(c, a, nl::multiply, nl::subtract, 10.0f, 100.0f,
                                 nisa::reduce_cmd::load_reduce);
  EXPECT_EQ(get(c), (std::vector<float>{-90, 110, -80, 120}));
}

TEST_F(Reduce, CumulationGoesOnFromTileToTile) {
  const int64_t rows = 33; // more than two batches of the model, the last one not full
  std::vector<float> x = mild(size_t(rows) * 20);
  Tensor a = tile_of(x, rows, 20), c = tile(rows, 20);
  nisa::tensor_scalar_cumulative(c.slice(1, 0, 11), a.slice(1, 0, 11), nl::multiply, nl::add, 0.5f);
  nisa::tensor_scalar_cumulative(c.slice(1, 11, 20), a.slice(1, 11, 20), nl::multiply, nl::add,
                                 0.5f, {}, nisa::reduce_cmd::reduce);
  std::vector<float> got = get(c);
  for (size_t p = 0; p < size_t(rows); ++p) {
    float sum = 0;
    for (size_t e = 0; e < 20; ++e) {
      sum = x[p * 20 + e] * 0.5f + sum;
      ASSERT_TRUE(same(got[p * 20 + e], sum)) << p << " " << e;
    }
  }
}

TEST_F(Reduce, OverPartitions) {
  std::vector<float> x = mild(100 * 11);
  Tensor a = tile_of(x, 100, 11), c = tile(1, 11);
  nisa::tensor_partition_reduce(c, nl::average, a);
  for (size_t i = 0; i < 11; ++i) {
    float sum = x[i];
    for (size_t p = 1; p < 100; ++p)
      sum += x[p * 11 + i];
    EXPECT_EQ(get(c)[i], sum / 100.0f);
  }
}

TEST_F(Reduce, TheEightLargestInOrder) {
  std::vector<float> x = mild(9 * 333);
  x[5] = NAN;
  x[6] = x[7] = x[8] = 1000.0f;
  Tensor a = tile_of(x, 9, 333), c = tile(9, 8);
  nisa::max8(c, a);
  for (size_t p = 0; p < 9; ++p) {
    std::vector<float> row(x.begin() + long(p) * 333, x.begin() + long(p + 1) * 333);
    std::erase_if(row, [](float value) { return std::isnan(value); });
    std::sort(row.begin(), row.end(), std::greater<>());
    for (size_t i = 0; i < 8; ++i)
      EXPECT_EQ(get(c)[p * 8 + i], row[i]);
  }
}

} // namespace
} // namespace nki
