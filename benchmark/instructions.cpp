// The chip model's half of benchmark/instructions: reads the names of rows from standard input, one
// a line, and answers each with the seconds that one call takes on 128x512 tiles. The first word
// of a name is the instruction. Without input in between it sleeps, so that NumPy can be measured
// in turn.

#include "chip/core.h"
#include "nki/error.h"
#include "nki/isa.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace nki;

namespace {

constexpr int64_t kP = 128, kF = 512;

/// Device memory with `make(i)` as elements.
template <class T, class F> Tensor in_hbm(chip::Hbm &hbm, DType type, int64_t columns, F make) {
  size_t count = size_t(kP * columns);
  auto *memory = static_cast<T *>(hbm.allocate(count * sizeof(T)));
  for (size_t i = 0; i < count; ++i)
    memory[i] = make(i);
  return hbm_tensor(memory, count * sizeof(T), type).reshape({kP, columns});
}

Tensor on_chip(const Tensor &hbm, Buffer buffer = nl::sbuf) {
  Tensor tile = nl::ndarray({kP, hbm.shape(1)}, hbm.dtype());
  nisa::dma_copy(tile, hbm);
  if (buffer == nl::sbuf)
    return tile;
  Tensor result = nl::ndarray({kP, hbm.shape(1)}, hbm.dtype(), buffer);
  nisa::tensor_copy(result, tile);
  return result;
}

class Bench {
public:
  Bench() {
    element_wise();
    activations();
    reductions();
    selections();
    movement();
    products();
    searches();
    random_numbers();
    short_floats();
    microscaling();
  }

  /// The fastest of a few batches of calls.
  double seconds(const std::string &name) {
    const std::function<void()> &call = calls_.at(name);
    double best = 1e9;
    int64_t calls = 1;
    for (int batch = 0; batch < 4;) {
      auto start = std::chrono::steady_clock::now();
      for (int64_t i = 0; i < calls; ++i)
        call();
      double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (took < 1e-3) {
        calls *= 2;
        continue;
      }
      best = std::min(best, took / double(calls));
      ++batch;
    }
    core_.timeline().reset();
    return best;
  }
  bool knows(const std::string &name) const { return calls_.contains(name); }

private:
  void add(const std::string &name, std::function<void()> call) { calls_[name] = std::move(call); }

  void element_wise() {
    using Op = nl::Op;
    for (Op op : {Op::add, Op::subtract, Op::multiply, Op::maximum, Op::minimum, Op::equal,
                  Op::less, Op::logical_and, Op::abs_max})
      add("tensor_tensor " + std::string(nl::name_of(op)),
          [=, this] { nisa::tensor_tensor(out, x, y, op); });
    add("tensor_tensor power", [this] { nisa::tensor_tensor(out, positive, y, nl::power); });
    for (Op op : {Op::add, Op::multiply, Op::less, Op::bitwise_and, Op::bitwise_xor})
      add("tensor_tensor int32 " + std::string(nl::name_of(op)),
          [=, this] { nisa::tensor_tensor(int_out, i, j, op); });
    add("tensor_tensor int32 left_shift",
        [this] { nisa::tensor_tensor(int_out, i, shift, nl::left_shift); });
    add("tensor_scalar multiply add",
        [this] { nisa::tensor_scalar(out, x, nl::multiply, column, false, nl::add, 0.5f); });
    add("tensor_scalar maximum minimum",
        [this] { nisa::tensor_scalar(out, x, nl::maximum, -1.0f, false, nl::minimum, 1.0f); });
    add("tensor_scalar rsqrt", [this] { nisa::tensor_scalar(out, positive, nl::rsqrt, {}); });
    add("tensor_scalar power", [this] { nisa::tensor_scalar(out, positive, nl::power, 1.5f); });
    add("tensor_scalar int32 right_shift bitwise_and", [this] {
      nisa::tensor_scalar(int_out, i, nl::right_shift, 3, false, nl::bitwise_and, 0xff);
    });
    add("scalar_tensor_tensor multiply add",
        [this] { nisa::scalar_tensor_tensor(out, x, nl::multiply, column, nl::add, y); });
    add("reciprocal", [this] { nisa::reciprocal(out, x); });
  }

