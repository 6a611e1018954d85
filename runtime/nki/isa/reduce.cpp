#include "chip/isa/reduce.h"

#include "nki/isa/instruction.h"

#include <span>

namespace nki::isa {

namespace {

using chip::isa::ScalarStep;

void require_unpacked(const Instruction &in, std::initializer_list<const Tensor *> tensors) {
  for (const Tensor *tensor : tensors)
    in.require(!*tensor || !chip::is_packed(tensor->dtype()), "packed types are for matmuls only");
}

/// Poison of a result that `group` consecutive elements of `data` make.
chip::PoisonFlags reduced_flags(const chip::View &dst, const chip::View &data, int64_t group) {
  chip::PoisonFlags source = chip::poison_of(data), flags;
  for (int64_t i = 0; source.any() && i < data.partitions * data.elements; ++i)
    if (source.at(i))
      flags.set(i / data.elements * dst.elements + i % data.elements / group,
                dst.partitions * dst.elements);
  return flags;
}

/// Poison after a scan: everything from the first poisoned element of a partition on.
chip::PoisonFlags scanned_flags(const chip::View &dst, const chip::PoisonFlags &element_wise) {
  chip::PoisonFlags flags;
  for (int64_t p = 0; element_wise.any() && p < dst.partitions; ++p) {
    bool poisoned = false;
    for (int64_t e = 0; e < dst.elements; ++e) {
      poisoned |= element_wise.at(p * dst.elements + e);
      if (poisoned)
        flags.set(p * dst.elements + e, dst.partitions * dst.elements);
    }
  }
  return flags;
}

void reduce(const Tensor &dst, Op op, const Tensor &data, std::span<const int> axis, bool negate,
            bool keepdims) {
  Instruction in("tensor_reduce", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.require(chip::is_reduction(op), "op must be a reduction operator");
  in.require(!axis.empty(), "axis names no dimension");
  int64_t group = 1;
  for (size_t i = 0; i < axis.size(); ++i) {
    in.require(axis[i] != 0, "axis 0 is the partition dimension, which cannot be reduced");
    in.require(axis[i] == data.ndim() - int(axis.size()) + int(i),
               "axis must be the last free dimensions, in order");
    group *= data.shape(axis[i]);
  }
  in.same_partitions("dst", dst, "data", data);
  in.require(dst.elements_per_partition() == data.elements_per_partition() / group,
             "dst must have one element per reduced group");
  in.require(!keepdims || dst.ndim() == data.ndim() || dst.ndim() == 2,
             "with keepdims dst has as many dimensions as data");
  if (chip::is_bitvec(op)) {
    in.require(chip::is_integer(dst.dtype()) && chip::is_integer(data.dtype()),
               "bitvec operators need integer types");
    in.require(!negate, "negate needs an arithmetic operator");
  }
  require_unpacked(in, {&dst, &data});

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  bool maybe_poison = chip::begin_read(from);
  chip::begin_write(to);
  chip::PoisonFlags flags = maybe_poison ? reduced_flags(to, from, group) : chip::PoisonFlags();
  chip::isa::tensor_reduce(to, from, op, group, negate, in.assumptions());
  chip::end_write(to, flags);
}

/// Prepares VectorE's accumulators as `cmd` says, over the partitions of `data`.
void prepare_accumulators(const Instruction &in, reduce_cmd cmd, Op op,
                          const chip::ScalarOperand &initial, int64_t partitions) {
  chip::Accumulators &accumulators = in.core().vector_accumulators;
  if (cmd == reduce_cmd::reduce) {
    in.require(accumulators.defined, "the accumulators were never reset or loaded");
    return;
  }
  for (int64_t p = 0; p < partitions; ++p)
    accumulators.value[size_t(p)] =
        cmd == reduce_cmd::load_reduce ? initial.as_float(p) : chip::reduction_identity(op);
  accumulators.defined = true;
}

} // namespace

void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, std::initializer_list<int> axis,
                   bool negate, bool keepdims) {
  reduce(dst, op, data, {axis.begin(), axis.size()}, negate, keepdims);
}

void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, int axis, bool negate,
                   bool keepdims) {
  reduce(dst, op, data, {&axis, 1}, negate, keepdims);
}

