// activate2 and exponential: the steps before the function, accumulators, and their rules.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

using Op = nl::Op;
using nisa::reduce_cmd;

class Activation : public ChipTest {};
class Trn2Activation : public ChipTest {
protected:
  Trn2Activation() : ChipTest("trn2") {}
};

TEST_F(Activation, Activate2RunsEveryPairOfOperationsBeforeTheFunction) {
  std::vector<float> x = hard_floats(5 * 1200);
  Tensor a = tile_of(x, 5, 1200), c = tile(5, 1200), column = tile_of({2, -3, 0.5f}, 5, 1);
  std::vector<float> s = get(column);
  struct Pair {
    Op op0, op1;
  };
  for (Pair pair : {Pair{Op::multiply, Op::add}, Pair{Op::multiply, Op::subtract},
                    Pair{Op::multiply, Op::bypass}, Pair{Op::add, Op::bypass},
                    Pair{Op::subtract, Op::bypass}, Pair{Op::bypass, Op::bypass}})
    for (bool reverse : {false, true}) {
      bool reverse0 = reverse && pair.op0 != Op::bypass,
           reverse1 = reverse && pair.op1 != Op::bypass;
      nisa::activate2(c, nl::copy, a, column, 0.7f, pair.op0, pair.op1, 0.0f, reverse0, reverse1);
      std::vector<float> z = get(c);
      for (size_t i = 0; i < z.size(); ++i) {
        volatile float value = pair.op0 == Op::multiply ? x[i] * s[i / 1200]
                               : pair.op0 == Op::add    ? x[i] + s[i / 1200]
                               : pair.op0 == Op::subtract
                                   ? (reverse0 ? s[i / 1200] - x[i] : x[i] - s[i / 1200])
                                   : x[i];
        if (pair.op1 == Op::add)
          value = value + 0.7f;
        if (pair.op1 == Op::subtract)
          value = reverse1 ? 0.7f - value : value - 0.7f;
        ASSERT_TRUE(same(z[i], value)) << nl::name_of(pair.op0) << i << " " << x[i];
      }
    }
}

TEST_F(Activation, PreluTakesItsSlopeFromAColumn) {
  std::vector<float> x = hard_floats(3 * 70);
  Tensor a = tile_of(x, 3, 70, nl::bfloat16), c = tile(3, 70),
         slope = tile_of({0.25f, -1, 0}, 3, 1);
  x = get(a);
  nisa::activate2(c, nl::prelu, a, 0.0f, 0.0f, nl::bypass, nl::bypass, slope);
  std::vector<float> z = get(c), k = get(slope);
  for (size_t i = 0; i < z.size(); ++i)
    ASSERT_TRUE(same(z[i], x[i] > 0 ? x[i] : x[i] * k[i / 70])) << x[i];
}

TEST_F(Activation, Activate2ReducesWithFiveOperators) {
  std::vector<float> x;
  for (int i = 0; i < 20 * 33; ++i)
    x.push_back(float(i * 37 % 101) / 8 - 6);
  Tensor a = tile_of(x, 20, 33), c = tile(20, 33, nl::bfloat16), sum = tile(20, 1);
  for (Op op : {Op::add, Op::maximum, Op::minimum, Op::abs_max, Op::abs_min}) {
    nisa::activate2(c, nl::copy, a, 1.5f, 0.0f, nl::multiply, nl::bypass, 0.0f, false, false, op,
                    {}, reduce_cmd::reset_reduce);
    nisa::activate2(c, nl::copy, a, 0.0f, 0.0f, nl::bypass, nl::bypass, 0.0f, false, false, op, sum,
                    reduce_cmd::reduce);
    std::vector<float> got = get(sum);
    for (size_t p = 0; p < 20; ++p) {
      std::vector<float> row;
      for (size_t i = 0; i < 33; ++i)
        row.push_back(x[p * 33 + i] * 1.5f);
      row.insert(row.end(), &x[p * 33], &x[p * 33] + 33);
      float expected = op == Op::maximum                        ? -INFINITY
                       : op == Op::minimum || op == Op::abs_min ? INFINITY
                                                                : 0;
      for (float value : row)
        expected = op == Op::add       ? expected + value
                   : op == Op::maximum ? std::max(expected, value)
                   : op == Op::minimum ? std::min(expected, value)
                   : op == Op::abs_max ? std::max(expected, std::fabs(value))
                                       : std::min(expected, std::fabs(value));
      EXPECT_EQ(got[p], expected) << nl::name_of(op);
    }
  }
}

