// Transposing and adding transfers.

#include "chip_for_test.h"

#include <algorithm>

namespace nki {
namespace {

class Dma : public ChipTest {
protected:
  Tensor hbm_of(const std::vector<float> &values, DType type,
                std::initializer_list<int64_t> shape) {
    Tensor result = nl::ndarray(shape, type, nl::hbm);
    put(result, values);
    return result;
  }
  static std::vector<float> counting(size_t count) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i)
      values[i] = float(i % 251);
    return values;
  }
  static Tensor indices(std::vector<uint32_t> values, int64_t p, int64_t f = 1,
                        DType type = nl::uint32) {
    Tensor result = tile(p, f, type);
    put_bits(result, values);
    return result;
  }
};
class Trn1Dma : public ChipTest {
protected:
  Trn1Dma() : ChipTest("trn1") {}
};

TEST_F(Dma, TransposesTwoThreeAndFourDimensions) {
  for (DType type : {nl::float32, nl::bfloat16, nl::uint8}) {
    Tensor two = hbm_of(counting(5 * 127), type, {5, 127}), to = tile(127, 5, type);
    nisa::dma_transpose(to, two);
    std::vector<uint32_t> x = get_bits(two), z = get_bits(to);
    for (size_t r = 0; r < 5; ++r)
      for (size_t c = 0; c < 127; ++c)
        ASSERT_EQ(z[c * 5 + r], x[r * 127 + c]);

    Tensor three = hbm_of(counting(3 * 4 * 7), type, {3, 4, 7});
    Tensor turned = nl::ndarray({7, 4, 3}, type);
    const int axes3[] = {2, 1, 0};
    nisa::dma_transpose(turned, three, axes3);
    x = get_bits(three);
    z = get_bits(turned);
    for (size_t a = 0; a < 3; ++a)
      for (size_t b = 0; b < 4; ++b)
        for (size_t c = 0; c < 7; ++c)
          ASSERT_EQ(z[(c * 4 + b) * 3 + a], x[(a * 4 + b) * 7 + c]);

    Tensor four = hbm_of(counting(2 * 3 * 4 * 5), type, {2, 3, 4, 5});
    Tensor moved = nl::ndarray({5, 3, 4, 2}, type);
    nisa::dma_transpose(moved, four);
    x = get_bits(four);
    z = get_bits(moved);
    for (size_t a = 0; a < 2; ++a)
      for (size_t b = 0; b < 3; ++b)
        for (size_t c = 0; c < 4; ++c)
          for (size_t d = 0; d < 5; ++d)
            ASSERT_EQ(z[((d * 3 + b) * 4 + c) * 2 + a], x[((a * 3 + b) * 4 + c) * 5 + d]);
  }
}

TEST_F(Dma, TransposesWithinSbufAndKeepsPoisonInPlace) {
  Tensor a = tile(3, 4, nl::float16), c = tile(4, 3, nl::float16);
  nisa::memset(a, 1.0f);
  Tensor torn = tile(3, 4, nl::float16);
  nisa::memset(torn.slice(1, 0, 3), 1.0f);
  nisa::dma_transpose(c, torn);
  Tensor out = nl::ndarray({9}, nl::float16, nl::hbm), row = nl::ndarray({3}, nl::float16, nl::hbm);
  nisa::dma_copy(out, c.slice(0, 0, 3));
  EXPECT_RULE(nisa::dma_copy(row, c.slice(0, 3, 4)), "never written");
}

TEST_F(Dma, TransposesGatheredRowsColumnByColumnOfTheIndices) {
  const int64_t rows = 300, width = 70;
  std::vector<float> x;
  for (int64_t i = 0; i < rows * width; ++i)
    x.push_back(float(i % 200));
  Tensor src = hbm_of(x, nl::bfloat16, {rows, width});
  for (int64_t columns : {int64_t(1), int64_t(2)}) {
    std::vector<uint32_t> index;
    for (int64_t i = 0; i < 128 * columns; ++i)
      index.push_back(uint32_t(i * 89 % rows));
    Tensor at = indices(index, 128, columns), to = tile(width, 128 * columns, nl::bfloat16);
    Dim pattern[] = {{width, 128 * columns}, {1, width}};
    nisa::dma_transpose(to, src.ap_indirect(pattern, at));
    std::vector<float> z = get(to);
    for (int64_t r = 0; r < 128 * columns; ++r)
      for (int64_t c = 0; c < width; ++c) {
        int64_t row = index[size_t(r % 128 * columns + r / 128)];
        ASSERT_EQ(z[size_t(c * 128 * columns + r)], x[size_t(row * width + c)]);
      }
  }
}

