// 32-bit integer operations on tiles, exact over the whole range.
#include "lanes/ops.h"

#include "chip_for_test.h"

#include <bit>
#include <random>

namespace nki {
namespace {

using Random = std::mt19937_64;

const int32_t kCorners[] = {0,
                            1,
                            -1,
                            2,
                            3,
                            -3,
                            7,
                            10,
                            31,
                            32,
                            33,
                            255,
                            256,
                            -256,
                            65535,
                            65536,
                            65537,
                            -65536,
                            (1 << 24) - 1,
                            1 << 24,
                            (1 << 24) + 1,
                            -(1 << 24) - 1,
                            1 << 30,
                            INT32_MAX,
                            INT32_MAX - 1,
                            INT32_MIN,
                            INT32_MIN + 1,
                            int32_t(0xaaaaaaaa),
                            0x55555555,
                            int32_t(0xfffffffe),
                            int32_t(0x80000001),
                            1000000007};

/// All pairs of corners, and random values of all magnitudes.
struct Operands {
  std::vector<int32_t> a, b;
};

Operands operands_for(const Wave &wave, Random &random) {
  Operands operands;
  for (int32_t a : kCorners)
    for (int32_t b : kCorners) {
      operands.a.push_back(a);
      operands.b.push_back(b);
    }
  while (int64_t(operands.a.size()) < wave.lanes()) {
    operands.a.push_back(int32_t(uint32_t(random()) >> random() % 32));
    operands.b.push_back(int32_t(uint32_t(random()) >> random() % 32));
    if (random() % 2)
      operands.a.back() = -operands.a.back();
    if (random() % 8 == 0) // near a multiple, where an estimate is off by one
      operands.a.back() = int32_t(uint32_t(operands.b.back()) * uint32_t(random() % 100000) -
                                  uint32_t(random() % 2));
  }
  return operands;
}

struct Binary {
  const char *name;
  void (*tile)(const Tensor &, const IntOperand &, const IntOperand &);
  int64_t (*number)(int32_t, int32_t);
  bool (*defined)(int32_t, int32_t) = nullptr;
};

bool by_nonzero(int32_t, int32_t b) { return b != 0; }

const Binary kBinary[] = {
    {"iadd", iadd, [](int32_t a, int32_t b) { return int64_t(a) + b; }},
    {"isub", isub, [](int32_t a, int32_t b) { return int64_t(a) - b; }},
    {"imul", imul, [](int32_t a, int32_t b) { return int64_t(a) * b; }},
    {"iand", iand, [](int32_t a, int32_t b) { return int64_t(a & b); }},
    {"ior", ior, [](int32_t a, int32_t b) { return int64_t(a | b); }},
    {"ixor", ixor, [](int32_t a, int32_t b) { return int64_t(a ^ b); }},
    {"shl", shl, [](int32_t a, int32_t b) { return int64_t(uint32_t(a) << (b & 31)); }},
    {"lshr", lshr, [](int32_t a, int32_t b) { return int64_t(uint32_t(a) >> (b & 31)); }},
    {"ashr", ashr, [](int32_t a, int32_t b) { return int64_t(a >> (b & 31)); }},
    {"sdiv", sdiv, [](int32_t a, int32_t b) { return int64_t(a) / b; }, by_nonzero},
    {"srem", srem, [](int32_t a, int32_t b) { return int64_t(a) % b; }, by_nonzero},
    {"udiv", udiv, [](int32_t a, int32_t b) { return int64_t(uint32_t(a) / uint32_t(b)); },
     by_nonzero},
    {"urem", urem, [](int32_t a, int32_t b) { return int64_t(uint32_t(a) % uint32_t(b)); },
     by_nonzero},
    {"smulhi", smulhi, [](int32_t a, int32_t b) { return int64_t(a) * b >> 32; }},
    {"umulhi", umulhi,
     [](int32_t a, int32_t b) { return int64_t(uint64_t(uint32_t(a)) * uint32_t(b) >> 32); }},
    {"smin", smin, [](int32_t a, int32_t b) { return int64_t(std::min(a, b)); }},
    {"smax", smax, [](int32_t a, int32_t b) { return int64_t(std::max(a, b)); }},
    {"umin", umin,
     [](int32_t a, int32_t b) { return int64_t(std::min(uint32_t(a), uint32_t(b))); }},
    {"umax", umax,
     [](int32_t a, int32_t b) { return int64_t(std::max(uint32_t(a), uint32_t(b))); }},
};

class Integers : public testing::Test {
protected:
  Integers() : operands_(operands_for(wave_, random_)) {}
  void expect(const Binary &op, const Tensor &result, const std::vector<int32_t> &a,
              const std::vector<int32_t> &b, const char *form) {
    std::vector<int32_t> values = from_tile<int32_t>(result);
    for (size_t i = 0; i < values.size(); ++i)
      if (!op.defined || op.defined(a[i], b[i]))
        ASSERT_EQ(values[i], int32_t(op.number(a[i], b[i])))
            << op.name << " " << form << " of " << a[i] << " and " << b[i];
  }
  Tensor tile(const std::vector<int32_t> &values) { return to_tile(wave_, values, DType::int32); }

