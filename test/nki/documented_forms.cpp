#include "documented_forms.h"

namespace nki::documented {

namespace {

using Op = nl::Op;
constexpr Buffer S = Buffer::sbuf, P = Buffer::psum, H = Buffer::hbm;

Types without(Types types, const Types &excluded) {
  for (DType type : excluded)
    types.erase(type);
  return types;
}
Types with(Types types, const Types &more) {
  types.insert(more.begin(), more.end());
  return types;
}

const Types kPacked = {nl::float8_e5m2_x4, nl::float8_e4m3fn_x4, nl::float4_e2m1fn_x4};
const Types kIntegers = {nl::uint8, nl::int8, nl::uint16, nl::int16, nl::uint32, nl::int32};
const Types kFloats = {nl::float16,     nl::bfloat16,    nl::float32,       nl::tfloat32,
                       nl::float8_e4m3, nl::float8_e5m2, nl::float8_e4m3fn, nl::float8_e8m0fnu};
const Types kBits = with(kIntegers, {nl::bool_});
const Types kNumbers = with(kBits, kFloats);
const Types kEvery = with(kNumbers, kPacked);
const Types kF32 = {nl::float32};

Slot slot(const char *role, int64_t partitions, int64_t elements, Types types, DType type,
          std::vector<Buffer> buffers) {
  return {role, partitions, elements, type, std::move(types), std::move(buffers)};
}
Slot tile(const char *role, Types types, DType type = nl::float32) {
  return slot(role, 64, 16, std::move(types), type, {S, P});
}
Slot column(const char *role, Types types, DType type = nl::float32) {
  return slot(role, 64, 1, std::move(types), type, {S, P});
}
Slot sbuf(const char *role, Types types, DType type = nl::float32) {
  return slot(role, 64, 16, std::move(types), type, {S});
}
Slot eight(const char *role, Types types, DType type = nl::float32) {
  return slot(role, 64, 8, std::move(types), type, {S, P});
}
Slot any_start(Slot slot) {
  slot.any_start = true;
  return slot;
}
/// What DMA engines reach: any partitions of SBUF, device memory.
Slot dma(const char *role, Types types, std::vector<Buffer> buffers = {S, H}) {
  return any_start(slot(role, 64, 16, std::move(types), nl::float32, std::move(buffers)));
}
Slot optional(Slot slot) {
  slot.optional = true;
  return slot;
}
Slot indexed(Slot slot) {
  slot.indirect = true;
  return slot;
}
Slot any_partitions(Slot slot) {
  slot.any_partitions = true;
  return slot;
}
Slot any_elements(Slot slot) {
  slot.any_elements = true;
  return slot;
}
Slot any_size(Slot slot) { return any_partitions(any_elements(std::move(slot))); }

std::vector<Form> transfers() {
  using nisa::engine;
  return {
      {.instruction = "dma_copy",
       .form = "",
       .slots = {dma("dst", kNumbers), dma("src", kNumbers, {H, S})},
       .call = [](Tensors t) { nisa::dma_copy(t[0], t[1]); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "dma_transpose",
       .form = "",
       .slots = {any_start(slot("dst", 16, 64, kF32, nl::float32, {S})), dma("src", kF32, {H, S})},
       .call = [](Tensors t) { nisa::dma_transpose(t[0], t[1]); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "dma_compute",
       .form = "",
       .slots = {dma("dst", kNumbers), dma("srcs", kNumbers, {H, S}), dma("srcs", kNumbers)},
       .call = [](Tensors t) { nisa::dma_compute(t[0], t.subspan(1), nl::add); }},
      {.instruction = "tensor_copy",
       .form = "",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("src", kNumbers))},
       .call = [](Tensors t) { nisa::tensor_copy(t[0], t[1]); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "tensor_copy",
       .form = "on GpSimdE",
       .slots = {sbuf("dst", kNumbers), sbuf("src", kNumbers)},
       .call = [](Tensors t) { nisa::tensor_copy(t[0], t[1], engine::gpsimd); }},
      {.instruction = "memset",
       .form = "",
       .slots = {any_size(tile("dst", kEvery))},
       .call = [](Tensors t) { nisa::memset(t[0], 0); }},
      {.instruction = "memset",
       .form = "on GpSimdE",
       .slots = {any_size(sbuf("dst", kEvery))},
       .call = [](Tensors t) { nisa::memset(t[0], 0, engine::gpsimd); }},
      {.instruction = "memset",
       .form = "to 1.5",
       .slots = {any_size(tile("dst", kFloats))},
       .call = [](Tensors t) { nisa::memset(t[0], 1.5f); }},
      {.instruction = "tensor_copy_predicated",
       .form = "",
       .slots = {indexed(tile("dst", kF32)), tile("src", kF32),
                 indexed(tile("predicate", {nl::uint8, nl::uint16, nl::uint32}, nl::uint8))},
       .call = [](Tensors t) { nisa::tensor_copy_predicated(t[0], t[1], t[2]); },
       .equal = {0, 1},
       .equal_types = kEvery,
       .not_both_in_psum = {1, 2}},
      {.instruction = "nc_stream_shuffle",
       .form = "",
       .slots = {any_partitions(tile("dst", kF32)), tile("src", kF32)},
       .call = [](Tensors t) { nisa::nc_stream_shuffle(t[0], t[1], std::vector<int>(32, 0)); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "nc_transpose",
       .form = "on TensorE",
       .slots = {slot("dst", 16, 64, kF32, nl::float32, {P}), sbuf("data", kF32)},
       .call = [](Tensors t) { nisa::nc_transpose(t[0], t[1], engine::tensor); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "nc_transpose",
       .form = "on VectorE",
       .slots = {slot("dst", 16, 32, kF32, nl::float32, {S, P}),
                 slot("data", 32, 16, kF32, nl::float32, {S, P})},
       .call = [](Tensors t) { nisa::nc_transpose(t[0], t[1], engine::vector); },
       .equal = {0, 1},
       .equal_types = kEvery},
  };
}

std::vector<Form> element_wise() {
  return {
      {.instruction = "tensor_tensor",
       .form = "add",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("data1", kNumbers)),
                 tile("data2", kNumbers)},
       .call = [](Tensors t) { nisa::tensor_tensor(t[0], t[1], t[2], nl::add); },
       .not_both_in_psum = {1, 2}},
      {.instruction = "tensor_tensor",
       .form = "power",
       .slots = {indexed(sbuf("dst", kNumbers)), indexed(sbuf("data1", kNumbers)),
                 sbuf("data2", kNumbers)},
       .call = [](Tensors t) { nisa::tensor_tensor(t[0], t[1], t[2], nl::power); }},
      {.instruction = "tensor_tensor",
       .form = "bitwise_or",
       .slots = {indexed(tile("dst", kBits, nl::int32)), indexed(tile("data1", kBits, nl::int32)),
                 tile("data2", kBits, nl::int32)},
       .call = [](Tensors t) { nisa::tensor_tensor(t[0], t[1], t[2], nl::bitwise_or); },
       .not_both_in_psum = {1, 2}},
      {.instruction = "tensor_scalar",
       .form = "multiply add",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("data", kNumbers)),
                 column("operand0", kF32), column("operand1", kF32)},
       .call =
           [](Tensors t) {
             nisa::tensor_scalar(t[0], t[1], nl::multiply, t[2], false, nl::add, t[3]);
           }},
      {.instruction = "tensor_scalar",
       .form = "bitwise_and",
       .slots = {indexed(tile("dst", kBits, nl::int32)), indexed(tile("data", kBits, nl::int32)),
                 column("operand0", kBits, nl::int32)},
       .call = [](Tensors t) { nisa::tensor_scalar(t[0], t[1], nl::bitwise_and, t[2]); }},
      {.instruction = "tensor_scalar",
       .form = "rsqrt",
       .slots = {indexed(sbuf("dst", kNumbers)), indexed(sbuf("data", kNumbers))},
       .call = [](Tensors t) { nisa::tensor_scalar(t[0], t[1], nl::rsqrt, {}); }},
      {.instruction = "scalar_tensor_tensor",
       .form = "",
       .slots = {tile("dst", kNumbers), tile("data", kNumbers), column("operand0", kNumbers),
                 tile("operand1", kNumbers)},
       .call =
           [](Tensors t) {
             nisa::scalar_tensor_tensor(t[0], t[1], nl::multiply, t[2], nl::add, t[3]);
           },
       .not_both_in_psum = {1, 3}},
      {.instruction = "reciprocal",
       .form = "",
       .slots = {tile("dst", kNumbers), tile("data", kNumbers)},
       .call = [](Tensors t) { nisa::reciprocal(t[0], t[1]); }},
  };
}

std::vector<Form> activations() {
  using nisa::reduce_cmd;
  const Types bias = without(kNumbers, {nl::tfloat32});
  const Types listed = {nl::float8_e4m3, nl::float8_e5m2, nl::float16, nl::bfloat16, nl::float32,
                        nl::int8,        nl::int16,       nl::int32,   nl::uint8,    nl::uint16};
  const Types sums = {nl::float8_e4m3, nl::float8_e5m2, nl::float16,
                      nl::bfloat16,    nl::float32,     nl::tfloat32};
  return {
      {.instruction = "activation",
       .form = "",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("data", kNumbers)),
                 optional(column("bias", bias)), column("scale", kF32),
                 optional(column("reduce_res", kNumbers))},
       .call =
           [](Tensors t) {
             nisa::activation(t[0], nl::exp, t[1], t[2], t[3], nl::add, t[4],
                              reduce_cmd::reset_reduce);
           }},
      {.instruction = "activation_reduce",
       .form = "",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("data", kNumbers)),
                 optional(column("reduce_res", kNumbers)), optional(column("bias", bias)),
                 column("scale", kF32)},
       .call =
           [](Tensors t) {
             nisa::activation_reduce(t[0], nl::exp, t[1], nl::add, t[2], t[3], t[4]);
           }},
      {.instruction = "activate2",
       .form = "",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("data", kNumbers)),
                 column("imm0", kF32), column("imm1", kF32),
                 optional(column("relu_param", kNumbers)),
                 optional(column("reduce_res", kNumbers))},
       .call =
           [](Tensors t) {
             nisa::activate2(t[0], nl::prelu, t[1], t[2], t[3], nl::multiply, nl::add, t[4], false,
                             false, nl::add, t[5], reduce_cmd::reset_reduce);
           },
       .equal = {2, 3},
       .equal_types = kNumbers,
       .from = 4},
      {.instruction = "exponential",
       .form = "",
       .slots = {indexed(tile("dst", with(listed, {nl::tfloat32}))),
                 indexed(tile("src", with(listed, {nl::uint32}))),
                 optional(column("max_value", kF32)), optional(column("reduce_res", sums)),
                 column("reduce_init", kF32)},
       .call =
           [](Tensors t) {
             nisa::exponential(t[0], t[1], t[2], t[3], reduce_cmd::load_reduce, t[4]);
           },
       .from = 4},
  };
}

