// Matrix products on TensorE.

#include "chip_for_test.h"

namespace nki {
namespace {

class Matmul : public ChipTest {
protected:
  void check(int64_t depth, int64_t rows, int64_t columns, DType type) {
    Tensor a = tile_of(hard(depth * rows), depth, rows, type);
    Tensor b = tile_of(hard(depth * columns), depth, columns, type);
    Tensor c = nl::ndarray({rows, columns}, nl::float32, nl::psum);
    nisa::nc_matmul(c, a, b);
    nisa::nc_matmul(c, a, b); // accumulates
    std::vector<float> x = get(a), y = get(b), z = get(c);
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < columns; ++n) {
        float sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum = std::fma(x[size_t(k * rows + m)], y[size_t(k * columns + n)], sum);
        ASSERT_EQ(z[size_t(m * columns + n)], sum + sum) << m << " " << n;
      }
  }
  static std::vector<float> hard(int64_t count) {
    std::vector<float> values;
    std::mt19937 random(7);
    for (int64_t i = 0; i < count; ++i)
      values.push_back(float(int(random() % 2001) - 1000) / 333.0f);
    return values;
  }
};

TEST_F(Matmul, SumsInOrderOfKForRaggedSizesAndTypes) {
  for (DType type : {nl::float32, nl::bfloat16, nl::float8_e4m3}) {
    check(1, 1, 1, type);
    check(128, 128, 512, type);
    check(77, 13, 45, type);
    check(128, 97, 33, type);
  }
}

TEST_F(Matmul, AccumulationStartsWhereNothingWasWritten) {
  Tensor a = tile_of({1}, 4, 2), b = tile_of({1}, 4, 6);
  Tensor c = nl::ndarray({2, 6}, nl::float32, nl::psum);
  nisa::nc_matmul(c.slice(1, 0, 4), a, b.slice(1, 0, 4));
  nisa::nc_matmul(c.slice(1, 2, 6), a, b.slice(1, 2, 6));
  EXPECT_EQ(get(c), (std::vector<float>{4, 4, 8, 8, 4, 4, 4, 4, 8, 8, 4, 4}));
  nisa::nc_matmul(c, a, b, {.accumulate = false});
  EXPECT_EQ(get(c)[2], 4.0f);
}

TEST_F(Matmul, TransposeModeKeepsEveryBit) {
  Tensor a = tile(3, 2), identity = tile_of({1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, 3);
  put_bits<uint32_t>(a, {0x7fc00001, 0x7f800000, 1, 0x80000000, 5, 0xffffffff});
  Tensor c = nl::ndarray({2, 3}, nl::float32, nl::psum);
  nisa::nc_matmul(c, a, identity, {.is_transpose = true});
  EXPECT_EQ(get_bits(c),
            (std::vector<uint32_t>{0x7fc00001, 1, 5, 0x7f800000, 0x80000000, 0xffffffff}));
}

TEST_F(Matmul, DoubleRowTakesTwoValuesOfKPerPartition) {
  Tensor a = nl::ndarray({2, 2, 1}, nl::float8_e4m3), b = nl::ndarray({2, 2, 3}, nl::float8_e4m3);
  put(a, {1, 2, 3, 4});
  put(b, {1, 1, 1, 1, 0, 1, 1, 1, 0, 2, 1, 1});
  Tensor c = nl::ndarray({1, 3}, nl::float32, nl::psum);
  nisa::nc_matmul(c, a, b, {.perf_mode = nisa::matmul_perf_mode::double_row});
  EXPECT_EQ(get(c), (std::vector<float>{1 + 2 + 3 + 8, 1 + 0 + 3 + 4, 1 + 2 + 0 + 4}));
}

/// What products accumulate on.
class Accumulation : public ChipTest {
protected:
  explicit Accumulation(const char *generation = "trn2") : ChipTest(generation) {}

  static Tensor psum(int64_t rows, int64_t columns) {
    return nl::ndarray({rows, columns}, nl::float32, nl::psum);
  }
  static void multiply(const Tensor &dst, std::optional<bool> accumulate = {}) {
    nisa::MatmulOptions options;
    options.accumulate = accumulate;
    nisa::nc_matmul(dst, tile_of({1}, 2, dst.partitions()),
                    tile_of({3}, 2, dst.elements_per_partition()), options);
  }
};

TEST_F(Accumulation, AnElementThatWasWrittenBeforeAccumulates) {
  Tensor dst = psum(4, 6);
  multiply(dst.slice(1, 0, 4));
  multiply(dst.slice(1, 2, 6)); // elements 2 and 3 for the second time
  std::vector<float> row = get(dst);
  row.resize(6);
  EXPECT_EQ(row, (std::vector<float>{6, 6, 12, 12, 6, 6}));
  multiply(dst, false);
  EXPECT_EQ(get(dst), std::vector<float>(24, 6));
  multiply(dst, true);
  EXPECT_EQ(get(dst), std::vector<float>(24, 12));
}

TEST_F(Accumulation, OnWhatOtherInstructionsWroteIsUndefinedUpToV3) {
  Tensor dst = psum(4, 6);
  EXPECT_RULE(multiply(dst, true), "dst was never written");
  nisa::memset(dst, 1.0f);
  EXPECT_RULE(multiply(dst), "which another instruction than a product wrote last");
  EXPECT_RULE(multiply(dst, true), "partition 0, element 0");
  multiply(dst, false); // overwrites
  multiply(dst);
  EXPECT_EQ(get(dst), std::vector<float>(24, 12));
  // One element that is written in between.
  nisa::tensor_scalar(dst.slice(1, 3, 4), dst.slice(1, 3, 4), nl::add, 1.0f);
  EXPECT_RULE(multiply(dst), "element 3");
  multiply(dst.slice(1, 0, 3));
}

TEST_F(Accumulation, OnZerosItIsTheSameAsOverwriting) {
  Tensor dst = psum(4, 6);
  nisa::memset(dst, 0.0f);
  multiply(dst);
  EXPECT_EQ(get(dst), std::vector<float>(24, 6));
  nisa::memset(dst, 0.0f);
  EXPECT_RULE(multiply(dst, true), "undefined on NeuronCore-v2 and v3"); // said, not left open
}

TEST_F(Accumulation, OnATransposeIsOnAProduct) {
  Tensor dst = psum(4, 2);
  nisa::nc_transpose(dst, tile_of({1, 2, 3, 4}, 2, 4));
  nisa::MatmulOptions options;
  nisa::nc_matmul(dst, tile_of({1}, 2, 4), tile_of({3}, 2, 2), options);
  EXPECT_EQ(get(dst)[0], 7.0f);
}

class FreeAccumulation : public Accumulation {
protected:
  FreeAccumulation() : Accumulation("trn3") {}
};

TEST_F(FreeAccumulation, FromV4OnAnyWriteCounts) {
  Tensor dst = psum(4, 6);
  nisa::memset(dst, 1.0f);
  multiply(dst);
  EXPECT_EQ(get(dst), std::vector<float>(24, 7));
  multiply(dst, true);
  EXPECT_EQ(get(dst), std::vector<float>(24, 13));
}

TEST_F(FreeAccumulation, OnAProductOfUnwrittenValuesStaysUnwritten) {
  Tensor dst = psum(4, 6), out = tile(4, 6);
  Tensor hole = tile(2, 6);
  nisa::memset(hole.slice(1, 0, 5), 1.0f);
  nisa::nc_matmul(dst, tile_of({1}, 2, 4), hole);
  multiply(dst); // adds to it, does not replace it
  nisa::tensor_copy(out, dst);
  Tensor device = nl::ndarray({4, 6}, nl::float32, nl::hbm);
  nisa::dma_copy(device.slice(1, 0, 5), out.slice(1, 0, 5));
  EXPECT_RULE(nisa::dma_copy(device, out), "never written at partition 0, element 5");
}

} // namespace
} // namespace nki