  /// What kernels do most in bfloat16, in and out.
  void short_floats() {
    using Op = nl::Op;
    for (Op op : {Op::add, Op::multiply, Op::maximum})
      add("tensor_tensor bfloat16 " + std::string(nl::name_of(op)),
          [=, this] { nisa::tensor_tensor(out_bf16, x_bf16, y_bf16, op); });
    add("tensor_scalar bfloat16 multiply add", [this] {
      nisa::tensor_scalar(out_bf16, x_bf16, nl::multiply, column, false, nl::add, 0.5f);
    });
    add("scalar_tensor_tensor bfloat16 multiply add", [this] {
      nisa::scalar_tensor_tensor(out_bf16, x_bf16, nl::multiply, column, nl::add, y_bf16);
    });
    add("reciprocal bfloat16", [this] { nisa::reciprocal(out_bf16, x_bf16); });
    for (Op op : {Op::copy, Op::exp, Op::silu, Op::gelu})
      add("activation bfloat16 " + std::string(nl::name_of(op)),
          [=, this] { nisa::activation(out_bf16, op, x_bf16, column, 0.5f); });
    add("exponential bfloat16 add", [this] {
      nisa::exponential(out_bf16, x_bf16, column, sum, nisa::reduce_cmd::reset_reduce);
    });
    add("activate2 bfloat16 multiply subtract exp", [this] {
      nisa::activate2(out_bf16, nl::exp, x_bf16, 0.5f, column, nl::multiply, nl::subtract);
    });
    add("activation_reduce bfloat16 exp add",
        [this] { nisa::activation_reduce(out_bf16, nl::exp, x_bf16, nl::add, sum, column, 0.5f); });
    add("tensor_reduce bfloat16 add", [this] { nisa::tensor_reduce(sum, nl::add, x_bf16, 1); });
    add("tensor_scalar_reduce bfloat16 multiply add",
        [this] { nisa::tensor_scalar_reduce(out_bf16, x_bf16, nl::multiply, 0.5f, nl::add, sum); });
    add("tensor_tensor_scan bfloat16 multiply add", [this] {
      nisa::tensor_tensor_scan(out_bf16, unit_bf16, y_bf16, 0.0f, nl::multiply, nl::add);
    });
    add("tensor_scalar_cumulative bfloat16 multiply add",
        [this] { nisa::tensor_scalar_cumulative(out_bf16, x_bf16, nl::multiply, nl::add, 0.5f); });
    add("tensor_partition_reduce bfloat16 add",
        [this] { nisa::tensor_partition_reduce(row, nl::add, x_bf16); });
    add("max8 bfloat16", [this] { nisa::max8(eight_bf16, x_bf16); });
    add("nc_find_index8 bfloat16",
        [this] { nisa::nc_find_index8(eight_places, x_bf16, eight_bf16); });
    add("nc_match_replace8 bfloat16",
        [this] { nisa::nc_match_replace8(out_bf16, x_bf16, eight_bf16, -1e30f, eight_places); });
    add("tensor_copy_predicated bfloat16",
        [this] { nisa::tensor_copy_predicated(out_bf16, x_bf16, bytes); });
    add("select_reduce bfloat16", [this] {
      nisa::select_reduce(out_bf16, bytes, x_bf16, 0.0f, sum, nisa::reduce_cmd::reset_reduce);
    });
    add("affine_select bfloat16", [this] {
      nisa::affine_select(out_bf16, {{-1, kF}}, 1, x_bf16, -1e30f, nl::greater_equal, 0);
    });
    add("nc_n_gather bfloat16", [this] { nisa::nc_n_gather(out_bf16, x_bf16, index); });
    add("local_gather bfloat16", [this] { nisa::local_gather(out_bf16, x_bf16, lists); });
    add("bn_stats bfloat16", [this] { nisa::bn_stats(six, x_bf16); });
    add("tensor_copy bfloat16", [this] { nisa::tensor_copy(out_bf16, x_bf16); });
    add("tensor_copy to bfloat16", [this] { nisa::tensor_copy(out_bf16, x); });
    add("tensor_copy from bfloat16", [this] { nisa::tensor_copy(out, x_bf16); });
    for (auto &[name, tile] : {std::pair{"float8_e4m3", &x_e4m3}, {"float8_e5m2", &x_e5m2}}) {
      add("tensor_copy to " + std::string(name), [=, this] { nisa::tensor_copy(*tile, x); });
      add("tensor_copy from " + std::string(name), [=, this] { nisa::tensor_copy(out, *tile); });
    }
    add("memset bfloat16", [this] { nisa::memset(out_bf16, 1.0f); });
    add("nc_stream_shuffle bfloat16", [this] { nisa::nc_stream_shuffle(out_bf16, x_bf16, pairs); });
    add("nc_transpose 128x128 bfloat16",
        [this] { nisa::nc_transpose(square_psum_bf16, square_bf16); });
    add("dma_copy in bfloat16", [this] { nisa::dma_copy(out_bf16, hbm_bf16); });
    add("dma_copy to bfloat16", [this] { nisa::dma_copy(out_bf16, hbm_x); });
    add("dma_transpose 128x128 bfloat16",
        [this] { nisa::dma_transpose(out_bf16.slice(1, 0, kP), hbm_bf16.slice(1, 0, kP)); });
    add("dma_compute two sources bfloat16",
        [this] { nisa::dma_compute(out_bf16, sources_bf16, nl::add); });
    add("rand2 bfloat16", [this] { nisa::rand2(out_bf16, -1.0f, 1.0f); });
    add("dropout bfloat16", [this] { nisa::dropout(out_bf16, x_bf16, 0.3f); });
  }

