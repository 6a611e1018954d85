#include "frontend/prepare/passes.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace neuronify::frontend {

void remove_markers(llvm::Function &function) {
  llvm::SmallVector<llvm::WeakTrackingVH> operands;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || !call->isAssumeLikeIntrinsic() || !call->use_empty() ||
          llvm::isa<llvm::DbgInfoIntrinsic>(call))
        continue;
      for (llvm::Value *operand : call->args())
        operands.emplace_back(operand);
      instruction.eraseFromParent();
    }
  // What only an assumption needed is of no use any more.
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
}

} // namespace neuronify::frontend