TEST_F(Dma, SkippedRowsOfATransposeKeepWhatWasThere) {
  Tensor src = hbm_of(counting(20 * 3), nl::float16, {20, 3}), to = tile(3, 16, nl::float16);
  nisa::memset(to, -1.0f);
  std::vector<uint32_t> index(16, 2);
  index[5] = 20;
  Dim pattern[] = {{3, 16}, {1, 3}};
  Tensor rows = src.ap_indirect(pattern, indices(index, 16));
  EXPECT_RULE(nisa::dma_transpose(to, rows), "out of bounds");
  nisa::dma_transpose(to, rows, {}, nisa::dge_mode::swdge, nisa::oob_mode::skip);
  std::vector<float> z = get(to);
  for (size_t i = 0; i < 16; ++i)
    EXPECT_EQ(z[16 + i], i == 5 ? -1.0f : 7.0f);
}

TEST_F(Dma, OnlySkippedRowsOfATransposeStayUnwritten) {
  Tensor src = hbm_of({1}, nl::float16, {20, 3}), to = tile(3, 16, nl::float16);
  std::vector<uint32_t> index(16, 2);
  index[5] = 20;
  Dim pattern[] = {{3, 16}, {1, 3}};
  nisa::dma_transpose(to, src.ap_indirect(pattern, indices(index, 16)), {}, nisa::dge_mode::unknown,
                      nisa::oob_mode::skip);
  Tensor five = nl::ndarray({15}, nl::float16, nl::hbm),
         rest = nl::ndarray({30}, nl::float16, nl::hbm);
  nisa::dma_copy(five, to.slice(1, 0, 5));
  nisa::dma_copy(rest, to.slice(1, 6, 16));
  EXPECT_RULE(nisa::dma_copy(five, to.slice(1, 1, 6)), "never written");
}

