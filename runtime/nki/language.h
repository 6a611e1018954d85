// nki.language: tensors, data types and operators, under the names that NKI gives them.
//
// Source: nki/api/nki.api.shared.rst (tables of data types, math operators and activation
// functions) and the annotated stub nki/api/nki/language/__init__.py of the public Neuron
// documentation.
#pragma once

#include "nki/device.h"
#include "nki/tensor.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace nki::language {

using DType = nki::DType;

inline constexpr DType uint8 = DType::uint8, int8 = DType::int8, uint16 = DType::uint16,
                       int16 = DType::int16, uint32 = DType::uint32, int32 = DType::int32,
                       bool_ = DType::bool_, float16 = DType::float16, bfloat16 = DType::bfloat16,
                       float32 = DType::float32, tfloat32 = DType::tfloat32,
                       float8_e4m3 = DType::float8_e4m3, float8_e5m2 = DType::float8_e5m2,
                       float8_e4m3fn = DType::float8_e4m3fn, float8_e8m0fnu = DType::float8_e8m0fnu,
                       float8_e5m2_x4 = DType::float8_e5m2_x4,
                       float8_e4m3fn_x4 = DType::float8_e4m3fn_x4,
                       float4_e2m1fn_x4 = DType::float4_e2m1fn_x4;

inline constexpr Buffer sbuf = Buffer::sbuf, psum = Buffer::psum, hbm = Buffer::hbm,
                        shared_hbm = Buffer::shared_hbm, private_hbm = Buffer::hbm;

/// Everything that an `op` argument can be.
enum class Op : uint8_t {
  none, ///< Python's None: no operation
  bypass,
  // bitvec
  invert,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  left_shift,
  right_shift,
  // arithmetic, two operands
  add,
  subtract,
  multiply,
  maximum,
  minimum,
  equal,
  not_equal,
  greater_equal,
  greater,
  less_equal,
  less,
  logical_and,
  logical_or,
  logical_xor,
  power,
  abs_max,
  abs_min,
  average, ///< tensor_partition_reduce only
  // one operand; activation functions
  abs,
  square,
  relu,
  rsqrt,
  reciprocal,
  copy,
  sigmoid,
  prelu,
  gelu,
  gelu_dx,
  gelu_apprx_tanh,
  gelu_apprx_sigmoid,
  gelu_apprx_sigmoid_dx,
  silu,
  silu_dx,
  tanh,
  softplus,
  mish,
  erf,
  erf_dx,
  exp,
  log,
  sin,
  arctan,
  sqrt,
  sign,
};

/// The name after "nl.", for messages.
std::string_view name_of(Op op);

inline constexpr Op bypass = Op::bypass, invert = Op::invert, bitwise_and = Op::bitwise_and,
                    bitwise_or = Op::bitwise_or, bitwise_xor = Op::bitwise_xor,
                    left_shift = Op::left_shift, right_shift = Op::right_shift, add = Op::add,
                    subtract = Op::subtract, multiply = Op::multiply, maximum = Op::maximum,
                    minimum = Op::minimum, equal = Op::equal, not_equal = Op::not_equal,
                    greater_equal = Op::greater_equal, greater = Op::greater,
                    less_equal = Op::less_equal, less = Op::less, logical_and = Op::logical_and,
                    logical_or = Op::logical_or, logical_xor = Op::logical_xor, power = Op::power,
                    abs_max = Op::abs_max, abs_min = Op::abs_min, average = Op::average,
                    abs = Op::abs, square = Op::square, relu = Op::relu, rsqrt = Op::rsqrt,
                    reciprocal = Op::reciprocal, copy = Op::copy, sigmoid = Op::sigmoid,
                    prelu = Op::prelu, gelu = Op::gelu, gelu_dx = Op::gelu_dx,
                    gelu_apprx_tanh = Op::gelu_apprx_tanh,
                    gelu_apprx_sigmoid = Op::gelu_apprx_sigmoid,
                    gelu_apprx_sigmoid_dx = Op::gelu_apprx_sigmoid_dx, silu = Op::silu,
                    silu_dx = Op::silu_dx, tanh = Op::tanh, softplus = Op::softplus,
                    mish = Op::mish, erf = Op::erf, erf_dx = Op::erf_dx, exp = Op::exp,
                    log = Op::log, sin = Op::sin, arctan = Op::arctan, sqrt = Op::sqrt,
                    sign = Op::sign;

/// A fresh tensor with unwritten contents. On chip `shape[0]` is the number of partitions (1 to
/// 128). Throws nki::Error where it does not fit. The memory is free again with the last view. In
/// shared HBM all cores of a logical core get the same tensor for their n-th call.
Tensor ndarray(std::span<const int64_t> shape, DType dtype, Buffer buffer = sbuf,
               std::string_view name = {});
Tensor ndarray(std::initializer_list<int64_t> shape, DType dtype, Buffer buffer = sbuf,
               std::string_view name = {});

/// A tile at an address, as NKI's `address=(partition, byte)`: see chip::Storage::placed. A tile
/// that lies over another loses nothing itself; reading what the other has overwritten is an error
/// as for memory that was never written.
struct Address {
  int64_t partition = 0, byte = 0;
};
Tensor ndarray(std::span<const int64_t> shape, DType dtype, Buffer buffer, std::string_view name,
               Address address);

/// The core's number among those that the kernel was launched on, and how many those are. Throws
/// nki::Error for another axis than 0.
int program_id(int axis = 0);
int num_programs(int axes = 0);
int program_ndim(); ///< dimensions of the grid; 0 for a core that runs alone

/// What a dynamic loop counts from or to.
class Bound {
public:
  Bound(int32_t value) : value_(value) {}
  Bound(const isa::Register &reg) : reg_(reg) {}
  int32_t value() const { return reg_ ? reg_->value() : value_; }

private:
  int32_t value_ = 0;
  std::optional<isa::Register> reg_;
};

/// body(i) for i from `lower` to `upper` in steps of `step` (1 and more), each time with a register
/// of its own: what the body puts there does not change the loop. Bounds are read once, before it.
void fori_loop(const Bound &lower, const Bound &upper,
               const std::function<void(const isa::Register &)> &body, int32_t step = 1);
/// r = body(r) while r is not zero, beginning with `init`. The body gets a copy of the register.
void while_loop(const isa::Register &init,
                const std::function<isa::Register(const isa::Register &)> &body);

} // namespace nki::language

namespace nl = nki::language;
