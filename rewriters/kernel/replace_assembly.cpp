#include "kernel/analysis.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {

/// The intrinsic that reads what one instruction moves to its result.
static StringRef intrinsic_of(const InlineAsm &assembly) {
  static const StringMap<StringRef> table{
      {"%laneid", "llvm.nvvm.read.ptx.sreg.laneid"},
      {"%warpid", "llvm.nvvm.read.ptx.sreg.warpid"},
      {"%lanemask_eq", "llvm.nvvm.read.ptx.sreg.lanemask.eq"},
      {"%lanemask_lt", "llvm.nvvm.read.ptx.sreg.lanemask.lt"},
      {"%lanemask_le", "llvm.nvvm.read.ptx.sreg.lanemask.le"},
      {"%lanemask_gt", "llvm.nvvm.read.ptx.sreg.lanemask.gt"},
      {"%lanemask_ge", "llvm.nvvm.read.ptx.sreg.lanemask.ge"},
  };
  SmallVector<StringRef, 4> words;
  SplitString(assembly.getAsmString(), words, " \t\n\r\v\f;,");
  if (words.size() != 3 || !words[0].starts_with("mov.") || words[1] != "$0")
    return "";
  auto found = table.find(words[2]);
  return found == table.end() ? "" : found->second;
}

bool replace_assembly(Function &function) {
  SmallVector<std::pair<CallInst *, StringRef>, 4> found;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->isInlineAsm() || !call->getType()->isIntegerTy(32) || !call->arg_empty())
      continue;
    if (StringRef name = intrinsic_of(*cast<InlineAsm>(call->getCalledOperand())); !name.empty())
      found.push_back({call, name});
  }
  for (auto [call, name] : found) {
    IRBuilder<> builder(call);
    FunctionCallee callee = function.getParent()->getOrInsertFunction(name, builder.getInt32Ty());
    CallInst *value = builder.CreateCall(callee);
    value->takeName(call);
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  return !found.empty();
}

} // namespace neuronify::kernel
