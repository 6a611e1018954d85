#include "chip/isa/gather.h"
#include "chip/layout.h"
#include "nki/isa/accumulate.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

/// The maximum over the free axis of what was selected. Returns the extra cycles.
double reduce_maximum(const Instruction &in, Access &access, Accumulation &accumulation,
                      const View &dst, const PoisonFlags &flags) {
  float *registers = accumulation.prepare(dst.partitions);
  if (!accumulation.is_on())
    return 0;
  in.require(chip::lies_apart(dst), "with a reduction, dst may not hold elements that repeat");
  chip::isa::accumulate(registers, dst, Op::maximum, in.assumptions());
  return accumulation.finish(access, flags, dst);
}

} // namespace

void select_reduce(const Tensor &dst, const Tensor &predicate, const Tensor &on_true,
                   const Operand &on_false, const Tensor &reduce_res, reduce_cmd cmd, Op reduce_op,
                   bool reverse_pred) {
  Instruction in("select_reduce", {{"dst", &dst},
                                   {"predicate", &predicate},
                                   {"on_true", &on_true},
                                   {"on_false", &on_false.tensor()},
                                   {"reduce_res", &reduce_res}});
  in.tile("dst", dst);
  in.tile("predicate", predicate);
  in.tile("on_true", on_true);
  in.same_size("dst", dst, "on_true", on_true);
  in.same_size("predicate", predicate, "on_true", on_true);
  in.not_both_in_psum("on_true", on_true, "predicate", predicate);
  in.require(!on_false.is_none(), "on_false is missing");
  in.scalar("on_false", on_false, on_true);
  in.require(on_true.dtype() != DType::tfloat32 && on_true.dtype() != DType::int32 &&
                 on_true.dtype() != DType::uint32,
             "on_true may not be tfloat32, int32 or uint32");
  in.require(predicate.dtype() == DType::int8 || predicate.dtype() == DType::uint8 ||
                 predicate.dtype() == DType::int16 || predicate.dtype() == DType::uint16,
             "predicate must be int8, uint8, int16 or uint16");
  in.require(reduce_op == Op::maximum, "reduce_op must be maximum");
  in.require(!reduce_res || chip::is_float(reduce_res.dtype()),
             "reduce_res must have a float type");
  Accumulation accumulation(in, cmd, reduce_op, &reduce_res);
  accumulation.require({reduce_cmd::idle, reduce_cmd::reduce, reduce_cmd::reset_reduce}, on_true);
  in.unpacked("dst", dst);
  in.unpacked("on_true", on_true);

  View to = chip::view_of(dst), take = chip::view_of(predicate), from = chip::view_of(on_true);
  ScalarOperand other = scalar_of(on_false);
  Access access(in);
  access.read_written("predicate", take);
  access.read("on_true", from);
  access.read(other);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? access.element_wise(to) : PoisonFlags();
  chip::isa::select(to, take, from, other, reverse_pred);
  access.end(to, flags);
  double extra = reduce_maximum(in, access, accumulation, to, flags);
  access.take(Unit::vector, chip::costs::two_inputs(in.generation(), to, from, take) + extra);
}

void range_select(const Tensor &dst, const Tensor &on_true_tile, Op comp_op0, Op comp_op1,
                  const Tensor &bound0, const Tensor &bound1, reduce_cmd cmd,
                  const Tensor &reduce_res, Op reduce_op, int range_start, float on_false_value) {
  Instruction in("range_select", {{"dst", &dst},
                                  {"on_true_tile", &on_true_tile},
                                  {"bound0", &bound0},
                                  {"bound1", &bound1},
                                  {"reduce_res", &reduce_res}});
  in.require(in.has(Feature::range_select), "NeuronCore-v2 has no range_select");
  in.tile("dst", dst);
  in.tile("on_true_tile", on_true_tile);
  in.same_size("dst", dst, "on_true_tile", on_true_tile);
  in.column("bound0", bound0, on_true_tile);
  in.column("bound1", bound1, on_true_tile);
  in.require(chip::is_float(on_true_tile.dtype()), "on_true_tile must have a float type");
  in.require(bound0.dtype() == DType::float32 && bound1.dtype() == DType::float32,
             "bound0 and bound1 must be float32");
  for (Op op : {comp_op0, comp_op1})
    in.require(chip::is_comparison(op) && op != Op::not_equal,
               "comp_op0 and comp_op1 must be equal, less, less_equal, greater or greater_equal");
  in.require(reduce_op == Op::maximum, "reduce_op must be maximum");
  in.require(on_false_value == std::numeric_limits<float>::lowest(),
             "on_false_value must be the smallest float32, -3.4028235e+38");
  Accumulation accumulation(in, cmd, reduce_op, &reduce_res);
  accumulation.require({reduce_cmd::idle, reduce_cmd::reduce, reduce_cmd::reset_reduce},
                       on_true_tile);
  in.require(range_start >= -(1 << 24) &&
                 range_start + on_true_tile.elements_per_partition() <= (1 << 24),
             "range_start plus the free index must stay within 2^24");
  in.unpacked("dst", dst);

  View to = chip::view_of(dst), from = chip::view_of(on_true_tile);
  ScalarOperand low(chip::view_of(bound0)), high(chip::view_of(bound1));
  Access access(in);
  access.read_written("bound0", *low.column());
  access.read_written("bound1", *high.column());
  access.read("on_true_tile", from);
  access.write(to);
  PoisonFlags flags = access.maybe_poison() ? chip::poison_of(from) : PoisonFlags();
  chip::isa::range_select(to, from, comp_op0, comp_op1, low, high, range_start);
  access.end(to, flags);
  double extra = reduce_maximum(in, access, accumulation, to, flags);
  access.take(Unit::vector, double(to.elements) * chip::costs::stride_factor({&to, &from}) + extra);
}

} // namespace nki::isa
