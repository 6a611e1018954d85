// Searches and statistics per partition.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

class Search : public ChipTest {};

TEST_F(Search, FindsTheFirstOccurrenceAndLaterOnesForEqualValues) {
  Tensor a = tile_of({5, 7, NAN, 7, -0.0f, 5, 7, 1, 9, 1}, 2, 10);
  Tensor vals = tile_of({7, 7, 5, 3, 0, 7, 7, NAN}, 2, 8), c = tile(2, 8, nl::uint32);
  Tensor narrow = tile(2, 8, nl::uint16);
  nisa::nc_find_index8(c, a, vals);
  nisa::nc_find_index8(narrow, a, vals);
  const std::vector<uint32_t> row = {1, 3, 0, ~0u, 4, 6, ~0u, ~0u};
  std::vector<uint32_t> both = row;
  both.insert(both.end(), row.begin(), row.end());
  EXPECT_EQ(get_bits(c), both);
  for (uint32_t &value : both)
    value &= 0xffff;
  EXPECT_EQ(get_bits(narrow), both);
}

TEST_F(Search, ReplacesEachOccurrenceOnceFromTheLastValueOn) {
  // The example of the documentation.
  Tensor a = tile_of({1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8}, 1, 11), c = tile(1, 11);
  Tensor vals = tile_of({3, 8, 8, 8, 8, 8, 8, 8}, 1, 8), places = tile(1, 8, nl::uint32);
  nisa::nc_match_replace8(c, a, vals, -1.0f, places);
  EXPECT_EQ(get_bits(places), (std::vector<uint32_t>{2, 10, 9, 8, 7, 6, 5, 4}));
  EXPECT_EQ(get(c), (std::vector<float>{1, 2, -1, 4, -1, -1, -1, -1, -1, -1, -1}));
}

TEST_F(Search, TheEightLargestAreFoundAndReplacedForRaggedShapes) {
  for (DType type : {nl::float32, nl::bfloat16, nl::int16})
    for (auto [p, f] : {std::pair<int64_t, int64_t>{1, 8}, {128, 77}, {5, 1033}, {2, 16384}}) {
      std::vector<float> x;
      for (int64_t i = 0; i < p * f; ++i)
        x.push_back(float((i * 7919 + i / 13) % 10007) / 4);
      Tensor a = tile_of(x, p, f, type), best = tile(p, 8), at = tile(p, 8, nl::uint32);
      x = get(a);
      nisa::max8(best, a);
      nisa::nc_find_index8(at, a, best);
      std::vector<float> values = get(best);
      std::vector<uint32_t> places = get_bits(at);
      for (size_t i = 0; i < places.size(); ++i)
        ASSERT_EQ(x[i / 8 * size_t(f) + places[i]], values[i]);
      nisa::nc_match_replace8(a, a, best, -1.0f);
      std::vector<float> y = get(a);
      for (size_t row = 0; row < size_t(p); ++row)
        ASSERT_EQ(std::count(&y[row * size_t(f)], &y[row * size_t(f)] + f, -1.0f), 8);
    }
}

TEST_F(Search, StatisticsGiveMeanAndVariance) {
  for (DType type : {nl::float32, nl::bfloat16, nl::uint8})
    for (auto [p, f] : {std::pair<int64_t, int64_t>{1, 1}, {3, 2}, {128, 511}, {127, 512}}) {
      std::vector<float> x;
      for (int64_t i = 0; i < p * f; ++i)
        x.push_back(float(i * 31 % 97));
      Tensor a = tile_of(x, p, f, type), stats = tile(p, 12), c = tile(p, 2);
      x = get(a);
      nisa::bn_stats(stats.slice(1, 0, 6), a);
      nisa::bn_stats(stats.slice(1, 6, 12), a);
      nisa::bn_aggr(c, stats);
      std::vector<float> z = get(c), s = get(stats);
      for (size_t row = 0; row < size_t(p); ++row) {
        double sum = 0, spread = 0, even = 0;
        for (size_t i = 0; i < size_t(f); ++i) {
          sum += x[row * size_t(f) + i];
          even += i % 2 ? 0 : x[row * size_t(f) + i];
        }
        double mean = sum / double(f), half = double((f + 1) / 2);
        for (size_t i = 0; i < size_t(f); ++i)
          spread += (x[row * size_t(f) + i] - mean) * (x[row * size_t(f) + i] - mean);
        EXPECT_NEAR(z[row * 2], mean, 1e-5 * mean + 1e-6);
        EXPECT_NEAR(z[row * 2 + 1], spread / double(f), 1e-4 * spread / double(f) + 1e-6);
        EXPECT_EQ(s[row * 12], half);
        EXPECT_EQ(s[row * 12 + 3], double(f / 2));
        EXPECT_NEAR(s[row * 12 + 1], even / half, 1e-5 * even / half + 1e-6);
      }
    }
}

