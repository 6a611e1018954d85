// Every operation on launch-known integers against the same operation lane by lane.
#include "lanes/launch.h"

#include "waves_for_test.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace nki {
namespace {

uint64_t low(uint64_t value, int bits) { return value << (64 - bits) >> (64 - bits); }
int64_t sign(uint64_t value, int bits) { return int64_t(value << (64 - bits)) >> (64 - bits); }

using Random = std::mt19937_64;

struct Value {
  Index index;
  std::vector<uint64_t> lanes; // low bits
};

void expect_same(const Wave &wave, const Index &index, const std::vector<uint64_t> &lanes,
                 const std::string &what) {
  for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
    ASSERT_EQ(index.unsigned_at(lane), lanes[size_t(lane)]) << what << ", lane " << lane;
    ASSERT_EQ(index.signed_at(lane), sign(lanes[size_t(lane)], index.bits())) << what;
  }
}
void expect_same(const Wave &wave, const Mask &mask, const std::function<bool(int64_t)> &lane_is_in,
                 const std::string &what) {
  int64_t in = 0;
  for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
    ASSERT_EQ(mask.at(lane), lane_is_in(lane)) << what << ", lane " << lane;
    in += mask.at(lane);
  }
  ASSERT_EQ(mask.is_none(), in == 0) << what;
  ASSERT_EQ(mask.is_all(), in == wave.lanes()) << what;
}

uint64_t interesting(Random &random, int bits) {
  switch (random() % 8) {
  case 0:
    return random();
  case 1:
    return uint64_t(1) << (bits - 1);
  case 2:
    return (uint64_t(1) << (bits - 1)) - random() % 3;
  case 3:
    return ~uint64_t(0) - random() % 3;
  case 4:
    return uint64_t(1) << random() % unsigned(bits);
  case 5:
    return (uint64_t(1) << random() % unsigned(bits)) - 1;
  default:
    return random() % 300;
  }
}

Value leaf(const Wave &wave, int bits, Random &random) {
  std::vector<uint64_t> lanes(size_t(wave.lanes()));
  switch (random() % 6) {
  case 0: { // a number
    uint64_t value = low(interesting(random, bits), bits);
    std::fill(lanes.begin(), lanes.end(), value);
    return {Index(int64_t(value), bits), lanes};
  }
  case 1: { // arbitrary
    std::vector<int64_t> values(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i)
      lanes[i] = low(uint64_t(values[i] = int64_t(interesting(random, bits))), bits);
    return {Index(wave, bits, values), lanes};
  }
  default: { // affine
    std::array<int64_t, kAxes> coefficients{};
    int64_t constant = int64_t(random() % 2 ? interesting(random, bits) : random() % 100);
    for (int64_t &c : coefficients)
      c = random() % 3 ? int64_t(random() % 2 ? random() % 64 : interesting(random, bits)) : 0;
    for (int64_t lane = 0; lane < wave.lanes(); ++lane) {
      uint64_t value = uint64_t(constant);
      for (int axis = 0; axis < kAxes; ++axis)
        value += uint64_t(coefficients[size_t(axis)]) * uint64_t(wave.coordinate(Axis(axis), lane));
      lanes[size_t(lane)] = low(value, bits);
    }
    return {Index(wave, bits, constant, coefficients), lanes};
  }
  }
}

struct Binary {
  const char *name;
  Index (*index)(const Index &, const Index &);
  uint64_t (*lane)(uint64_t, uint64_t, int bits);
};

