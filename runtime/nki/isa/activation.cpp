#include "chip/isa/activation.h"

#include "nki/isa/accumulate.h"
#include "nki/isa/indirection.h"
#include "nki/isa/step.h"

#include <algorithm>

namespace nki::isa {

namespace {

using chip::isa::RowReduction;

/// ScalarE's accumulator registers during one instruction.
class ScalarAccumulation {
public:
  ScalarAccumulation(const Instruction &in, reduce_cmd cmd, Op op, const Tensor &result)
      : in_(in), accumulators_(in.core().scalar_accumulators), cmd_(cmd), op_(op), result_(result) {
  }
  void require(std::initializer_list<Op> known, const Tensor &data) const {
    bool reduces = this->reduces();
    if (op_ != Op::none && std::find(known.begin(), known.end(), op_) == known.end())
      in_.fail(known.size() == 1 ? "reduce_op must be add"
                                 : "reduce_op must be add, maximum, minimum, abs_max or abs_min");
    in_.require(cmd_ != reduce_cmd::load_reduce, "the accumulators of ScalarE cannot be loaded");
    in_.require((!reduces && !resets()) || op_ != Op::none, "reduce_cmd needs reduce_op");
    if (result_) {
      in_.column("reduce_res", result_, data);
      in_.unpacked("reduce_res", result_);
    }
    in_.require(resets() || (!reduces && !result_) || accumulators_.defined,
                "the accumulators were never reset");
  }
  /// Resets the registers if the command says so.
  RowReduction prepare() {
    if (resets()) {
      accumulators_.value.fill(chip::reduction_identity(op_));
      accumulators_.poison.fill(false);
      accumulators_.defined = true;
    }
    return {reduces() ? accumulators_.value.data() : nullptr, op_};
  }
  /// Returns the cycles that reading the registers out takes.
  double finish(Access &access, const PoisonFlags &flags, const View &dst) const {
    if (reduces())
      spread_poison(accumulators_, flags, dst);
    if (!result_)
      return 0;
    access.write_after(chip::view_of(result_));
    read_registers(result_, accumulators_, false);
    return chip::costs::kReadAccumulators;
  }

private:
  bool reduces() const { return cmd_ == reduce_cmd::reduce || cmd_ == reduce_cmd::reset_reduce; }
  bool resets() const { return cmd_ == reduce_cmd::reset || cmd_ == reduce_cmd::reset_reduce; }