  void activations() {
    using Op = nl::Op;
    for (Op op : {Op::copy,
                  Op::exp,
                  Op::sin,
                  Op::tanh,
                  Op::sigmoid,
                  Op::silu,
                  Op::silu_dx,
                  Op::gelu_apprx_tanh,
                  Op::gelu_apprx_sigmoid,
                  Op::softplus,
                  Op::mish,
                  Op::square,
                  Op::relu,
                  Op::abs,
                  Op::sign,
                  Op::gelu,
                  Op::gelu_dx,
                  Op::gelu_apprx_sigmoid_dx,
                  Op::erf,
                  Op::erf_dx})
      add("activation " + std::string(nl::name_of(op)),
          [=, this] { nisa::activation(out, op, x, column, 0.5f); });
    for (Op op : {Op::log, Op::sqrt, Op::rsqrt, Op::reciprocal, Op::arctan})
      add("activation " + std::string(nl::name_of(op)),
          [=, this] { nisa::activation(out, op, positive, column, 0.5f); });
    add("exponential add",
        [this] { nisa::exponential(out, x, column, sum, nisa::reduce_cmd::reset_reduce); });
    add("activate2 multiply subtract exp",
        [this] { nisa::activate2(out, nl::exp, x, 0.5f, column, nl::multiply, nl::subtract); });
    add("activate2 multiply add prelu",
        [this] { nisa::activate2(out, nl::prelu, x, 0.5f, column, nl::multiply, nl::add, 0.1f); });
    add("activation_reduce exp add",
        [this] { nisa::activation_reduce(out, nl::exp, x, nl::add, sum, column, 0.5f); });
  }

  void reductions() {
    add("tensor_reduce add", [this] { nisa::tensor_reduce(sum, nl::add, x, 1); });
    add("tensor_reduce maximum", [this] { nisa::tensor_reduce(sum, nl::maximum, x, 1); });
    add("tensor_scalar_reduce multiply add",
        [this] { nisa::tensor_scalar_reduce(out, x, nl::multiply, 0.5f, nl::add, sum); });
    add("tensor_tensor_scan multiply add",
        [this] { nisa::tensor_tensor_scan(out, unit, y, 0.0f, nl::multiply, nl::add); });
    add("tensor_scalar_cumulative multiply add",
        [this] { nisa::tensor_scalar_cumulative(out, x, nl::multiply, nl::add, 0.5f); });
    add("tensor_partition_reduce add", [this] { nisa::tensor_partition_reduce(row, nl::add, x); });
    add("tensor_partition_reduce maximum",
        [this] { nisa::tensor_partition_reduce(row, nl::maximum, x); });
    add("max8", [this] { nisa::max8(eight, x); });
  }

