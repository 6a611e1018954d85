// Dynamic addresses: scalar offsets, indices per row, tensor indirection, dynamic loops.
#include "chip_for_test.h"

#include <numeric>

namespace nki {
namespace {

class Indirect : public ChipTest {
protected:
  static std::vector<float> counting(int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    std::iota(values.begin(), values.end(), 0.0f);
    return values;
  }
  static Tensor hbm(std::initializer_list<int64_t> shape, DType type = nl::float32) {
    return nl::ndarray(shape, type, nl::hbm);
  }
  static Tensor element(int32_t value, DType type = nl::int32) {
    Tensor tensor = nl::ndarray({1, 1}, type);
    put_bits<int32_t>(tensor, {value});
    return tensor;
  }
  /// Index tile {P, K} with index i of every group at [i % group, i / group].
  static Tensor snake(const std::vector<uint32_t> &indices, int64_t partitions, int64_t group = 16,
                      DType type = nl::uint32) {
    int64_t columns = (int64_t(indices.size()) + group - 1) / group;
    Tensor tensor = tile(partitions, columns, type);
    std::vector<uint32_t> bits;
    for (int64_t p = 0; p < partitions; ++p)
      for (int64_t k = 0; k < columns; ++k) {
        size_t i = size_t(k * group + p % group);
        bits.push_back(i < indices.size() ? indices[i] : 0);
      }
    put_bits<uint32_t>(tensor, bits);
    return tensor;
  }
};

TEST_F(Indirect, ScalarOffsetsAreReadWhenTheInstructionRuns) {
  Tensor table = hbm({4, 3, 5});
  put(table, counting(60));
  Tensor index = element(1), out = tile(3, 5);
  Tensor picked = table.select(0, index); // {3, 5}
  EXPECT_EQ(picked.ndim(), 2);
  put_bits<int32_t>(index, {3});
  nisa::dma_copy(out, picked);
  EXPECT_EQ(get(out).front(), 45.0f);
  EXPECT_EQ(get(out).back(), 59.0f);

  nisa::Register reg = nisa::register_alloc(2);
  Tensor row = table.select(1, reg); // {4, 5}
  Tensor rows = tile(4, 5);
  nisa::dma_copy(rows, row);
  EXPECT_EQ(get(rows)[5], 25.0f);
  nisa::register_move(reg, 0);
  nisa::dma_copy(rows, row);
  EXPECT_EQ(get(rows)[5], 15.0f);
}

TEST_F(Indirect, ScalarOffsetScalesWithTheStrideOfItsDimension) {
  Tensor table = hbm({6, 4});
  put(table, counting(24));
  const Dim pattern[] = {{4, 2}, {1, 3}};
  Tensor out = tile(2, 3);
  nisa::dma_copy(out, table.ap_scalar(pattern, element(4), 0));
  EXPECT_EQ(get(out), (std::vector<float>{16, 17, 18, 20, 21, 22}));
  nisa::dma_copy(out, table.ap_scalar(pattern, element(1, nl::uint32), 1, 8));
  EXPECT_EQ(get(out), (std::vector<float>{9, 10, 11, 13, 14, 15}));
  // Both sides at the same time; further views keep the offset.
  Tensor copy = hbm({6, 4});
  put(copy, {0});
  nisa::dma_copy(copy.select(0, element(5)).slice(0, 1, 3),
                 table.select(0, element(2)).slice(0, 2, 4));
  EXPECT_EQ(get(copy)[21], 10.0f);
  EXPECT_EQ(get(copy)[22], 11.0f);
}

TEST_F(Indirect, EnginesTakeScalarOffsets) {
  Tensor data = tile_of(counting(5 * 8), 5, 8), out = tile(5, 2);
  const Dim pattern[] = {{8, 5}, {1, 2}};
  nisa::Register reg = nisa::register_alloc(6);
  nisa::tensor_copy(out, data.ap_scalar(pattern, reg, 1));
  EXPECT_EQ(get(out)[2], 14.0f);
  nisa::tensor_scalar(data.ap_scalar(pattern, element(3), 1), out, nl::add, 100.0f);
  EXPECT_EQ(get(data)[3], 106.0f);
  EXPECT_EQ(get(data)[12], 115.0f);
  EXPECT_RULE(nisa::tensor_copy(out, data.ap_scalar(pattern, element(7), 1)),
              "nisa.tensor_copy: scalar_offset of src is 7, out of bounds");
  EXPECT_RULE(nisa::tensor_copy(out, data.ap_scalar(pattern, element(-1), 1)), "is -1");
  EXPECT_RULE(nisa::tensor_copy(out, data.ap_scalar(pattern, element(8), 1)), "is 8");
  EXPECT_RULE(data.ap_scalar(pattern, reg, 0), "partition dimension");
  EXPECT_RULE(data.select(0, reg), "partition dimension");
  // A value that was never written decides nothing.
  Tensor fresh = nl::ndarray({1, 1}, nl::int32);
  EXPECT_RULE(nisa::tensor_copy(out, data.ap_scalar(pattern, fresh, 1)), "never written");
  EXPECT_RULE(nisa::tensor_copy(out, data.ap_scalar(pattern, nisa::register_alloc(), 1)),
              "never given a value");
}

TEST_F(Indirect, ScalarOffsetIsARegisterOrOneIntegerInSbuf) {
  Tensor table = hbm({4, 4});
  EXPECT_RULE(table.select(0, tile(1, 2, nl::int32)), "scalar_offset is");
  EXPECT_RULE(table.select(0, tile(1, 1)), "scalar_offset is");
  EXPECT_RULE(table.select(0, hbm({1, 1}, nl::int32)), "scalar_offset is");
  EXPECT_RULE(table.select(2, element(0)), "no dimension 2");
  EXPECT_RULE(table.select(0, element(0)).select(0, element(0)), "indexed again");
}

TEST_F(Indirect, TransfersOutOfBoundsAreErrorsOrSkipped) {
  Tensor table = hbm({4, 4});
  put(table, counting(16));
  Tensor out = tile_of({-1}, 1, 4);
  EXPECT_RULE(nisa::dma_copy(out, table.select(0, element(4))), "out of bounds");
  nisa::dma_copy(out, table.select(0, element(4)), nisa::oob_mode::skip);
  EXPECT_EQ(get(out), std::vector<float>(4, -1));
  nisa::dma_copy(table.select(0, element(-1)), out, nisa::oob_mode::skip);
  EXPECT_EQ(get(table), counting(16));
  // The index is in its dimension, but the pattern then reaches over the end.
  const Dim two_rows[] = {{4, 2}, {1, 4}};
  EXPECT_RULE(nisa::dma_copy(tile(2, 4), table.ap_scalar(two_rows, element(3), 0)),
              "out of bounds");
}

TEST_F(Indirect, RowsAreSelectedByAVector) {
  Tensor table = hbm({6, 2, 3});
  put(table, counting(36));
  Tensor index = tile(4, 1, nl::int32);
  put_bits<int32_t>(index, {5, 0, 5, 2});
  Tensor picked = table.vector_select(0, index);
  EXPECT_EQ(picked.shape(0), 4);
  Tensor out = nl::ndarray({4, 2, 3}, nl::float32);
  nisa::dma_copy(out, picked);
  EXPECT_EQ(get(out)[0], 30.0f);
  EXPECT_EQ(get(out)[6], 0.0f);
  EXPECT_EQ(get(out)[23], 17.0f);
  // Dimensions behind the first can still be cut.
  Tensor part = nl::ndarray({4, 2}, nl::float32);
  nisa::dma_copy(part, picked.slice(2, 1, 2));
  EXPECT_EQ(get(part), (std::vector<float>{31, 34, 1, 4, 31, 34, 13, 16}));
  nisa::dma_copy(part, picked.permute({0, 2, 1}).select(1, 1));
  EXPECT_EQ(get(part), (std::vector<float>{31, 34, 1, 4, 31, 34, 13, 16}));

  EXPECT_RULE(table.vector_select(1, index), "dim must be 0");
  EXPECT_RULE(table.vector_select(0, tile(4, 2, nl::int32)), "one element per partition");
  EXPECT_RULE(out.vector_select(0, index), "only HBM tensors");
  EXPECT_RULE(picked.slice(0, 0, 2), "dimension 0 takes part");
  EXPECT_RULE(picked.select(0, 1), "dimension 0 takes part");
  EXPECT_RULE(picked.expand_dim(0), "dimension 0 takes part");
  EXPECT_RULE(picked.permute({1, 0, 2}), "one index per step stays first");
  EXPECT_RULE(picked.reshape({8, 3}), "must stay the same");
  EXPECT_RULE(picked.view(nl::int32), "indexed again");
  EXPECT_RULE(nisa::tensor_copy(out, picked), "must be a tile in SBUF or PSUM");
}

TEST_F(Indirect, PriorityIsAClassOfServiceOfV4) {
  Tensor a = hbm({2, 2}), b = tile(2, 2);
  put(a, {1});
  for (int priority : {0, 3})
    nisa::dma_copy(b, a, nisa::oob_mode::error, nisa::dge_mode::unknown, nisa::engine::unknown,
                   priority);
  EXPECT_RULE(nisa::dma_copy(b, a, nisa::oob_mode::error, nisa::dge_mode::unknown,
                             nisa::engine::unknown, 4),
              "priority is 0 to 3");
  chip::Core older(chip::generation("trn2"), ChipTest::hbm);
  CoreScope on(older);
  EXPECT_RULE(nisa::dma_copy(tile(2, 2), a, nisa::oob_mode::error, nisa::dge_mode::unknown,
                             nisa::engine::unknown, 0),
              "priority exists from NeuronCore-v4 on");
}

TEST_F(Indirect, FreeElementsAreGatheredPerGroupOfPartitions) {
  const int64_t partitions = 48, free = 40;
  Tensor data = tile_of(counting(partitions * free), partitions, free);
  Tensor index = tile(partitions, 2, nl::uint16);
  std::vector<uint16_t> bits;
  for (int64_t p = 0; p < partitions; ++p)
    for (int64_t k = 0; k < 2; ++k)
      bits.push_back(uint16_t((p * 7 + k * 13) % free));
  put_bits<uint16_t>(index, bits);
  const int64_t count = 21; // ends within the second column
  Tensor out = tile(partitions, count);
  nisa::tensor_copy(out, data.indirect(index, count));
  std::vector<float> values = get(out);
  for (int64_t p = 0; p < partitions; ++p)
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = bits[size_t((p / 16 * 16 + i % 16) * 2 + i / 16)];
      ASSERT_EQ(values[size_t(p * count + i)], float(p * free + at)) << p << " " << i;
    }
}

TEST_F(Indirect, FreeElementsAreScatteredAndOthersStay) {
  Tensor data = tile_of(counting(16 * 3), 16, 3), out = tile_of({-1}, 16, 5);
  nisa::tensor_scalar(out.indirect(snake({4, 0, 2}, 16), 3), data, nl::multiply, 2.0f);
  std::vector<float> values = get(out);
  for (int64_t p = 0; p < 16; ++p)
    EXPECT_EQ((std::vector<float>(values.begin() + p * 5, values.begin() + p * 5 + 5)),
              (std::vector<float>{float(p * 6 + 2), -1, float(p * 6 + 4), -1, float(p * 6)}));
}

TEST_F(Indirect, EachInstructionGathersTheOperandsThatItMay) {
  const std::vector<uint32_t> at = {3, 1, 1, 0};
  Tensor data = tile_of({1, 2, 3, 4}, 16, 4), index = snake(at, 16), out = tile(16, 4);
  Tensor picked = data.indirect(index, 4); // 4 2 2 1
  auto first = [&](const Tensor &tensor, size_t count = 4) {
    std::vector<float> values = get(tensor);
    return std::vector<float>(values.begin(), values.begin() + int64_t(count));
  };
  using Values = std::vector<float>;
  nisa::tensor_tensor(out, picked, data, nl::subtract);
  EXPECT_EQ(first(out), (Values{3, 0, -1, -3}));
  nisa::activation(out, nl::copy, picked, {}, 2.0f);
  EXPECT_EQ(first(out), (Values{8, 4, 4, 2}));
  Tensor sum = tile(16, 1);
  nisa::activation_reduce(out, nl::square, picked, nl::add, sum);
  EXPECT_EQ(first(sum, 1), (Values{25}));
  nisa::activate2(out, nl::copy, picked, 3.0f, 1.0f, nl::multiply, nl::add);
  EXPECT_EQ(first(out), (Values{13, 7, 7, 4}));
  nisa::exponential(out, picked, 4.0f);
  EXPECT_EQ(first(out)[0], 1.0f);
  nisa::tensor_reduce(sum, nl::add, picked, 1);
  EXPECT_EQ(first(sum, 1), (Values{9}));
  nisa::tensor_scalar_reduce(out, picked, nl::add, 1.0f, nl::maximum, sum);
  EXPECT_EQ(first(sum, 1), (Values{5}));
  nisa::tensor_scalar_cumulative(out, picked, nl::multiply, nl::add, 1.0f);
  EXPECT_EQ(first(out), (Values{4, 6, 8, 9}));
  Tensor predicate = tile(16, 4, nl::uint8);
  put_bits<uint8_t>(predicate, {1, 0, 0, 1});
  put(out, {0});
  nisa::tensor_copy_predicated(out, data, predicate.indirect(index, 4)); // 1 0 0 1 -> 1 0 0 1
  EXPECT_EQ(first(out), (Values{1, 0, 0, 4}));
  nisa::tensor_copy_predicated(out.indirect(snake({1, 2, 0, 3}, 16), 4), data, predicate);
  EXPECT_EQ(first(out), (Values{1, 1, 0, 4}));
}

TEST_F(Indirect, TensorEGathersByGroupsOf32) {
  Tensor stationary = tile(64, 8, nl::bfloat16), moving = tile(64, 16, nl::bfloat16);
  std::vector<float> left(64 * 8), right(64 * 16);
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = float(int(i % 7) - 3);
  for (size_t i = 0; i < right.size(); ++i)
    right[i] = float(int(i % 11) - 5);
  put(stationary, left);
  put(moving, right);
  Tensor index = tile(64, 1, nl::uint32);
  std::vector<uint32_t> bits(64);
  for (size_t p = 0; p < 64; ++p)
    bits[p] = uint32_t((p * 5 + p / 32) % 16); // the two groups differ
  put_bits<uint32_t>(index, bits);
  const int64_t columns = 20;
  Tensor out = nl::ndarray({8, columns}, nl::float32, nl::psum);
  nisa::nc_matmul(out, stationary, moving.indirect(index, columns));
  std::vector<float> values = get(out);
  for (int64_t m = 0; m < 8; ++m)
    for (int64_t n = 0; n < columns; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < 64; ++k)
        sum += left[size_t(k * 8 + m)] * right[size_t(k * 16 + bits[size_t(k / 32 * 32 + n)])];
      ASSERT_EQ(values[size_t(m * columns + n)], sum) << m << " " << n;
    }
  // A scattered destination accumulates where it was written before.
  Tensor rows = nl::ndarray({8, 32}, nl::float32, nl::psum);
  Tensor where = snake({5, 9, 30}, 8, 32);
  put_bits<uint32_t>(where, {5, 9, 30, 0, 0, 0, 0, 0});
  Tensor three = moving.slice(1, 0, 3);
  nisa::nc_matmul(rows.indirect(where, 3), stationary, three);
  nisa::nc_matmul(rows.indirect(where, 3), stationary, three);
  Tensor plain = nl::ndarray({8, 3}, nl::float32, nl::psum);
  nisa::nc_matmul(plain, stationary, three);
  for (int64_t m = 0; m < 8; ++m) {
    EXPECT_EQ(chip::load_float(nl::float32, address_of(rows, m * 32 + 9)),
              2 * get(plain)[size_t(m * 3 + 1)]);
  }
  EXPECT_RULE(nisa::nc_matmul(out, tile_of({1}, 64, 8), tile_of({1}, 64, 16).indirect(index, 20)),
              "16- and 8-bit floats only");
  nisa::MatmulOptions tiled;
  tiled.tile_position = {64, 0};
  tiled.tile_size = {64, 128};
  EXPECT_RULE(nisa::nc_matmul(out, stationary, moving.indirect(index, columns), tiled),
              "tile_position must be (0, 0)");
  nisa::MatmulOptions transpose;
  transpose.is_transpose = true;
  EXPECT_RULE(nisa::nc_matmul(out, stationary, moving.indirect(index, columns), transpose),
              "moving may not go");
}