std::vector<Form> reductions() {
  using nisa::reduce_cmd;
  const Types narrow = without(kNumbers, {nl::int32, nl::uint32});
  return {
      {.instruction = "tensor_reduce",
       .form = "add",
       .slots = {indexed(column("dst", kNumbers)), indexed(any_elements(tile("data", kNumbers)))},
       .call = [](Tensors t) { nisa::tensor_reduce(t[0], nl::add, t[1], 1); }},
      {.instruction = "tensor_reduce",
       .form = "bitwise_xor",
       .slots = {indexed(column("dst", kBits, nl::int32)),
                 indexed(any_elements(tile("data", kBits, nl::int32)))},
       .call = [](Tensors t) { nisa::tensor_reduce(t[0], nl::bitwise_xor, t[1], 1); }},
      {.instruction = "tensor_scalar_reduce",
       .form = "",
       .slots = {indexed(tile("dst", kNumbers)), indexed(tile("data", kNumbers)),
                 column("operand0", kF32), optional(column("reduce_res", kNumbers)),
                 column("reduce_init", kF32)},
       .call =
           [](Tensors t) {
             nisa::tensor_scalar_reduce(t[0], t[1], nl::multiply, t[2], nl::add, t[3], false,
                                        reduce_cmd::load_reduce, t[4]);
           }},
      {.instruction = "tensor_tensor_scan",
       .form = "",
       .slots = {tile("dst", kNumbers), tile("data0", kNumbers), tile("data1", kNumbers),
                 column("initial", kNumbers)},
       .call =
           [](Tensors t) {
             nisa::tensor_tensor_scan(t[0], t[1], t[2], t[3], nl::multiply, nl::add);
           },
       .not_both_in_psum = {1, 2}},
      {.instruction = "tensor_scalar_cumulative",
       .form = "",
       .slots = {indexed(tile("dst", narrow)), indexed(tile("src", narrow)), column("imm0", kF32),
                 column("imm1", kF32)},
       .call =
           [](Tensors t) {
             nisa::tensor_scalar_cumulative(t[0], t[1], nl::multiply, nl::add, t[2], t[3],
                                            reduce_cmd::load_reduce);
           }},
      {.instruction = "tensor_partition_reduce",
       .form = "add",
       .slots = {slot("dst", 1, 16, kNumbers, nl::float32, {S}),
                 any_partitions(sbuf("data", kNumbers))},
       .call = [](Tensors t) { nisa::tensor_partition_reduce(t[0], nl::add, t[1]); }},
      {.instruction = "tensor_partition_reduce",
       .form = "bitwise_and",
       .slots = {slot("dst", 1, 16, kBits, nl::int32, {S}),
                 any_partitions(sbuf("data", kBits, nl::int32))},
       .call = [](Tensors t) { nisa::tensor_partition_reduce(t[0], nl::bitwise_and, t[1]); }},
      {.instruction = "bn_stats",
       .form = "",
       .slots = {slot("dst", 64, 6, kNumbers, nl::float32, {S, P}),
                 any_elements(tile("data", kNumbers))},
       .call = [](Tensors t) { nisa::bn_stats(t[0], t[1]); }},
      {.instruction = "bn_aggr",
       .form = "",
       .slots = {slot("dst", 64, 2, kNumbers, nl::float32, {S, P}),
                 any_elements(slot("data", 64, 12, kNumbers, nl::float32, {S, P}))},
       .call = [](Tensors t) { nisa::bn_aggr(t[0], t[1]); }},
      {.instruction = "max8",
       .form = "",
       .slots = {eight("dst", kNumbers), any_elements(tile("src", kNumbers))},
       .call = [](Tensors t) { nisa::max8(t[0], t[1]); }},
      {.instruction = "nc_find_index8",
       .form = "",
       .slots = {eight("dst", {nl::uint16, nl::uint32}, nl::uint32),
                 any_elements(tile("data", kNumbers)), eight("vals", kNumbers)},
       .call = [](Tensors t) { nisa::nc_find_index8(t[0], t[1], t[2]); }},
      {.instruction = "nc_match_replace8",
       .form = "",
       .slots = {tile("dst", kNumbers), tile("data", kNumbers), eight("vals", kNumbers),
                 optional(eight("dst_idx", {nl::uint16, nl::uint32}, nl::uint32))},
       .call = [](Tensors t) { nisa::nc_match_replace8(t[0], t[1], t[2], 0.0f, t[3]); }},
  };
}