  const Instruction &in_;
  chip::Accumulators &accumulators_;
  reduce_cmd cmd_;
  Op op_;
  const Tensor &result_;
};

void require_activation_operands(const Instruction &in, Op op, const Tensor &data,
                                 const Operand &bias, const Operand &scale) {
  in.require(op != Op::prelu, "nl.prelu has a parameter, which only activate2 takes");
  in.require(chip::isa::is_activation(op), "op must be an activation function");
  in.scalar("scale", scale, data);
  in.scalar("bias", bias, data);
  in.require(!scale.is_none(), "scale is missing");
  in.require(!scale.is_tensor() || scale.tensor().dtype() == DType::float32,
             "scale must be float32");
  in.require(!bias.is_tensor() || bias.tensor().dtype() != DType::tfloat32,
             "bias may not be tfloat32");
  if (!in.has(Feature::scalar_bias)) {
    in.require(bias.is_none() || bias.is_tensor(), "on NeuronCore-v2 bias is a vector");
    in.require(op != Op::reciprocal || bias.is_none(), "on NeuronCore-v2 reciprocal takes no bias");
  }
}

void activate(const char *name, const Tensor &dst, Op op, const Tensor &data, const Operand &bias,
              const Operand &scale, Op reduce_op, const Tensor &reduce_res, reduce_cmd cmd) {
  Instruction in(name, {{"dst", &dst},
                        {"data", &data},
                        {"bias", &bias.tensor()},
                        {"scale", &scale.tensor()},
                        {"reduce_res", &reduce_res}});
  if (through_indices(dst, data)) [[unlikely]]
    return run_indirectly(in, {.scalar = true}, dst, {{"data", &data}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            activate(name, to, op, from[0], bias, scale, reduce_op, reduce_res,
                                     cmd);
                          });
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);
  require_activation_operands(in, op, data, bias, scale);
  ScalarAccumulation accumulation(in, cmd, reduce_op, reduce_res);
  accumulation.require({Op::add}, data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarOperand factor = scalar_of(scale), addend = scalar_of(bias);
  Access access(in);
  access.read("data", from);
  access.read(factor);
  access.read(addend);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::activation(to, op, from, factor, addend, accumulation.prepare(), in.assumptions());
  access.end(to, flags);
  double cycles = double(to.elements) * chip::costs::stride_factor({&to, &from});
  access.take(Unit::scalar, cycles + accumulation.finish(access, flags, to));
}

/// Rules of the two operations before the function.
void require_pipeline(const Instruction &in, Op op0, Op op1, const Operand &imm0,
                      const Operand &imm1, bool reverse0, bool reverse1, const Tensor &data) {
  bool known = op0 == Op::multiply ? op1 == Op::add || op1 == Op::subtract || op1 == Op::bypass
                                   : op1 == Op::bypass && (op0 == Op::add || op0 == Op::subtract ||
                                                           op0 == Op::bypass);
  in.require(known,
             "op0 and op1 must be multiply and add, multiply and subtract, or multiply, add, "
             "subtract or bypass followed by bypass");
  in.require(!reverse0 || op0 != Op::bypass, "reverse0 needs op0");
  in.require(!reverse1 || op1 != Op::bypass, "reverse1 needs op1");
  in.scalar("imm0", imm0, data);
  in.scalar("imm1", imm1, data);
  in.require(op0 == Op::bypass || !imm0.is_none(), "imm0 is missing");
  in.require(op1 == Op::bypass || !imm1.is_none(), "imm1 is missing");
  if (imm0.is_tensor() && imm1.is_tensor())
    in.same_type("imm0", imm0.tensor(), "imm1", imm1.tensor());
}

} // namespace

void activation(const Tensor &dst, Op op, const Tensor &data, const Operand &bias,
                const Operand &scale, Op reduce_op, const Tensor &reduce_res, reduce_cmd cmd) {
  activate("activation", dst, op, data, bias, scale, reduce_op, reduce_res, cmd);
}

void activation_reduce(const Tensor &dst, Op op, const Tensor &data, Op reduce_op,
                       const Tensor &reduce_res, const Operand &bias, const Operand &scale) {
  activate("activation_reduce", dst, op, data, bias, scale, reduce_op, reduce_res,
           reduce_cmd::reset_reduce);
}

void activate2(const Tensor &dst, Op op, const Tensor &data, const Operand &imm0,
               const Operand &imm1, Op op0, Op op1, const Operand &relu_param, bool reverse0,
               bool reverse1, Op reduce_op, const Tensor &reduce_res, reduce_cmd cmd) {
  Instruction in("activate2", {{"dst", &dst},
                               {"data", &data},
                               {"imm0", &imm0.tensor()},
                               {"imm1", &imm1.tensor()},
                               {"relu_param", &relu_param.tensor()},
                               {"reduce_res", &reduce_res}});
  in.require(in.has(Feature::activate2), "activate2 exists from NeuronCore-v4 on");
  if (through_indices(dst, data)) [[unlikely]]
    return run_indirectly(in, {.scalar = true}, dst, {{"data", &data}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            activate2(to, op, from[0], imm0, imm1, op0, op1, relu_param, reverse0,
                                      reverse1, reduce_op, reduce_res, cmd);
                          });
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);
  in.require(op == Op::prelu || chip::isa::is_activation(op), "op must be an activation function");
  require_pipeline(in, op0, op1, imm0, imm1, reverse0, reverse1, data);
  in.scalar("relu_param", relu_param, data);
  ScalarAccumulation accumulation(in, cmd, reduce_op, reduce_res);
  accumulation.require({Op::add, Op::maximum, Op::minimum, Op::abs_max, Op::abs_min}, data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarStep first{op0, scalar_of(imm0), reverse0}, second{op1, scalar_of(imm1), reverse1};
  ScalarOperand slope = scalar_of(relu_param);
  Access access(in);
  access.read("data", from);
  access.read(first.operand);
  access.read(second.operand);
  access.read(slope);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::activate2(to, op, from, first, second, slope, accumulation.prepare(),
                       in.assumptions());
  access.end(to, flags);
  double cycles = double(to.elements) * chip::costs::stride_factor({&to, &from});
  access.take(Unit::scalar, cycles + accumulation.finish(access, flags, to));
}

void exponential(const Tensor &dst, const Tensor &src, const Operand &max_value,
                 const Tensor &reduce_res, reduce_cmd cmd, const Operand &reduce_init) {
  Instruction in("exponential", {{"dst", &dst},
                                 {"src", &src},
                                 {"max_value", &max_value.tensor()},
                                 {"reduce_res", &reduce_res},
                                 {"reduce_init", &reduce_init.tensor()}});
  in.require(in.has(Feature::exponential), "exponential exists from NeuronCore-v4 on");
  if (through_indices(dst, src)) [[unlikely]]
    return run_indirectly(in, {}, dst, {{"src", &src}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            exponential(to, from[0], max_value, reduce_res, cmd, reduce_init);
                          });
  in.tile("dst", dst, 3);
  in.tile("src", src, 3);
  in.same_size("dst", dst, "src", src);
  in.unpacked("dst", dst);
  in.unpacked("src", src);
  auto is_listed = [](DType type) {
    return type != DType::bool_ && type != DType::float8_e4m3fn && type != DType::float8_e8m0fnu;
  };
  in.require(is_listed(dst.dtype()) && dst.dtype() != DType::uint32,
             "dst may not be uint32, bool_, float8_e4m3fn or float8_e8m0fnu");
  in.require(is_listed(src.dtype()) && src.dtype() != DType::tfloat32,
             "src may not be tfloat32, bool_, float8_e4m3fn or float8_e8m0fnu");
  in.scalar("max_value", max_value, src);
  require_float32(in, "max_value", max_value);
  in.require(!reduce_res || (chip::is_float(reduce_res.dtype()) && is_listed(reduce_res.dtype())),
             "reduce_res must have a float type, not float8_e4m3fn or float8_e8m0fnu");
  Accumulation accumulation(in, cmd, Op::add, &reduce_res, &reduce_init);
  accumulation.require(
      {reduce_cmd::idle, reduce_cmd::reset_reduce, reduce_cmd::reduce, reduce_cmd::load_reduce},
      src);

  View to = chip::view_of(dst), from = chip::view_of(src);
  ScalarOperand maximum = scalar_of(max_value);
  Access access(in);
  access.read("src", from);
  access.read(maximum);
  accumulation.read(access);
  float *registers = accumulation.prepare(to.partitions);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::exponential(to, from, maximum, {accumulation.is_on() ? registers : nullptr, Op::add},
                         in.assumptions());
  access.end(to, flags);
  double cycles = double(to.elements) * chip::costs::stride_factor({&to, &from}) / 4;
  access.take(Unit::vector, cycles + accumulation.finish(access, flags, to));
}

} // namespace nki::isa
