// One violation of every documented rule, with the message that names it.

#include "chip_for_test.h"

#include <tuple>

namespace nki {
namespace {

using Op = nl::Op;

class Rules : public ChipTest {
protected:
  Tensor a = tile_of({1}, 64, 16), b = tile_of({1}, 64, 16), c = tile_of({1}, 64, 16);
  Tensor ints = tile_of({1}, 64, 16, nl::int32), bytes = tile_of({1}, 64, 16, nl::uint8);
  Tensor column = tile_of({1}, 64, 1);
  Tensor psum1 = psum(64, 16), psum2 = psum(64, 16);
  Tensor hbm_tile = nl::ndarray({64, 16}, nl::float32, nl::hbm);
  Tensor packed = nl::ndarray({64, 16}, nl::float8_e4m3fn_x4);

  static Tensor psum(int64_t p, int64_t f, DType type = nl::float32) {
    Tensor result = nl::ndarray({p, f}, type, nl::psum);
    put(result, {1});
    return result;
  }
};

class OldRules : public ChipTest {
protected:
  OldRules() : ChipTest("trn1") {}
};
class Trn2Rules : public ChipTest {
protected:
  Trn2Rules() : ChipTest("trn2") {}
};

TEST_F(Rules, OperandsOfEngines) {
  Tensor all = tile_of({1}, 128, 4);
  EXPECT_RULE(nisa::tensor_copy(c, hbm_tile), "must be a tile in SBUF or PSUM");
  EXPECT_RULE(nisa::tensor_copy(c, {}), "src is missing");
  EXPECT_RULE(nisa::memset(all.slice(0, 16, 32), 0.0f), "starts at partition 16");
  EXPECT_RULE(nisa::memset(all.slice(0, 32, 80), 0.0f), "starts at partition 32 with 48");
  EXPECT_RULE(nisa::memset(all.slice(0, 64, 128).slice(0, 32, 64).slice(0, 1, 2), 0.0f), "97");
  nisa::memset(all.slice(0, 96, 128), 0.0f);
  nisa::memset(all.slice(0, 64, 128), 0.0f);
  EXPECT_RULE(nisa::tensor_copy(c, a.slice(1, 0, 8)), "as many elements per partition");
  EXPECT_RULE(nisa::tensor_copy(c, a.slice(0, 0, 32)), "as many partitions");
  Tensor many = nl::ndarray({1, 3, 3, 3, 3, 3}, nl::uint8);
  EXPECT_RULE(
      nisa::memset(many.slice(1, 0, 2).slice(2, 0, 2).slice(3, 0, 2).slice(4, 0, 2).slice(5, 0, 2),
                   0),
      "needs 5 free dimensions");
  Tensor wide = nl::ndarray({1, 3, 40000}, nl::uint8);
  EXPECT_RULE(nisa::memset(wide.slice(2, 0, 1), 0), "16-bit strides");
  Tensor long_tile = nl::ndarray({1, 70000}, nl::uint8);
  EXPECT_RULE(nisa::memset(long_tile, 0), "addresses up to 65536 in SBUF");
  EXPECT_RULE(nisa::memset(nl::ndarray({1, 5000}, nl::uint8, nl::psum), 0), "up to 4096 in PSUM");
}

TEST_F(Rules, DestinationsOverSources) {
  EXPECT_RULE(nisa::tensor_copy(a.slice(1, 1, 16), a.slice(1, 0, 15)), "depend on timing");
  nisa::tensor_copy(a.slice(1, 0, 15), a.slice(1, 1, 16));
  nisa::tensor_tensor(a.slice(1, 0, 16, 2), a.slice(1, 1, 16, 2), a.slice(1, 1, 16, 2), nl::add);
  EXPECT_RULE(
      nisa::tensor_copy(
          a.slice(0, 0, 32),
          a.slice(0, 0, 64).permute({0, 1}).slice(0, 0, 32).slice(1, 0, 1).broadcast(1, 16)),
      "depend on timing");
  EXPECT_RULE(nisa::dma_copy(a.slice(1, 1, 16), a.slice(1, 0, 15)), "dst lies over src");
  EXPECT_RULE(nisa::dma_copy(hbm_tile.slice(0, 1, 3), hbm_tile.slice(0, 0, 2)),
              "dst lies over src");
  EXPECT_RULE(nisa::nc_transpose(a.slice(0, 0, 16), a.slice(0, 0, 16)), "may not lie over data");
}

TEST_F(Rules, TensorTensor) {
  EXPECT_RULE(nisa::tensor_tensor(c, psum1, psum2, nl::add), "may not both be in PSUM");
  EXPECT_RULE(nisa::tensor_tensor(c, a, b, nl::bitwise_and), "integer type");
  EXPECT_RULE(nisa::tensor_tensor(c, a, b, nl::exp), "binary operator");
  EXPECT_RULE(nisa::tensor_tensor(ints, ints, ints, nl::invert), "binary operator");
  EXPECT_RULE(nisa::tensor_tensor(psum1, a, b, nl::power), "cannot access PSUM");
  EXPECT_RULE(nisa::tensor_tensor(c, a, b, nl::power, nisa::engine::vector), "runs on GpSimdE");
  EXPECT_RULE(nisa::tensor_tensor(psum1, a, b, nl::add, nisa::engine::gpsimd),
              "cannot access PSUM");
  EXPECT_RULE(nisa::tensor_tensor(c, a, b, nl::add, nisa::engine::scalar), "VectorE or GpSimdE");
  EXPECT_RULE(nisa::tensor_tensor(c, packed, b, nl::add), "packed type");
}

TEST_F(Rules, TensorScalar) {
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, 1.0f, false, nl::bitwise_and, 1),
              "both be bitvec");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::bitwise_and, 1), "integer type");
  EXPECT_RULE(nisa::tensor_scalar(ints, ints, nl::bitwise_and, 1.5f), "must be an integer");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, ints.slice(1, 0, 1)), "must be float32");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, b), "one element per partition");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, column.slice(0, 0, 32)), "as many partitions");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, {}), "operand0 is missing");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::abs, 1.0f), "must be None or 0");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, 1.0f, false, Op::none, 2.0f),
              "operand1 must be None");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::exp, {}), "math operator");
  EXPECT_RULE(
      nisa::tensor_scalar(c, a, nl::add, 1.0f, false, Op::none, {}, false, nisa::engine::gpsimd),
      "nl.rsqrt only");
  EXPECT_RULE(nisa::tensor_scalar(ints, ints, nl::bitwise_or, 1, false, Op::none, {}, false,
                                  nisa::engine::scalar),
              "bitvec operators run on VectorE");
  EXPECT_RULE(nisa::tensor_scalar(psum1, a, nl::rsqrt, {}), "cannot access PSUM");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::add, 1.0f, false, nl::relu, {}), "op0 only");
}

