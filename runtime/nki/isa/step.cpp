#include "nki/isa/step.h"

namespace nki::isa {

void require_float32(const Instruction &in, const char *role, const Operand &operand) {
  if (operand.is_tensor() && operand.tensor().dtype() != DType::float32)
    in.fail(std::string(role) + " must be float32 with arithmetic operators");
}

void require_step(const Instruction &in, const char *role, Op op, const Operand &operand,
                  const Tensor &data) {
  in.scalar(role, operand, data);
  in.exists(op);
  if (has_one_operand(op)) {
    if (operand.is_tensor() || operand.value() != 0)
      in.fail(std::string(role) + " must be None or 0 with the unary operator nl." +
              std::string(language::name_of(op)));
    return;
  }
  if (operand.is_none())
    in.fail(std::string(role) + " is missing");
  if (!chip::is_bitvec(op))
    require_float32(in, role, operand);
  else if (operand.is_tensor())
    in.integer(role, operand.tensor());
  else if (!operand.is_integer())
    in.fail(std::string(role) + " must be an integer: bitvec operators work on bit patterns");
}

} // namespace nki::isa
