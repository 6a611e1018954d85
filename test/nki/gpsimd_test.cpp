// Instructions of GpSimdE's processors, which see 16 partitions each.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

class GpSimd : public ChipTest {
protected:
  static Tensor indices(int64_t p, int64_t f, uint32_t count) {
    std::vector<uint32_t> values;
    for (uint32_t i = 0; i < p * f; ++i)
      values.push_back(i * 7919u % count);
    Tensor result = tile(p, f, nl::uint16);
    put_bits(result, values);
    return result;
  }
};
class OldGpSimd : public ChipTest {
protected:
  OldGpSimd() : ChipTest("trn1") {}
};

TEST_F(GpSimd, LocalGatherUsesOneListPerSixteenPartitions) {
  for (DType type : {nl::float32, nl::bfloat16, nl::uint8})
    for (int64_t per : {1, 4}) {
      const int64_t partitions = 48, width = 120, lists = 5, valid = 71;
      std::vector<float> x;
      for (int64_t i = 0; i < partitions * width; ++i)
        x.push_back(float(i * 13 % 251));
      Tensor a = tile_of(x, partitions, width, type), at = indices(partitions, lists, 117);
      Tensor c = tile(partitions, valid * per, type);
      nisa::local_gather(c, a, at, int(per), int(valid));
      x = get(a);
      std::vector<float> z = get(c);
      std::vector<uint32_t> index = get_bits(at);
      for (int64_t p = 0; p < partitions; ++p)
        for (int64_t i = 0; i < valid; ++i)
          for (int64_t j = 0; j < per; ++j) {
            uint32_t from = index[size_t((p / 16 * 16 + i % 16) * lists + i / 16)];
            ASSERT_EQ(z[size_t(p * valid * per + i * per + j)], x[size_t(p * width + from + j)]);
          }
    }
}

TEST_F(GpSimd, NonzeroPositionsOfEverySixteenthPartition) {
  for (DType type : {nl::float32, nl::int32}) {
    std::vector<float> x(33 * 1500);
    for (size_t i = 0; i < x.size(); i += 3)
      x[i] = float(i % 7) - 3;
    x[5] = type == nl::float32 ? -0.0f : 0;
    if (type == nl::float32)
      x[7] = NAN;
    Tensor a = tile_of(x, 33, 1500, type), c = tile(33, 1501, nl::int32);
    nisa::memset(c, 77);
    nisa::nonzero_with_count(c, a, 16, -5);
    std::vector<uint32_t> z = get_bits(c);
    for (size_t p = 0; p < 33; ++p) {
      std::vector<uint32_t> expected;
      for (size_t i = 0; i < 1500; ++i)
        if (x[p * 1500 + i] != 0)
          expected.push_back(uint32_t(i + 16));
      uint32_t count = uint32_t(expected.size());
      expected.resize(1500, uint32_t(-5));
      expected.push_back(count);
      if (p % 16 != 0)
        expected.assign(1501, 77);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), &z[p * 1501])) << p;
    }
  }
}

TEST_F(GpSimd, NonzeroLooksOnlyAtWhatItReads) {
  Tensor a = tile(32, 4), c = tile(32, 5, nl::int32);
  nisa::memset(a.slice(0, 0, 1), 1.0f);
  nisa::nonzero_with_count(c, a);
  Tensor out = nl::ndarray({5}, nl::int32, nl::hbm);
  nisa::dma_copy(out, c.slice(0, 0, 1));
  EXPECT_RULE(nisa::dma_copy(out, c.slice(0, 1, 2)), "never written");
}

TEST_F(GpSimd, TopKOfASnakeInAscendingOrder) {
  const int64_t n = 42, k = 8;
  std::vector<float> x;
  for (int64_t i = 0; i < 32 * 3; ++i)
    x.push_back(float(i * 37 % 53) - 20);
  x[2 * 3] = NAN; // element 2 of the first snake
  Tensor a = tile_of(x, 32, 3, nl::bfloat16), best = tile(32, k, nl::bfloat16);
  Tensor at = tile(32, k, nl::uint32);
  nisa::topk(best, at, a, n);
  std::vector<float> z = get(best);
  std::vector<uint32_t> places = get_bits(at);
  for (size_t p = 0; p < 32; ++p) {
    std::vector<std::pair<float, int64_t>> snake;
    for (int64_t i = 0; i < n; ++i) {
      float value = x[size_t((int64_t(p) / 16 * 16 + i % 16) * 3 + i / 16)];
      snake.push_back({std::isnan(value) ? -INFINITY : value, -i});
    }
    std::sort(snake.begin(), snake.end());
    for (size_t i = 0; i < size_t(k); ++i) {
      auto [value, place] = snake[size_t(n - k) + i];
      EXPECT_EQ(z[p * k + i], value);
      EXPECT_EQ(places[p * k + i], uint32_t(-place));
    }
  }
}

TEST_F(GpSimd, SequenceBoundsOfTheDocumentedExample) {
  for (DType type : {nl::float32, nl::int32}) {
    Tensor ids = tile_of({0, 1, 1, 2, 2, 2, 0, 3, 3}, 1, 9, type), c = nl::ndarray({1, 2, 9}, type);
    nisa::sequence_bounds(c, ids);
    EXPECT_EQ(get(c), (std::vector<float>{9, 1, 1, 3, 3, 3, 9, 7, 7, -1, 3, 3, 6, 6, 6, -1, 9, 9}));
    Tensor one = tile_of({4}, 1, 1, type), both = tile(1, 2, type);
    nisa::sequence_bounds(both, one);
    EXPECT_EQ(get(both), (std::vector<float>{0, 1}));
  }
}