TEST_F(Rules, ScalarTensorTensor) {
  EXPECT_RULE(nisa::scalar_tensor_tensor(c, psum1, nl::add, 1.0f, nl::add, psum2),
              "both be in PSUM");
  EXPECT_RULE(nisa::scalar_tensor_tensor(ints, ints, nl::bitwise_and, 1, nl::add, ints),
              "arithmetic");
  EXPECT_RULE(nisa::scalar_tensor_tensor(c, a, nl::add, 1.0f, nl::abs, b), "arithmetic");
  EXPECT_RULE(nisa::scalar_tensor_tensor(c, a, nl::add, {}, nl::add, b), "operand0 is missing");
  EXPECT_RULE(nisa::scalar_tensor_tensor(c, a, nl::add, 1.0f, nl::add, column), "elements per");
}

TEST_F(Rules, Copies) {
  EXPECT_RULE(nisa::tensor_copy(c, psum1, nisa::engine::gpsimd), "cannot access PSUM");
  EXPECT_RULE(nisa::tensor_copy(c, a, nisa::engine::tensor), "VectorE, ScalarE or GpSimdE");
  EXPECT_RULE(nisa::tensor_copy(c, packed), "packed type");
  EXPECT_RULE(nisa::memset(ints, 2.0f), "integer value");
  EXPECT_RULE(nisa::memset(packed, 1), "value 0 only");
  EXPECT_RULE(nisa::memset(c, column), "must be a constant");
  EXPECT_RULE(nisa::memset(psum1, 0.0f, nisa::engine::gpsimd), "cannot access PSUM");
  EXPECT_RULE(nisa::tensor_copy_predicated(c, a, ints), "uint8, uint16 or uint32");
  EXPECT_RULE(nisa::tensor_copy_predicated(c, ints, bytes), "same data type");
  EXPECT_RULE(nisa::tensor_copy_predicated(c, {}, bytes), "src is missing");
  EXPECT_RULE(nisa::tensor_copy_predicated(c, psum1, psum(64, 16, nl::uint8)), "both be in PSUM");
  std::vector<int> mask(32, 0), odd(32, 40);
  EXPECT_RULE(nisa::nc_stream_shuffle(c, a, std::vector<int>(31)), "32 entries");
  EXPECT_RULE(nisa::nc_stream_shuffle(c, a, odd), "0 to 31, or 255");
  EXPECT_RULE(nisa::nc_stream_shuffle(ints, a, mask), "same data type");
  EXPECT_RULE(nisa::nc_stream_shuffle(c.slice(0, 0, 5), a.slice(0, 0, 5), std::vector<int>(32, 31)),
              "src does not have");
  Tensor all = tile_of({1}, 128, 16);
  EXPECT_RULE(nisa::nc_stream_shuffle(all.slice(0, 32, 64), a, mask), "active quadrants");
  EXPECT_RULE(nisa::nc_transpose(tile(16, 64), a), "up to 32 x 32");
  EXPECT_RULE(nisa::nc_transpose(c.slice(0, 0, 32), a.slice(0, 0, 32)), "dst must be [F, P]");
  EXPECT_RULE(nisa::nc_transpose(tile(16, 64), a, nisa::engine::tensor), "must be in PSUM");
  EXPECT_RULE(nisa::nc_transpose(psum(16, 64), psum1, nisa::engine::tensor), "must be in SBUF");
}

