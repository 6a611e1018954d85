#include "chip/isa/activation.h"
#include "chip/isa/reduce.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

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
  in.require(chip::isa::is_activation(op), "op must be an activation function");
  in.require(!chip::is_packed(dst.dtype()) && !chip::is_packed(data.dtype()),
             "packed types are for matmuls only");
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
  in.require(reduce_op == Op::none || reduce_op == Op::add, "reduce_op must be add");
  in.require(cmd != reduce_cmd::load_reduce, "the accumulators of ScalarE cannot be loaded");
  bool reduces = cmd == reduce_cmd::reduce || cmd == reduce_cmd::reset_reduce;
  in.require(!reduces || reduce_op == Op::add, "reduce_cmd needs reduce_op");
  if (reduce_res)
    in.column("reduce_res", reduce_res, data);

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  chip::ScalarOperand factor = scalar_of(scale), addend = scalar_of(bias);
  ElementWise memory;
  memory.read(from);
  memory.read(factor);
  memory.read(addend);
  chip::Accumulators &accumulators = in.core().scalar_accumulators;
  if (cmd == reduce_cmd::reset || cmd == reduce_cmd::reset_reduce) {
    accumulators.value.fill(0.0f);
    accumulators.defined = true;
  }
  in.require((!reduces && !reduce_res) || accumulators.defined,
             "the accumulators were never reset");
  memory.begin(to);
  chip::isa::activation(to, op, from, factor, addend, reduces ? accumulators.value.data() : nullptr,
                        in.assumptions());
  memory.end(to);
  if (!reduce_res)
    return;
  chip::View result = chip::view_of(reduce_res);
  chip::PoisonFlags source = chip::poison_of(to), flags;
  for (int64_t i = 0; source.any() && reduces && i < to.partitions * to.elements; ++i)
    if (source.at(i))
      flags.set(i / to.elements, result.partitions);
  chip::begin_write(result);
  chip::isa::read_registers(result, accumulators.value.data(), false);
  chip::end_write(result, flags);
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