TEST_F(GpSimd, Rules) {
  Tensor a = tile_of({1}, 32, 16), at = indices(32, 2, 16), c = tile(32, 32);
  Tensor psum = nl::ndarray({32, 32}, nl::float32, nl::psum);
  EXPECT_RULE(nisa::local_gather(psum, a, at), "must be in SBUF");
  EXPECT_RULE(nisa::local_gather(tile(32, 32, nl::int32), a, at), "same data type");
  EXPECT_RULE(nisa::local_gather(c, a, tile_of({0}, 32, 2, nl::uint32)), "must be uint16");
  EXPECT_RULE(nisa::local_gather(c, a, indices(16, 2, 16)), "as many partitions");
  EXPECT_RULE(nisa::local_gather(c.slice(0, 0, 8), a.slice(0, 0, 8), at.slice(0, 0, 8)),
              "multiple of 16");
  EXPECT_RULE(nisa::local_gather(c, a, at, 3), "1, 2, 4, 8, 16 or 32");
  EXPECT_RULE(nisa::local_gather(c, a, at, 1, 33), "goes up to");
  EXPECT_RULE(nisa::local_gather(c, a, at, 2), "per valid index");
  EXPECT_RULE(nisa::local_gather(tile(16, 4112), tile_of({1}, 16, 8), indices(16, 257, 8)), "4096");
  EXPECT_RULE(nisa::local_gather(tile(32, 64), a, at, 2), "reads past");
  EXPECT_RULE(nisa::local_gather(a, a, at, 1, 16), "may not lie over");

  Tensor counts = tile(32, 17, nl::int32);
  EXPECT_RULE(nisa::nonzero_with_count(tile(32, 16, nl::int32), a), "more than src");
  EXPECT_RULE(nisa::nonzero_with_count(tile(32, 17), a), "dst must be int32");
  EXPECT_RULE(nisa::nonzero_with_count(counts, tile_of({1}, 32, 16, nl::int16)),
              "float32 or int32");
  EXPECT_RULE(nisa::nonzero_with_count(nl::ndarray({32, 17}, nl::int32, nl::psum), a), "in SBUF");

  Tensor src = tile_of({1}, 16, 4, nl::bfloat16), best = tile(16, 8, nl::bfloat16);
  Tensor places = tile(16, 8, nl::uint32);
  EXPECT_RULE(nisa::topk(best, places, tile_of({1}, 16, 4), 64), "must be bfloat16");
  EXPECT_RULE(nisa::topk(best, tile(16, 8, nl::int32), src, 64), "must be uint32");
  EXPECT_RULE(nisa::topk(best, places, src, 7), "at least 8");
  EXPECT_RULE(nisa::topk(best, places, src, 65), "n elements in 16 partitions");
  EXPECT_RULE(nisa::topk(tile(16, 9, nl::bfloat16), tile(16, 9, nl::uint32), src, 8), "at most n");
  EXPECT_RULE(nisa::topk(best, tile(16, 9, nl::uint32), src, 64), "as many elements");

  Tensor ids = tile_of({1}, 1, 9), bounds = nl::ndarray({1, 2, 9}, nl::float32);
  EXPECT_RULE(nisa::sequence_bounds(tile(1, 9), ids), "two elements per segment id");
  EXPECT_RULE(nisa::sequence_bounds(tile(2, 18), tile_of({1}, 2, 9)), "one partition");
  EXPECT_RULE(nisa::sequence_bounds(tile(1, 18, nl::int16), ids), "float32 or int32");
  EXPECT_RULE(nisa::sequence_bounds(bounds, tile_of({1, -1}, 1, 9)), "not be negative");
}

TEST_F(GpSimd, TopkTakesTheFirstOfEqualElementsZerosIncluded) {
  std::vector<float> x(16 * 2, -1);
  Tensor src = tile(16, 2, nl::bfloat16);
  x[2] = -0.0f, x[4] = 0.0f, x[6] = -0.0f; // partitions 1, 2 and 3 of column 0: elements 1, 2, 3
  put(src, x);
  Tensor best = tile(16, 2, nl::bfloat16), places = tile(16, 2, nl::uint32);
  nisa::topk(best, places, src, 32);
  EXPECT_EQ(get_bits(places)[0], 2u); // ascending: the second of the equal ones, then the first
  EXPECT_EQ(get_bits(places)[1], 1u);
}

TEST_F(OldGpSimd, NegativeZeroIsPadding) {
  Tensor ids = tile_of({1, -0.0f, 0, 2}, 1, 4), bounds = tile(1, 8);
  nisa::sequence_bounds(bounds, ids);
  EXPECT_EQ(get(bounds), (std::vector<float>{0, 4, 4, 3, 1, -1, -1, 4}));
}

TEST_F(OldGpSimd, NoNonzero) {
  EXPECT_RULE(nisa::nonzero_with_count(tile(16, 5, nl::int32), tile_of({1}, 16, 4)),
              "NeuronCore-v2");
}

} // namespace
} // namespace nki