TEST_F(Indirect, PoisonGoesThroughIndices) {
  Tensor data = tile(16, 4), out = tile(16, 2);
  nisa::memset(data.slice(1, 0, 2), 1.0f); // elements 2 and 3 were never written
  nisa::tensor_copy(out, data.indirect(snake({0, 3}, 16), 2));
  Tensor device = hbm({16, 1});
  nisa::dma_copy(device, out.slice(1, 0, 1));
  EXPECT_RULE(nisa::dma_copy(device, out.slice(1, 1, 2)), "never written");
  nisa::tensor_copy(data.indirect(snake({3, 2}, 16), 2), tile_of({5}, 16, 2));
  nisa::dma_copy(hbm({16, 4}), data);
  nisa::tensor_copy(data.indirect(snake({1}, 16), 1), out.slice(1, 1, 2));
  EXPECT_RULE(nisa::dma_copy(device, data.slice(1, 1, 2)), "never written");
}

TEST_F(Indirect, IndicesAreThoseOfTheirDimension) {
  // Beyond the second of three dimensions there is more of the tensor, but not of the dimension.
  Tensor table = hbm({4, 3, 5}), out = tile(2, 5), index = tile_of({0, 2}, 2, 1, nl::uint32);
  put(table, counting(60));
  const Dim pattern[] = {{5, 2}, {1, 5}};
  Tensor rows = table.ap_indirect(pattern, index, 1);
  nisa::dma_copy(out, rows);
  EXPECT_EQ(get(out)[5], 10.0f);
  put(index, {0, 3});
  EXPECT_RULE(nisa::dma_copy(out, rows), "the indexed dimension has 3");
  nisa::Register at = nisa::register_alloc(3);
  EXPECT_RULE(nisa::dma_copy(tile(4, 5), table.select(1, ScalarOffset(at))), "out of bounds");
}

