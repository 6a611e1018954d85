// Operations with a scalar operand: one or two of them make up many instructions.
#pragma once

#include "chip/isa/alu.h"
#include "chip/isa/element_wise.h"
#include "nki/isa/instruction.h"

namespace nki::isa {

using chip::isa::ScalarStep;

/// An operator on numbers that an engine has: with one operand, or with two.
inline bool is_binary(Op op) { return chip::is_arithmetic_binary(op) && op != Op::average; }
inline bool is_arithmetic(Op op) { return is_binary(op) || chip::is_arithmetic_unary(op); }
inline bool has_one_operand(Op op) { return chip::is_arithmetic_unary(op) || op == Op::invert; }

/// Rules for `data op operand`, where `role` is the operand's name.
void require_step(const Instruction &in, const char *role, Op op, const Operand &operand,
                  const Tensor &data);
void require_float32(const Instruction &in, const char *role, const Operand &operand);

} // namespace nki::isa
