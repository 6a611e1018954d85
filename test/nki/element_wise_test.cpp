// Element-wise instructions against one scalar formula per operator.

#include "chip_for_test.h"

namespace nki {
namespace {

using Op = nl::Op;

constexpr DType kTypes[] = {nl::uint8,   nl::int8,        nl::uint16,      nl::int16,
                            nl::uint32,  nl::int32,       nl::float16,     nl::bfloat16,
                            nl::float32, nl::float8_e4m3, nl::float8_e5m2, nl::float8_e4m3fn};
constexpr Op kBinary[] = {Op::add,        Op::subtract,    Op::multiply,  Op::maximum,
                          Op::minimum,    Op::equal,       Op::not_equal, Op::greater_equal,
                          Op::greater,    Op::less_equal,  Op::less,      Op::logical_and,
                          Op::logical_or, Op::logical_xor, Op::abs_max,   Op::abs_min};

float reference(Op op, float a, float b) {
  switch (op) {
  case Op::add:
    return a + b;
  case Op::subtract:
    return a - b;
  case Op::multiply:
    return a * b;
  case Op::maximum:
    return std::isnan(a) || std::isnan(b) ? NAN : a > b ? a : b;
  case Op::minimum:
    return std::isnan(a) || std::isnan(b) ? NAN : a < b ? a : b;
  case Op::abs_max:
    return reference(Op::maximum, std::fabs(a), std::fabs(b));
  case Op::abs_min:
    return reference(Op::minimum, std::fabs(a), std::fabs(b));
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
  case Op::less:
    return a < b;
  case Op::logical_and:
    return a != 0 && b != 0;
  case Op::logical_or:
    return a != 0 || b != 0;
  default:
    return (a != 0) != (b != 0);
  }
}

/// What a float becomes in a type.
float in_type(DType type, float value) {
  uint32_t bits = 0;
  chip::store_float(type, &bits, value);
  return chip::load_float(type, &bits);
}

class ElementWise : public ChipTest {};

TEST_F(ElementWise, TensorTensorMatchesTheFormulaForEveryOperatorAndType) {
  for (DType type : kTypes) {
    bool exact = type == nl::int32 || type == nl::uint32;
    Tensor a = tile_of(hard_floats(7 * 93, 1), 7, 93, type);
    Tensor b = tile_of(hard_floats(7 * 93, 2), 7, 93, type), c = tile(7, 93, type);
    std::vector<float> x = get(a), y = get(b);
    for (Op op : kBinary) {
      nisa::tensor_tensor(c, a, b, op, exact ? nisa::engine::vector : nisa::engine::unknown);
      std::vector<float> z = get(c);
      for (size_t i = 0; i < z.size(); ++i)
        ASSERT_TRUE(same(z[i], in_type(type, reference(op, x[i], y[i]))))
            << nl::name_of(op) << " " << name_of(type) << " " << x[i] << " " << y[i] << " " << z[i];
    }
  }
}

TEST_F(ElementWise, ShapesFromOneLaneToAWholeTile) {
  for (auto [p, f] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 1025}, {128, 1}, {97, 3}, {128, 513}, {3, 4099}}) {
    std::vector<float> x = hard_floats(size_t(p * f), 3), y = hard_floats(size_t(p * f), 4);
    Tensor a = tile_of(x, p, f), b = tile_of(y, p, f), c = tile(p, f);
    nisa::tensor_tensor(c, a, b, nl::add);
    std::vector<float> z = get(c);
    for (size_t i = 0; i < z.size(); ++i)
      ASSERT_TRUE(same(z[i], x[i] + y[i]));
  }
}

