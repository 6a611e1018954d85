// The chip model's half of benchmark/instructions: reads the names of instructions from standard
// input, one a line, and answers each with the seconds that one call takes on 128x512 tiles.
// Without input in between it sleeps, so that NumPy can be measured in turn.

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

  void activations() {
    using Op = nl::Op;
    for (Op op : {Op::copy, Op::exp, Op::sin, Op::tanh, Op::sigmoid, Op::silu, Op::silu_dx,
                  Op::gelu_apprx_tanh, Op::gelu_apprx_sigmoid, Op::softplus, Op::mish, Op::square,
                  Op::relu, Op::abs, Op::sign})
      add("activation " + std::string(nl::name_of(op)),
          [=, this] { nisa::activation(out, op, x, column, 0.5f); });
    for (Op op : {Op::log, Op::sqrt, Op::rsqrt, Op::reciprocal, Op::arctan})
      add("activation " + std::string(nl::name_of(op)),
          [=, this] { nisa::activation(out, op, positive, column, 0.5f); });
    add("exponential add",
        [this] { nisa::exponential(out, x, column, sum, nisa::reduce_cmd::reset_reduce); });
    add("activate2 multiply subtract exp",
        [this] { nisa::activate2(out, nl::exp, x, 0.5f, column, nl::multiply, nl::subtract); });
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
    add("max8", [this] { nisa::max8(eight, x); });
  }

  void selections() {
    add("tensor_copy_predicated", [this] { nisa::tensor_copy_predicated(out, x, bytes); });
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
    add("memset", [this] { nisa::memset(out, 1.0f); });
    add("nc_stream_shuffle", [this] { nisa::nc_stream_shuffle(out, x, pairs); });
    add("nc_transpose 128x128", [this] { nisa::nc_transpose(square_psum, square); });
    add("nc_transpose 32x32", [this] { nisa::nc_transpose(small_out, small); });
    add("dma_copy in", [this] { nisa::dma_copy(out, hbm_x); });
    add("dma_copy out", [this] { nisa::dma_copy(hbm_out, x); });
    add("dma_copy to float16", [this] { nisa::dma_copy(half, hbm_x); });
    add("dma_transpose 128x128", [this] { nisa::dma_transpose(square_out, hbm_square); });
    add("dma_compute two sources", [this] { nisa::dma_compute(out, sources, nl::add); });
    add("dma_copy gather of rows", [this] { nisa::dma_copy(out, gathered); });
  }

  void products() {
    nisa::MatmulOptions overwrite;
    overwrite.accumulate = false;
    add("nc_matmul float32 128x128x512",
        [=, this] { nisa::nc_matmul(psum, square, x, overwrite); });
    add("nc_matmul bfloat16 128x128x512",
        [=, this] { nisa::nc_matmul(psum, square_bf16, x_bf16, overwrite); });
  }

  void searches() {
    add("nc_find_index8", [this] { nisa::nc_find_index8(eight_places, x, eight_largest); });
    add("nc_match_replace8",
        [this] { nisa::nc_match_replace8(out, x, eight_largest, -1e30f, eight_places); });
    add("bn_stats", [this] { nisa::bn_stats(six, x); });
    add("local_gather", [this] { nisa::local_gather(gathered_out, x, lists); });
    add("nonzero_with_count", [this] { nisa::nonzero_with_count(counted, x); });
    add("topk 8 of 8192", [this] { nisa::topk(top, top_places, x_bf16, 16 * kF); });
  }

  void random_numbers() {
    add("rng uint32", [this] { nisa::rng(words); });
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
