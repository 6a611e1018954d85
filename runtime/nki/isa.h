// nki.isa: one function per instruction, under NKI's names and in NKI's order of arguments.
//
// Each call checks every documented rule (nki::Error names the broken one), computes on the current
// core, and adds its predicted cost to the core's timeline. `None` is a default-constructed Tensor
// or Operand, or nl::Op::none. The optional argument `name` does not exist here.
//
// Every operand may start at a scalar offset (Tensor::ap_scalar). Where it is said, operands may go
// through tensor indirection (Tensor::indirect) on NeuronCore-v4.
//
// Source: the annotated stub nki/api/nki/isa/__init__.py of the public Neuron documentation.
#pragma once

#include "nki/language.h"
#include "nki/tensor.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>

namespace nki {

/// "float | NkiTensor | None": a constant for all elements, or a {P, 1} tile with one value per
/// partition. Integer constants are kept exactly, for bit operators.
class Operand {
public:
  Operand() = default; ///< None
  Operand(float value) : value_(value), kind_(Kind::number) {}
  Operand(double value) : value_(value), kind_(Kind::number) {}
  Operand(int value) : value_(value), kind_(Kind::integer) {}
  Operand(unsigned value) : value_(value), kind_(Kind::integer) {}
  Operand(long value) : value_(double(value)), kind_(Kind::integer) {}
  Operand(unsigned long value) : value_(double(value)), kind_(Kind::integer) {}
  Operand(const Tensor &tensor) : tensor_(tensor), kind_(tensor ? Kind::tensor : Kind::none) {}

  bool is_none() const { return kind_ == Kind::none; }
  bool is_tensor() const { return kind_ == Kind::tensor; }
  bool is_integer() const { return kind_ == Kind::integer; }
  const Tensor &tensor() const { return tensor_; }
  double value() const { return value_; }

private:
  enum class Kind : uint8_t { none, number, integer, tensor };
  Tensor tensor_;
  double value_ = 0;
  Kind kind_ = Kind::none;
};

} // namespace nki