std::vector<Form> selections() {
  using nisa::reduce_cmd;
  return {
      {.instruction = "select_reduce",
       .form = "",
       .slots = {tile("dst", kNumbers),
                 tile("predicate", {nl::int8, nl::uint8, nl::int16, nl::uint16}, nl::uint8),
                 tile("on_true", without(kNumbers, {nl::tfloat32, nl::int32, nl::uint32})),
                 column("on_false", kNumbers), optional(column("reduce_res", kFloats))},
       .call =
           [](Tensors t) {
             nisa::select_reduce(t[0], t[1], t[2], t[3], t[4], reduce_cmd::reset_reduce);
           },
       .not_both_in_psum = {1, 2}},
      {.instruction = "range_select",
       .form = "",
       .slots = {tile("dst", kNumbers), tile("on_true_tile", kFloats), column("bound0", kF32),
                 column("bound1", kF32), optional(column("reduce_res", kNumbers))},
       .call =
           [](Tensors t) {
             nisa::range_select(t[0], t[1], nl::greater, nl::less, t[2], t[3],
                                reduce_cmd::reset_reduce, t[4]);
           },
       .from = 3},
      {.instruction = "affine_select",
       .form = "",
       .slots = {sbuf("dst", kNumbers), sbuf("on_true_tile", kNumbers)},
       .call = [](Tensors t) { nisa::affine_select(t[0], {{1, 16}}, 0, t[1], 0.0f); }},
      {.instruction = "iota",
       .form = "",
       .slots = {any_partitions(sbuf("dst", kNumbers))},
       .call = [](Tensors t) { nisa::iota(t[0], {{1, 16}}); }},
      {.instruction = "nc_n_gather",
       .form = "",
       .slots = {sbuf("dst", kF32), any_elements(sbuf("data", kF32)),
                 sbuf("indices", {nl::uint32}, nl::uint32)},
       .call = [](Tensors t) { nisa::nc_n_gather(t[0], t[1], t[2]); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "local_gather",
       .form = "",
       .slots = {sbuf("dst", kF32), any_elements(sbuf("src_buffer", kF32)),
                 slot("index", 64, 1, {nl::uint16}, nl::uint16, {S})},
       .call = [](Tensors t) { nisa::local_gather(t[0], t[1], t[2]); },
       .equal = {0, 1},
       .equal_types = kEvery},
      {.instruction = "nonzero_with_count",
       .form = "",
       .slots = {slot("dst", 64, 17, {nl::int32}, nl::int32, {S}),
                 sbuf("src", {nl::float32, nl::int32})},
       .call = [](Tensors t) { nisa::nonzero_with_count(t[0], t[1]); },
       .from = 3},
      {.instruction = "topk",
       .form = "",
       .slots = {slot("val_dst", 64, 8, {nl::bfloat16}, nl::bfloat16, {S}),
                 slot("idx_dst", 64, 8, {nl::uint32}, nl::uint32, {S}),
                 sbuf("src", {nl::bfloat16}, nl::bfloat16)},
       .call = [](Tensors t) { nisa::topk(t[0], t[1], t[2], 200); }},
      {.instruction = "sequence_bounds",
       .form = "",
       .slots = {slot("dst", 1, 32, {nl::float32, nl::int32}, nl::int32, {S}),
                 slot("segment_ids", 1, 16, {nl::float32, nl::int32}, nl::int32, {S})},
       .call = [](Tensors t) { nisa::sequence_bounds(t[0], t[1]); }},
  };
}

std::vector<Form> products() {
  const Types narrow = {nl::float16, nl::bfloat16, nl::float8_e4m3, nl::float8_e5m2,
                        nl::float8_e4m3fn};
  const Types ocp = without(narrow, {nl::float8_e4m3});
  const Types wide = {nl::float32, nl::tfloat32};
  const Types scales = {nl::float8_e8m0fnu, nl::uint8};
  const Slot dst = indexed(slot("dst", 32, 32, {nl::float32, nl::bfloat16}, nl::float32, {P}));
  auto moving = [](Types types, DType type) {
    return slot("moving", 64, 32, std::move(types), type, {S});
  };
  auto stationary = [](Types types, DType type) {
    return slot("stationary", 64, 32, std::move(types), type, {S});
  };
  auto multiply = [](Tensors t) { nisa::nc_matmul(t[0], t[1], t[2], {.accumulate = false}); };
  return {
      {.instruction = "nc_matmul",
       .form = "float32",
       .slots = {dst, stationary(wide, nl::float32), moving(wide, nl::float32)},
       .call = multiply,
       .index_group = 32},
      {.instruction = "nc_matmul",
       .form = "bfloat16",
       .slots = {dst, indexed(stationary(narrow, nl::bfloat16)),
                 indexed(moving(narrow, nl::bfloat16))},
       .call = multiply,
       .index_group = 32},
      {.instruction = "nc_matmul",
       .form = "OCP fp8",
       .slots = {dst, indexed(stationary(ocp, nl::float8_e4m3fn)),
                 indexed(moving(ocp, nl::float8_e4m3fn))},
       .call = multiply,
       .from = 4,
       .index_group = 32},
      {.instruction = "nc_matmul_mx",
       .form = "",
       .slots = {dst, stationary(kPacked, nl::float8_e5m2_x4),
                 moving(kPacked, nl::float4_e2m1fn_x4),
                 slot("stationary_scale", 64, 32, scales, nl::float8_e8m0fnu, {S}),
                 slot("moving_scale", 64, 32, scales, nl::uint8, {S})},
       .call = [](Tensors t) { nisa::nc_matmul_mx(t[0], t[1], t[2], t[3], t[4]); },
       .from = 4,
       .index_group = 32},
      {.instruction = "quantize_mx",
       .form = "",
       .slots = {slot("dst", 64, 4, {nl::float8_e4m3fn_x4, nl::float8_e5m2_x4},
                      nl::float8_e4m3fn_x4, {S}),
                 sbuf("src", {nl::float16, nl::bfloat16}, nl::bfloat16),
                 slot("dst_scale", 64, 4, scales, nl::uint8, {S})},
       .call = [](Tensors t) { nisa::quantize_mx(t[0], t[1], t[2]); },
       .from = 4},
  };
}

std::vector<Form> random_numbers() {
  using nisa::engine;
  const Types uniform = without(kNumbers, {nl::bool_, nl::float8_e4m3fn, nl::float8_e8m0fnu});
  Slot min = column("min", kF32);
  min.value = -1;
  auto states = [](const char *role, int64_t words, std::vector<Buffer> buffers) {
    return any_partitions(slot(role, 64, words, {nl::uint32}, nl::uint32, std::move(buffers)));
  };
  Types words;
  for (DType type : kEvery)
    if (size_of(type) == 4)
      words.insert(type);
  return {
      {.instruction = "rng",
       .form = "",
       .slots = {any_size(tile("dst", kIntegers, nl::uint32))},
       .call = [](Tensors t) { nisa::rng(t[0]); }},
      {.instruction = "rng",
       .form = "on GpSimdE",
       .slots = {any_size(sbuf("dst", kIntegers, nl::uint32))},
       .call = [](Tensors t) { nisa::rng(t[0], engine::gpsimd); },
       .from = 3},
      {.instruction = "rand2",
       .form = "",
       .slots = {any_elements(tile("dst", uniform)), min, column("max", kF32)},
       .call = [](Tensors t) { nisa::rand2(t[0], t[1], t[2]); },
       .from = 4},
      {.instruction = "dropout",
       .form = "of floats",
       .slots = {tile("dst", kF32), tile("data", kF32), column("prob", kFloats)},
       .call = [](Tensors t) { nisa::dropout(t[0], t[1], t[2]); },
       .equal = {0, 1},
       .equal_types = kNumbers},
      {.instruction = "dropout",
       .form = "of integers",
       .slots = {tile("dst", {nl::int32}, nl::int32), tile("data", {nl::int32}, nl::int32),
                 column("prob", kF32)},
       .call = [](Tensors t) { nisa::dropout(t[0], t[1], t[2]); },
       .equal = {0, 1},
       .equal_types = kNumbers},
      {.instruction = "set_rng_seed",
       .form = "",
       .slots = {slot("src_seeds", 1, 1, words, nl::uint32, {S, P})},
       .call = [](Tensors t) { nisa::set_rng_seed(t[0]); }},
      {.instruction = "rand_set_state",
       .form = "on GpSimdE",
       .slots = {states("src_seeds", 6, {S})},
       .call = [](Tensors t) { nisa::rand_set_state(t[0]); },
       .from = 3},
      {.instruction = "rand_set_state",
       .form = "on VectorE",
       .slots = {states("src_seeds", 24, {S})},
       .call = [](Tensors t) { nisa::rand_set_state(t[0], engine::vector); },
       .from = 4},
      {.instruction = "rand_get_state",
       .form = "on GpSimdE",
       .slots = {states("dst", 6, {S})},
       .call = [](Tensors t) { nisa::rand_get_state(t[0]); },
       .from = 3},
      {.instruction = "rand_get_state",
       .form = "on VectorE",
       .slots = {states("dst", 24, {S, P})},
       .call = [](Tensors t) { nisa::rand_get_state(t[0], engine::vector); },
       .from = 4},
  };
}

std::vector<Form> registers() {
  const Slot src = any_start(slot("src", 1, 1, kEvery, nl::int32, {S, H}));
  const Slot dst = any_start(slot("dst", 1, 1, kEvery, nl::int32, {S, H}));
  return {
      {.instruction = "register_load",
       .form = "",
       .slots = {src},
       .call = [](Tensors t) { nisa::register_load(nisa::Register(), t[0]); }},
      {.instruction = "register_store",
       .form = "",
       .slots = {dst},
       .call = [](Tensors t) { nisa::register_store(t[0], nisa::register_alloc(1)); }},
  };
}

} // namespace

const std::vector<Form> &forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> result;
    for (auto *part : {transfers, element_wise, activations, reductions, selections, products,
                       random_numbers, registers})
      for (Form &form : part())
        result.push_back(std::move(form));
    return result;
  }();
  return all;
}

const Types &every_type() { return kEvery; }
const Types &number_types() { return kNumbers; }
const Types &bit_types() { return kBits; }
const Types &float_types() { return kFloats; }

Tensor make(const Slot &slot, DType type, Buffer buffer, int64_t partitions, int64_t elements) {
  Tensor tensor = nl::ndarray({partitions, elements}, type, buffer);
  if (kPacked.contains(type))
    put_bits<uint32_t>(tensor, {0});
  else
    put(tensor, {slot.value});
  return tensor;
}

std::vector<Tensor> make_all(const Form &form) {
  std::vector<Tensor> tensors;
  for (const Slot &slot : form.slots)
    tensors.push_back(make(slot));
  return tensors;
}

} // namespace nki::documented
