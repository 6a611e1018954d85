#include "chip/isa/activation.h"

#include "nki/isa/accumulate.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

void require_activation_operands(const Instruction &in, Op op, const Tensor &data,
                                 const Operand &bias, const Operand &scale) {
  in.require(chip::isa::is_activation(op), "op must be an activation function");
  in.scalar("scale", scale, data);
  in.scalar("bias", bias, data);
  in.require(!scale.is_none(), "scale is missing");
  in.require(!scale.is_tensor() || scale.tensor().dtype() == DType::float32,
             "scale must be float32");
  in.require(!bias.is_tensor() || bias.tensor().dtype() != DType::tfloat32,
             "bias may not be tfloat32");
  if (in.generation().core_version == 2) {
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
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);
  require_activation_operands(in, op, data, bias, scale);
  in.require(reduce_op == Op::none || reduce_op == Op::add, "reduce_op must be add");
  in.require(cmd != reduce_cmd::load_reduce, "the accumulators of ScalarE cannot be loaded");
  bool reduces = cmd == reduce_cmd::reduce || cmd == reduce_cmd::reset_reduce;
  bool resets = cmd == reduce_cmd::reset || cmd == reduce_cmd::reset_reduce;
  in.require(!reduces || reduce_op == Op::add, "reduce_cmd needs reduce_op");
  if (reduce_res)
    in.column("reduce_res", reduce_res, data);
  chip::Accumulators &accumulators = in.core().scalar_accumulators;
  in.require(resets || (!reduces && !reduce_res) || accumulators.defined,
             "the accumulators were never reset");

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarOperand factor = scalar_of(scale), addend = scalar_of(bias);
  Access access(in);
  access.read("data", from);
  access.read(factor);
  access.read(addend);
  access.write(to);
  if (resets) {
    accumulators.value.fill(0.0f);
    accumulators.defined = true;
  }
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::activation(to, op, from, factor, addend, reduces ? accumulators.value.data() : nullptr,
                        in.assumptions());
  access.end(to, flags);
  double cycles = double(to.elements) * chip::costs::stride_factor({&to, &from});
  View result;
  if (reduce_res) {
    result = chip::view_of(reduce_res);
    access.write_after(result);
    read_registers(reduce_res, accumulators.value.data(), false,
                   reduces ? reduced_flags(flags, to, to.elements) : PoisonFlags());
    cycles += chip::costs::kReadAccumulators;
  }
  access.take(Unit::scalar, cycles);
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

} // namespace nki::isa