TEST_F(Dma, RulesOfTransposes) {
  using nisa::dge_mode;
  Tensor src = hbm_of(counting(16 * 128), nl::bfloat16, {16, 128}),
         to = tile(128, 16, nl::bfloat16);
  const int wrong[] = {0, 1};
  nisa::dma_transpose(to, src, {}, dge_mode::hwdge);
  EXPECT_RULE(nisa::dma_transpose(to, src, wrong), "axes must be");
  EXPECT_RULE(nisa::dma_transpose(to, src, {}, dge_mode::swdge), "unknown or hwdge");
  EXPECT_RULE(nisa::dma_transpose(to, src, {}, dge_mode::unknown, nisa::oob_mode::skip),
              "skip needs");
  EXPECT_RULE(nisa::dma_transpose(src, src), "dst must be in SBUF");
  EXPECT_RULE(nisa::dma_transpose(tile(128, 16), src), "same data type");
  EXPECT_RULE(nisa::dma_transpose(tile(16, 128, nl::bfloat16), src), "transposed shape");
  EXPECT_RULE(nisa::dma_transpose(to, src.reshape({2048})), "two, three or four");
  EXPECT_RULE(nisa::dma_transpose(to, nl::ndarray({16, 128}, nl::bfloat16, nl::psum)), "PSUM");
  EXPECT_RULE(nisa::dma_transpose(to.slice(1, 0, 15), src.slice(0, 0, 15), {}, dge_mode::hwdge),
              "has 16 rows");
  Tensor wide = hbm_of({1}, nl::float32, {16, 128});
  EXPECT_RULE(nisa::dma_transpose(tile(128, 16), wide, {}, dge_mode::hwdge), "two bytes");
  Tensor three = hbm_of({1}, nl::bfloat16, {3, 16, 8});
  EXPECT_RULE(
      nisa::dma_transpose(nl::ndarray({8, 16, 3}, nl::bfloat16), three, {}, dge_mode::hwdge),
      "1, 2, 4, 8 or 16");
  EXPECT_RULE(nisa::dma_transpose(tile(8, 48, nl::bfloat16), three), "as many dimensions");
  EXPECT_RULE(nisa::dma_transpose(nl::ndarray({8, 3, 16}, nl::bfloat16), three),
              "transposed shape of src");
  Tensor longer = hbm_of({1}, nl::bfloat16, {2, 8, 129});
  EXPECT_RULE(nisa::dma_transpose(tile(128, 16, nl::bfloat16), longer.reshape({2, 8, 129}), {},
                                  dge_mode::hwdge),
              "at most 128");
  Tensor square = tile(16, 16, nl::bfloat16);
  nisa::memset(square, 0.0f);
  EXPECT_RULE(nisa::dma_transpose(square, square), "dst lies over src");

  Tensor at = indices({0}, 16), words = hbm_of({1}, nl::float32, {16, 8});
  Dim pattern[] = {{8, 16}, {1, 8}};
  EXPECT_RULE(nisa::dma_transpose(tile(8, 16), words.ap_indirect(pattern, at)), "two bytes");
  Tensor halves = hbm_of({1}, nl::float16, {16, 8}), out = tile(8, 16, nl::float16);
  EXPECT_RULE(nisa::dma_transpose(out, halves.ap_indirect(pattern, at), {}, dge_mode::hwdge),
              "unknown or swdge");
  EXPECT_RULE(nisa::dma_transpose(out, halves.ap_indirect(pattern, indices({0}, 16, 1, nl::int32))),
              "must be uint32");
  EXPECT_RULE(nisa::dma_transpose(out, halves.ap_indirect(pattern, indices({0}, 16, 2))),
              "several columns have 128");
  EXPECT_RULE(nisa::dma_transpose(out, halves.ap_indirect(pattern, indices({0}, 20))),
              "multiple of 16");
  Dim odd[] = {{8, 10}, {1, 8}};
  EXPECT_RULE(nisa::dma_transpose(out.slice(1, 0, 10), halves.ap_indirect(odd, at)),
              "multiple of 16 rows");
  Tensor deep = hbm_of({1}, nl::float16, {16, 2, 2, 2});
  Dim four[] = {{8, 16}, {4, 2}, {2, 2}, {1, 2}};
  EXPECT_RULE(
      nisa::dma_transpose(nl::ndarray({2, 2, 2, 16}, nl::float16), deep.ap_indirect(four, at)),
      "has size 1");
}

TEST_F(Dma, AddsSourcesInOrderThroughFp32) {
  Tensor a = hbm_of({1, 2, 3, 16777216}, nl::float32, {4}), b = tile_of({0.5f, 1, -3, 1}, 1, 4);
  Tensor c = hbm_of({1}, nl::bfloat16, {4}), out = hbm_of({0}, nl::int32, {4});
  const Tensor three[] = {a, b, c};
  const float ones[] = {1, 1, 1};
  nisa::dma_compute(out, three, nl::add, ones);
  EXPECT_EQ(get_bits(out), (std::vector<uint32_t>{2, 4, 1, 16777216}));
  nisa::dma_compute(b, std::vector<Tensor>{b, b}, nl::add);
  EXPECT_EQ(get(b), (std::vector<float>{1, 2, -6, 2}));
  nisa::dma_compute(b, std::vector<Tensor>{a, b, a, b}, nl::add); // dst is a later source, too
  EXPECT_EQ(get(b), (std::vector<float>{4, 8, -6, 33554432}));
  Tensor shifted = a.slice(0, 0, 3), moved = a.slice(0, 1, 4);
  nisa::dma_compute(moved, std::vector<Tensor>{shifted, shifted}, nl::add);
  EXPECT_EQ(get(a), (std::vector<float>{1, 2, 4, 6}));
}