TEST_F(Activation, ExponentialSubtractsTheMaximumAndSums) {
  for (DType type : {nl::float32, nl::bfloat16, nl::int32})
    for (auto [p, f] : {std::pair<int64_t, int64_t>{1, 1}, {127, 3}, {128, 1030}}) {
      std::vector<float> x;
      for (int64_t i = 0; i < p * f; ++i)
        x.push_back(float(i * 61 % 211) / 16 - 9);
      Tensor a = tile_of(x, p, f, type), most = tile_of({3, 0.25f, -1}, p, 1), c = tile(p, f);
      Tensor sum = tile(p, 1), start = tile_of({1, 2}, p, 1);
      nisa::exponential(c, a, most, sum, reduce_cmd::load_reduce, start);
      std::vector<float> in = get(a), m = get(most), z = get(c), s = get(sum), from = get(start);
      for (size_t row = 0; row < size_t(p); ++row) {
        float total = from[row];
        for (size_t i = row * size_t(f); i < (row + 1) * size_t(f); ++i) {
          ASSERT_NEAR(z[i], std::exp(in[i] - m[row]), 2e-7f * z[i]);
          total += z[i];
        }
        ASSERT_EQ(s[row], total);
      }
    }
  Tensor a = tile_of({-INFINITY, NAN, 200, -200, 0, -0.0f}, 1, 6), c = tile(1, 6);
  nisa::exponential(c, a);
  std::vector<float> z = get(c);
  EXPECT_EQ(z[0], 0.0f);
  EXPECT_TRUE(std::isnan(z[1]));
  EXPECT_EQ(z[2], INFINITY);
  EXPECT_EQ(z[3], 0.0f);
  EXPECT_EQ(z[4], 1.0f);
  EXPECT_EQ(z[5], 1.0f);
}