TEST_F(Indirect, IndicesThatAreSkippedMayRepeat) {
  Tensor table = hbm({4, 3}), rows = tile_of({1}, 3, 3),
         index = tile_of({2, 9, 9}, 3, 1, nl::uint32);
  put(table, {10});
  const Dim pattern[] = {{3, 3}, {1, 3}};
  Tensor picked = table.ap_indirect(pattern, index);
  const Tensor sources[] = {picked, rows};
  nisa::dma_compute(picked, sources, nl::add, {}, true, nisa::oob_mode::skip);
  EXPECT_EQ(get(table), (std::vector<float>{10, 10, 10, 10, 10, 10, 11, 11, 11, 10, 10, 10}));
  put(index, {2, 2, 9});
  EXPECT_RULE(nisa::dma_compute(picked, sources, nl::add, {}, true, nisa::oob_mode::skip),
              "2 is there twice");
}

TEST_F(Indirect, WhatWasNeverWrittenIsNotScatteredToDeviceMemory) {
  Tensor table = hbm({8, 4}), rows = tile(4, 4), index = tile_of({0, 1, 2, 9}, 4, 1, nl::uint32);
  nisa::memset(rows.slice(0, 0, 3), 1.0f); // row 3 was never written
  const Dim pattern[] = {{4, 4}, {1, 4}};
  Tensor to = table.ap_indirect(pattern, index);
  nisa::dma_copy(to, rows, nisa::oob_mode::skip);
  put(index, {0, 1, 2, 3});
  EXPECT_RULE(nisa::dma_copy(to, rows), "partition 3, element 0, and may not reach HBM");
}

