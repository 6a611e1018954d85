#include "frontend/prepare/passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

namespace neuronify::frontend {

void lower_switches(llvm::Function &kernel) {
  const bool has_switch = llvm::any_of(kernel, [](const llvm::BasicBlock &block) {
    return llvm::isa<llvm::SwitchInst>(block.getTerminator());
  });
  if (!has_switch)
    return;
  llvm::FunctionAnalysisManager analyses;
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  llvm::LowerSwitchPass().run(kernel, analyses);
  // SimplifyCFG would merge blocks too, and build the switch again.
  for (llvm::BasicBlock &block : llvm::make_early_inc_range(kernel))
    llvm::MergeBlockIntoPredecessor(&block);
}

} // namespace neuronify::frontend