  void selections() {
    add("tensor_copy_predicated", [this] { nisa::tensor_copy_predicated(out, x, bytes); });
    add("tensor_copy_predicated scalar",
        [this] { nisa::tensor_copy_predicated(out, 1.0f, bytes); });
    add("select_reduce",
        [this] { nisa::select_reduce(out, bytes, x, 0.0f, sum, nisa::reduce_cmd::reset_reduce); });
    add("range_select", [this] {
      nisa::range_select(out, x, nl::greater_equal, nl::less, low, high,
                         nisa::reduce_cmd::reset_reduce, sum);
    });
    add("affine_select",
        [this] { nisa::affine_select(out, {{-1, kF}}, 1, x, -1e30f, nl::greater_equal, 0); });
    add("iota int32", [this] { nisa::iota(int_out, {{1, kF}}, 5, kF); });
    add("iota float32", [this] { nisa::iota(out, {{1, kF}}, 5, kF); });
    add("nc_n_gather", [this] { nisa::nc_n_gather(out, x, index); });
  }

  void movement() {
    add("tensor_copy", [this] { nisa::tensor_copy(out, x); });
    add("tensor_copy to float16", [this] { nisa::tensor_copy(half, x); });
    add("tensor_copy from float16", [this] { nisa::tensor_copy(out, half); });
    add("tensor_copy to int32", [this] { nisa::tensor_copy(int_out, x); });
    add("tensor_copy from int32", [this] { nisa::tensor_copy(out, i); });
    add("tensor_copy to uint8", [this] { nisa::tensor_copy(byte_out, x); });
    add("tensor_copy every second element",
        [this] { nisa::tensor_copy(out.slice(1, 0, kF / 2), x.slice(1, 0, kF, 2)); });
    add("tensor_copy from a register's row of two",
        [this] { nisa::tensor_copy(out.slice(1, 0, kF / 2), second_half); });
    add("memset", [this] { nisa::memset(out, 1.0f); });
    add("nc_stream_shuffle", [this] { nisa::nc_stream_shuffle(out, x, pairs); });
    add("nc_transpose 128x128", [this] { nisa::nc_transpose(square_psum, square); });
    add("nc_transpose 32x32", [this] { nisa::nc_transpose(small_out, small); });
    add("dma_copy in", [this] { nisa::dma_copy(out, hbm_x); });
    add("dma_copy out", [this] { nisa::dma_copy(hbm_out, x); });
    add("dma_copy to float16", [this] { nisa::dma_copy(half, hbm_x); });
    add("dma_transpose 128x128", [this] { nisa::dma_transpose(square_out, hbm_square); });
    add("dma_compute two sources", [this] { nisa::dma_compute(out, sources, nl::add); });
    add("dma_compute scatter of rows",
        [this] { nisa::dma_compute(scattered, scattered_sources, nl::add); });
    add("dma_copy gather of rows", [this] { nisa::dma_copy(out, gathered); });
    add("dma_copy scatter of rows", [this] { nisa::dma_copy(scattered, x); });
  }

