#include "chip/isa/alu.h"

#include <limits>

namespace nki::chip {

bool is_reduction(Op op) {
  switch (op) {
  case Op::bitwise_and:
  case Op::bitwise_or:
  case Op::bitwise_xor:
  case Op::add:
  case Op::subtract:
  case Op::multiply:
  case Op::maximum:
  case Op::minimum:
  case Op::logical_and:
  case Op::logical_or:
  case Op::logical_xor:
    return true;
  default:
    return false;
  }
}

float reduction_identity(Op op) {
  switch (op) {
  case Op::multiply:
  case Op::logical_and:
    return 1.0f;
  case Op::maximum:
    return -std::numeric_limits<float>::infinity();
  case Op::minimum:
  case Op::abs_min:
    return std::numeric_limits<float>::infinity();
  default:
    return 0.0f;
  }
}

} // namespace nki::chip