TEST_F(ElementWise, StridedAndBroadcastOperands) {
  Tensor a = tile_of(hard_floats(5 * 60), 5, 60), c = tile(5, 60);
  nisa::memset(c, -7.0f);
  Tensor third = a.slice(1, 1, 60, 3), to = c.slice(1, 0, 40, 2);
  Tensor column = a.slice(1, 4, 5).broadcast(1, 20);
  nisa::tensor_tensor(to, third, column, nl::multiply);
  std::vector<float> in = get(a), out = get(c);
  for (int64_t p = 0; p < 5; ++p)
    for (int64_t i = 0; i < 60; ++i) {
      bool written = i < 40 && i % 2 == 0;
      float expected =
          written ? in[size_t(p * 60 + 1 + i / 2 * 3)] * in[size_t(p * 60 + 4)] : -7.0f;
      ASSERT_TRUE(same(out[size_t(p * 60 + i)], expected)) << p << " " << i;
    }
}

TEST_F(ElementWise, IntegersWrapOnGpSimdEAndCompareByValue) {
  std::vector<uint32_t> x = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 16777217, 65537};
  std::vector<uint32_t> y = {5, 0xffffffff, 1, 0x80000000, 0xffffffff, 0x9abcdef0, 16777219, 65537};
  for (DType ta : {nl::int32, nl::uint32})
    for (DType tb : {nl::int32, nl::uint32}) {
      Tensor a = tile(2, 4, ta), b = tile(2, 4, tb), c = tile(2, 4, nl::int32);
      put_bits(a, x);
      put_bits(b, y);
      auto value = [](DType t, uint32_t v) {
        return t == nl::int32 ? int64_t(int32_t(v)) : int64_t(v);
      };
      for (Op op : {Op::add, Op::subtract, Op::multiply, Op::less, Op::greater_equal, Op::equal,
                    Op::maximum, Op::minimum}) {
        nisa::tensor_tensor(c, a, b, op);
        std::vector<uint32_t> z = get_bits(c);
        for (size_t i = 0; i < 8; ++i) {
          int64_t u = value(ta, x[i]), v = value(tb, y[i]);
          uint32_t expected = op == Op::add        ? x[i] + y[i]
                              : op == Op::subtract ? x[i] - y[i]
                              : op == Op::multiply ? x[i] * y[i]
                              : op == Op::less     ? u < v
                              : op == Op::equal    ? u == v
                              : op == Op::maximum  ? uint32_t(u > v ? u : v)
                              : op == Op::minimum  ? uint32_t(u < v ? u : v)
                                                   : u >= v;
          EXPECT_EQ(z[i], expected) << nl::name_of(op) << " " << u << " " << v;
        }
      }
    }
}

TEST_F(ElementWise, BitOperatorsAndShiftCounts) {
  for (DType type : {nl::uint8, nl::int16, nl::int32, nl::uint32}) {
    unsigned width = unsigned(size_of(type)) * 8;
    uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
    std::vector<uint32_t> x = {0, 1, mask, 0x5a5a5a5a & mask, 1u << (width - 1), 3};
    std::vector<uint32_t> y = {0, 1, width - 1, width, 33, 7};
    Tensor a = tile(1, 6, type), b = tile(1, 6, type), c = tile(1, 6, type);
    put_bits(a, x);
    put_bits(b, y);
    for (Op op :
         {Op::bitwise_and, Op::bitwise_or, Op::bitwise_xor, Op::left_shift, Op::right_shift}) {
      nisa::tensor_tensor(c, a, b, op);
      std::vector<uint32_t> z = get_bits(c);
      for (size_t i = 0; i < 6; ++i) {
        uint64_t u = x[i], v = y[i];
        uint64_t expected = op == Op::bitwise_and   ? u & v
                            : op == Op::bitwise_or  ? u | v
                            : op == Op::bitwise_xor ? u ^ v
                            : op == Op::left_shift  ? (v > 31 ? 0 : u << v)
                                                    : (v > 31 ? 0 : u >> v);
        EXPECT_EQ(z[i], uint32_t(expected) & mask) << nl::name_of(op) << " " << u << " " << v;
      }
    }
    nisa::tensor_scalar(c, a, nl::invert, {}, false, nl::bitwise_and, 0x7f);
    std::vector<uint32_t> z = get_bits(c);
    for (size_t i = 0; i < 6; ++i)
      EXPECT_EQ(z[i], ~x[i] & 0x7f);
  }
}