TEST_F(Indirect, RulesOfTensorIndirection) {
  Tensor data = tile_of({1, 2, 3, 4}, 64, 4), out = tile(64, 4);
  Tensor index = snake({0, 1, 2, 3}, 64);
  Tensor picked = data.indirect(index, 4);
  EXPECT_RULE(data.indirect(tile(32, 1, nl::uint32)), "as many partitions");
  EXPECT_RULE(data.indirect(tile(64, 1)), "16- or 32-bit integers");
  EXPECT_RULE(data.indirect(index, 65), "num_elem is 1 to");
  EXPECT_RULE(hbm({4, 4}).indirect(index), "only tiles in SBUF or PSUM");
  EXPECT_RULE(picked.slice(1, 0, 2), "no further views");
  EXPECT_RULE(picked.indirect(index), "indexed again");
  EXPECT_RULE(nisa::tensor_copy(tile(64, 64), data.indirect(index)), "num_elem must be smaller");
  EXPECT_RULE(nisa::tensor_copy(out, data.indirect(snake({0, 1, 2, 4}, 64), 4)),
              "index 4 is out of bounds");
  EXPECT_RULE(nisa::tensor_copy(out, data.indirect(tile(64, 1, nl::uint32), 4)), "never written");
  EXPECT_RULE(nisa::tensor_copy(out, picked, nisa::engine::gpsimd), "VectorE or ScalarE");
  EXPECT_RULE(nisa::tensor_tensor(out, data, picked, nl::add), "data2 may not go through");
  EXPECT_RULE(nisa::tensor_copy_predicated(out, picked, tile(64, 4, nl::uint8)),
              "src may not go through");
  EXPECT_RULE(nisa::reciprocal(out, picked), "data may not go through");
  EXPECT_RULE(nisa::dma_copy(out, picked), "src may not go through");
  EXPECT_RULE(nisa::tensor_copy(data.indirect(index, 4), data), "dst may not lie over src");
  Tensor psum = nl::ndarray({64, 4}, nl::float32, nl::psum);
  EXPECT_RULE(nisa::activation(psum.indirect(index, 4), nl::copy, data),
              "ScalarE cannot scatter to PSUM");
  Tensor half = index.slice(0, 32, 64), low = data.slice(0, 0, 32);
  EXPECT_RULE(nisa::tensor_copy(tile(32, 4), low.indirect(half, 4)),
              "src must start at the partition of its index");
  EXPECT_RULE(nisa::tensor_copy(tile(32, 4).indirect(half, 4), low),
              "index of dst must start at the partition of src");
  Tensor late = tile(40, 1, nl::uint32);
  nisa::memset(late, 0);
  EXPECT_RULE(nisa::tensor_copy(tile(8, 1), data.slice(0, 8, 16).indirect(late.slice(0, 8, 16), 1)),
              "no quadrant boundary");
  Tensor numbers = tile(64, 4, nl::int32);
  nisa::memset(numbers, 1);
  EXPECT_RULE(
      nisa::tensor_scalar(tile(64, 4, nl::int32), numbers.indirect(index, 4), nl::add, 1.0f),
      "addresses");
  EXPECT_RULE(nisa::tensor_copy_predicated(out.indirect(snake({1, 1}, 64), 2), 1.0f,
                                           tile_of({1}, 64, 2, nl::uint8)),
              "indices must be unique");
  Tensor product = nl::ndarray({64, 4}, nl::float32, nl::psum);
  put(product, {1, 2, 3, 4});
  Tensor banks = tile(128, 1, nl::uint32);
  nisa::memset(banks, 0);
  EXPECT_RULE(nisa::tensor_copy(tile_of({0}, 32, 4).indirect(banks.slice(0, 32, 64), 1),
                                product.slice(0, 0, 32).indirect(banks.slice(0, 0, 32), 1)),
              "the index of dst must start at the partition of the index of src");
  chip::Core older(chip::generation("trn2"), ChipTest::hbm);
  CoreScope on(older);
  Tensor there = tile_of({1}, 16, 4);
  EXPECT_RULE(nisa::tensor_copy(tile(16, 1), there.indirect(snake({1}, 16), 1)),
              "from NeuronCore-v4 on");
}