TEST_F(Search, AggregationWeighsByCounts) {
  Tensor a = tile_of({0, 0, 0, 0, 0, 0, 10, 4}, 1, 8), stats = tile(1, 12), c = tile(1, 2);
  nisa::bn_stats(stats.slice(1, 0, 6), a.slice(1, 0, 6));
  nisa::bn_stats(stats.slice(1, 6, 12), a.slice(1, 6, 8));
  nisa::bn_aggr(c, stats);
  EXPECT_EQ(get(c), (std::vector<float>{1.75f, 14.5f - 1.75f * 1.75f}));
}

TEST_F(Search, PoisonStaysInItsPartition) {
  Tensor a = tile(2, 16), vals = tile_of({1}, 2, 8), at = tile(2, 8, nl::uint32), six = tile(2, 6);
  nisa::memset(a, 1.0f);
  Tensor torn = tile(2, 16);
  nisa::memset(torn.slice(0, 0, 1), 1.0f);
  nisa::nc_find_index8(at, torn, vals);
  nisa::bn_stats(six, torn);
  Tensor out = nl::ndarray({8}, nl::uint32, nl::hbm),
         stats = nl::ndarray({6}, nl::float32, nl::hbm);
  nisa::dma_copy(out, at.slice(0, 0, 1));
  nisa::dma_copy(stats, six.slice(0, 0, 1));
  EXPECT_RULE(nisa::dma_copy(out, at.slice(0, 1, 2)), "never written");
  EXPECT_RULE(nisa::dma_copy(stats, six.slice(0, 1, 2)), "never written");
}

TEST_F(Search, Rules) {
  Tensor a = tile_of({1}, 4, 16), vals = tile_of({1}, 4, 8), at = tile(4, 8, nl::uint32);
  EXPECT_RULE(nisa::nc_find_index8(at, a.slice(1, 0, 7), vals), "8 to 16384");
  EXPECT_RULE(nisa::nc_find_index8(at, tile_of({1}, 4, 16385), vals), "8 to 16384");
  EXPECT_RULE(nisa::nc_find_index8(at, a, a), "vals must have 8 elements");
  EXPECT_RULE(nisa::nc_find_index8(tile(4, 9, nl::uint32), a, vals), "dst must have 8 elements");
  EXPECT_RULE(nisa::nc_find_index8(tile(4, 8, nl::int32), a, vals), "uint16 or uint32");
  EXPECT_RULE(nisa::nc_find_index8(at, a, vals.slice(0, 0, 2)), "as many partitions");
  EXPECT_RULE(nisa::nc_match_replace8(tile(4, 8), a, vals, 0.0f), "as many elements");
  EXPECT_RULE(nisa::nc_match_replace8(a, a, a, 0.0f), "vals must have 8 elements");
  EXPECT_RULE(nisa::nc_match_replace8(a, a, vals, 0.0f, tile(4, 8)), "uint16 or uint32");
  Tensor wide = tile_of({1}, 4, 3 * 5 * 7 * 2).reshape({4, 3, 5, 7, 2});
  EXPECT_RULE(nisa::max8(vals, wide.slice(1, 0, 2).slice(2, 0, 4).slice(3, 0, 6)),
              "free dimensions");
  EXPECT_RULE(nisa::bn_stats(tile(4, 5), a), "6 elements");
  EXPECT_RULE(nisa::bn_stats(tile(4, 6), tile_of({1}, 4, 513)), "at most 512");
  EXPECT_RULE(nisa::bn_aggr(tile(4, 2), a), "multiple of 3");
  EXPECT_RULE(nisa::bn_aggr(tile(4, 3), a.slice(1, 0, 12)), "2 elements");
  EXPECT_RULE(nisa::bn_aggr(tile(3, 2), a.slice(1, 0, 12)), "as many partitions");
}

} // namespace
} // namespace nki