const Binary kBinary[] = {
    {"+", operator+, [](uint64_t a, uint64_t b, int) { return a + b; }},
    {"-", operator-, [](uint64_t a, uint64_t b, int) { return a - b; }},
    {"*", operator*, [](uint64_t a, uint64_t b, int) { return a * b; }},
    {"&", operator&, [](uint64_t a, uint64_t b, int) { return a & b; }},
    {"|", operator|, [](uint64_t a, uint64_t b, int) { return a | b; }},
    {"^", operator^, [](uint64_t a, uint64_t b, int) { return a ^ b; }},
    {"<<", operator<<,
     [](uint64_t a, uint64_t b, int bits) { return b < uint64_t(bits) ? a << b : 0; }},
    {"lshr", lshr,
     [](uint64_t a, uint64_t b, int bits) { return b < uint64_t(bits) ? a >> b : 0; }},
    {"ashr", ashr,
     [](uint64_t a, uint64_t b, int bits) {
       return uint64_t(sign(a, bits) >> std::min<uint64_t>(b, 63));
     }},
    {"udiv", udiv, [](uint64_t a, uint64_t b, int) { return b ? a / b : 0; }},
    {"urem", urem, [](uint64_t a, uint64_t b, int) { return b ? a % b : 0; }},
    {"sdiv", sdiv,
     [](uint64_t a, uint64_t b, int bits) {
       if (low(b, bits) == 0)
         return uint64_t(0);
       return sign(b, bits) == -1 ? 0 - a : uint64_t(sign(a, bits) / sign(b, bits));
     }},
    {"srem", srem,
     [](uint64_t a, uint64_t b, int bits) {
       if (low(b, bits) == 0 || sign(b, bits) == -1)
         return uint64_t(0);
       return uint64_t(sign(a, bits) % sign(b, bits));
     }},
    {"smin", smin,
     [](uint64_t a, uint64_t b, int bits) { return sign(a, bits) < sign(b, bits) ? a : b; }},
    {"smax", smax,
     [](uint64_t a, uint64_t b, int bits) { return sign(a, bits) < sign(b, bits) ? b : a; }},
    {"umin", umin, [](uint64_t a, uint64_t b, int) { return a < b ? a : b; }},
    {"umax", umax, [](uint64_t a, uint64_t b, int) { return a < b ? b : a; }},
};

struct Comparison {
  const char *name;
  Mask (*index)(const Index &, const Index &);
  bool (*lane)(uint64_t, uint64_t, int bits);
};

const Comparison kComparisons[] = {
    {"eq", eq, [](uint64_t a, uint64_t b, int) { return a == b; }},
    {"ne", ne, [](uint64_t a, uint64_t b, int) { return a != b; }},
    {"ult", ult, [](uint64_t a, uint64_t b, int) { return a < b; }},
    {"ule", ule, [](uint64_t a, uint64_t b, int) { return a <= b; }},
    {"ugt", ugt, [](uint64_t a, uint64_t b, int) { return a > b; }},
    {"uge", uge, [](uint64_t a, uint64_t b, int) { return a >= b; }},
    {"slt", slt, [](uint64_t a, uint64_t b, int bits) { return sign(a, bits) < sign(b, bits); }},
    {"sle", sle, [](uint64_t a, uint64_t b, int bits) { return sign(a, bits) <= sign(b, bits); }},
    {"sgt", sgt, [](uint64_t a, uint64_t b, int bits) { return sign(a, bits) > sign(b, bits); }},
    {"sge", sge, [](uint64_t a, uint64_t b, int bits) { return sign(a, bits) >= sign(b, bits); }},
};

class IndexOnWaves : public testing::TestWithParam<WaveShape> {};

TEST_P(IndexOnWaves, BinaryOperationsAndComparisonsAreExactInEveryWidth) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  Random random(7);
  for (int round = 0; round < 150; ++round) {
    int bits = std::array{1, 7, 8, 16, 31, 32, 32, 33, 63, 64, 64}[random() % 11];
    Value a = leaf(wave, bits, random), b = leaf(wave, bits, random);
    std::string where = "round " + std::to_string(round) + ", " + std::to_string(bits) + " bits ";
    for (const Binary &op : kBinary) {
      std::vector<uint64_t> lanes(a.lanes.size());
      for (size_t i = 0; i < lanes.size(); ++i)
        lanes[i] = low(op.lane(a.lanes[i], b.lanes[i], bits), bits);
      ASSERT_NO_FATAL_FAILURE(
          expect_same(wave, op.index(a.index, b.index), lanes, where + op.name));
    }
    for (const Comparison &test : kComparisons) {
      Mask mask = test.index(a.index, b.index);
      auto lane_is_in = [&](int64_t i) {
        return test.lane(a.lanes[size_t(i)], b.lanes[size_t(i)], bits);
      };
      ASSERT_NO_FATAL_FAILURE(expect_same(wave, mask, lane_is_in, where + test.name));
    }
  }
}

TEST_P(IndexOnWaves, WidthsAreChangedExactly) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    int bits = 1 + int(random() % 64), to = 1 + int(random() % 64);
    Value a = leaf(wave, bits, random);
    std::vector<uint64_t> sexts, zexts, truncs, abses;
    for (uint64_t lane : a.lanes) {
      sexts.push_back(low(uint64_t(sign(lane, bits)), to));
      zexts.push_back(low(lane, to));
      truncs.push_back(low(lane, to));
      abses.push_back(low(sign(lane, bits) < 0 ? 0 - lane : lane, bits));
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(wave, sext(a.index, to), sexts, "sext"));
    ASSERT_NO_FATAL_FAILURE(expect_same(wave, zext(a.index, to), zexts, "zext"));
    if (to <= bits)
      ASSERT_NO_FATAL_FAILURE(expect_same(wave, trunc(a.index, to), truncs, "trunc"));
    ASSERT_NO_FATAL_FAILURE(expect_same(wave, abs(a.index), abses, "abs"));
  }
}

