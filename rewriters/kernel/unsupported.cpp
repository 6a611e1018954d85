#include "kernel/unsupported.h"

#include "kernel/analysis.h"
#include "kernel/calls.h"
#include "kernel/spin.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>

using namespace llvm;

namespace neuronify::kernel {

static std::string name_of(const CallBase &call) {
  if (call.isInlineAsm())
    return "inline assembly";
  const Function *function = call.getCalledFunction();
  if (function && function->getName().starts_with("__neuronify_texture_"))
    return "a texture fetch of this kind"; // functions of our headers: no name the user knows
  if (function && function->getName().starts_with("__neuronify_surface_"))
    return "a surface access of this kind";
  if (!function)
    return "indirect call";
  if (function->getName() == "cudaGetParameterBuffer" || function->getName() == "cudaLaunchDevice")
    return "a launch of a kernel by a kernel";
  const std::string name = "'" + demangle(function->getName()) + "'";
  if (!function->isDeclaration()) { // everything else is inlined
    const bool labels =
        any_of(*function, [](const BasicBlock &block) { return block.hasAddressTaken(); });
    return labels ? "call of " + name + ", whose labels are values" : "recursive call of " + name;
  }
  const StringRef symbol = function->getName();
  const bool of_user = symbol.starts_with("_Z") && !symbol.starts_with("_Zn") && // operator new
                       !symbol.starts_with("_Zd");
  return "call of " + name + (of_user ? ", whose code is in another file" : "");
}

/// Data outside of shared memory without a place: host code has no name for it, and it is more than
/// numbers that the port could hold itself.
static const GlobalVariable *nameless_data(const Instruction &instruction) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    pointer = update->getPointerOperand();
  if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    pointer = swap->getPointerOperand();
  auto *global = pointer ? dyn_cast<GlobalVariable>(getUnderlyingObject(pointer, 0)) : nullptr;
  const bool has_place =
      !global || global->getAddressSpace() == 3 || !is_nameless(*global) || has_plain_data(*global);
  return has_place ? nullptr : global;
}

std::vector<Unsupported> find_unsupported(Function &function) {
  std::vector<Unsupported> result;
  std::set<std::pair<unsigned, std::string>> seen;
  auto add = [&](const Instruction &at, std::string code, std::string what) {
    const DebugLoc &location = at.getDebugLoc();
    if (seen.insert({location ? location.getLine() : 0, code}).second)
      result.push_back({&at, std::move(code), std::move(what)});
  };
  std::vector<Unsupported> unknown; // says less than the others: a helper of one of them, perhaps
  for (const Instruction &instruction : instructions(function)) {
    if (isa<IndirectBrInst>(instruction))
      add(instruction, "NFY4007", "a jump to a label that is a value");
    if (const GlobalVariable *data = nameless_data(instruction))
      add(instruction, "NFY4013",
          data->isConstant() ? "a constant table with addresses that host code cannot name"
                             : "a variable that host code cannot name");
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      const Callee callee = find_callee(*call);
      if (callee.effect != Effect::unsupported)
        continue;
      if (callee.diagnostic == "NFY4006")
        unknown.push_back({&instruction, "NFY4006", name_of(*call)});
      else
        add(instruction, std::string(callee.diagnostic), name_of(*call));
    }
  }
  // prepare() leaves no others. One that came later would have its conditions lost.
  for (const BasicBlock &block : function)
    if (const Instruction *end = block.getTerminator();
        !isa<BranchInst, IndirectBrInst, ReturnInst, UnreachableInst>(end))
      add(*end, "NFY4999", std::string("internal: '") + end->getOpcodeName() + "' is left");
  if (result.empty())
    for (const Unsupported &entry : unknown)
      add(*entry.at, entry.code, entry.what);
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  ReversePostOrderTraversal<const Function *> order(&function);
  if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
    add(*function.getEntryBlock().getTerminator(), "NFY4007", "loop with several entries");
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (const Instruction *wait = find_wait(*loop))
      add(*wait, "NFY4012", "a thread waits in a loop for what another thread does");
  return result;
}

} // namespace neuronify::kernel