  TestChip chip_;
  TestWave made_{{{100, 1, 1}, {93, 1, 1}, {0, 0, 0}, {100, 1, 1}, 1}};
  const Wave &wave_ = made_.wave();
  Random random_{4};
  Operands operands_;
};

TEST_F(Integers, TilesWithTiles) {
  for (const Binary &op : kBinary) {
    Tensor result = wave_.tile(DType::int32);
    op.tile(result, tile(operands_.a), tile(operands_.b));
    ASSERT_NO_FATAL_FAILURE(expect(op, result, operands_.a, operands_.b, "tiles"));
  }
}

TEST_F(Integers, TheResultMayReplaceAnOperand) {
  for (const Binary &op : kBinary) {
    Tensor a = tile(operands_.a), b = tile(operands_.b), same = tile(operands_.a);
    op.tile(a, a, tile(operands_.b));
    ASSERT_NO_FATAL_FAILURE(expect(op, a, operands_.a, operands_.b, "in place of the first"));
    op.tile(b, tile(operands_.a), b);
    ASSERT_NO_FATAL_FAILURE(expect(op, b, operands_.a, operands_.b, "in place of the second"));
    op.tile(same, same, same);
    ASSERT_NO_FATAL_FAILURE(expect(op, same, operands_.a, operands_.a, "with itself"));
  }
}

TEST_F(Integers, TilesWithNumbers) {
  std::vector<int32_t> numbers(std::begin(kCorners), std::end(kCorners));
  for (int i = 0; i < 8; ++i)
    numbers.push_back(int32_t(uint32_t(random_()) >> random_() % 32));
  for (int32_t number : numbers) {
    std::vector<int32_t> same(operands_.a.size(), number);
    for (const Binary &op : kBinary) {
      Tensor result = wave_.tile(DType::int32), replaced = tile(operands_.a);
      op.tile(result, tile(operands_.a), number);
      ASSERT_NO_FATAL_FAILURE(expect(op, result, operands_.a, same, "tile and number"));
      op.tile(result, number, tile(operands_.b));
      ASSERT_NO_FATAL_FAILURE(expect(op, result, same, operands_.b, "number and tile"));
      op.tile(replaced, replaced, number);
      ASSERT_NO_FATAL_FAILURE(expect(op, replaced, operands_.a, same, "in place with a number"));
      op.tile(result, number, 12345);
      ASSERT_NO_FATAL_FAILURE(
          expect(op, result, same, std::vector<int32_t>(same.size(), 12345), "numbers"));
    }
  }
}

TEST_F(Integers, DivisionByZeroIsNoError) {
  Tensor zero = tile(std::vector<int32_t>(operands_.a.size(), 0));
  Tensor result = wave_.tile(DType::int32);
  for (const Binary &op : kBinary)
    if (op.defined) {
      op.tile(result, tile(operands_.a), zero);
      op.tile(result, tile(operands_.a), 0);
      op.tile(result, 17, 0);
    }
}

struct Unary {
  const char *name;
  void (*tile)(const Tensor &, const Tensor &);
  uint32_t (*number)(uint32_t);
};

uint32_t reversed(uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (x >> i & 1) << (31 - i);
  return result;
}

TEST_F(Integers, UnaryOperations) {
  const Unary unary[] = {
      {"iabs", iabs, [](uint32_t x) { return int32_t(x) < 0 ? 0 - x : x; }},
      {"popc", popc, [](uint32_t x) { return uint32_t(std::popcount(x)); }},
      {"clz", clz, [](uint32_t x) { return uint32_t(std::countl_zero(x)); }},
      {"brev", brev, reversed},
  };
  for (const Unary &op : unary) {
    Tensor result = wave_.tile(DType::int32), replaced = tile(operands_.a);
    op.tile(result, tile(operands_.a));
    op.tile(replaced, replaced);
    std::vector<int32_t> values = from_tile<int32_t>(result), again = from_tile<int32_t>(replaced);
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(uint32_t(values[i]), op.number(uint32_t(operands_.a[i])))
          << op.name << " of " << operands_.a[i];
    ASSERT_EQ(values, again) << op.name;
  }
}

TEST_F(Integers, NarrowIntegersExtend) {
  for (int bits : {1, 3, 8, 16, 24, 25, 31, 32}) {
    Tensor signs = wave_.tile(DType::int32), zeros = wave_.tile(DType::int32);
    sext(signs, tile(operands_.a), bits);
    zext(zeros, tile(operands_.a), bits);
    std::vector<int32_t> s = from_tile<int32_t>(signs), z = from_tile<int32_t>(zeros);
    for (size_t i = 0; i < s.size(); ++i) {
      uint32_t value = uint32_t(operands_.a[i]);
      ASSERT_EQ(s[i], int32_t(value << (32 - bits)) >> (32 - bits)) << bits;
      ASSERT_EQ(uint32_t(z[i]), value << (32 - bits) >> (32 - bits)) << bits;
    }
  }
}

struct Comparison {
  const char *name;
  Mask (*tile)(const Wave &, const IntOperand &, const IntOperand &);
  bool (*number)(int32_t, int32_t);
};

TEST_F(Integers, Comparisons) {
  const Comparison comparisons[] = {
      {"eq", eq, [](int32_t a, int32_t b) { return a == b; }},
      {"ne", ne, [](int32_t a, int32_t b) { return a != b; }},
      {"slt", slt, [](int32_t a, int32_t b) { return a < b; }},
      {"sle", sle, [](int32_t a, int32_t b) { return a <= b; }},
      {"ult", ult, [](int32_t a, int32_t b) { return uint32_t(a) < uint32_t(b); }},
      {"ule", ule, [](int32_t a, int32_t b) { return uint32_t(a) <= uint32_t(b); }},
  };
  for (const Comparison &op : comparisons) {
    auto check = [&](const Mask &mask, auto a, auto b) {
      std::vector<uint32_t> values = from_tile<uint32_t>(mask.tile(wave_));
      for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], uint32_t(op.number(a(i), b(i)))) << op.name << a(i) << " " << b(i);
    };
    auto a = [&](size_t i) { return operands_.a[i]; };
    auto b = [&](size_t i) { return operands_.b[i]; };
    ASSERT_NO_FATAL_FAILURE(check(op.tile(wave_, tile(operands_.a), tile(operands_.b)), a, b));
    for (int32_t number : kCorners) {
      auto n = [&](size_t) { return number; };
      ASSERT_NO_FATAL_FAILURE(check(op.tile(wave_, tile(operands_.a), number), a, n));
      ASSERT_NO_FATAL_FAILURE(check(op.tile(wave_, number, tile(operands_.b)), n, b));
      EXPECT_EQ(op.tile(wave_, number, 7).is_all(), op.number(number, 7));
    }
  }
  for (int bit : {0, 1, 17, 31}) {
    std::vector<uint32_t> values =
        from_tile<uint32_t>(test_bit(wave_, tile(operands_.a), bit).tile(wave_));
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], uint32_t(operands_.a[i]) >> bit & 1);
  }
}

TEST_F(Integers, DivisionByEveryKindOfDivisor) {
  // Divisors around powers of two, and dividends around their multiples.
  std::vector<int32_t> a, b;
  while (int64_t(a.size()) < wave_.lanes()) {
    uint32_t divisor = (1u << random_() % 32) + uint32_t(random_() % 5) - 2;
    if (divisor == 0)
      divisor = 1;
    uint64_t multiples = (uint64_t(1) << 32) / divisor;
    uint32_t dividend =
        uint32_t(random_() % (multiples + 1) * divisor) + uint32_t(random_() % 3) - 1;
    a.push_back(int32_t(dividend));
    b.push_back(int32_t(divisor));
  }
  for (const Binary &op : kBinary) {
    if (!op.defined)
      continue;
    Tensor result = wave_.tile(DType::int32);
    op.tile(result, tile(a), tile(b));
    ASSERT_NO_FATAL_FAILURE(expect(op, result, a, b, "near multiples"));
  }
}

} // namespace
} // namespace nki
