// Element-wise instructions of VectorE and GpSimdE.
#pragma once

#include "chip/isa/alu.h"
#include "chip/isa/operand.h"

namespace nki::chip::isa {

/// How an instruction treats elements.
enum class Arithmetic : uint8_t {
  float32, ///< widened to fp32, rounded to the destination
  bits,    ///< bit patterns
  int32,   ///< 32-bit integers, exact (GpSimdE)
};

void tensor_tensor(const View &dst, const View &data1, const View &data2, Op op,
                   Arithmetic arithmetic, const ChipAssumptions &assumptions);

/// One operation with a scalar operand.
struct ScalarStep {
  Op op = Op::none;
  ScalarOperand operand;
  bool reverse = false;
};
void tensor_scalar(const View &dst, const View &data, const ScalarStep &first,
                   const ScalarStep &second, Arithmetic arithmetic,
                   const ChipAssumptions &assumptions);

void scalar_tensor_tensor(const View &dst, const View &data, const ScalarStep &first, Op op1,
                          const View &operand1, bool reverse1, const ChipAssumptions &assumptions);

void reciprocal(const View &dst, const View &data, const ChipAssumptions &assumptions);

} // namespace nki::chip::isa
