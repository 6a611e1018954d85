// ScalarE: func(data * scale + bias).
#pragma once

#include "chip/isa/alu.h"
#include "chip/isa/operand.h"

namespace nki::chip::isa {

bool is_activation(Op op);

/// Also adds every result to registers[partition] where `registers` is given.
void activation(const View &dst, Op op, const View &data, const ScalarOperand &scale,
                const ScalarOperand &bias, float *registers, const ChipAssumptions &assumptions);

} // namespace nki::chip::isa