namespace nki::isa {

using Op = language::Op;

enum class engine : uint8_t {
  unknown = 0,
  tensor = 1,
  scalar = 2,
  gpsimd = 3,
  dma = 4,
  vector = 5,
  sync = 6
};
enum class reduce_cmd : uint8_t { idle, reset, reduce, reset_reduce, load_reduce };
enum class dge_mode : uint8_t { unknown, swdge, hwdge, none };
enum class oob_mode : uint8_t { error, skip };
/// Who moves the data of sendrecv.
enum class dma_engine : uint8_t { dma = 1, gpsimd_dma = 2 };
enum class nc_version : uint8_t { gen2 = 2, gen3 = 3, gen4 = 4 };

/// Of the current core; values beyond gen4 are later generations.
nc_version get_nc_version();
int get_nc_sub_version();

// ---- data movement ------------------------------------------------------------------------------

/// dst = src through the DMA engines: HBM and SBUF, any two patterns with equally many elements,
/// casts through fp32. Either side may have one index per row (Tensor::ap_indirect, vector_select:
/// gather, scatter), both may start at a scalar offset; indices outside of the tensor are an error,
/// or their transfers are skipped. `priority` is 0 to 3, from NeuronCore-v4 on.
void dma_copy(const Tensor &dst, const Tensor &src, oob_mode oob = oob_mode::error,
              dge_mode dge = dge_mode::unknown, engine on = engine::unknown,
              std::optional<int> priority = {});
/// dst (SBUF) = src with its axes permuted, bit for bit: [1, 0] of two dimensions, [2, 1, 0] of
/// three, [3, 1, 2, 0] of four. src may be Tensor::ap_indirect: rows are gathered, then transposed.
void dma_transpose(const Tensor &dst, const Tensor &src, std::span<const int> axes = {},
                   dge_mode dge = dge_mode::unknown, oob_mode oob = oob_mode::error,
                   std::optional<int> priority = {});
/// dst = sum of up to 16 sources in fp32, cast. With indices: dst[indices] += the other source, or
/// dst += source[indices], where one of the two sources is dst itself.
void dma_compute(const Tensor &dst, std::span<const Tensor> srcs, Op reduce_op,
                 std::span<const float> scales = {}, bool unique_indices = true,
                 oob_mode oob = oob_mode::error);
/// dst = src on chip; bit for bit where the types are equal, through fp32 otherwise.
void tensor_copy(const Tensor &dst, const Tensor &src, engine on = engine::unknown);
/// Every element of dst = value. Integer tiles take integers only.
void memset(const Tensor &dst, const Operand &value, engine on = engine::unknown);
/// dst = src where the predicate (uint8, uint16, uint32) is nonzero; elsewhere dst keeps its value.
void tensor_copy_predicated(const Tensor &dst, const Operand &src, const Tensor &predicate,
                            bool reverse_pred = false);
/// Rows of a quadrant of 32 partitions permuted: dst partition i = src partition mask[i]; 255
/// leaves dst's partition alone. `shuffle_mask` has 32 entries.
void nc_stream_shuffle(const Tensor &dst, const Tensor &src, std::span<const int> shuffle_mask);
/// dst[f, p] = data[p, f]. TensorE (to PSUM, up to 128x128) or VectorE (up to 32x32).
void nc_transpose(const Tensor &dst, const Tensor &data, engine on = engine::unknown);

// ---- element-wise -------------------------------------------------------------------------------

/// dst = data1 op data2. All int32/uint32 in SBUF: exact on GpSimdE, unless `on` says vector.
void tensor_tensor(const Tensor &dst, const Tensor &data1, const Tensor &data2, Op op,
                   engine on = engine::unknown);
/// dst = (data op0 operand0) op1 operand1, operands constant or {P, 1}.
void tensor_scalar(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                   bool reverse0 = false, Op op1 = Op::none, const Operand &operand1 = {},
                   bool reverse1 = false, engine on = engine::unknown);
/// dst = (data op0 operand0) op1 operand1, operand0 constant or {P, 1}, operand1 a tile.
void scalar_tensor_tensor(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                          Op op1, const Tensor &operand1, bool reverse0 = false,
                          bool reverse1 = false);
/// dst = 1 / data on VectorE.
void reciprocal(const Tensor &dst, const Tensor &data);

// ---- activation (ScalarE)
// -----------------------------------------------------------------------

/// dst = op(data * scale + bias); reduce_res takes the accumulated sums where it is given.
void activation(const Tensor &dst, Op op, const Tensor &data, const Operand &bias = {},
                const Operand &scale = 1.0f, Op reduce_op = Op::none, const Tensor &reduce_res = {},
                reduce_cmd cmd = reduce_cmd::idle);
void activation_reduce(const Tensor &dst, Op op, const Tensor &data, Op reduce_op,
                       const Tensor &reduce_res, const Operand &bias = {},
                       const Operand &scale = 1.0f);

/// dst = op((data op0 imm0) op1 imm1) on NeuronCore-v4; relu_param is the slope of nl.prelu.
void activate2(const Tensor &dst, Op op, const Tensor &data, const Operand &imm0,
               const Operand &imm1, Op op0, Op op1, const Operand &relu_param = 0.0f,
               bool reverse0 = false, bool reverse1 = false, Op reduce_op = Op::none,
               const Tensor &reduce_res = {}, reduce_cmd cmd = reduce_cmd::idle);
/// dst = e^(src - max_value) on VectorE of NeuronCore-v4; reduce_res takes the sums.
void exponential(const Tensor &dst, const Tensor &src, const Operand &max_value = 0.0f,
                 const Tensor &reduce_res = {}, reduce_cmd cmd = reduce_cmd::idle,
                 const Operand &reduce_init = 0.0f);

// ---- reductions and scans
// -----------------------------------------------------------------------

/// Reduces the free dimensions `axis` (the last ones) of data.
void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, std::initializer_list<int> axis,
                   bool negate = false, bool keepdims = false);
void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, std::span<const int> axis,
                   bool negate = false, bool keepdims = false);
void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, int axis, bool negate = false,
                   bool keepdims = false);
/// dst = data op0 operand0, reduce_res = reduction of it over all free dimensions.
void tensor_scalar_reduce(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                          Op reduce_op, const Tensor &reduce_res = {}, bool reverse0 = false,
                          reduce_cmd cmd = reduce_cmd::reset_reduce,
                          const Operand &reduce_init = {}, bool reduce_res_negate = false);