TEST_F(Rules, Transfers) {
  EXPECT_RULE(nisa::dma_copy(hbm_tile, psum1), "in PSUM, which DMA cannot access");
  EXPECT_RULE(nisa::dma_copy(c, hbm_tile.slice(0, 0, 3)), "as many elements");
  EXPECT_RULE(nisa::dma_copy(ints, hbm_tile, nisa::oob_mode::error, nisa::dge_mode::hwdge),
              "cannot convert types");
  EXPECT_RULE(nisa::dma_copy(c, hbm_tile, nisa::oob_mode::error, nisa::dge_mode::unknown,
                             nisa::engine::sync),
              "chosen for hwdge only");
  EXPECT_RULE(nisa::dma_copy(c, hbm_tile, nisa::oob_mode::error, nisa::dge_mode::hwdge,
                             nisa::engine::vector),
              "SyncE or ScalarE");
  Dim pattern[] = {{16, 64}, {1, 16}};
  Tensor index = tile_of({0}, 64, 1, nl::int32);
  Tensor gathered = hbm_tile.ap_indirect(pattern, index);
  EXPECT_RULE(nisa::dma_copy(c, gathered, nisa::oob_mode::error, nisa::dge_mode::hwdge), "swdge");
  EXPECT_RULE(nisa::dma_copy(gathered, gathered), "only one side");
  EXPECT_RULE(a.ap_indirect(pattern, index), "only HBM tensors");
  EXPECT_RULE(hbm_tile.ap_indirect(pattern, column), "int32 or uint32");
  EXPECT_RULE(hbm_tile.ap_indirect(pattern, index.slice(0, 0, 32)), "one step per index");
  EXPECT_EQ(gathered.slice(1, 0, 4).shape(1), 4);
  EXPECT_RULE(gathered.slice(0, 0, 4), "dimension 0 takes part");
  Tensor two_columns = tile_of({0}, 32, 2, nl::int32);
  EXPECT_RULE(nisa::dma_copy(c, hbm_tile.ap_indirect(pattern, two_columns)),
              "one index per partition");
}