TEST_F(Indirect, LoopsCountInRegisters) {
  Tensor data = hbm({1, 6}), out = hbm({1, 6});
  put(data, counting(6));
  put(out, {0});
  Tensor temp = tile(1, 1);
  const Dim one[] = {{1, 1}, {1, 1}};
  nisa::Register bound = nisa::register_alloc(element(5));
  nl::fori_loop(
      1, bound,
      [&](const nisa::Register &i) {
        nisa::dma_copy(temp, data.ap_scalar(one, i, 1));
        nisa::dma_copy(out.ap_scalar(one, i, 1), temp);
        nisa::register_move(i, 100); // does not end the loop
      },
      2);
  EXPECT_EQ(get(out), (std::vector<float>{0, 1, 0, 3, 0, 0}));
  EXPECT_RULE(nl::fori_loop(0, 3, [](const nisa::Register &) {}, 0), "step is at least 1");
  int rounds = 0;
  nl::fori_loop(3, 3, [&](const nisa::Register &) { ++rounds; });
  EXPECT_EQ(rounds, 0);

  Tensor count = element(3), step = element(1);
  nisa::Register left = nisa::register_alloc(count);
  nl::while_loop(left, [&](const nisa::Register &r) {
    ++rounds;
    nisa::tensor_tensor(count, count, step, nl::subtract);
    nisa::register_load(r, count);
    return r;
  });
  EXPECT_EQ(rounds, 3);
  EXPECT_EQ(left.value(), 3);
}

} // namespace
} // namespace nki
