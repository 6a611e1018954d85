// Unwritten memory: silent where it is only computed with, an error where it matters.

#include "chip_for_test.h"

namespace nki {
namespace {

class Poison : public ChipTest {
protected:
  Tensor out(int64_t elements) { return nl::ndarray({elements}, nl::float32, nl::hbm); }
  /// A tile of which the last column was never written.
  Tensor torn() {
    Tensor a = tile(4, 8);
    nisa::memset(a.slice(1, 0, 7), 1.0f);
    return a;
  }
  bool leaks(const Tensor &tensor) {
    try {
      nisa::dma_copy(nl::ndarray({tensor.size()}, tensor.dtype(), nl::hbm), tensor);
      return false;
    } catch (const Error &) {
      return true;
    }
  }
};

TEST_F(Poison, FreshMemoryHoldsNanOrFour) {
  Tensor a = tile(2, 3), b = tile(2, 3), c = tile(2, 3, nl::int32), d = tile(2, 3, nl::int32);
  nisa::tensor_copy(b, a);
  nisa::tensor_copy(d, c);
  EXPECT_TRUE(std::isnan(get(b)[5]));
  EXPECT_EQ(get_bits(d)[5], 4u);
}

TEST_F(Poison, SpreadsByElement) {
  Tensor a = torn(), b = tile(4, 8), ones = tile(4, 8);
  nisa::memset(ones, 1.0f);
  nisa::tensor_tensor(b, a, ones, nl::add);
  EXPECT_FALSE(leaks(b.slice(1, 0, 7)));
  EXPECT_TRUE(leaks(b));
  nisa::tensor_copy(b.slice(1, 7, 8), ones.slice(1, 0, 1));
  EXPECT_FALSE(leaks(b));
}

TEST_F(Poison, SpreadsToWhatItReachesAndNoFurther) {
  Tensor ones = tile(4, 8), a = tile(4, 8), b = tile(4, 8);
  nisa::memset(ones, 1.0f);
  nisa::memset(a.slice(1, 0, 3), 1.0f);
  nisa::memset(a.slice(1, 4, 8), 1.0f); // column 3 was never written
  nisa::tensor_tensor_scan(b, a, ones, 0.0f, nl::multiply, nl::add);
  EXPECT_FALSE(leaks(b.slice(1, 0, 3)));
  for (int64_t column = 3; column < 8; ++column)
    EXPECT_TRUE(leaks(b.slice(1, column, column + 1))) << column;

  Tensor sums = tile(4, 2);
  nisa::tensor_reduce(sums, nl::add, a.reshape({4, 2, 4}), 2);
  for (int64_t p = 0; p < 4; ++p)
    EXPECT_TRUE(leaks(sums.slice(0, p, p + 1).slice(1, 0, 1))) << p;
  EXPECT_FALSE(leaks(sums.slice(1, 1, 2)));

  Tensor scalars = tile(4, 1);
  put(scalars.slice(0, 0, 2), {1});
  put(scalars.slice(0, 3, 4), {1}); // partition 2 was never written
  nisa::tensor_scalar(b, ones, nl::add, scalars);
  for (int64_t p = 0; p < 4; ++p)
    for (int64_t e = 0; e < 8; ++e)
      EXPECT_EQ(leaks(b.slice(0, p, p + 1).slice(1, e, e + 1)), p == 2) << p << " " << e;

  Tensor turned = tile(8, 4);
  nisa::nc_transpose(turned, a);
  for (int64_t p = 0; p < 8; ++p)
    EXPECT_EQ(leaks(turned.slice(0, p, p + 1)), p == 3) << p;
  Tensor moved = nl::ndarray({8, 4}, nl::float32);
  nisa::dma_transpose(moved, a);
  for (int64_t p = 0; p < 8; ++p)
    EXPECT_EQ(leaks(moved.slice(0, p, p + 1)), p == 3) << p;
}

TEST_F(Poison, SpreadsThroughScalarsReductionsScansAndProducts) {
  Tensor a = torn(), b = tile(4, 8), column = tile(4, 1), ones = tile(4, 8);
  nisa::memset(ones, 1.0f);
  nisa::tensor_scalar(b, ones, nl::add, a.slice(1, 7, 8));
  EXPECT_TRUE(leaks(b.slice(1, 0, 1)));
  nisa::tensor_reduce(column, nl::add, a, 1);
  EXPECT_TRUE(leaks(column));
  nisa::tensor_reduce(column, nl::add, a.slice(1, 0, 7), 1);
  EXPECT_FALSE(leaks(column));
  nisa::tensor_tensor_scan(b, a, ones, 0.0f, nl::multiply, nl::add);
  EXPECT_FALSE(leaks(b.slice(1, 0, 7)));
  EXPECT_TRUE(leaks(b.slice(1, 7, 8)));
  Tensor product = nl::ndarray({8, 8}, nl::float32, nl::psum), result = tile(8, 8);
  nisa::nc_matmul(product, ones, a);
  nisa::tensor_copy(result, product);
  EXPECT_FALSE(leaks(result.slice(1, 0, 7)));
  EXPECT_TRUE(leaks(result));
}

TEST_F(Poison, StaysInAccumulatorsUntilTheyAreReset) {
  using nisa::reduce_cmd;
  Tensor a = tile(4, 8), ones = tile(4, 8), b = tile(4, 8), sum = tile(4, 1),
         take = tile(4, 8, nl::uint8);
  nisa::memset(ones, 1.0f);
  nisa::memset(take, 1);
  nisa::memset(a.slice(0, 0, 2), 1.0f); // partitions 2 and 3 are not written
  nisa::tensor_scalar_reduce(b, a, nl::add, 1.0f, nl::maximum);
  nisa::tensor_scalar_reduce(b, ones, nl::add, 1.0f, nl::maximum, sum, false, reduce_cmd::reduce);
  EXPECT_FALSE(leaks(sum.slice(0, 0, 2)));
  EXPECT_TRUE(leaks(sum.slice(0, 2, 3)));
  EXPECT_TRUE(leaks(sum.slice(0, 3, 4)));
  nisa::select_reduce(b, take, ones, 0.0f, sum, reduce_cmd::reset_reduce);
  EXPECT_FALSE(leaks(sum));
  nisa::select_reduce(b, take, a, 0.0f, sum, reduce_cmd::reset_reduce);
  EXPECT_TRUE(leaks(sum));
  nisa::exponential(b, a, 0.0f, sum, reduce_cmd::reset_reduce);
  EXPECT_TRUE(leaks(sum));
  nisa::tensor_scalar_cumulative(b, a, nl::multiply, nl::add, 1.0f);
  nisa::tensor_scalar_reduce(b, ones, nl::add, 1.0f, nl::add, sum, false, reduce_cmd::reduce);
  EXPECT_TRUE(leaks(sum));

  nisa::activation(b, nl::copy, a, {}, 1.0f, nl::add, {}, reduce_cmd::reset_reduce);
  nisa::activation(b, nl::copy, ones, {}, 1.0f, nl::add, sum, reduce_cmd::reduce);
  EXPECT_FALSE(leaks(sum.slice(0, 0, 2)));
  EXPECT_TRUE(leaks(sum));
  nisa::activation_reduce(b, nl::copy, ones, nl::add, sum);
  EXPECT_FALSE(leaks(sum));
}

TEST_F(Poison, APredicatedCopyTakesOnlyWhatIsChosen) {
  Tensor a = torn(), b = tile(4, 8), take = tile(4, 8, nl::uint8);
  nisa::memset(b, 0.0f);
  nisa::memset(take, 1);
  nisa::memset(take.slice(1, 7, 8), 0);
  nisa::tensor_copy_predicated(b, a, take);
  EXPECT_FALSE(leaks(b));
  nisa::tensor_copy_predicated(b, a, take, true);
  EXPECT_TRUE(leaks(b));
}

TEST_F(Poison, MayNotDecideAnything) {
  Tensor ones = tile(4, 8), b = tile(4, 8), torn_index = tile(4, 8, nl::uint32);
  nisa::memset(ones, 1.0f);
  nisa::memset(torn_index.slice(1, 0, 7), 0);
  EXPECT_RULE(nisa::nc_n_gather(b, ones, torn_index), "never written");
  nisa::memset(b, 0.0f);
  EXPECT_RULE(nisa::tensor_copy_predicated(b, ones, torn_index), "never written");
  EXPECT_RULE(nisa::register_load(nisa::register_alloc(), torn_index.slice(0, 0, 1).slice(1, 7, 8)),
              "never written");
  Tensor row = tile(4, 1, nl::int32), table = out(8);
  Dim pattern[] = {{1, 4}, {1, 1}};
  EXPECT_RULE(nisa::dma_copy(b.slice(1, 0, 1), table.ap_indirect(pattern, row)), "never written");
}

TEST_F(Poison, ASkippedRowKeepsWhatItWas) {
  Tensor index = tile(4, 1, nl::int32), a = tile(4, 1), table = out(2);
  put_bits<uint32_t>(index, {0, 5, 1, 0});
  Dim pattern[] = {{1, 4}, {1, 1}};
  nisa::dma_copy(a, table.ap_indirect(pattern, index), nisa::oob_mode::skip);
  EXPECT_TRUE(leaks(a));
  EXPECT_FALSE(leaks(a.slice(0, 2, 4)));
  nisa::dma_copy(table.ap_indirect(pattern, index), a, nisa::oob_mode::skip); // skips that row
}

TEST_F(Poison, MessagesNameThePlace) {
  Tensor a = nl::ndarray({4, 8}, nl::float32, nl::sbuf, "partial");
  nisa::memset(a.slice(1, 0, 7), 1.0f);
  EXPECT_RULE(nisa::dma_copy(out(32), a), "'partial' was never written at partition 0, element 7");
}

TEST_F(Poison, MessagesNameTheInstructionThatReadTooMuch) {
  Tensor a = nl::ndarray({4, 8}, nl::float32, nl::sbuf, "partial");
  nisa::memset(a.slice(1, 0, 7), 1.0f);
  Tensor sum = nl::ndarray({4, 8}, nl::float32, nl::sbuf, "sum"), last = tile(4, 3);
  {
    SourceLine line("kernel.cu", 17);
    nisa::tensor_tensor(sum, a, a, nl::add);
  }
  nisa::tensor_copy(last, sum.slice(1, 5, 8));
  const char *reason = "nisa.tensor_tensor (kernel.cu:17) made it of 'partial', which was never "
                       "written at partition 0, element 7";
  EXPECT_RULE(nisa::dma_copy(out(32), sum), reason);
  EXPECT_RULE(nisa::dma_copy(out(12), last), reason);
  EXPECT_RULE(nisa::dma_copy(out(12), last), "holds no defined value at partition 0, element 2");
  nisa::memset(sum.slice(1, 7, 8), 1.0f);
  nisa::dma_copy(out(32), sum); // nothing is left of it
}

TEST_F(Poison, AnOriginBelongsToItsBytesOnly) {
  Tensor a = tile(4, 8), half = nl::ndarray({4, 8}, nl::float32, nl::sbuf, "half");
  nisa::tensor_copy(half.slice(1, 0, 4), a.slice(1, 0, 4));
  EXPECT_RULE(nisa::dma_copy(out(16), half.slice(1, 0, 4)), "nisa.tensor_copy made it of");
  EXPECT_RULE(nisa::dma_copy(out(16), half.slice(1, 4, 8)),
              "'half' was never written at partition 0, element 0");
}

/// Tiles at addresses.
class Placed : public ChipTest {
protected:
  Placed() : ChipTest("trn3") {}
  static Tensor at(int64_t partition, int64_t byte, int64_t partitions, int64_t free,
                   Buffer buffer = nl::sbuf) {
    const int64_t shape[] = {partitions, free};
    return nl::ndarray(shape, nl::float32, buffer, "placed", nl::Address{partition, byte});
  }
  static Tensor device(int64_t rows, int64_t columns) {
    return nl::ndarray({rows, columns}, nl::float32, nl::hbm);
  }
};

TEST_F(Placed, TilesThatLieApartAreIndependent) {
  Tensor a = at(0, 0, 64, 8), b = at(0, 32, 64, 8), c = at(64, 0, 64, 8);
  nisa::memset(a, 1.0f);
  nisa::memset(b, 2.0f);
  nisa::memset(c, 3.0f);
  EXPECT_EQ(c.start_partition(), 64);
  const std::pair<Tensor, float> all[] = {{a, 1.0f}, {b, 2.0f}, {c, 3.0f}};
  for (const auto &[one, value] : all) {
    nisa::dma_copy(device(64, 8), one);
    EXPECT_EQ(get(one), std::vector<float>(64 * 8, value));
  }
}

TEST_F(Placed, WhatAnotherTileHasOverwrittenIsNotRead) {
  Tensor a = at(0, 0, 128, 8), b = at(32, 16, 32, 2);
  nisa::memset(a, 1.0f);
  EXPECT_RULE(nisa::dma_copy(device(32, 2), b), "never written"); // a's bytes are not b's values
  nisa::memset(b, 2.0f);
  nisa::dma_copy(device(32, 8), a.slice(0, 0, 32));
  nisa::dma_copy(device(128, 4), a.slice(1, 0, 4));
  EXPECT_RULE(nisa::dma_copy(device(128, 8), a),
              "'placed' was never written at partition 32, element 4");
  nisa::dma_copy(device(32, 2), b);
  nisa::memset(a, 3.0f); // takes it all back
  nisa::dma_copy(device(128, 8), a);
  EXPECT_RULE(nisa::dma_copy(device(32, 2), b), "never written");
}

TEST_F(Placed, TakeNoCapacityAndMustFit) {
  Tensor all = nl::ndarray({128, 65536}, nl::float32); // all of SBUF
  Tensor one = at(0, 262140, 128, 1);
  nisa::memset(one, 1.0f);
  EXPECT_EQ(core.used(Buffer::sbuf), 262144);
  EXPECT_RULE(at(0, 262140, 128, 2), "leaves no room");
  EXPECT_RULE(at(64, 0, 65, 1), "leaves no room");
  EXPECT_RULE(at(0, -4, 1, 1), "leaves no room");
  EXPECT_RULE(at(0, 2, 1, 1), "multiple of the element size");
  EXPECT_RULE(at(0, 16384, 1, 1, nl::psum), "leaves no room");
  const int64_t bytes[] = {1, 1};
  nl::ndarray(bytes, nl::uint8, nl::sbuf, "", {127, 262143});
  EXPECT_RULE(nl::ndarray(bytes, nl::uint8, nl::sbuf, "", {127, 262144}), "leaves no room");
  EXPECT_RULE(at(0, 0, 1, 1, nl::hbm), "SBUF and PSUM");
  Tensor product = at(0, 2048, 128, 16, nl::psum);
  all = {};
  nisa::nc_matmul(product, tile_of({1}, 1, 128), tile_of({2}, 1, 16));
  EXPECT_EQ(get(product), std::vector<float>(128 * 16, 2));
}

} // namespace
} // namespace nki