TEST_F(ElementWise, TensorScalarRoundsAfterEachOperationAndReverses) {
  std::vector<float> x = hard_floats(9 * 71);
  Tensor a = tile_of(x, 9, 71), column = tile_of(hard_floats(9, 8), 9, 1), c = tile(9, 71);
  std::vector<float> s = get(column);
  nisa::tensor_scalar(c, a, nl::multiply, column, false, nl::subtract, 3.1f, true);
  std::vector<float> z = get(c);
  for (size_t i = 0; i < z.size(); ++i) {
    volatile float product = x[i] * s[i / 71];
    ASSERT_TRUE(same(z[i], 3.1f - product));
  }
}

TEST_F(ElementWise, AScalarOperandInsideTheDestinationIsReadFirst) {
  Tensor a = tile_of(hard_floats(2 * 3000), 2, 3000);
  std::vector<float> x = get(a);
  nisa::tensor_scalar(a, a, nl::add, a.slice(1, 7, 8));
  std::vector<float> z = get(a);
  for (size_t i = 0; i < z.size(); ++i)
    ASSERT_TRUE(same(z[i], x[i] + x[i / 3000 * 3000 + 7])) << i;
}

TEST_F(ElementWise, ScalarTensorTensorInPlaceOfEitherTile) {
  for (int place = 0; place < 3; ++place) {
    std::vector<float> x = hard_floats(4 * 1500, 5), y = hard_floats(4 * 1500, 6);
    Tensor a = tile_of(x, 4, 1500), b = tile_of(y, 4, 1500), c = tile(4, 1500);
    Tensor to = place == 0 ? c : place == 1 ? a : b;
    nisa::scalar_tensor_tensor(to, a, nl::multiply, 0.3f, nl::subtract, b, false, true);
    std::vector<float> z = get(to);
    for (size_t i = 0; i < z.size(); ++i) {
      volatile float product = x[i] * 0.3f;
      ASSERT_TRUE(same(z[i], y[i] - product)) << place << " " << i;
    }
  }
}

TEST_F(ElementWise, ReciprocalIsCorrectlyRounded) {
  std::vector<float> x = hard_floats(128 * 33);
  Tensor a = tile_of(x, 128, 33), c = tile(128, 33);
  nisa::reciprocal(c, a);
  std::vector<float> z = get(c);
  for (size_t i = 0; i < z.size(); ++i)
    ASSERT_TRUE(same(z[i], 1.0f / x[i]));
}

TEST_F(ElementWise, PowerFollowsIeee) {
  std::vector<float> bases = {0.0f,     -0.0f,     1.0f, -1.0f,  2.0f, -2.0f, 0.5f,
                              INFINITY, -INFINITY, NAN,  1e-40f, 3.7f, -3.0f, 1e30f};
  std::vector<float> exponents = {0.0f,     1.0f,      -1.0f, 2.0f, 3.0f,        -3.0f, 0.5f,
                                  INFINITY, -INFINITY, NAN,   1e9f, 16777215.0f, -2.5f};
  std::vector<float> x, y;
  for (float base : bases)
    for (float exponent : exponents) {
      x.push_back(base);
      y.push_back(exponent);
    }
  int64_t n = int64_t(x.size());
  Tensor a = tile_of(x, 1, n), b = tile_of(y, 1, n), c = tile(1, n);
  nisa::tensor_tensor(c, a, b, nl::power);
  std::vector<float> z = get(c);
  for (size_t i = 0; i < z.size(); ++i) {
    float expected = float(std::pow(double(x[i]), double(y[i])));
    bool near = std::fabs(z[i] - expected) <= 2e-7f * std::fabs(expected);
    EXPECT_TRUE(same(z[i], expected) || near) << x[i] << " " << y[i] << " " << z[i];
  }
}