  void products() {
    nisa::MatmulOptions overwrite;
    overwrite.accumulate = false;
    add("nc_matmul float32 128x128x512",
        [=, this] { nisa::nc_matmul(psum, square, x, overwrite); });
    add("nc_matmul bfloat16 128x128x512",
        [=, this] { nisa::nc_matmul(psum, square_bf16, x_bf16, overwrite); });
    add("nc_matmul float8_e4m3 128x128x512",
        [=, this] { nisa::nc_matmul(psum, square_e4m3, x_e4m3, overwrite); });
    nisa::MatmulOptions rows = overwrite, turned = overwrite, more;
    rows.perf_mode = nisa::matmul_perf_mode::double_row;
    add("nc_matmul float8_e4m3 double_row 256x128x256", [=, this] {
      nisa::nc_matmul(psum.slice(1, 0, kF / 2), wide_e4m3, x_e4m3.reshape({kP, 2, kF / 2}), rows);
    });
    more.accumulate = true;
    add("nc_matmul bfloat16 accumulate 128x128x512",
        [=, this] { nisa::nc_matmul(psum, square_bf16, x_bf16, more); });
    turned.is_transpose = true;
    add("nc_matmul bfloat16 is_transpose 128x128",
        [=, this] { nisa::nc_matmul(square_psum_bf16, square_bf16, identity, turned); });
  }

  void microscaling() {
    add("quantize_mx float8_e4m3fn", [this] {
      nisa::quantize_mx(moving_e4m3.slice(1, 0, kP), x_bf16, moving_scale.slice(1, 0, kP));
    });
    add("quantize_mx float8_e5m2", [this] {
      nisa::quantize_mx(moving_e5m2.slice(1, 0, kP), x_bf16, moving_scale.slice(1, 0, kP));
    });
    nisa::MatmulMxOptions overwrite;
    overwrite.accumulate = false;
    add("nc_matmul_mx float8_e4m3fn 512x128x512", [=, this] {
      nisa::nc_matmul_mx(psum, moving_e4m3.slice(1, 0, kP), moving_e4m3, scales.slice(1, 0, kP),
                         scales, overwrite);
    });
    add("nc_matmul_mx float8_e5m2 512x128x512", [=, this] {
      nisa::nc_matmul_mx(psum, moving_e5m2.slice(1, 0, kP), moving_e5m2, scales.slice(1, 0, kP),
                         scales, overwrite);
    });
    add("nc_matmul_mx float4_e2m1fn 512x128x512", [=, this] {
      nisa::nc_matmul_mx(psum, moving_e2m1.slice(1, 0, kP), moving_e2m1, scales.slice(1, 0, kP),
                         scales, overwrite);
    });
  }

  void searches() {
    add("nc_find_index8", [this] { nisa::nc_find_index8(eight_places, x, eight_largest); });
    add("nc_match_replace8",
        [this] { nisa::nc_match_replace8(out, x, eight_largest, -1e30f, eight_places); });
    add("bn_stats", [this] { nisa::bn_stats(six, x); });
    add("bn_aggr of 16", [this] { nisa::bn_aggr(two, statistics); });
    add("sequence_bounds 1x512 int32", [this] { nisa::sequence_bounds(bounds, segments); });
    add("sequence_bounds 1x512 float32",
        [this] { nisa::sequence_bounds(float_bounds, float_segments); });
    add("local_gather", [this] { nisa::local_gather(gathered_out, x, lists); });
    add("nonzero_with_count", [this] { nisa::nonzero_with_count(counted, x); });
    add("topk 8 of 8192", [this] { nisa::topk(top, top_places, x_bf16, 16 * kF); });
  }

  void random_numbers() {
    add("rng uint32", [this] { nisa::rng(words); });
    add("rng uint32 on GpSimdE", [this] { nisa::rng(words, nisa::engine::gpsimd); });
    add("rng uint8", [this] { nisa::rng(byte_out); });
    add("set_rng_seed", [this] { nisa::set_rng_seed(words.slice(0, 0, 1).slice(1, 0, 1)); });
    add("rand_set_state 128x24", [this] { nisa::rand_set_state(states, nisa::engine::vector); });
    add("rand_get_state 128x24", [this] { nisa::rand_get_state(states, nisa::engine::vector); });
    add("rand2", [this] { nisa::rand2(out, -1.0f, 1.0f); });
    add("dropout", [this] { nisa::dropout(out, x, 0.3f); });
  }

  chip::Hbm hbm_;
  chip::Core core_{chip::generation("trn3"), hbm_};
  CoreScope scope_{core_};
  std::mt19937 random_{1};
  std::map<std::string, std::function<void()>> calls_;

