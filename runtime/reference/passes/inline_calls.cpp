#include "passes.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

using namespace llvm;

namespace neuronify::reference {

void inlineCalls(Module &module) {
  CallGraph graph(module);
  for (auto group = scc_begin(&graph); !group.isAtEnd(); ++group) {
    Function *function = group->front()->getFunction();
    bool keep = !function || function->isDeclaration() || group.hasCycle() ||
                function->hasFnAttribute(Attribute::NoInline);
    if (!keep)
      function->addFnAttr(Attribute::AlwaysInline);
  }

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager groups;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  // Locals become values, so that what is left in memory is shared or global, or really a local.
  passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
  passes.run(module, modules);
}

bool threadsWait(const Module &module) {
  for (const Function &function : module)
    if (function.getName().starts_with("neuronify_wait_") && !function.use_empty())
      return true;
  return false;
}

} // namespace neuronify::reference
