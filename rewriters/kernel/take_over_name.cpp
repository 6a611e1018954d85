#include "kernel/rewrites.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::kernel {

void take_over_name(Value &form, Instruction &original) {
  if (auto *instruction = dyn_cast<Instruction>(&form); instruction && !instruction->hasName())
    instruction->takeName(&original);
}

} // namespace neuronify::kernel
