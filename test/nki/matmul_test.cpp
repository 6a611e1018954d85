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

} // namespace
} // namespace nki
