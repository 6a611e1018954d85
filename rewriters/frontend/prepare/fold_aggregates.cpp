#include "frontend/prepare/passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace neuronify::frontend {

void fold_aggregates(llvm::Function &kernel) {
  llvm::SmallVector<llvm::WeakTrackingVH> dead;
  for (llvm::BasicBlock &block : kernel)
    for (llvm::Instruction &instruction : block) {
      auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
      if (!extract || extract->getType()->isAggregateType())
        continue;
      llvm::Value *scalar =
          llvm::FindInsertedValue(extract->getAggregateOperand(), extract->getIndices());
      if (!scalar || scalar == extract)
        continue;
      extract->replaceAllUsesWith(scalar);
      dead.emplace_back(extract);
    }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace neuronify::frontend
