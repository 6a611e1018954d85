#include "chip/isa/element_wise.h"

#include "nki/isa/instruction.h"

namespace nki::isa {

namespace {

using chip::isa::Arithmetic;
using chip::isa::ScalarStep;

bool is_32_bit_integer(const Tensor &tensor) {
  return tensor.dtype() == DType::int32 || tensor.dtype() == DType::uint32;
}

void require_integers(const Instruction &in, const char *role, const Tensor &tensor) {
  if (!chip::is_integer(tensor.dtype()) && tensor.dtype() != DType::bool_)
    in.fail(std::string(role) +
            " must have an integer type, bitvec operators work on bit patterns");
}

void require_unpacked(const Instruction &in, const char *role, const Tensor &tensor) {
  if (chip::is_packed(tensor.dtype()))
    in.fail(std::string(role) + " has a packed type, which only matmuls take");
}

/// Rules for one step of tensor_scalar and its relatives.
void require_step(const Instruction &in, const char *role, Op op, const Operand &operand,
                  const Tensor &data, Arithmetic arithmetic) {
  in.scalar(role, operand, data);
  if (chip::is_arithmetic_unary(op) || op == Op::invert) {
    if (operand.is_tensor() || (!operand.is_none() && operand.value() != 0))
      in.fail(std::string(role) + " must be None or 0 with the unary operator nl." +
              std::string(language::name_of(op)));
    return;
  }
  if (operand.is_none())
    in.fail(std::string(role) + " is missing");
  if (arithmetic == Arithmetic::bits) {
    if (operand.is_tensor())
      require_integers(in, role, operand.tensor());
    else if (!operand.is_integer())
      in.fail(std::string(role) + " must be an integer, bitvec operators work on bit patterns");
  } else if (operand.is_tensor() && operand.tensor().dtype() != DType::float32) {
    in.fail(std::string(role) + " must be float32 with arithmetic operators");
  }
}

} // namespace

void tensor_tensor(const Tensor &dst, const Tensor &data1, const Tensor &data2, Op op, engine on) {
  Instruction in("tensor_tensor", {{"dst", &dst}, {"data1", &data1}, {"data2", &data2}});
  in.tile("dst", dst);
  in.tile("data1", data1);
  in.tile("data2", data2);
  in.same_size("data1", data1, "data2", data2);
  in.same_size("dst", dst, "data1", data1);
  in.not_both_in_psum("data1", data1, "data2", data2);
  in.require(on == engine::unknown || on == engine::vector || on == engine::gpsimd,
             "runs on VectorE or GpSimdE only");
  bool any_psum = dst.buffer() == Buffer::psum || data1.buffer() == Buffer::psum ||
                  data2.buffer() == Buffer::psum;
  Arithmetic arithmetic = Arithmetic::float32;
  if (chip::is_bitvec(op)) {
    in.require(op != Op::invert, "op must be a binary operator");
    require_integers(in, "dst", dst);
    require_integers(in, "data1", data1);
    require_integers(in, "data2", data2);
    arithmetic = Arithmetic::bits;
  } else {
    in.require(chip::is_arithmetic_binary(op) && op != Op::average, "op must be a binary operator");
    require_unpacked(in, "dst", dst);
    require_unpacked(in, "data1", data1);
    require_unpacked(in, "data2", data2);
    bool integers = is_32_bit_integer(dst) && is_32_bit_integer(data1) && is_32_bit_integer(data2);
    if (integers && !any_psum && on != engine::vector && op != Op::power)
      arithmetic = Arithmetic::int32;
  }
  bool on_gpsimd = on == engine::gpsimd || op == Op::power || arithmetic == Arithmetic::int32;
  in.require(!on_gpsimd || !any_psum, "GpSimdE cannot access PSUM");

  chip::View to = chip::view_of(dst), a = chip::view_of(data1), b = chip::view_of(data2);
  ElementWise memory;
  memory.read(a);
  memory.read(b);
  memory.begin(to);
  chip::isa::tensor_tensor(to, a, b, op, arithmetic, in.assumptions());
  memory.end(to);
}

void tensor_scalar(const Tensor &dst, const Tensor &data, Op op0, const Operand &operand0,
                   bool reverse0, Op op1, const Operand &operand1, bool reverse1, engine on) {
  Instruction in("tensor_scalar", {{"dst", &dst},
                                   {"data", &data},
                                   {"operand0", &operand0.tensor()},
                                   {"operand1", &operand1.tensor()}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  bool bits = chip::is_bitvec(op0);
  auto is_arithmetic = [](Op op) {
    return chip::is_arithmetic_binary(op) || chip::is_arithmetic_unary(op);
  };
  in.require(bits || is_arithmetic(op0), "op0 must be a math operator");
  in.require(op1 == Op::none || (bits ? chip::is_bitvec(op1) : is_arithmetic(op1)),
             "op0 and op1 must both be bitvec or both be arithmetic operators");
  in.require(op1 != Op::none || operand1.is_none(), "operand1 must be None without op1");
  Arithmetic arithmetic = bits ? Arithmetic::bits : Arithmetic::float32;
  require_step(in, "operand0", op0, operand0, data, arithmetic);
  if (op1 != Op::none)
    require_step(in, "operand1", op1, operand1, data, arithmetic);
  if (bits) {
    require_integers(in, "dst", dst);
    require_integers(in, "data", data);
    in.require(on == engine::unknown || on == engine::vector,
               "bitvec operators run on VectorE only");
  } else {
    require_unpacked(in, "dst", dst);
    require_unpacked(in, "data", data);
  }
  in.require(on != engine::gpsimd || op0 == Op::rsqrt, "GpSimdE is allowed for nl.rsqrt only");

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  ScalarStep first{op0, scalar_of(operand0), reverse0};
  ScalarStep second{op1, scalar_of(operand1), reverse1};
  ElementWise memory;
  memory.read(from);
  memory.read(first.operand);
  memory.read(second.operand);
  memory.begin(to);
  chip::isa::tensor_scalar(to, from, first, second, arithmetic, in.assumptions());
  memory.end(to);
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
  auto is_arithmetic = [](Op op) {
    return chip::is_arithmetic_binary(op) || chip::is_arithmetic_unary(op);
  };
  in.require(is_arithmetic(op0), "op0 must be an arithmetic operator");
  in.require(chip::is_arithmetic_binary(op1), "op1 must be a binary arithmetic operator");
  in.scalar("operand0", operand0, data);
  require_unpacked(in, "dst", dst);
  require_unpacked(in, "data", data);
  require_unpacked(in, "operand1", operand1);

  chip::View to = chip::view_of(dst), a = chip::view_of(data), b = chip::view_of(operand1);
  ScalarStep first{op0, scalar_of(operand0), reverse0};
  ElementWise memory;
  memory.read(a);
  memory.read(b);
  memory.read(first.operand);
  memory.begin(to);
  chip::isa::scalar_tensor_tensor(to, a, first, op1, b, reverse1, in.assumptions());
  memory.end(to);
}

void reciprocal(const Tensor &dst, const Tensor &data) {
  Instruction in("reciprocal", {{"dst", &dst}, {"data", &data}});
  in.tile("dst", dst);
  in.tile("data", data);
  in.same_size("dst", dst, "data", data);
  require_unpacked(in, "dst", dst);
  require_unpacked(in, "data", data);

  chip::View to = chip::view_of(dst), from = chip::view_of(data);
  ElementWise memory;
  memory.read(from);
  memory.begin(to);
  chip::isa::reciprocal(to, from, in.assumptions());
  memory.end(to);
}

} // namespace nki::isa