TEST_F(Dma, ReadModifyWriteByIndex) {
  Tensor table = hbm_of(counting(10 * 3), nl::float32, {10, 3}), added = tile_of({100}, 4, 3);
  Dim pattern[] = {{3, 4}, {1, 3}};
  Tensor rows = table.ap_indirect(pattern, indices({9, 0, 12, 4}, 4));
  EXPECT_RULE(nisa::dma_compute(rows, std::vector<Tensor>{rows, added}, nl::add), "out of bounds");
  nisa::dma_compute(rows, std::vector<Tensor>{rows, added}, nl::add, {}, true,
                    nisa::oob_mode::skip);
  std::vector<float> x = get(table);
  for (size_t i = 0; i < 30; ++i)
    EXPECT_EQ(x[i], float(i) + (i / 3 == 9 || i / 3 == 0 || i / 3 == 4 ? 100 : 0));
  nisa::dma_compute(added, std::vector<Tensor>{rows, added}, nl::add, {}, true,
                    nisa::oob_mode::skip);
  EXPECT_EQ(get(added),
            (std::vector<float>{227, 228, 229, 200, 201, 202, 100, 100, 100, 212, 213, 214}));
}

TEST_F(Dma, RulesOfAdding) {
  Tensor a = hbm_of({1}, nl::float32, {4, 2}), b = tile_of({1}, 4, 2), fresh = tile(4, 2);
  using Sources = std::vector<Tensor>;
  const float twice[] = {2, 1};
  EXPECT_RULE(nisa::dma_compute(b, {}, nl::add), "1 to 16");
  EXPECT_RULE(nisa::dma_compute(b, Sources(17, a), nl::add), "1 to 16");
  EXPECT_RULE(nisa::dma_compute(b, Sources{a, a.slice(0, 0, 2)}, nl::add), "as many elements");
  EXPECT_RULE(nisa::dma_compute(b, Sources{a, a}, nl::multiply), "must be add");
  EXPECT_RULE(nisa::dma_compute(b, Sources{a, a}, nl::add, twice), "must be 1.0");
  EXPECT_RULE(nisa::dma_compute(b, Sources{a}, nl::add, twice), "one factor per source");
  EXPECT_RULE(nisa::dma_compute(a, Sources{a, fresh}, nl::add), "never written");
  Tensor sum = tile(4, 2);
  nisa::dma_compute(sum, Sources{fresh, a}, nl::add); // silent within the chip
  EXPECT_RULE(nisa::dma_copy(a, sum), "never written");
  EXPECT_RULE(nisa::dma_compute(b, Sources{a, a}, nl::add, {}, true, nisa::oob_mode::skip),
              "skip needs");
  EXPECT_RULE(nisa::dma_compute(nl::ndarray({4, 2}, nl::float32, nl::psum), Sources{a}, nl::add),
              "PSUM");
  Dim pattern[] = {{2, 4}, {1, 2}};
  Tensor rows = a.ap_indirect(pattern, indices({0, 1, 2, 3}, 4));
  Tensor equal = a.ap_indirect(pattern, indices({0, 1, 1, 3}, 4));
  EXPECT_RULE(nisa::dma_compute(rows, Sources{rows, b, b}, nl::add), "exactly two");
  EXPECT_RULE(nisa::dma_compute(rows, Sources{rows, b}, nl::add, {}, false), "unique_indices");
  EXPECT_RULE(nisa::dma_compute(rows, Sources{b, b}, nl::add), "same as dst");
  EXPECT_RULE(nisa::dma_compute(rows, Sources{rows, a}, nl::add), "other source in SBUF");
  EXPECT_RULE(nisa::dma_compute(equal, Sources{equal, b}, nl::add), "1 is there twice");
}

TEST_F(Trn1Dma, NoHardwareOrIndexedTransposes) {
  Tensor src = nl::ndarray({16, 8}, nl::bfloat16, nl::hbm), to = tile(8, 16, nl::bfloat16);
  Tensor at = tile_of({0}, 16, 1, nl::uint32);
  Dim pattern[] = {{8, 16}, {1, 8}};
  EXPECT_RULE(nisa::dma_transpose(to, src, {}, nisa::dge_mode::hwdge), "no hardware");
  EXPECT_RULE(nisa::dma_transpose(to, src.ap_indirect(pattern, at)), "no transpose by indices");
}

} // namespace
} // namespace nki
