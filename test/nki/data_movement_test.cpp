// Copies, constants, DMA, gathers and transposes.

#include "chip_for_test.h"

namespace nki {
namespace {

class DataMovement : public ChipTest {
protected:
  Tensor hbm_of(const std::vector<float> &values) {
    auto *memory = static_cast<float *>(hbm.allocate(values.size() * 4));
    std::copy(values.begin(), values.end(), memory);
    return hbm_tensor(memory, values.size() * 4, nl::float32);
  }
};

std::vector<float> counting(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(i);
  return values;
}

TEST_F(DataMovement, CopiesOfEqualTypesKeepEveryBit) {
  for (DType type : {nl::uint8, nl::float16, nl::bfloat16, nl::float32, nl::int32}) {
    std::vector<uint32_t> bits = {0, 1, 0x7fc01234, 0xffffffff, 0x80000000, 0x7f800001, 0xfe00};
    Tensor a = tile(5, 131, type), b = tile(5, 131, type), c = tile(5, 131, type);
    put_bits(a, bits);
    nisa::tensor_copy(b, a);
    nisa::dma_copy(c, b);
    EXPECT_EQ(get_bits(b), get_bits(a)) << name_of(type);
    EXPECT_EQ(get_bits(c), get_bits(a)) << name_of(type);
  }
}

TEST_F(DataMovement, CopiesConvertThroughFp32) {
  Tensor a = tile(1, 4, nl::int32), b = tile(1, 4), c = tile(1, 4, nl::int8);
  put_bits<uint32_t>(a, {16777217, uint32_t(-3), 300, uint32_t(-300)});
  nisa::tensor_copy(b, a);
  EXPECT_EQ(get(b), (std::vector<float>{16777216, -3, 300, -300}));
  nisa::dma_copy(c, a);
  EXPECT_EQ(get(c), (std::vector<float>{127, -3, 127, -128}));
}

TEST_F(DataMovement, MemsetHoldsIntegersExactly) {
  Tensor a = tile(3, 5, nl::int32), b = tile(3, 5, nl::float16);
  nisa::memset(a, 0x12345679);
  for (uint32_t bits : get_bits(a))
    EXPECT_EQ(bits, 0x12345679u);
  nisa::memset(a, -1);
  EXPECT_EQ(get_bits(a)[14], 0xffffffffu);
  nisa::memset(b, 0.1f);
  EXPECT_EQ(get_bits(b)[0], 0x2e66u);
}

TEST_F(DataMovement, DmaPatternsOfDifferentRanksMoveElementsInOrder) {
  Tensor memory = hbm_of(counting(4 * 6 * 10));
  Tensor a = tile(4, 30);
  // Every second element of rows of 60, in the order of the tile.
  nisa::dma_copy(a, memory.ap({{60, 4}, {20, 3}, {2, 10}}));
  std::vector<float> x = get(a);
  for (size_t p = 0; p < 4; ++p)
    for (size_t i = 0; i < 30; ++i)
      ASSERT_EQ(x[p * 30 + i], float(p * 60 + i / 10 * 20 + i % 10 * 2));
  // Backwards and transposed on the way out.
  Tensor out = hbm_of(std::vector<float>(120, -1.0f));
  nisa::dma_copy(out.ap({{1, 4}, {-4, 30}}, 116), a);
  std::vector<float> y = get(out);
  for (size_t p = 0; p < 4; ++p)
    for (size_t i = 0; i < 30; ++i)
      ASSERT_EQ(y[116 + p - 4 * i], x[p * 30 + i]);
}

TEST_F(DataMovement, GatherAndScatterByOneIndexPerPartition) {
  std::vector<float> table = counting(40);
  Tensor rows = hbm_of(table).reshape({10, 4});
  Tensor index = tile(5, 1, nl::int32), a = tile(5, 3);
  put_bits<uint32_t>(index, {9, 0, 3, 3, 7});
  Dim pattern[] = {{4, 5}, {1, 3}};
  nisa::dma_copy(a, rows.ap_indirect(pattern, index, 0, 1));
  std::vector<float> x = get(a);
  uint32_t expected[] = {9, 0, 3, 3, 7};
  for (size_t p = 0; p < 5; ++p)
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(x[p * 3 + i], float(expected[p] * 4 + 1 + i));

  put(a, {100, 101, 102, 200, 201, 202, 300, 301, 302, 400, 401, 402, 500, 501, 502});
  nisa::dma_copy(rows.ap_indirect(pattern, index), a);
  std::vector<float> y = get(rows);
  EXPECT_EQ(y[36], 100.0f);
  EXPECT_EQ(y[12], 400.0f) << "the last of two equal indices wins";
  EXPECT_EQ(y[39], 39.0f) << "what the pattern leaves out stays";
}

TEST_F(DataMovement, IndicesOutOfRangeAreSkippedOrReported) {
  Tensor table = hbm_of(counting(8));
  for (DType type : {nl::int32, nl::uint32}) {
    Tensor index = tile(4, 1, type), a = tile(4, 1);
    put_bits<uint32_t>(index, {7, 8, 0xffffffff, 0});
    nisa::memset(a, 50.0f);
    Dim pattern[] = {{1, 4}, {1, 1}};
    EXPECT_RULE(nisa::dma_copy(a, table.ap_indirect(pattern, index)), "out of bounds");
    nisa::dma_copy(a, table.ap_indirect(pattern, index), nisa::oob_mode::skip);
    EXPECT_EQ(get(a), (std::vector<float>{7, 50, 50, 0}));
    nisa::dma_copy(table.ap_indirect(pattern, index), a, nisa::oob_mode::skip);
    EXPECT_EQ(get(table), counting(8));
  }
}

TEST_F(DataMovement, ARowThatReachesPastTheTensorIsOutOfBounds) {
  Tensor table = hbm_of(counting(8));
  Tensor index = tile(1, 1, nl::int32), a = tile(1, 4);
  put_bits<uint32_t>(index, {5});
  Dim pattern[] = {{1, 1}, {1, 4}};
  EXPECT_RULE(nisa::dma_copy(a, table.ap_indirect(pattern, index)), "out of bounds");
}

TEST_F(DataMovement, NcNGatherReadsItsOwnPartition) {
  for (DType type : {nl::uint8, nl::bfloat16, nl::float32}) {
    Tensor a = tile_of(counting(3 * 20), 3, 20, type), c = tile(3, 33, type);
    Tensor index = tile(3, 33, nl::uint32);
    std::vector<uint32_t> wanted;
    for (uint32_t i = 0; i < 99; ++i)
      wanted.push_back(i * 7 % 20);
    put_bits(index, wanted);
    nisa::nc_n_gather(c, a, index);
    std::vector<float> x = get(a), z = get(c);
    for (size_t i = 0; i < 99; ++i)
      EXPECT_EQ(z[i], x[i / 33 * 20 + wanted[i]]);
  }
}

TEST_F(DataMovement, TransposesOnBothEngines) {
  for (DType type : {nl::float32, nl::bfloat16, nl::uint8}) {
    Tensor a = tile(128, 77, type);
    std::vector<uint32_t> bits;
    for (uint32_t i = 0; i < 128 * 77; ++i)
      bits.push_back(i * 2654435761u);
    put_bits(a, bits);
    Tensor c = nl::ndarray({77, 128}, type, nl::psum);
    nisa::nc_transpose(c, a);
    std::vector<uint32_t> x = get_bits(a), z = get_bits(c);
    for (size_t p = 0; p < 128; ++p)
      for (size_t f = 0; f < 77; ++f)
        ASSERT_EQ(z[f * 128 + p], x[p * 77 + f]);
    Tensor small = tile(9, 31, type), turned = tile(31, 9, type);
    put_bits(small, bits);
    nisa::nc_transpose(turned, small);
    EXPECT_EQ(get_bits(turned)[9 * 30 + 8], get_bits(small)[8 * 31 + 30]);
  }
}

TEST_F(DataMovement, StreamShufflePermutesQuadrantsAndKeeps255) {
  Tensor a = tile_of(counting(64 * 3), 64, 3), c = tile(64, 3);
  nisa::memset(c, -1.0f);
  std::vector<int> mask(32);
  for (int i = 0; i < 32; ++i)
    mask[size_t(i)] = i == 5 ? 255 : i ^ 1;
  nisa::nc_stream_shuffle(c, a, mask);
  std::vector<float> x = get(a), z = get(c);
  for (size_t p = 0; p < 64; ++p)
    EXPECT_EQ(z[p * 3], p % 32 == 5 ? -1.0f : x[(p ^ 1) * 3]);
  nisa::nc_stream_shuffle(a, a, mask);
  EXPECT_EQ(get(a)[0], x[3]) << "in place";
  EXPECT_EQ(get(a)[3], x[0]);
}

TEST_F(DataMovement, PredicatedCopies) {
  for (DType type : {nl::uint8, nl::uint16, nl::uint32})
    for (bool reverse : {false, true}) {
      std::vector<float> x = counting(4 * 50), p;
      for (size_t i = 0; i < x.size(); ++i)
        p.push_back(float(i * 5 % 3));
      Tensor a = tile_of(x, 4, 50), take = tile_of(p, 4, 50, type), c = tile(4, 50),
             d = tile(4, 50);
      nisa::memset(c, -1.0f);
      nisa::memset(d, -1.0f);
      nisa::tensor_copy_predicated(c, a, take, reverse);
      nisa::tensor_copy_predicated(d, 8.0f, take, reverse);
      std::vector<float> y = get(c), z = get(d);
      for (size_t i = 0; i < x.size(); ++i) {
        bool taken = (p[i] != 0) != reverse;
        ASSERT_EQ(y[i], taken ? x[i] : -1.0f);
        ASSERT_EQ(z[i], taken ? 8.0f : -1.0f);
      }
    }
}

TEST_F(DataMovement, IotaWrapsAndConverts) {
  Tensor a = tile(3, 12, nl::int32), b = tile(3, 12), c = tile(3, 12, nl::uint8);
  nisa::iota(a, {{100, 3}, {-7, 4}}, 0x7ffffff0, 5);
  std::vector<uint32_t> z = get_bits(a);
  for (uint32_t p = 0; p < 3; ++p)
    for (uint32_t i = 0; i < 12; ++i)
      EXPECT_EQ(z[p * 12 + i], 0x7ffffff0u + p * 5 + i / 4 * 100 - i % 4 * 7);
  nisa::iota(b, {{1, 12}}, 16777215, 0);
  EXPECT_EQ(get(b)[2], float(16777217));
  nisa::iota(c, {{100, 12}}, -50, 0);
  EXPECT_EQ(get(c)[0], 0.0f);
  EXPECT_EQ(get(c)[1], 50.0f);
  EXPECT_EQ(get(c)[11], 255.0f);
}

TEST_F(DataMovement, RegistersHoldValues) {
  Tensor a = tile(1, 1, nl::int16), b = tile(1, 1, nl::int32);
  nisa::memset(a, -5);
  nisa::Register r = nisa::register_alloc();
  EXPECT_RULE(r.value(), "never given a value");
  nisa::register_load(r, a);
  EXPECT_EQ(r.value(), -5);
  nisa::register_store(b, r);
  EXPECT_EQ(get_bits(b)[0], uint32_t(-5));
  nisa::register_move(r, 8);
  EXPECT_EQ(r.value(), 8);
}

class OldTranspose : public ChipTest {
protected:
  OldTranspose() : ChipTest("trn1") {}
};

TEST_F(OldTranspose, OnTensorEOfV2WhatIsNotFiniteFillsItsRow) {
  Tensor data = tile_of({1, 2, 3, NAN, 5, INFINITY}, 2, 3);
  Tensor product = nl::ndarray({3, 2}, nl::float32, nl::psum), exact = tile(3, 2);
  nisa::nc_transpose(product, data, nisa::engine::tensor);
  nisa::nc_transpose(exact, data, nisa::engine::vector);
  std::vector<float> got = get(product);
  EXPECT_EQ(got[2], 2.0f);
  EXPECT_EQ(got[3], 5.0f);
  for (size_t i : {0, 1, 4, 5})
    EXPECT_TRUE(std::isnan(got[i])) << i;
  EXPECT_EQ(get(exact)[0], 1.0f);
  EXPECT_EQ(get(exact)[5], INFINITY);
}

} // namespace
} // namespace nki
