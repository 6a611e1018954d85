#include "nki/isa/indirection.h"
#include "nki/isa/step.h"

namespace nki::isa {

namespace {

using chip::isa::Arithmetic;

bool is_32_bit_integer(const Tensor &tensor) {
  return tensor.dtype() == DType::int32 || tensor.dtype() == DType::uint32;
}
bool in_psum(const Tensor &tensor) { return tensor.buffer() == Buffer::psum; }

/// What tensor_tensor computes in, and where.
struct Choice {
  Arithmetic arithmetic;
  Unit engine;
};

Choice choose_tensor_tensor(const Instruction &in, const Tensor &dst, const Tensor &data1,
                            const Tensor &data2, Op op, engine on) {
  bool psum = in_psum(dst) || in_psum(data1) || in_psum(data2);
  Unit wanted = on == engine::gpsimd ? Unit::gpsimd : Unit::vector;
  if (chip::is_bitvec(op)) {
    in.require(op != Op::invert, "op must be a binary operator");
    in.integer("dst", dst);
    in.integer("data1", data1);
    in.integer("data2", data2);
    in.require(wanted != Unit::gpsimd || !psum, "GpSimdE cannot access PSUM");
    return {Arithmetic::bits, wanted};
  }
  in.require(is_binary(op), "op must be a binary operator");
  in.exists(op);
  in.unpacked("dst", dst);
  in.unpacked("data1", data1);
  in.unpacked("data2", data2);
  if (op == Op::power) {
    in.require(on != engine::vector, "nl.power runs on GpSimdE");
    in.require(!psum, "nl.power runs on GpSimdE, which cannot access PSUM");
    return {Arithmetic::float32, Unit::gpsimd};
  }
  bool integers = is_32_bit_integer(dst) && is_32_bit_integer(data1) && is_32_bit_integer(data2);
  if (integers && !psum && on != engine::vector)
    return {Arithmetic::int32, Unit::gpsimd};
  in.require(wanted != Unit::gpsimd || !psum, "GpSimdE cannot access PSUM");
  return {Arithmetic::float32, wanted};
}

/// Rules of tensor_scalar on ScalarE.
void require_scalar_engine(const Instruction &in, Op op0, Op op1) {
  in.require(in.has(Feature::tensor_scalar_on_scalar),
             "NeuronCore-v2 has no tensor_scalar on ScalarE");
  bool known = (op0 == Op::multiply && (op1 == Op::add || op1 == Op::none)) ||
               (op0 == Op::add && op1 == Op::none);
  in.require(in.has(Feature::any_tensor_scalar_on_scalar) || known,
             "ScalarE of NeuronCore-v3 takes multiply and add, multiply, or add only");
}

Unit choose_tensor_scalar(const Instruction &in, const Tensor &dst, const Tensor &data, Op op0,
                          Op op1, engine on) {
  in.require(on == engine::unknown || on == engine::vector || on == engine::scalar ||
                 on == engine::gpsimd,
             "runs on VectorE, ScalarE or GpSimdE only");
  if (chip::is_bitvec(op0)) {
    in.require(on == engine::unknown || on == engine::vector,
               "bitvec operators run on VectorE only");
    return Unit::vector;
  }
  if (on == engine::scalar) {
    require_scalar_engine(in, op0, op1);
    return Unit::scalar;
  }
  in.require(on != engine::gpsimd || op0 == Op::rsqrt, "GpSimdE is allowed for nl.rsqrt only");
  if (op0 != Op::rsqrt)
    return Unit::vector;
  in.require(on != engine::vector, "nl.rsqrt runs on GpSimdE");
  in.require(!in_psum(dst) && !in_psum(data), "nl.rsqrt runs on GpSimdE, which cannot access PSUM");
  return Unit::gpsimd;
}

} // namespace

void tensor_tensor(const Tensor &dst, const Tensor &data1, const Tensor &data2, Op op, engine on) {
  Instruction in("tensor_tensor", {{"dst", &dst}, {"data1", &data1}, {"data2", &data2}});
  if (through_indices(dst, data1)) [[unlikely]]
    return run_indirectly(in, {}, dst, {{"data1", &data1}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            tensor_tensor(to, from[0], data2, op, on);
                          });
  in.tile("dst", dst);
  in.tile("data1", data1);
  in.tile("data2", data2);
  in.same_size("data1", data1, "data2", data2);
  in.same_size("dst", dst, "data1", data1);
  in.not_both_in_psum("data1", data1, "data2", data2);
  in.require(on == engine::unknown || on == engine::vector || on == engine::gpsimd,
             "runs on VectorE or GpSimdE only");
  Choice choice = choose_tensor_tensor(in, dst, data1, data2, op, on);

  View to = chip::view_of(dst), a = chip::view_of(data1), b = chip::view_of(data2);
  Access access(in);
  access.read("data1", a);
  access.read("data2", b);
  access.write(to);
  chip::isa::tensor_tensor(to, a, b, op, choice.arithmetic, in.assumptions());
  access.end(to);
  access.take(choice.engine, chip::costs::two_inputs(in.generation(), to, a, b));
}

void tensor_scalar(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                   bool reverse0, Op op1, const Operand &operand1, bool reverse1, engine on) {
  Instruction in("tensor_scalar", {{"dst", &dst},
                                   {"data", &data},
                                   {"operand0", &operand0.tensor()},
                                   {"operand1", &operand1.tensor()}});
  if (through_indices(dst, data)) [[unlikely]] {
    in.require(!is_32_bit_integer(dst) || !is_32_bit_integer(data) || chip::is_bitvec(op0),
               "arithmetic from 32-bit integers to 32-bit integers (addresses) does not go through "
               "tensor indirection");
    return run_indirectly(in, {.scalar = on == engine::scalar}, dst, {{"data", &data}},
                          [&](const Tensor &to, std::span<const Tensor> from) {
                            tensor_scalar(to, from[0], op0, operand0, reverse0, op1, operand1,
                                          reverse1, on);
                          });
  }
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  bool bits = chip::is_bitvec(op0);
  in.require(bits || is_arithmetic(op0), "op0 must be a math operator");
  in.require(op1 == Op::none || (bits ? chip::is_bitvec(op1) : is_arithmetic(op1)),
             "op0 and op1 must both be bitvec or both be arithmetic operators");
  in.require(op1 != Op::none || operand1.is_none(), "operand1 must be None without op1");
  in.require(op1 != Op::square && op1 != Op::relu, "nl.square and nl.relu may be op0 only");
  require_step(in, "operand0", op0, operand0, data);
  if (op1 != Op::none)
    require_step(in, "operand1", op1, operand1, data);
  if (bits) {
    in.integer("dst", dst);
    in.integer("data", data);
  }
  in.unpacked("dst", dst);
  in.unpacked("data", data);
  Unit engine = choose_tensor_scalar(in, dst, data, op0, op1, on);

  View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarStep first{op0, scalar_of(operand0), reverse0};
  ScalarStep second{op1, scalar_of(operand1), reverse1};
  Access access(in);
  access.read("data", from);
  access.read(first.operand);
  access.read(second.operand);
  access.write(to);
  chip::isa::tensor_scalar(to, from, first, second, bits ? Arithmetic::bits : Arithmetic::float32,
                           in.assumptions());
  access.end(to);
  double cycles = chip::costs::one_input(in.generation(), engine, to, from);
  access.take(engine, op0 == Op::rsqrt ? 4 * cycles : cycles);
}

void scalar_tensor_tensor(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                          Op op1, const Tensor &operand1, bool reverse0, bool reverse1) {
  Instruction in(
      "scalar_tensor_tensor",
      {{"dst", &dst}, {"data", &data}, {"operand0", &operand0.tensor()}, {"operand1", &operand1}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.tile("operand1", operand1);
  in.same_size("dst", dst, "data", data);
  in.same_size("operand1", operand1, "data", data);
  in.not_both_in_psum("data", data, "operand1", operand1);
  in.require(is_arithmetic(op0) && is_arithmetic(op1) && !has_one_operand(op1),
             "op0 and op1 must be arithmetic operators");
  in.scalar("operand0", operand0, data);
  in.require(has_one_operand(op0) || !operand0.is_none(), "operand0 is missing");
  in.exists(op0);
  in.exists(op1);
  in.unpacked("dst", dst);
  in.unpacked("data", data);
  in.unpacked("operand1", operand1);

  View to = chip::view_of(dst), a = chip::view_of(data), b = chip::view_of(operand1);
  ScalarStep first{op0, scalar_of(operand0), reverse0};
  Access access(in);
  access.read("data", a);
  access.read("operand1", b);
  access.read(first.operand);
  access.write(to);
  chip::isa::scalar_tensor_tensor(to, a, first, op1, b, reverse1, in.assumptions());
  access.end(to);
  access.take(Unit::vector, chip::costs::two_inputs(in.generation(), to, a, b));
}

void reciprocal(const Tensor &dst, const Tensor &data) {
  Instruction in("reciprocal", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  in.unpacked("dst", dst);
  in.unpacked("data", data);

  View to = chip::view_of(dst), from = chip::view_of(data);
  Access access(in);
  access.read("data", from);
  access.write(to);
  chip::isa::reciprocal(to, from, in.assumptions());
  access.end(to);
  access.take(Unit::vector, 8 * double(to.elements) * chip::costs::stride_factor({&to, &from}));
}

} // namespace nki::isa
