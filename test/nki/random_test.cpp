// Random numbers: states, ranges, distributions, rules.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

class Random : public ChipTest {
protected:
  static Tensor states(int64_t p, int64_t words) {
    std::vector<uint32_t> values;
    for (uint32_t i = 0; i < p * words; ++i)
      values.push_back(i * 2654435761u + 12345);
    Tensor result = tile(p, words, nl::uint32);
    put_bits(result, values);
    return result;
  }
};
class Trn1Random : public ChipTest {
protected:
  Trn1Random() : ChipTest("trn1") {}
};
class Trn2Random : public ChipTest {
protected:
  Trn2Random() : ChipTest("trn2") {}
};

/// Marsaglia's xorwow.
struct Reference {
  uint32_t x, y, z, w, v, d;
  uint32_t operator()() {
    uint32_t t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = v ^ (v << 4) ^ t ^ (t << 1);
    return (d += 362437) + v;
  }
};

TEST_F(Random, NumbersFollowTheStatesOfTheirPartition) {
  for (nisa::engine on : {nisa::engine::gpsimd, nisa::engine::vector}) {
    int64_t count = on == nisa::engine::gpsimd ? 1 : 4, words = 6 * count;
    Tensor seeds = states(37, words), c = tile(37, 1100, nl::uint32),
           after = tile(37, words, nl::uint32);
    nisa::rand_set_state(seeds, on);
    nisa::rng(c, on);
    nisa::rand_get_state(after, on);
    std::vector<uint32_t> s = get_bits(seeds), z = get_bits(c), end = get_bits(after);
    for (size_t p = 0; p < 37; ++p)
      for (size_t g = 0; g < size_t(count); ++g) {
        uint32_t *word = &s[p * size_t(words) + g * 6];
        Reference next{word[0], word[1], word[2], word[3], word[4], word[5]};
        for (size_t i = g; i < 1100; i += size_t(count))
          ASSERT_EQ(z[p * 1100 + i], next()) << p << " " << i;
        EXPECT_EQ(end[p * size_t(words) + g * 6 + 5], next.d);
        EXPECT_EQ(end[p * size_t(words) + g * 6], next.x);
      }
    nisa::rand_set_state(seeds, on);
    Tensor bytes = tile(37, 1100, nl::int8);
    nisa::rng(bytes, on);
    std::vector<uint32_t> low = get_bits(bytes);
    for (size_t i = 0; i < z.size(); ++i)
      ASSERT_EQ(low[i], z[i] & 0xff);
  }
}

TEST_F(Random, TheSameSeedGivesTheSameNumbers) {
  Tensor seed = tile(1, 1, nl::uint32), a = tile(128, 50, nl::uint32),
         b = tile(128, 50, nl::uint32);
  nisa::memset(seed, 5);
  nisa::set_rng_seed(seed);
  nisa::rng(a);
  nisa::rng(b);
  EXPECT_NE(get_bits(a), get_bits(b));
  nisa::set_rng_seed(seed);
  nisa::rng(b);
  EXPECT_EQ(get_bits(a), get_bits(b));
  nisa::memset(seed, 6);
  nisa::set_rng_seed(seed);
  nisa::rng(b);
  EXPECT_NE(get_bits(a), get_bits(b));
  std::vector<uint32_t> values = get_bits(a);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(std::unique(values.begin(), values.end()), values.end()) << "lanes differ";
}

TEST_F(Random, UniformNumbersFillTheirRange) {
  Tensor c = tile(128, 1030), low = tile_of({-3, 10}, 128, 1), high = tile_of({5, 11}, 128, 1);
  nisa::rand2(c, low, high);
  std::vector<float> z = get(c);
  double sum[2] = {};
  for (size_t i = 0; i < z.size(); ++i) {
    bool odd = i / 1030 % 2;
    ASSERT_GE(z[i], odd ? 10 : -3);
    ASSERT_LE(z[i], odd ? 11 : 5);
    sum[odd] += z[i];
  }
  EXPECT_NEAR(sum[0] / (64 * 1030), 1, 0.05);
  EXPECT_NEAR(sum[1] / (64 * 1030), 10.5, 0.01);
  Tensor small = tile(3, 7, nl::int16);
  nisa::rand2(small, 0.0f, 100.0f);
  for (float value : get(small))
    EXPECT_TRUE(value >= 0 && value <= 100 && value == std::floor(value));
}

TEST_F(Random, DropoutDropsTheShareItIsAskedTo) {
  for (DType type : {nl::float32, nl::bfloat16, nl::int32}) {
    Tensor a = tile_of({7}, 128, 600, type), c = tile(128, 600, type);
    Tensor share = tile_of({0, 1, 0.25f}, 128, 1);
    nisa::dropout(c, a, share);
    std::vector<float> z = get(c);
    double dropped = 0, rows = 0;
    for (size_t p = 0; p < 128; ++p) {
      auto zeros = std::count(&z[p * 600], &z[p * 600] + 600, 0.0f);
      EXPECT_EQ(zeros + std::count(&z[p * 600], &z[p * 600] + 600, 7.0f), 600);
      if (p % 3 < 2) {
        EXPECT_EQ(zeros, p % 3 ? 600 : 0);
        continue;
      }
      dropped += double(zeros);
      ++rows;
    }
    EXPECT_NEAR(dropped / (rows * 600), 0.25, 0.02);
  }
}