TEST_F(Rules, Gathers) {
  Tensor index = tile_of({3}, 64, 16, nl::uint32);
  EXPECT_RULE(nisa::nc_n_gather(c, a, ints), "must be uint32");
  EXPECT_RULE(nisa::nc_n_gather(ints, a, index), "same data type");
  EXPECT_RULE(nisa::nc_n_gather(psum1, a, index), "must be in SBUF");
  EXPECT_RULE(nisa::nc_n_gather(a, a, index), "may not lie over data");
  put(index, {16});
  EXPECT_RULE(nisa::nc_n_gather(c, a, index), "not below the 16 elements");
  EXPECT_RULE(nisa::iota(psum1, {{1, 16}}), "must be in SBUF");
  EXPECT_RULE(nisa::iota(c, {{1, 15}}), "as many elements");
  EXPECT_RULE(nisa::iota(c, {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 1}}), "1 to 4 levels");
  EXPECT_RULE(nisa::affine_select(c, {{1, 16}}, 0, psum1, 0.0f), "must be in SBUF");
  EXPECT_RULE(nisa::affine_select(c, {{1, 16}}, 0, a, 0.0f, nl::add), "comparison");
}

TEST_F(Rules, Selections) {
  using nisa::reduce_cmd;
  EXPECT_RULE(nisa::select_reduce(ints, bytes, ints, 0.0f), "may not be tfloat32, int32 or uint32");
  EXPECT_RULE(nisa::select_reduce(c, ints, a, 0.0f), "int8, uint8, int16 or uint16");
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, {}), "on_false is missing");
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, 0.0f, {}, reduce_cmd::idle, nl::add), "maximum");
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, 0.0f, column), "reduce_res needs");
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, 0.0f, {}, reduce_cmd::load_reduce), "idle, reduce");
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, 0.0f, {}, reduce_cmd::reduce), "never reset");
  EXPECT_RULE(nisa::range_select(ints, ints, nl::less, nl::less, column, column), "float type");
  EXPECT_RULE(nisa::range_select(c, a, nl::not_equal, nl::less, column, column), "comp_op0");
  EXPECT_RULE(nisa::range_select(c, a, nl::less, nl::less, ints.slice(1, 0, 1), column), "float32");
  EXPECT_RULE(nisa::range_select(c, a, nl::less, nl::less, column, column, reduce_cmd::reset_reduce,
                                 {}, nl::maximum, 0, -1.0f),
              "smallest float32");
  EXPECT_RULE(nisa::range_select(c, a, nl::less, nl::less, column, column, reduce_cmd::reset_reduce,
                                 {}, nl::maximum, 1 << 24),
              "2^24");
}

TEST_F(Rules, ReductionsAndScans) {
  using nisa::reduce_cmd;
  EXPECT_RULE(nisa::tensor_reduce(column, nl::equal, a, 1), "reduction operator");
  EXPECT_RULE(nisa::tensor_reduce(column, nl::add, a, 0), "axis 0");
  EXPECT_RULE(nisa::tensor_reduce(column, nl::add, a.reshape({64, 4, 4}), 1),
              "last free dimensions");
  EXPECT_RULE(nisa::tensor_reduce(c, nl::add, a, 1), "one element per reduced group");
  EXPECT_RULE(nisa::tensor_reduce(column, nl::bitwise_or, a, 1), "integer type");
  EXPECT_RULE(nisa::tensor_reduce(ints.slice(1, 0, 1), nl::bitwise_or, ints, 1, true), "negate");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::subtract), "reduce_op must be");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, true), "reverse");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, false, reduce_cmd::idle),
              "reset_reduce, reduce or load_reduce");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, false,
                                         reduce_cmd::reset_reduce, 1.0f),
              "belongs to load_reduce");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, b), "one element per");
  EXPECT_RULE(
      nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, false, reduce_cmd::reduce),
      "never reset");
  EXPECT_RULE(nisa::tensor_tensor_scan(c, psum1, psum2, 0.0f, nl::add, nl::add), "both be in PSUM");
  EXPECT_RULE(nisa::tensor_tensor_scan(c, a, b, {}, nl::add, nl::add), "initial is missing");
  EXPECT_RULE(nisa::tensor_tensor_scan(c, a, b, 0.0f, nl::abs, nl::add), "binary arithmetic");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(ints, ints, nl::add, nl::add, 1.0f),
              "int32 and uint32");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(c, a, nl::add, nl::equal, 1.0f), "op1 must be");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(c, a, nl::add, nl::add, {}), "imm0 is missing");
  EXPECT_RULE(nisa::tensor_partition_reduce(column, nl::add, a), "one partition");
  EXPECT_RULE(nisa::tensor_partition_reduce(c.slice(0, 0, 1), nl::minimum, a), "op must be");
  EXPECT_RULE(nisa::tensor_partition_reduce(c.slice(0, 0, 1), nl::add, psum1), "must be in SBUF");
  EXPECT_RULE(nisa::max8(c, a), "8 elements");
  EXPECT_RULE(nisa::max8(c.slice(1, 0, 8), a.slice(1, 0, 7)), "8 to 16384");
}

