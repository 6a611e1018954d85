// ScalarE: func(data * scale + bias), and VectorE's exponential.
#pragma once

#include "chip/isa/element_wise.h"

namespace nki::chip::isa {

bool is_activation(Op op);

/// What happens to the results of each partition, before they are rounded to dst's type:
/// registers[p] = op over registers[p] and them. Nothing where `registers` is null.
struct RowReduction {
  float *registers = nullptr;
  Op op = Op::add;
};

void activation(const View &dst, Op op, const View &data, const ScalarOperand &scale,
                const ScalarOperand &bias, const RowReduction &reduction,
                const ChipAssumptions &assumptions);

/// dst = op((data first) second); prelu takes its slope for negative numbers from `slope`.
void activate2(const View &dst, Op op, const View &data, const ScalarStep &first,
               const ScalarStep &second, const ScalarOperand &slope, const RowReduction &reduction,
               const ChipAssumptions &assumptions);

/// dst = e^(src - maximum)
void exponential(const View &dst, const View &src, const ScalarOperand &maximum,
                 const RowReduction &reduction, const ChipAssumptions &assumptions);

} // namespace nki::chip::isa