/// dst[i] = op1(op0(data0[i], dst[i - 1]), data1[i]), dst[-1] = initial, along the free axis.
void tensor_tensor_scan(const Tensor &dst, const Tensor &data0, const Tensor &data1,
                        const Operand &initial, Op op0, Op op1, bool reverse0 = false,
                        bool reverse1 = false);
/// dst[i] = reg = op1(op0(src[i], imm0), reg) along the free axis.
void tensor_scalar_cumulative(const Tensor &dst, const Tensor &src, Op op0, Op op1,
                              const Operand &imm0, const Operand &imm1 = {},
                              reduce_cmd cmd = reduce_cmd::reset_reduce);
/// Reduces over partitions on GpSimdE: dst {1, F} from data {P, F}.
void tensor_partition_reduce(const Tensor &dst, Op op, const Tensor &data);
/// dst {P, 6} = count, mean and count times variance of the even elements, then of the odd ones.
void bn_stats(const Tensor &dst, const Tensor &data);
/// dst {P, 2} = mean and variance of the elements that one or several bn_stats saw.
void bn_aggr(const Tensor &dst, const Tensor &data);

// ---- search -------------------------------------------------------------------------------------

/// The 8 largest values of each partition, in descending order: dst {P, 8}.
void max8(const Tensor &dst, const Tensor &src);
/// dst {P, 8} = the first index of each of 8 values in data; all ones where there is none. Equal
/// values take later occurrences.
void nc_find_index8(const Tensor &dst, const Tensor &data, const Tensor &vals);
/// dst = data with the first occurrence of each of 8 values replaced by imm; dst_idx {P, 8} gets
/// the indices. Of equal values the last takes the first occurrence.
void nc_match_replace8(const Tensor &dst, const Tensor &data, const Tensor &vals, float imm,
                       const Tensor &dst_idx = {});

// ---- selection
// ----------------------------------------------------------------------------------

/// dst = predicate ? on_true : on_false, with an optional maximum over the free axis.
void select_reduce(const Tensor &dst, const Tensor &predicate, const Tensor &on_true,
                   const Operand &on_false, const Tensor &reduce_res = {},
                   reduce_cmd cmd = reduce_cmd::idle, Op reduce_op = Op::maximum,
                   bool reverse_pred = false);
/// dst = comp_op0(i, bound0) && comp_op1(i, bound1) ? on_true_tile : -FLT_MAX, where i is
/// range_start plus the free index, and the maximum over the free axis. on_false_value can only be
/// what it is.
void range_select(const Tensor &dst, const Tensor &on_true_tile, Op comp_op0, Op comp_op1,
                  const Tensor &bound0, const Tensor &bound1,
                  reduce_cmd cmd = reduce_cmd::reset_reduce, const Tensor &reduce_res = {},
                  Op reduce_op = Op::maximum, int range_start = 0,
                  float on_false_value = std::numeric_limits<float>::lowest());
/// dst = cmp_op(affine, 0) ? on_true_tile : on_false_value, with affine as iota makes it.
void affine_select(const Tensor &dst, std::span<const Dim> pattern, int32_t channel_multiplier,
                   const Tensor &on_true_tile, float on_false_value, Op cmp_op = Op::equal,
                   int32_t offset = 0);
void affine_select(const Tensor &dst, std::initializer_list<Dim> pattern,
                   int32_t channel_multiplier, const Tensor &on_true_tile, float on_false_value,
                   Op cmp_op = Op::equal, int32_t offset = 0);
/// dst[p, i] = offset + p * channel_multiplier + the pattern's value at i, in int32, then cast.
void iota(const Tensor &dst, std::span<const Dim> pattern, int32_t offset = 0,
          int32_t channel_multiplier = 0);
void iota(const Tensor &dst, std::initializer_list<Dim> pattern, int32_t offset = 0,
          int32_t channel_multiplier = 0);
/// dst[p, i] = data[p, indices[p, i]], free dimensions of data flattened; indices are uint32.
void nc_n_gather(const Tensor &dst, const Tensor &data, const Tensor &indices);

/// Gathers with one list of indices (uint16) per 16 partitions, partitions first: dst[p, i, :] =
/// num_elem_per_idx elements of src_buffer[p] from index i on. Without num_valid_indices all are.
void local_gather(const Tensor &dst, const Tensor &src_buffer, const Tensor &index,
                  int num_elem_per_idx = 1, std::optional<int> num_valid_indices = {});