TEST_F(Rules, Activations) {
  using nisa::reduce_cmd;
  EXPECT_RULE(nisa::activation(c, nl::add, a), "activation function");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, {}, ints.slice(1, 0, 1)), "scale must be float32");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, tile_of({1}, 64, 1, nl::tfloat32)), "tfloat32");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, b), "one element per partition");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, {}, 1.0f, nl::maximum), "must be add");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, {}, 1.0f, nl::add, {}, reduce_cmd::load_reduce),
              "loaded");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, {}, 1.0f, Op::none, {}, reduce_cmd::reduce), "needs");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, {}, 1.0f, nl::add, column), "never reset");
}

TEST_F(Rules, Products) {
  Tensor s = tile_of({1}, 64, 32), m = tile_of({1}, 64, 16), d = psum(32, 16);
  EXPECT_RULE(nisa::nc_matmul(tile(32, 16), s, m), "dst must be in PSUM");
  EXPECT_RULE(nisa::nc_matmul(d, s, psum1), "must be in SBUF");
  EXPECT_RULE(nisa::nc_matmul(d, s, ints), "type that TensorE multiplies");
  EXPECT_RULE(nisa::nc_matmul(d, s, tile_of({1}, 64, 16, nl::bfloat16)), "go with float32");
  EXPECT_RULE(nisa::nc_matmul(psum1, s, m), "[M, N]");
  EXPECT_RULE(nisa::nc_matmul(d, s, m.slice(0, 0, 32)), "as many partitions");
  EXPECT_RULE(nisa::nc_matmul(d, tile_of({1}, 64, 129), m), "at most 128 columns");
  EXPECT_RULE(nisa::nc_matmul(psum(32, 16, nl::float16), s, m), "float32 or");
  EXPECT_RULE(nisa::nc_matmul(d, tile_of({1}, 64, 32, nl::float8_e4m3),
                              tile_of({1}, 64, 16, nl::float8_e4m3fn)),
              "do not mix");
  EXPECT_RULE(
      nisa::nc_matmul(nl::ndarray({32, 16}, nl::float32, nl::psum), s, m, {.accumulate = true}),
      "never written");
  EXPECT_RULE(nisa::nc_matmul(d, s, m, {.tile_position = {{0, 0}}}), "go together");
  EXPECT_RULE(nisa::nc_matmul(d, s, m, {.tile_position = {{0, 0}}, .tile_size = {{48, 128}}}),
              "made of");
  EXPECT_RULE(nisa::nc_matmul(d, s, m, {.tile_position = {{32, 0}}, .tile_size = {{64, 128}}}),
              "multiples of tile_size");
  EXPECT_RULE(nisa::nc_matmul(d, s, m, {.tile_position = {{0, 0}}, .tile_size = {{32, 128}}}),
              "fit");
  EXPECT_RULE(nisa::nc_matmul(d, s, m, {.perf_mode = nisa::matmul_perf_mode::double_row}), "fp8");
}