TEST_P(IndexOnWaves, ChainsOfOperationsStayExact) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    int bits = random() % 2 ? 32 : 64;
    Value value = leaf(wave, bits, random);
    for (int step = 0; step < 6; ++step) {
      Value other = leaf(wave, bits, random);
      if (random() % 2 == 0) { // a shift, mask or division by a number, as addresses have them
        uint64_t number = 1 + random() % 40;
        other = {Index(int64_t(number), bits), std::vector<uint64_t>(value.lanes.size(), number)};
      }
      const Binary &op = kBinary[random() % std::size(kBinary)];
      for (size_t i = 0; i < value.lanes.size(); ++i)
        value.lanes[i] = low(op.lane(value.lanes[i], other.lanes[i], bits), bits);
      value.index = op.index(value.index, other.index);
      ASSERT_NO_FATAL_FAILURE(expect_same(wave, value.index, value.lanes, op.name));
    }
  }
}

TEST_P(IndexOnWaves, SelectionFollowsTheMask) {
  TestWave made(GetParam());
  const Wave &wave = made.wave();
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    Value a = leaf(wave, 32, random), b = leaf(wave, 32, random), c = leaf(wave, 32, random);
    Mask mask = slt(a.index, b.index);
    std::vector<uint64_t> expected(a.lanes.size());
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = sign(a.lanes[i], 32) < sign(b.lanes[i], 32) ? a.lanes[i] : c.lanes[i];
    ASSERT_NO_FATAL_FAILURE(expect_same(wave, select(mask, a.index, c.index), expected, "select"));
    Index variable = c.index;
    assign(variable, a.index, mask);
    ASSERT_NO_FATAL_FAILURE(expect_same(wave, variable, expected, "assign"));
  }
}

INSTANTIATE_TEST_SUITE_P(Waves, IndexOnWaves, testing::ValuesIn(kWaveShapes), shape_name);

TEST(Index, AddressesOfUsualKernelsStayAffine) {
  TestWave made({{100, 3, 2}, {32, 4, 2}, {7, 1, 1}, {5, 2, 1}, 3});
  const Wave &w = made.wave();
  Index i = w.blockIdx.x * Index(32) + w.threadIdx.x;
  EXPECT_TRUE(i.is_affine());
  EXPECT_TRUE(sext(i, 64).is_affine());
  EXPECT_TRUE(zext(i - Index(1), 64).is_affine()) << "never negative here";
  EXPECT_TRUE((sext(i, 64) * Index(4L) + Index(16L)).is_affine());
  EXPECT_TRUE(udiv(i, Index(32)).is_affine()) << "the block";
  EXPECT_TRUE(urem(i, Index(32)).is_affine()) << "the thread";
  EXPECT_TRUE((i & Index(31)).is_affine());
  EXPECT_TRUE((i & Index(-32)).is_affine());
  EXPECT_TRUE(lshr(i, Index(5)).is_affine());
  EXPECT_TRUE((i * Index(4) | Index(3)).is_affine());
  EXPECT_TRUE((sdiv(i, Index(100)) * Index(100) + srem(i, Index(100))).is_affine());
  EXPECT_TRUE(smin(i, Index(1 << 20)).is_affine());
  EXPECT_FALSE((w.threadIdx.x ^ Index(1)).is_affine());
}

TEST(Index, ANegativeValueZeroExtendsByItsLane) {
  TestWave made({{4, 1, 1}, {8, 1, 1}, {0, 0, 0}, {4, 1, 1}, 1});
  const Wave &w = made.wave();
  Index before = w.blockIdx.x * Index(8) + w.threadIdx.x - Index(1);
  Index extended = zext(before, 64);
  EXPECT_EQ(extended.unsigned_at(0), 0xffffffffu);
  EXPECT_EQ(extended.unsigned_at(1), 0u);
  EXPECT_EQ(sext(before, 64).signed_at(0), -1);
}

TEST(Index, APlainNumberTakesTheWidthOfItsPartner) {
  TestWave made({{4, 1, 1}, {8, 1, 1}, {0, 0, 0}, {4, 1, 1}, 1});
  const Wave &w = made.wave();
  Index wide = sext(w.threadIdx.x, 64) + Index(-1);
  EXPECT_EQ(wide.bits(), 64);
  EXPECT_EQ(wide.signed_at(0), -1);
}

} // namespace
} // namespace nki
