#include "frontend/frontend.h"
#include "frontend/pass_managers.h"
#include "frontend/prepare/passes.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace neuronify::frontend {

namespace {

/// One of our passes, run over a function inside LLVM's pass manager.
template <void (*Pass)(llvm::Function &)>
struct FunctionPass : llvm::PassInfoMixin<FunctionPass<Pass>> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    Pass(function);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// Merges and removes blocks, and turns small branches into selects; nothing that looks better to
/// a processor than to a reader (tables, hoisted or sunk common code).
llvm::SimplifyCFGPass simplify_cfg() {
  return llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                   .bonusInstThreshold(0)
                                   .convertSwitchRangeToICmp(false)
                                   .convertSwitchToLookupTable(false)
                                   .hoistCommonInsts(false)
                                   .sinkCommonInsts(false)
                                   .needCanonicalLoops(true));
}

/// A cap of no accesses at all switches scalar promotion off and leaves hoisting of loads on.
llvm::LICMPass licm() {
  llvm::LICMOptions options;
  options.MssaNoAccForPromotionCap = 0;
  return llvm::LICMPass(options);
}

/// All passes over one kernel, in order.
llvm::FunctionPassManager kernel_passes() {
  llvm::FunctionPassManager passes;
  passes.addPass(FunctionPass<copy_parameters>());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(FunctionPass<thread_cleanups>());
  passes.addPass(FunctionPass<fold_aggregates>());
  passes.addPass(FunctionPass<hoist_special_registers>());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(simplify_cfg());
  // Once more: what stands in scopes inside of scopes is this simple only now.
  passes.addPass(FunctionPass<thread_cleanups>());
  // Once more: pointers that were stored in a local struct are values only now.
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(FunctionPass<forward_parameter_copies>());
  passes.addPass(llvm::InferAddressSpacesPass(/*AddressSpace=*/0));
  passes.addPass(FunctionPass<lower_switches>());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(licm(), /*UseMemorySSA=*/true));
  passes.addPass(FunctionPass<remove_markers>());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(FunctionPass<name_values>());
  return passes;
}

bool is_kernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !function.isDeclaration();
}

} // namespace

void prepare(llvm::Module &module) {
  Analyses analyses;

  describe_library(module);
  mark_for_inlining(module);
  llvm::ModulePassManager inlining;
  inlining.addPass(llvm::GlobalDCEPass());
  inlining.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  inlining.addPass(llvm::GlobalDCEPass());
  inlining.run(module, analyses.modules);

  llvm::FunctionPassManager passes = kernel_passes();
  for (llvm::Function &function : module)
    if (is_kernel(function))
      passes.run(function, analyses.functions);
}

} // namespace neuronify::frontend