TEST_F(Rules, Registers) {
  nisa::Register r = nisa::register_alloc(1);
  EXPECT_RULE(nisa::register_load(r, a), "one element");
  EXPECT_RULE(nisa::register_load(r, psum(1, 1)), "SBUF or HBM");
  EXPECT_RULE(nisa::register_store(a, r), "one element");
  for (auto [type, bits, value] : {std::tuple(nl::int8, 0xffu, -1),
                                   {nl::uint8, 0xffu, 255},
                                   {nl::int16, 0x8000u, -32768},
                                   {nl::uint16, 0x8000u, 32768},
                                   {nl::int32, 0x80000000u, INT32_MIN}}) {
    Tensor one = tile(1, 1, type);
    put_bits<uint32_t>(one, {bits});
    nisa::register_load(r, one);
    EXPECT_EQ(r.value(), value) << name_of(type);
    nisa::memset(one, 0);
    nisa::register_store(one, r);
    EXPECT_EQ(get_bits(one)[0], bits) << name_of(type);
  }
  Tensor list = nl::ndarray({3, 1, 1}, nl::int32, nl::hbm);
  put_bits<int32_t>(list, {7, 8, 9});
  nisa::Register at = nisa::register_alloc(2);
  nisa::register_load(r, list.select(0, ScalarOffset(at)));
  EXPECT_EQ(r.value(), 9);
  nisa::register_move(at, 3);
  EXPECT_RULE(nisa::register_load(r, list.select(0, ScalarOffset(at))), "out of bounds");
  EXPECT_RULE(nisa::register_store(list.select(0, ScalarOffset(at)), r), "out of bounds");
}

TEST_F(OldRules, WhatNeuronCoreV2Lacks) {
  Tensor a = tile_of({1}, 4, 8), c = tile(4, 8), column = tile_of({1}, 4, 1);
  EXPECT_RULE(nisa::tensor_copy(c, a, nisa::engine::scalar), "no tensor_copy on ScalarE");
  EXPECT_RULE(nisa::range_select(c, a, nl::less, nl::less, column, column), "no range_select");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, 1.0f), "bias is a vector");
  EXPECT_RULE(nisa::activation(c, nl::reciprocal, a, column), "takes no bias");
  EXPECT_RULE(nisa::tensor_tensor(c, a, a, nl::abs_max), "from NeuronCore-v4 on");
  EXPECT_RULE(nisa::tensor_scalar(c, a, nl::square, {}), "from NeuronCore-v4 on");
  EXPECT_RULE(
      nisa::tensor_scalar(c, a, nl::add, 1.0f, false, Op::none, {}, false, nisa::engine::scalar),
      "no tensor_scalar on ScalarE");
  Tensor h = nl::ndarray({4, 8}, nl::float32, nl::hbm);
  EXPECT_RULE(nisa::dma_copy(h, a, nisa::oob_mode::error, nisa::dge_mode::hwdge), "no hardware");
}

TEST_F(Trn2Rules, WhatNeuronCoreV3Lacks) {
  Tensor s = tile_of({1}, 4, 8), wide = tile_of({1}, 4, 600), m = tile_of({1}, 4, 300),
         c = tile(4, 8);
  Tensor d = nl::ndarray({8, 900}, nl::float32, nl::psum);
  EXPECT_RULE(nisa::nc_matmul(d.slice(1, 0, 600), s, wide), "at most 512");
  EXPECT_RULE(nisa::nc_matmul(d.slice(1, 400, 700), s, m), "crosses a PSUM bank");
  EXPECT_RULE(nisa::nc_matmul(nl::ndarray({8, 300}, nl::bfloat16, nl::psum), s, m), "float32 or");
  EXPECT_RULE(nisa::tensor_scalar(c, s, nl::subtract, 1.0f, false, Op::none, {}, false,
                                  nisa::engine::scalar),
              "multiply and add, multiply, or add only");
}

TEST_F(Rules, IdleMayChangeTheAccumulators) {
  using nisa::reduce_cmd;
  nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::maximum);
  nisa::select_reduce(c, bytes, a, 0.0f, column, reduce_cmd::reduce);
  nisa::select_reduce(c, bytes, a, 0.0f);
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, 0.0f, column, reduce_cmd::reduce), "idle came");
}

