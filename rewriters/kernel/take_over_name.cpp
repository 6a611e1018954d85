#include "kernel/rewrites.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::kernel {

void take_over_name(Value &form, Instruction &original) {
  SmallVector<DbgVariableRecord *, 4> records;
  findDbgUsers(&original, records);
  for (DbgVariableRecord *record : records)
    record->replaceVariableLocationOp(&original, &form);
  if (auto *instruction = dyn_cast<Instruction>(&form); instruction && !instruction->hasName())
    instruction->takeName(&original);
}

} // namespace neuronify::kernel