/// Of partitions 0, 16, 32, ...: where src is not zero, plus index_offset; padding_val; their
/// number as the last element. Other partitions are left alone.
void nonzero_with_count(const Tensor &dst, const Tensor &src, int32_t index_offset = 0,
                        int32_t padding_val = -1);
/// The largest of the first n bfloat16 elements of 16 partitions, partitions first, in ascending
/// order, and where they are. As many as val_dst has per partition.
void topk(const Tensor &val_dst, const Tensor &idx_dst, const Tensor &src, int n);
/// dst {1, 2, n}: where the segment of each element starts, and one past where it ends; n and -1
/// for segment 0.
void sequence_bounds(const Tensor &dst, const Tensor &segment_ids);

// ---- matrix product (TensorE)
// -------------------------------------------------------------------

enum class matmul_perf_mode : uint8_t { none, double_row };

struct MatmulOptions {
  bool is_stationary_onezero = false;
  bool is_moving_onezero = false;
  bool is_transpose = false;
  /// Overwrite or accumulate; by default the first write of a PSUM element overwrites.
  std::optional<bool> accumulate = {};
  std::optional<std::pair<int, int>> tile_position = {}, tile_size = {};
  matmul_perf_mode perf_mode = matmul_perf_mode::none;
};

/// dst[m, n] = sum over k of stationary[k, m] * moving[k, n], in fp32, dst in PSUM.
void nc_matmul(const Tensor &dst, const Tensor &stationary, const Tensor &moving,
               const MatmulOptions &options = {});

struct MatmulMxOptions {
  std::optional<std::pair<int, int>> tile_position = {}, tile_size = {};
  std::optional<bool> accumulate = {}; ///< as in MatmulOptions
};

/// The product of microscaling tiles (x4 types, 4 values of k per partition) on NeuronCore-v4.
/// Scales are 2^(value - 127), one per 8 partitions and column; those of quadrant q lie in
/// partitions 32 q to 32 q + 3 of the scale tile.
void nc_matmul_mx(const Tensor &dst, const Tensor &stationary, const Tensor &moving,
                  const Tensor &stationary_scale, const Tensor &moving_scale,
                  const MatmulMxOptions &options = {});
/// dst (x4, a quarter of the elements) and dst_scale = src in a microscaling format, on VectorE.
void quantize_mx(const Tensor &dst, const Tensor &src, const Tensor &dst_scale);

// ---- random numbers -----------------------------------------------------------------------------

/// dst = the low bits of 32-bit random numbers. VectorE or GpSimdE, each with generators of its
/// own.
void rng(const Tensor &dst, engine on = engine::vector);
/// dst = uniform numbers of [min, max), on VectorE of NeuronCore-v4.
void rand2(const Tensor &dst, const Operand &min, const Operand &max);
/// dst = data, or 0 with the probability prob, a constant or {P, 1}.
void dropout(const Tensor &dst, const Tensor &data, const Operand &prob);
/// Seeds VectorE's generators from one 32-bit value.
void set_rng_seed(const Tensor &src_seeds);
/// The states of XORWOW generators, uint32: {P, 6} on GpSimdE, {P, 24} on VectorE.
void rand_set_state(const Tensor &src_seeds, engine on = engine::gpsimd);
void rand_get_state(const Tensor &dst, engine on = engine::gpsimd);

// ---- several cores (LNC 2, from NeuronCore-v3 on) ----------------------------------------------

/// All `cores`, which must be 0 and 1, come here before one goes on. `data` is the same shared HBM.
void core_barrier(const Tensor &data, std::span<const int> cores, engine on = engine::gpsimd);
/// src goes to dst of core `send_to_rank`, dst gets src of core `recv_from_rank`. Calls with one
/// pipe_id belong together.
void sendrecv(const Tensor &src, const Tensor &dst, int send_to_rank, int recv_from_rank,
              int pipe_id, dma_engine mode = dma_engine::dma);

// ---- registers ----------------------------------------------------------------------------------

Register register_alloc(std::optional<int32_t> x = {});
Register register_alloc(const Tensor &x);                   ///< as register_load
void register_load(const Register &dst, const Tensor &src); ///< one element of up to 32 bits
void register_store(const Tensor &dst, const Register &src);
void register_move(const Register &dst, int32_t src);
void register_move(const Register &dst, const Register &src);

} // namespace nki::isa

namespace nisa = nki::isa;