TEST(ElementWiseAssumptions, EachSettingChangesWhatItSays) {
  chip::Hbm hbm;
  chip::ChipAssumptions other{.flush_denormals = true,
                              .nan_in_min_max = chip::NanRule::number,
                              .integer_overflow = chip::OverflowRule::saturate,
                              .large_shift_is_zero = false,
                              .round_between_operations = false};
  chip::Core core(chip::generation("trn3"), hbm, other);
  CoreScope scope(core);
  Tensor a = tile_of({NAN, 0x1p-140f, 0x1.000002p0f}, 1, 3), b = tile_of({2, 1, 3}, 1, 3);
  Tensor c = tile(1, 3);
  nisa::tensor_tensor(c, a, b, nl::maximum);
  EXPECT_EQ(get(c)[0], 2.0f);
  nisa::tensor_tensor(c, a, b, nl::multiply);
  EXPECT_EQ(get(c)[1], 0.0f);
  nisa::tensor_scalar(c, a, nl::multiply, 0x1.000002p0f, false, nl::add, -1.0f);
  EXPECT_EQ(get(c)[2], std::fma(0x1.000002p0f, 0x1.000002p0f, -1.0f));
  Tensor i = tile(1, 2, nl::int32), s = tile(1, 2, nl::int32), r = tile(1, 2, nl::int32);
  put_bits<uint32_t>(i, {0x7fffffff, 1});
  put_bits<uint32_t>(s, {1, 33});
  nisa::tensor_tensor(r, i, s, nl::add);
  EXPECT_EQ(get_bits(r)[0], 0x7fffffffu);
  nisa::tensor_tensor(r, i, s, nl::left_shift);
  EXPECT_EQ(get_bits(r)[1], 2u);
}

TEST_F(ElementWise, ActivationScalesAndAddsPerPartitionAndAccumulates) {
  for (DType type : {nl::float32, nl::bfloat16}) {
    std::vector<float> x(33 * 700);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i % 97) / 16 - 3;
    Tensor a = tile_of(x, 33, 700), s = tile_of({0.5f, 1.5f, -1.0f}, 33, 1);
    Tensor b = tile_of({1.0f, 0.25f}, 33, 1), c = tile(33, 700, type), sum = tile(33, 1);
    std::vector<float> scale = get(s), bias = get(b);
    nisa::activation_reduce(c, nl::relu, a, nl::add, sum, b, s);
    std::vector<float> z = get(c), total = get(sum);
    for (size_t p = 0; p < 33; ++p) {
      float expected = 0;
      for (size_t i = 0; i < 700; ++i) {
        volatile float product = x[p * 700 + i] * scale[p];
        float value = std::max(0.0f, product + bias[p]);
        ASSERT_EQ(z[p * 700 + i], in_type(type, value));
        expected += value; // in order, before rounding to the destination
      }
      ASSERT_EQ(total[p], expected) << p;
    }
  }
}

TEST_F(ElementWise, ActivationsOutsideTheirRangeAreNotANumber) {
  Tensor a = tile_of({0.0f, 0x1p-70f, 0x1p70f, -1.0f, 1.0f}, 1, 5), c = tile(1, 5);
  nisa::activation(c, nl::log, a);
  std::vector<float> z = get(c);
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(std::isnan(z[size_t(i)])) << i;
  EXPECT_EQ(z[4], 0.0f);
  put(a, {9.0f, -9.0f, 3.0f, 0.0f, 1.0f});
  nisa::activation(c, nl::sin, a);
  z = get(c);
  EXPECT_NEAR(z[0], 27.65f, 0.01f);
  EXPECT_EQ(z[1], -z[0]);
  EXPECT_NEAR(z[2], std::sin(3.0f), 1e-6f);
}

} // namespace
} // namespace nki
