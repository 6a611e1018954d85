#include "frontend/prepare/passes.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace neuronify::frontend {

namespace {

/// llvm.used and llvm.compiler.used would keep functions that no kernel calls.
void remove_used_lists(llvm::Module &module) {
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *list = module.getGlobalVariable(name))
      list->eraseFromParent();
}

} // namespace

void mark_for_inlining(llvm::Module &module) {
  remove_used_lists(module);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  }
}

} // namespace neuronify::frontend