TEST_F(Random, DropoutOfProbabilityZeroKeepsEvenWhereTheNumberIsZero) {
  // States of zeros draw zeros while their counters come back to zero.
  std::vector<uint32_t> states;
  for (int generator = 0; generator < 4; ++generator)
    states.insert(states.end(), {0, 0, 0, 0, 0, 0u - 362437u});
  Tensor seeds = tile(4, 24, nl::uint32), a = tile_of({7}, 4, 4), c = tile(4, 4);
  put_bits<uint32_t>(seeds, states);
  nisa::rand_set_state(seeds, nisa::engine::vector);
  nisa::dropout(c, a, 0.0f);
  EXPECT_EQ(get(c), std::vector<float>(16, 7));
  nisa::rand_set_state(seeds, nisa::engine::vector);
  nisa::dropout(c, a, 0x1p-24f);
  EXPECT_EQ(get(c), std::vector<float>(16, 0));
}

TEST_F(Random, Rules) {
  using nisa::engine;
  Tensor a = tile_of({1}, 4, 8), c = tile(4, 8), ints = tile_of({1}, 4, 8, nl::int32);
  Tensor psum = nl::ndarray({4, 24}, nl::uint32, nl::psum),
         halves = tile_of({1}, 4, 1, nl::float16);
  EXPECT_RULE(nisa::rng(c), "dst must be int8");
  EXPECT_RULE(nisa::rng(ints, engine::scalar), "engine must be");
  EXPECT_RULE(nisa::rng(psum, engine::gpsimd), "cannot access PSUM");
  EXPECT_RULE(nisa::rand2(c, 1.0f, 1.0f), "less than max");
  EXPECT_RULE(nisa::rand2(c, {}, 1.0f), "numbers or columns");
  EXPECT_RULE(nisa::rand2(c, halves, 2.0f), "must be float32");
  EXPECT_RULE(nisa::rand2(c, 0.0f, a), "one element per partition");
  EXPECT_RULE(nisa::rand2(tile(4, 8, nl::float8_e4m3fn), 0.0f, 1.0f), "float8_e4m3fn");
  EXPECT_RULE(nisa::dropout(ints, a, 0.5f), "same data type");
  EXPECT_RULE(nisa::dropout(c, a, ints.slice(1, 0, 1)), "prob must have a float type");
  EXPECT_RULE(nisa::dropout(ints, ints, halves), "prob must be float32");
  EXPECT_RULE(nisa::dropout(c, a, {}), "prob is missing");
  EXPECT_RULE(nisa::dropout(c, a.slice(1, 0, 4), 0.5f), "as many elements");
  EXPECT_RULE(nisa::set_rng_seed(ints), "one value of 32 bits");
  EXPECT_RULE(nisa::set_rng_seed(tile_of({1}, 1, 1, nl::int16)), "one value of 32 bits");
  EXPECT_RULE(nisa::set_rng_seed(tile(1, 1, nl::uint32)), "never written");
  EXPECT_RULE(nisa::rand_set_state(states(4, 24)), "6 elements");
  EXPECT_RULE(nisa::rand_set_state(states(4, 6), engine::vector), "24 elements");
  EXPECT_RULE(nisa::rand_set_state(tile(4, 6, nl::int32)), "type uint32");
  EXPECT_RULE(nisa::rand_set_state(psum, engine::vector), "must be in SBUF");
  EXPECT_RULE(nisa::rand_set_state(states(4, 6), engine::scalar), "engine must be");
  EXPECT_RULE(nisa::rand_get_state(nl::ndarray({4, 6}, nl::uint32, nl::psum)),
              "cannot access PSUM");
  nisa::rand_get_state(psum, engine::vector);
}

TEST_F(Trn2Random, VectorEsStatesAreClosed) {
  EXPECT_RULE(nisa::rand_set_state(tile(4, 24, nl::uint32), nisa::engine::vector), "NeuronCore-v4");
  EXPECT_RULE(nisa::rand2(tile(4, 8), 0.0f, 1.0f), "NeuronCore-v4");
  nisa::rng(tile(4, 8, nl::uint32), nisa::engine::gpsimd);
}

TEST_F(Trn1Random, OnlyVectorEDrawsNumbers) {
  EXPECT_RULE(nisa::rng(tile(4, 8, nl::uint32), nisa::engine::gpsimd), "NeuronCore-v3");
  EXPECT_RULE(nisa::rand_get_state(tile(4, 6, nl::uint32)), "NeuronCore-v2");
  nisa::rng(tile(4, 8, nl::uint32));
}

} // namespace
} // namespace nki