  Tensor floats(float low, float high) {
    std::uniform_real_distribution<float> value(low, high);
    return in_hbm<float>(hbm_, nl::float32, kF, [&](size_t) { return value(random_); });
  }
  Tensor integers(DType type, uint32_t count) {
    return on_chip(in_hbm<uint32_t>(hbm_, type, kF, [&](size_t) { return random_() % count; }));
  }
  Tensor tile(int64_t p, int64_t f, DType type = nl::float32, Buffer buffer = nl::sbuf) {
    Tensor result = nl::ndarray({p, f}, type, buffer);
    nisa::memset(result, 0);
    return result;
  }
  static Tensor cast(const Tensor &from, DType type) {
    Tensor result = nl::ndarray({kP, from.shape(1)}, type);
    nisa::tensor_copy(result, from);
    return result;
  }

  Tensor hbm_x = floats(-3, 3), hbm_out = floats(0, 1);
  Tensor x = on_chip(hbm_x), y = on_chip(floats(-3, 3)), positive = on_chip(floats(0.1f, 2)),
         unit = on_chip(floats(-0.9f, 0.9f)), out = tile(kP, kF);
  Tensor column =
      on_chip(in_hbm<float>(hbm_, nl::float32, 1, [](size_t p) { return float(p) / 512; }));
  Tensor low = on_chip(in_hbm<float>(hbm_, nl::float32, 1, [](size_t p) { return float(p); }));
  Tensor high =
      on_chip(in_hbm<float>(hbm_, nl::float32, 1, [](size_t p) { return float(2 * p + 9); }));
  Tensor i = integers(nl::int32, 1u << 31), j = integers(nl::int32, 1u << 31),
         shift = integers(nl::int32, 32), index = integers(nl::uint32, kF),
         bytes = cast(integers(nl::int32, 2), nl::uint8);
  Tensor int_out = tile(kP, kF, nl::int32), byte_out = tile(kP, kF, nl::uint8),
         half = cast(x, nl::float16);
  Tensor sum = tile(kP, 1), row = tile(1, kF), eight = tile(kP, 8);
  Tensor square = x.slice(1, 0, kP), square_psum = tile(kP, kP, nl::float32, nl::psum);
  Tensor small = x.slice(0, 0, 32).slice(1, 0, 32), small_out = tile(32, 32);
  Tensor psum = tile(kP, kF, nl::float32, nl::psum);
  Tensor x_bf16 = cast(x, nl::bfloat16), square_bf16 = x_bf16.slice(1, 0, kP);
  Tensor rows =
      on_chip(in_hbm<int32_t>(hbm_, nl::int32, 1, [](size_t p) { return int(p * 37 % kP); }));
  Dim pattern[2] = {{kF, kP}, {1, kF}};
  Tensor gathered = hbm_x.ap_indirect(pattern, rows);
  Tensor hbm_square = in_hbm<float>(hbm_, nl::float32, kP, [](size_t i) { return float(i); }),
         square_out = tile(kP, kP);
  std::vector<Tensor> sources{hbm_x, y};
  Tensor eight_largest = [this] {
    Tensor values = tile(kP, 8);
    nisa::max8(values, x);
    return values;
  }();
  Tensor eight_places = tile(kP, 8, nl::uint32), six = tile(kP, 6),
         counted = tile(kP, kF + 1, nl::int32), words = tile(kP, kF, nl::uint32);
  Tensor lists = cast(integers(nl::int32, kF).slice(1, 0, kF / 16), nl::uint16),
         gathered_out = tile(kP, kF);
  Tensor top = tile(kP, 8, nl::bfloat16), top_places = tile(kP, 8, nl::uint32);
  Tensor y_bf16 = cast(y, nl::bfloat16), unit_bf16 = cast(unit, nl::bfloat16),
         out_bf16 = cast(x, nl::bfloat16), x_e4m3 = cast(x, nl::float8_e4m3),
         x_e5m2 = cast(x, nl::float8_e5m2), square_e4m3 = x_e4m3.slice(1, 0, kP),
         wide_e4m3 = x_e4m3.slice(1, 0, 2 * kP).reshape_dim(1, std::vector<int64_t>{2, kP});
  Tensor square_psum_bf16 = tile(kP, kP, nl::bfloat16, nl::psum);
  Tensor hbm_bf16 =
      in_hbm<uint16_t>(hbm_, nl::bfloat16, kF, [](size_t i) { return uint16_t(0x3f80 + i % 64); });
  std::vector<Tensor> sources_bf16{hbm_bf16, y_bf16};
  Tensor scattered = hbm_out.ap_indirect(pattern, rows);
  std::vector<Tensor> scattered_sources{scattered, x};
  Tensor eight_bf16 = [this] {
    Tensor values = tile(kP, 8, nl::bfloat16);
    nisa::max8(values, x_bf16);
    return values;
  }();
  nisa::Register half_number = nisa::register_alloc(1);
  Dim half_pattern[2] = {{kF, kP}, {1, kF / 2}};
  Tensor second_half =
      x.reshape_dim(1, std::vector<int64_t>{2, kF / 2}).ap_scalar(half_pattern, half_number, 1);
  Tensor statistics = [this] {
    Tensor parts = tile(kP, 8 * 6);
    for (int64_t i = 0; i < 8; ++i)
      nisa::bn_stats(parts.slice(1, 6 * i, 6 * i + 6), x.slice(1, 64 * i, 64 * i + 64));
    return parts;
  }();
  Tensor two = tile(kP, 2),
         states =
             on_chip(in_hbm<uint32_t>(hbm_, nl::uint32, 24, [this](size_t) { return random_(); }));
  Tensor segments =
             on_chip(in_hbm<int32_t>(hbm_, nl::int32, kF,
                                     [](size_t i) { return i < 480 ? int32_t(1 + i / 24) : 0; }))
                 .slice(0, 0, 1),
         float_segments = tile(1, kF), bounds = nl::ndarray({1, 2, kF}, nl::int32),
         float_bounds = nl::ndarray({1, 2, kF}, nl::float32);
  /// An identity matrix of bfloat16.
  Tensor identity = on_chip(in_hbm<uint16_t>(
      hbm_, nl::bfloat16, kP, [](size_t i) { return uint16_t(i / kP == i % kP ? 0x3f80 : 0); }));
  /// Numbers of microscaling formats: no NaN, no infinity.
  Tensor packed(DType type, uint32_t mask) {
    return on_chip(
        in_hbm<uint32_t>(hbm_, type, kF, [=, this](size_t) { return random_() & mask; }));
  }
  Tensor moving_e4m3 = packed(nl::float8_e4m3fn_x4, 0xbfbfbfbfu),
         moving_e5m2 = packed(nl::float8_e5m2_x4, 0xbfbfbfbfu), moving_e2m1 = packed_fours();
  Tensor packed_fours() {
    return on_chip(in_hbm<uint16_t>(hbm_, nl::float4_e2m1fn_x4, kF,
                                    [this](size_t) { return uint16_t(random_()); }));
  }
  Tensor scales = on_chip(
             in_hbm<uint8_t>(hbm_, nl::uint8, kF, [](size_t i) { return uint8_t(124 + i % 6); })),
         moving_scale = tile(kP, kF, nl::uint8);
  std::vector<int> pairs = [] {
    std::vector<int> mask(32);
    for (int lane = 0; lane < 32; ++lane)
      mask[size_t(lane)] = lane ^ 1;
    return mask;
  }();
};

} // namespace

int main() try {
  Bench bench;
  for (std::string name; std::getline(std::cin, name);) {
    if (!bench.knows(name)) {
      std::fprintf(stderr, "benchmark_instructions: no instruction '%s'\n", name.c_str());
      return 2;
    }
    std::printf("%.9g\n", bench.seconds(name));
    std::fflush(stdout);
  }
} catch (const std::exception &error) {
  std::fprintf(stderr, "benchmark_instructions: %s\n", error.what());
  return 1;
}