TEST_F(Rules, OperandsOfSteps) {
  using nisa::reduce_cmd;
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::exp, {}, nl::add), "arithmetic operator");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::abs, 1.0f, nl::add), "must be None or 0");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, ints.slice(1, 0, 1), nl::add), "float32");
  EXPECT_RULE(
      nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, false, reduce_cmd::load_reduce),
      "load_reduce to an initial value");
  EXPECT_RULE(nisa::tensor_scalar_reduce(c, a, nl::add, 1.0f, nl::add, {}, false,
                                         reduce_cmd::load_reduce, ints.slice(1, 0, 1)),
              "must be float32");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(c, a, nl::abs, nl::add, {}), "binary arithmetic");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(c, a, nl::add, nl::add, 1.0f, 2.0f), "load_reduce");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(c, a, nl::add, nl::add, ints.slice(1, 0, 1)),
              "must be float32");
  EXPECT_RULE(nisa::tensor_scalar_cumulative(c, a, nl::add, nl::add, 1.0f, {}, reduce_cmd::idle),
              "reset_reduce, reduce or load_reduce");
  EXPECT_RULE(nisa::select_reduce(c, bytes, a, 0.0f, ints.slice(1, 0, 1), reduce_cmd::reset_reduce),
              "float type");
  EXPECT_RULE(nisa::range_select(c, a, nl::less, nl::less, column, column, reduce_cmd::idle, b),
              "one element per partition");
  EXPECT_RULE(
      nisa::range_select(c, a, nl::less, nl::less, column, column, reduce_cmd::idle, column),
      "reduce_cmd that reduces");
  EXPECT_RULE(nisa::activation(c, nl::exp, a, {}, Operand()), "scale is missing");
}

TEST_F(Rules, ShapesOfReductions) {
  EXPECT_RULE(nisa::tensor_reduce(column, nl::add, a, {}), "names no dimension");
  EXPECT_RULE(nisa::tensor_reduce(column, nl::add, a.reshape({64, 4, 4}), {1, 2}, false, true),
              "as many dimensions as data");
  EXPECT_RULE(nisa::tensor_partition_reduce(c.slice(0, 0, 1).slice(1, 0, 8), nl::add, a),
              "as many elements per partition");
  EXPECT_RULE(nisa::iota(c, {{1, 16}, {1, 0}}), "at least one step");
}

TEST_F(Rules, ModesOfTensorE) {
  Tensor wide = tile_of({1}, 64, 129), fp8 = nl::ndarray({64, 2, 16}, nl::float8_e4m3);
  put(fp8, {1});
  EXPECT_RULE(nisa::nc_transpose(psum(128, 64), wide.slice(1, 0, 128), nisa::engine::scalar),
              "TensorE or VectorE");
  Tensor d = psum(16, 16), s = tile_of({1}, 64, 16), square = tile_of({1}, 64, 64);
  nisa::MatmulOptions rows{.perf_mode = nisa::matmul_perf_mode::double_row};
  nisa::nc_matmul(d, fp8, fp8, rows);
  EXPECT_RULE(nisa::nc_matmul(d, fp8.reshape({64, 32}), fp8, rows), "has size 2");
  rows.tile_position = {{0, 0}};
  rows.tile_size = {{64, 64}};
  EXPECT_RULE(nisa::nc_matmul(d, fp8, fp8, rows), "column tiling");
  nisa::MatmulOptions transposes{.is_transpose = true};
  Tensor halves = tile_of({1}, 64, 16, nl::bfloat16);
  EXPECT_RULE(nisa::nc_matmul(psum(16, 64), halves, tile_of({1}, 64, 64, nl::bfloat16), transposes),
              "dst has stationary's type");
  EXPECT_RULE(nisa::nc_matmul(psum(16, 16), s, s, transposes), "square identity");
  EXPECT_RULE(nisa::nc_matmul(psum(16, 63), s, square.slice(1, 0, 63), transposes),
              "square identity");
}

TEST_F(OldRules, NoDoubleRows) {
  Tensor fp8 = nl::ndarray({4, 2, 8}, nl::float8_e4m3);
  put(fp8, {1});
  Tensor d = nl::ndarray({8, 8}, nl::float32, nl::psum);
  EXPECT_RULE(nisa::nc_matmul(d, fp8, fp8, {.perf_mode = nisa::matmul_perf_mode::double_row}),
              "no double-row mode");
  EXPECT_RULE(nisa::nc_matmul(d, tile_of({1}, 4, 8, nl::float8_e4m3fn),
                              tile_of({1}, 4, 8, nl::float8_e4m3fn)),
              "float8_e4m3fn from NeuronCore-v4 on");
}

TEST(RulesWithoutACore, InstructionsNeedACore) {
  EXPECT_RULE(nl::ndarray({1, 1}, nl::float32), "no current core");
  EXPECT_RULE(chip::generation("trn9"), "known are trn1, trn2, trn3");
}

} // namespace
} // namespace nki
