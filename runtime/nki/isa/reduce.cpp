#include "chip/isa/reduce.h"

#include "nki/isa/accumulate.h"
#include "nki/isa/instruction.h"

#include <span>

namespace nki::isa {

namespace {

using chip::isa::ScalarStep;

void require_bitvec(const Instruction &in, Op op, const Tensor &dst, const Tensor &data) {
  if (!chip::is_bitvec(op))
    return;
  in.integer("dst", dst);
  in.integer("data", data);
}

/// The number of elements that one result is made of.
int64_t require_axes(const Instruction &in, const Tensor &data, std::span<const int> axis) {
  in.require(!axis.empty(), "axis names no dimension");
  int64_t group = 1;
  for (size_t i = 0; i < axis.size(); ++i) {
    in.require(axis[i] != 0, "axis 0 is the partition dimension, which cannot be reduced");
    in.require(axis[i] == data.ndim() - int(axis.size()) + int(i),
               "axis must be the last free dimensions, in order");
    group *= data.shape(axis[i]);
  }
  return group;
}

void reduce(const Tensor &dst, Op op, const Tensor &data, std::span<const int> axis, bool negate,
            bool keepdims) {
  Instruction in("tensor_reduce", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.require(chip::is_reduction(op), "op must be a reduction operator");
  int64_t group = require_axes(in, data, axis);
  in.same_partitions("dst", dst, "data", data);
  in.require(dst.elements_per_partition() == data.elements_per_partition() / group,
             "dst must have one element per reduced group");
  in.require(!keepdims || dst.ndim() == data.ndim(),
             "with keepdims dst has as many dimensions as data");
  require_bitvec(in, op, dst, data);
  in.require(!negate || !chip::is_bitvec(op), "negate needs an arithmetic operator");
  in.unpacked("dst", dst);
  in.unpacked("data", data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  Access access(in);
  access.read("data", from);
  PoisonFlags flags;
  if (access.maybe_poison())
    flags = reduced_flags(chip::poison_of(from), from, group);
  access.write_after(to); // results are written when all of data has been read
  chip::isa::tensor_reduce(to, from, op, group, negate, in.assumptions());
  access.end(to, flags);
  access.take(Unit::vector, double(from.elements) * chip::costs::stride_factor({&from}));
}

/// Poison after a scan: everything from the first poisoned element of a partition on.
PoisonFlags scanned_flags(const View &dst, const PoisonFlags &element_wise) {
  PoisonFlags flags;
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

void require_float32_scalar(const Instruction &in, const char *role, const Operand &operand) {
  if (operand.is_tensor() && operand.tensor().dtype() != DType::float32)
    in.fail(std::string(role) + " must be float32");
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
  bool unary = chip::is_arithmetic_unary(op0);
  in.require(unary || (chip::is_arithmetic_binary(op0) && op0 != Op::average),
             "op0 must be an arithmetic operator");
  in.exists(op0);
  in.require((op0 != Op::square && op0 != Op::relu) || in.generation().core_version > 3,
             "nl.square and nl.relu are operators from NeuronCore-v4 on");
  in.require(!unary || (!operand0.is_tensor() && operand0.value() == 0),
             "operand0 must be None or 0 with a unary operator");
  in.require(unary || !operand0.is_none(), "operand0 is missing");
  require_float32_scalar(in, "operand0", operand0);
  in.require(reduce_op == Op::add || reduce_op == Op::multiply || reduce_op == Op::maximum ||
                 reduce_op == Op::minimum,
             "reduce_op must be add, multiply, maximum or minimum");
  in.require(!reverse0, "the instruction cannot reverse its operands");
  require_reduce_command(in, cmd);
  in.require((cmd == reduce_cmd::load_reduce) == !reduce_init.is_none(),
             "reduce_init belongs to load_reduce");
  in.scalar("reduce_init", reduce_init, data);
  require_float32_scalar(in, "reduce_init", reduce_init);
  if (reduce_res)
    in.column("reduce_res", reduce_res, data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarStep step{op0, scalar_of(operand0), false};
  ScalarOperand initial = scalar_of(reduce_init);
  Access access(in);
  access.read("data", from);
  access.read(step.operand);
  access.read(initial);
  float *registers = prepare_accumulators(in, cmd, reduce_op, initial, to.partitions);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::tensor_scalar_reduce(to, from, step, reduce_op, registers, in.assumptions());
  access.end(to, flags);
  double cycles = chip::costs::one_input(in.generation(), Unit::vector, to, from);
  View result;
  if (reduce_res) {
    result = chip::view_of(reduce_res);
    access.write_after(result);
    read_accumulators(reduce_res, registers, reduce_res_negate,
                      reduced_flags(flags, to, to.elements));
    cycles += chip::costs::kReadAccumulators;
  }
  access.take(Unit::vector, cycles);
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
  for (Op op : {op0, op1}) {
    in.require(chip::is_arithmetic_binary(op) && op != Op::average,
               "op0 and op1 must be binary arithmetic operators");
    in.exists(op);
  }
  in.unpacked("dst", dst);
  in.unpacked("data0", data0);
  in.unpacked("data1", data1);

  View to = chip::view_of(dst), a = chip::view_of(data0), b = chip::view_of(data1);
  ScalarOperand start = scalar_of(initial);
  Access access(in);
  access.read("data0", a);
  access.read("data1", b);
  access.read(start);
  access.write(to);
  PoisonFlags flags;
  if (access.maybe_poison())
    flags = scanned_flags(to, access.element_wise(to));
  chip::isa::tensor_tensor_scan(to, a, b, start, op0, op1, reverse0, reverse1, in.assumptions());
  access.end(to, flags);
  access.take(Unit::vector, chip::costs::two_inputs(in.generation(), to, a, b));
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
  in.require(chip::is_arithmetic_binary(op0) && op0 != Op::average,
             "op0 must be a binary arithmetic operator");
  in.exists(op0);
  in.require(op1 == Op::add || op1 == Op::subtract || op1 == Op::multiply || op1 == Op::maximum ||
                 op1 == Op::minimum,
             "op1 must be add, subtract, multiply, maximum or minimum");
  in.require(!imm0.is_none(), "imm0 is missing");
  for (const Tensor *tensor : {&dst, &src})
    in.require(tensor->dtype() != DType::int32 && tensor->dtype() != DType::uint32,
               "int32 and uint32 are not supported");
  require_reduce_command(in, cmd);
  in.require((cmd == reduce_cmd::load_reduce) == !imm1.is_none(), "imm1 belongs to load_reduce");
  require_float32_scalar(in, "imm0", imm0);
  require_float32_scalar(in, "imm1", imm1);
  in.unpacked("dst", dst);
  in.unpacked("src", src);

  View to = chip::view_of(dst), from = chip::view_of(src);
  ScalarStep step{op0, scalar_of(imm0), false};
  ScalarOperand initial = scalar_of(imm1);
  Access access(in);
  access.read("src", from);
  access.read(step.operand);
  access.read(initial);
  float *registers = prepare_accumulators(in, cmd, op1, initial, to.partitions);
  access.write(to);
  PoisonFlags flags;
  if (access.maybe_poison())
    flags = scanned_flags(to, access.element_wise(to));
  chip::isa::tensor_scalar_cumulative(to, from, step, op1, registers, in.assumptions());
  access.end(to, flags);
  access.take(Unit::vector, chip::costs::one_input(in.generation(), Unit::vector, to, from));
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
  require_bitvec(in, op, dst, data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  Access access(in);
  access.read("data", from);
  PoisonFlags source = access.maybe_poison() ? chip::poison_of(from) : PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    if (source.at(i))
      flags.set(i % from.elements, to.elements);
  access.write_after(to);
  chip::isa::tensor_partition_reduce(to, from, op, in.assumptions());
  access.end(to, flags);
  access.take(Unit::gpsimd, chip::costs::kPartitionReduction * double(from.elements));
}

void max8(const Tensor &dst, const Tensor &src) {
  Instruction in("max8", {{"dst", &dst}, {"src", &src}});
  in.tile("dst", dst, 1);
  in.tile("src", src, 2);
  in.same_partitions("dst", dst, "src", src);
  in.require(dst.elements_per_partition() == 8, "dst must have 8 elements per partition");
  in.require(src.elements_per_partition() >= 8 && src.elements_per_partition() <= 16384,
             "src must have 8 to 16384 elements per partition");
  in.unpacked("dst", dst);
  in.unpacked("src", src);

  View to = chip::view_of(dst), from = chip::view_of(src);
  Access access(in);
  access.read("src", from);
  PoisonFlags source = access.maybe_poison() ? chip::poison_of(from) : PoisonFlags(), flags;
  for (int64_t i = 0; source.any() && i < from.partitions * from.elements; ++i)
    for (int64_t e = 0; source.at(i) && e < 8; ++e)
      flags.set(i / from.elements * 8 + e, to.partitions * 8);
  access.write_after(to);
  chip::isa::max8(to, from);
  access.end(to, flags);
  access.take(Unit::vector, double(from.elements) * chip::costs::stride_factor({&from}));
}

} // namespace nki::isa
