#include "passes.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

using namespace llvm;

namespace neuronify::reference {

void keepOnly(Module &module, StringRef name) {
  for (const char *list :
       {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *variable = module.getNamedGlobal(list))
      variable->eraseFromParent();

  for (GlobalObject &object : module.global_objects()) {
    object.setComdat(nullptr);
    object.setSection("");
    bool keep = object.isDeclaration() || object.getName() == name;
    object.setLinkage(keep ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    object.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }

  // Names of the device's functions must not meet those of the host's.
  for (Function &function : module)
    if (!function.isIntrinsic())
      function.setName(function.getName() == name ? kernel_name
                                                  : device_prefix + function.getName());

  ModuleAnalysisManager analyses;
  PassBuilder().registerModuleAnalyses(analyses);
  GlobalDCEPass().run(module, analyses);
}

} // namespace neuronify::reference
