#include "kernel/prepare.h"
#include "frontend/pass_managers.h"

#include "kernel/analysis.h"
#include "kernel/doubles.h"
#include "kernel/link_library.h"
#include "kernel/rewrites.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

using namespace llvm;

namespace neuronify::kernel {

void prepare(Function &function) {
  removeUnreachableBlocks(function); // what folding a branch has left over
  replace_assembly(function);
  raise_prints(function);
  link_library(function);
  normalize_doubles(function);
  fold_constant_math(function);
  raise_compare_swap(function);
  expand_double_atomics(function);
  bool copies = expand_calls(function);
  if (copies && link_library(function)) // what calls were expanded to
    expand_calls(function);
  copies |= count_clocks(function);
  copies |= expand_memory_intrinsics(function);
  copies |= split_unaligned(function);
  copies |= use_constant_data(function);
  frontend::Analyses analyses;
  FunctionPassManager first;
  if (copies)
    first.addPass(SROAPass(SROAOptions::PreserveCFG));
  first.addPass(UnifyFunctionExitNodesPass());
  first.addPass(FixIrreduciblePass()); // loops that goto enters in several places get one header
  first.run(function, analyses.functions);
  fold_constant_choices(function);
  pointers_to_offsets(function);
  pointers_to_numbers(function);
  analyses.functions.clear();
  FunctionPassManager dead;
  dead.addPass(ADCEPass());
  dead.run(function, analyses.functions);
  removeUnreachableBlocks(function); // a branch whose sides are both dead leaves them behind
  analyses.functions.clear();
  FunctionPassManager last;
  last.addPass(LoopSimplifyPass());
  last.addPass(LCSSAPass());
  last.run(function, analyses.functions);
}

} // namespace neuronify::kernel