void tensor_scalar_reduce(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                          Op reduce_op, const Tensor &reduce_res, bool reverse0, reduce_cmd cmd,
                          const Operand &reduce_init, bool reduce_res_negate) {
  Instruction in("tensor_scalar_reduce", {{"dst", &dst},
                                          {"data", &data},
                                          {"operand0", &operand0.tensor()},
                                          {"reduce_res", &reduce_res},
                                          {"reduce_init", &reduce_init.tensor()}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.scalar("operand0", operand0, data);
  in.require(chip::is_arithmetic_binary(op0) || chip::is_arithmetic_unary(op0),
             "op0 must be an arithmetic operator");
  in.require(!chip::is_arithmetic_unary(op0) || (!operand0.is_tensor() && operand0.value() == 0),
             "operand0 must be None or 0 with a unary operator");
  in.require(chip::is_arithmetic_unary(op0) || !operand0.is_none(), "operand0 is missing");
  in.require(!operand0.is_tensor() || operand0.tensor().dtype() == DType::float32,
             "operand0 must be float32");
  in.require(reduce_op == Op::add || reduce_op == Op::multiply || reduce_op == Op::maximum ||
                 reduce_op == Op::minimum,
             "reduce_op must be add, multiply, maximum or minimum");
  in.require(!reverse0, "reverse0 is not supported");
  in.require(cmd == reduce_cmd::reset_reduce || cmd == reduce_cmd::reduce ||
                 cmd == reduce_cmd::load_reduce,
             "reduce_cmd must be reset_reduce, reduce or load_reduce");
  in.require((cmd == reduce_cmd::load_reduce) == !reduce_init.is_none(),
             "reduce_init belongs to load_reduce");
  in.scalar("reduce_init", reduce_init, data);
  in.require(!reduce_init.is_tensor() || reduce_init.tensor().dtype() == DType::float32,
             "reduce_init must be float32");
  if (reduce_res)
    in.column("reduce_res", reduce_res, data);
  require_unpacked(in, {&dst, &data, &reduce_res});

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarStep step{op0, scalar_of(operand0), false};
  chip::ScalarOperand initial = scalar_of(reduce_init);
  ElementWise memory;
  memory.read(from);
  memory.read(step.operand);
  memory.read(initial);
  prepare_accumulators(in, cmd, reduce_op, initial, to.partitions);
  // The reduction sees the results before they are rounded to dst's type, which may lie over data.
  float *registers = in.core().vector_accumulators.value.data();
  chip::isa::accumulate_step(registers, from, step, reduce_op, in.assumptions());
  memory.begin(to);
  chip::isa::tensor_scalar(to, from, step, {}, chip::isa::Arithmetic::float32, in.assumptions());
  memory.end(to);
  if (!reduce_res)
    return;
  chip::View result = chip::view_of(reduce_res);
  chip::begin_write(result);
  chip::isa::read_registers(result, registers, reduce_res_negate);
  chip::end_write(result, chip::is_poisoned(to) ? reduced_flags(result, to, to.elements)
                                                : chip::PoisonFlags());
}

void tensor_tensor_scan(const Tensor &dst, const Tensor &data0, const Tensor &data1,
                        const Operand &initial, Op op0, Op op1, bool reverse0, bool reverse1) {
  Instruction in(
      "tensor_tensor_scan",
      {{"dst", &dst}, {"data0", &data0}, {"data1", &data1}, {"initial", &initial.tensor()}});
  in.tile("dst", dst);
  in.tile("data0", data0);
  in.tile("data1", data1);
  in.same_size("data0", data0, "data1", data1);
  in.same_size("dst", dst, "data0", data0);
  in.not_both_in_psum("data0", data0, "data1", data1);
  in.require(!initial.is_none(), "initial is missing");
  in.scalar("initial", initial, data0);
  in.require(chip::is_arithmetic_binary(op0) && chip::is_arithmetic_binary(op1),
             "op0 and op1 must be binary arithmetic operators");
  require_unpacked(in, {&dst, &data0, &data1});

  chip::View to = chip::view_of(dst), a = chip::view_of(data0), b = chip::view_of(data1);
  chip::ScalarOperand start = scalar_of(initial);
  ElementWise memory;
  memory.read(a);
  memory.read(b);
  memory.read(start);
  memory.begin(to);
  chip::PoisonFlags flags = scanned_flags(to, memory.flags(to));
  chip::isa::tensor_tensor_scan(to, a, b, start, op0, op1, reverse0, reverse1, in.assumptions());
  chip::end_write(to, flags);
}

void tensor_scalar_cumulative(const Tensor &dst, const Tensor &src, Op op0, Op op1,
                              const Operand &imm0, const Operand &imm1, reduce_cmd cmd) {
  Instruction in(
      "tensor_scalar_cumulative",
      {{"dst", &dst}, {"src", &src}, {"imm0", &imm0.tensor()}, {"imm1", &imm1.tensor()}});
  in.tile("dst", dst);
  in.tile("src", src);
  in.same_size("dst", dst, "src", src);
  in.scalar("imm0", imm0, src);
  in.scalar("imm1", imm1, src);
  in.require(chip::is_arithmetic_binary(op0), "op0 must be an arithmetic operator");
  in.require(op1 == Op::add || op1 == Op::subtract || op1 == Op::multiply || op1 == Op::maximum ||
                 op1 == Op::minimum,
             "op1 must be add, subtract, multiply, maximum or minimum");
  in.require(!imm0.is_none(), "imm0 is missing");
  for (const Tensor *tensor : {&dst, &src})
    in.require(tensor->dtype() != DType::int32 && tensor->dtype() != DType::uint32,
               "int32 and uint32 are not supported");
  in.require(cmd == reduce_cmd::reset_reduce || cmd == reduce_cmd::reduce ||
                 cmd == reduce_cmd::load_reduce,
             "reduce_cmd must be reset_reduce, reduce or load_reduce");
  in.require((cmd == reduce_cmd::load_reduce) == !imm1.is_none(), "imm1 belongs to load_reduce");
  for (const Operand *operand : {&imm0, &imm1})
    in.require(!operand->is_tensor() || operand->tensor().dtype() == DType::float32,
               "imm0 and imm1 must be float32");
  require_unpacked(in, {&dst, &src});

  chip::View to = chip::view_of(dst), from = chip::view_of(src);
  ScalarStep step{op0, scalar_of(imm0), false};
  chip::ScalarOperand initial = scalar_of(imm1);
  ElementWise memory;
  memory.read(from);
  memory.read(step.operand);
  memory.read(initial);
  prepare_accumulators(in, cmd, op1, initial, to.partitions);
  memory.begin(to);
  chip::PoisonFlags flags = scanned_flags(to, memory.flags(to));
  chip::isa::tensor_scalar_cumulative(to, from, step, op1,
                                      in.core().vector_accumulators.value.data(), in.assumptions());
  chip::end_write(to, flags);
}

void tensor_partition_reduce(const Tensor &dst, Op op, const Tensor &data) {
  Instruction in("tensor_partition_reduce", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.in_sbuf("dst", dst);
  in.in_sbuf("data", data);
  in.require(op == Op::add || op == Op::average || op == Op::maximum || op == Op::bitwise_or ||
                 op == Op::bitwise_and,
             "op must be add, average, maximum, bitwise_or or bitwise_and");
  in.require(dst.partitions() == 1, "dst has one partition");
  in.require(dst.elements_per_partition() == data.elements_per_partition(),
             "dst and data must have as many elements per partition");
  if (chip::is_bitvec(op))
    in.require(chip::is_integer(dst.dtype()) && chip::is_integer(data.dtype()),
               "bitvec operators need integer types");
  require_unpacked(in, {&dst, &data});

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  bool maybe_poison = chip::begin_read(from);
  chip::begin_write(to);
  chip::PoisonFlags source = maybe_poison ? chip::poison_of(from) : chip::PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    if (source.at(i))
      flags.set(i % from.elements, to.elements);
  chip::isa::tensor_partition_reduce(to, from, op, in.assumptions());
  chip::end_write(to, flags);
}

void max8(const Tensor &dst, const Tensor &src) {
  Instruction in("max8", {{"dst", &dst}, {"src", &src}});
  in.tile("dst", dst, 1);
  in.tile("src", src, 3);
  in.same_partitions("dst", dst, "src", src);
  in.require(dst.elements_per_partition() == 8, "dst must have 8 elements per partition");
  in.require(src.elements_per_partition() >= 8 && src.elements_per_partition() <= 16384,
             "src must have 8 to 16384 elements per partition");
  require_unpacked(in, {&dst, &src});

  chip::View to = chip::view_of(dst), from = chip::view_of(src);
  bool maybe_poison = chip::begin_read(from);
  chip::begin_write(to);
  chip::PoisonFlags source = maybe_poison ? chip::poison_of(from) : chip::PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    for (int64_t e = 0; source.at(i) && e < 8; ++e)
      flags.set(i / from.elements * 8 + e, to.partitions * 8);
  chip::isa::max8(to, from);
  chip::end_write(to, flags);
}

} // namespace nki::isa
