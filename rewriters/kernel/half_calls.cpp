#include "kernel/half_calls.h"

#include "kernel/calls.h"

using namespace llvm;

namespace neuronify::kernel {

bool keeps_format(StringRef operation) {
  for (const char *name : {"fabs", "copysign", "floor", "ceil", "trunc_float", "rint", "round",
                           "fmin", "fmax", "saturate"})
    if (operation == name)
      return true;
  return false;
}

FloatFunction float_function(const CallInst &call) {
  const Function *function = call.getCalledFunction();
  StringRef name = function ? function->getName() : StringRef();
  const bool is_half = name.consume_back(".f16");
  if (!is_half && !name.consume_back(".bf16"))
    return {};
  if (name == "llvm.fma")
    return {is_half ? "neuronify.fma_half" : "neuronify.fma_bfloat", true};
  if (name == "llvm.sqrt")
    return {"neuronify.sqrt_exact", false};
  const std::string candidate = name.str() + ".f32";
  const std::string_view operation = find_function(candidate).operation;
  if (operation.empty())
    return {};
  return {candidate, keeps_format(operation)};
}

} // namespace neuronify::kernel
