#include "chip/isa/reduce.h"

#include "nki/isa/accumulate.h"
#include "nki/isa/indirection.h"
#include "nki/isa/step.h"

#include <span>

namespace nki::isa {

namespace {

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
  if (through_indices(dst, data)) [[unlikely]]
    return run_indirectly(in, {}, dst, {{"data", &data}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            reduce(to, op, from[0], axis, negate, keepdims);
                          });
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

} // namespace

void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, std::initializer_list<int> axis,
                   bool negate, bool keepdims) {
  reduce(dst, op, data, {axis.begin(), axis.size()}, negate, keepdims);
}

void tensor_reduce(const Tensor &dst, Op op, const Tensor &data, std::span<const int> axis,
                   bool negate, bool keepdims) {
  reduce(dst, op, data, axis, negate, keepdims);
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
  if (through_indices(dst, data)) [[unlikely]]
    return run_indirectly(in, {}, dst, {{"data", &data}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            tensor_scalar_reduce(to, from[0], op0, operand0, reduce_op, reduce_res,
                                                 reverse0, cmd, reduce_init, reduce_res_negate);
                          });
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.require(is_arithmetic(op0), "op0 must be an arithmetic operator");
  require_step(in, "operand0", op0, operand0, data);
  in.require(reduce_op == Op::add || reduce_op == Op::multiply || reduce_op == Op::maximum ||
                 reduce_op == Op::minimum,
             "reduce_op must be add, multiply, maximum or minimum");
  in.require(!reverse0, "the instruction cannot reverse its operands");
  Accumulation accumulation(in, cmd, reduce_op, &reduce_res, &reduce_init, reduce_res_negate);
  accumulation.require({reduce_cmd::reset_reduce, reduce_cmd::reduce, reduce_cmd::load_reduce},
                       data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarStep step{op0, scalar_of(operand0), false};
  Access access(in);
  access.read("data", from);
  access.read(step.operand);
  accumulation.read(access);
  float *registers = accumulation.prepare(to.partitions);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::tensor_scalar_reduce(to, from, step, reduce_op, registers, in.assumptions());
  access.end(to, flags);
  double cycles = chip::costs::one_input(in.generation(), Unit::vector, to, from);
  access.take(Unit::vector, cycles + accumulation.finish(access, flags, to));
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
    in.require(is_binary(op), "op0 and op1 must be binary arithmetic operators");
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
  // One element per cycle, although there are two inputs: calibrated on the published Mamba times.
  access.take(Unit::vector, double(to.elements) * chip::costs::stride_factor({&to, &a, &b}));
}

void tensor_scalar_cumulative(const Tensor &dst, const Tensor &src, Op op0, Op op1,
                              const Operand &imm0, const Operand &imm1, reduce_cmd cmd) {
  Instruction in(
      "tensor_scalar_cumulative",
      {{"dst", &dst}, {"src", &src}, {"imm0", &imm0.tensor()}, {"imm1", &imm1.tensor()}});
  if (through_indices(dst, src)) [[unlikely]]
    return run_indirectly(in, {}, dst, {{"src", &src}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            tensor_scalar_cumulative(to, from[0], op0, op1, imm0, imm1, cmd);
                          });
  in.tile("dst", dst);
  in.tile("src", src);
  in.same_size("dst", dst, "src", src);
  in.require(is_binary(op0), "op0 must be a binary arithmetic operator");
  require_step(in, "imm0", op0, imm0, src);
  in.require(op1 == Op::add || op1 == Op::subtract || op1 == Op::multiply || op1 == Op::maximum ||
                 op1 == Op::minimum,
             "op1 must be add, subtract, multiply, maximum or minimum");
  for (const Tensor *tensor : {&dst, &src})
    in.require(tensor->dtype() != DType::int32 && tensor->dtype() != DType::uint32,
               "int32 and uint32 are not supported");
  Accumulation accumulation(in, cmd, op1, nullptr, &imm1);
  accumulation.require({reduce_cmd::reset_reduce, reduce_cmd::reduce, reduce_cmd::load_reduce},
                       src);
  in.unpacked("dst", dst);
  in.unpacked("src", src);

  View to = chip::view_of(dst), from = chip::view_of(src);
  ScalarStep step{op0, scalar_of(imm0), false};
  Access access(in);
  access.read("src", from);
  access.read(step.operand);
  accumulation.read(access);
  float *registers = accumulation.prepare(to.partitions);
  access.write(to);
  PoisonFlags flags;
  if (access.maybe_poison())
    flags = scanned_flags(to, access.element_wise(to));
  chip::isa::tensor_scalar_cumulative(to, from, step, op1, registers, in.assumptions());
  access.end(to, flags);
  access.take(Unit::vector, chip::costs::one_input(in.generation(), Unit::vector, to, from) +
                                accumulation.finish(access, flags, to));
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

} // namespace nki::isa