TEST_F(Activation, Rules) {
  Tensor a = tile_of({1}, 4, 8), c = tile(4, 8), column = tile_of({1}, 4, 1);
  Tensor halves = tile_of({1}, 4, 1, nl::bfloat16),
         packed = nl::ndarray({4, 8}, nl::float8_e5m2_x4);
  auto two = [&](Op op0, Op op1, bool reverse0 = false, bool reverse1 = false) {
    nisa::activate2(c, nl::exp, a, 1.0f, 1.0f, op0, op1, 0.0f, reverse0, reverse1);
  };
  EXPECT_RULE(two(nl::add, nl::multiply), "op0 and op1 must be");
  EXPECT_RULE(two(nl::bypass, nl::add), "op0 and op1 must be");
  EXPECT_RULE(two(nl::bypass, nl::bypass, true), "reverse0 needs op0");
  EXPECT_RULE(two(nl::add, nl::bypass, false, true), "reverse1 needs op1");
  EXPECT_RULE(nisa::activate2(c, nl::add, a, 1.0f, 1.0f, nl::multiply, nl::add),
              "activation function");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a, {}, 1.0f, nl::multiply, nl::add), "imm0 is missing");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a, 1.0f, {}, nl::multiply, nl::add), "imm1 is missing");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a, column, halves, nl::multiply, nl::add),
              "same data type");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a, a, 1.0f, nl::multiply, nl::add), "one element per");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a, 1.0f, 1.0f, nl::multiply, nl::add, a),
              "one element per");
  EXPECT_RULE(nisa::activate2(c, nl::exp, packed, 1.0f, 1.0f, nl::multiply, nl::add), "packed");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a.slice(1, 0, 4), 1.0f, 1.0f, nl::multiply, nl::add),
              "as many elements");
  auto reduce = [&](Op op, reduce_cmd cmd) {
    nisa::activate2(c, nl::exp, a, 1.0f, 1.0f, nl::multiply, nl::add, 0.0f, false, false, op, {},
                    cmd);
  };
  EXPECT_RULE(reduce(nl::multiply, reduce_cmd::reset_reduce), "abs_max or abs_min");
  EXPECT_RULE(reduce(nl::add, reduce_cmd::load_reduce), "cannot be loaded");
  EXPECT_RULE(reduce(Op::none, reduce_cmd::reset_reduce), "reduce_cmd needs reduce_op");
  EXPECT_RULE(reduce(nl::add, reduce_cmd::reduce), "never reset");
  EXPECT_RULE(nisa::activation(c, nl::prelu, a), "only activate2 takes");

  Tensor words = tile_of({1}, 4, 8, nl::uint32), tf = tile_of({1}, 4, 8, nl::tfloat32);
  EXPECT_RULE(nisa::exponential(words, a), "dst may not be uint32");
  EXPECT_RULE(nisa::exponential(c, tf), "src may not be tfloat32");
  EXPECT_RULE(nisa::exponential(c, a, halves), "max_value must be float32");
  EXPECT_RULE(nisa::exponential(c, a, 0.0f, words.slice(1, 0, 1), reduce_cmd::reset_reduce),
              "reduce_res must have a float type");
  EXPECT_RULE(nisa::exponential(c, a, 0.0f, column, reduce_cmd::idle), "reduce_cmd that reduces");
  EXPECT_RULE(nisa::exponential(c, a, 0.0f, column, reduce_cmd::reset),
              "idle, reset_reduce, reduce or");
  EXPECT_RULE(nisa::exponential(c, a, 0.0f, column, reduce_cmd::reset_reduce, 1.0f), "load_reduce");
  EXPECT_RULE(nisa::exponential(c, a, 0.0f, column, reduce_cmd::reduce), "never reset");
  nisa::exponential(c, a, 0.0f, column, reduce_cmd::reset_reduce);
  nisa::exponential(c, a);
  EXPECT_RULE(nisa::exponential(c, a, 0.0f, column, reduce_cmd::reduce), "idle came since");
}

TEST_F(Activation, IdleLeavesTheAccumulatorsAlone) {
  using nisa::reduce_cmd;
  Tensor a = tile_of({1, 2, 3}, 4, 3), c = tile(4, 3), sum = tile(4, 1);
  nisa::activation(c, nl::copy, a, {}, 1.0f, nl::add, {}, reduce_cmd::reset_reduce);
  nisa::activation(c, nl::copy, a, {}, 1.0f, nl::add, {}, reduce_cmd::idle);
  nisa::activation(c, nl::copy, a, {}, 1.0f, nl::add, sum, reduce_cmd::reduce);
  EXPECT_EQ(get(sum), std::vector<float>(4, 12));
  nisa::activation(c, nl::copy, a, {}, 1.0f, nl::add, sum, reduce_cmd::reset);
  EXPECT_EQ(get(sum), std::vector<float>(4, 0));
}

TEST_F(Trn2Activation, ExistFromV4On) {
  Tensor a = tile_of({1}, 4, 8), c = tile(4, 8);
  EXPECT_RULE(nisa::exponential(c, a), "from NeuronCore-v4 on");
  EXPECT_RULE(nisa::activate2(c, nl::exp, a, 1.0f, 1.0f, nl::multiply, nl::add), "NeuronCore-v4");
}

} // namespace
} // namespace nki
