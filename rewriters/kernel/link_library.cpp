#include "kernel/link_library.h"
#include "frontend/pass_managers.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

// The bitcode of library/library.cpp.
__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        "neuronify_kernel_library:\n"
        ".globl neuronify_kernel_library\n"
        ".hidden neuronify_kernel_library\n"
        ".incbin \"" NEURONIFY_KERNEL_LIBRARY "\"\n"
        "neuronify_kernel_library_end:\n"
        ".globl neuronify_kernel_library_end\n"
        ".hidden neuronify_kernel_library_end\n"
        ".byte 0\n"
        ".popsection\n");

extern "C" {
extern const char neuronify_kernel_library[] __attribute__((visibility("hidden")));
extern const char neuronify_kernel_library_end[] __attribute__((visibility("hidden")));
}

using namespace llvm;

namespace neuronify::kernel {
namespace {

std::unique_ptr<Module> read_library(LLVMContext &context) {
  const StringRef bytes(neuronify_kernel_library,
                        size_t(neuronify_kernel_library_end - neuronify_kernel_library));
  auto module = parseBitcodeFile(MemoryBufferRef(bytes, "library"), context);
  if (module)
    return std::move(*module);
  consumeError(module.takeError());
  return nullptr;
}

/// The functions that programs call; the others are parts of them.
StringSet<> read_names() {
  LLVMContext context;
  StringSet<> names;
  if (const auto library = read_library(context))
    for (const Function &function : *library)
      if (!function.isDeclaration() && function.hasExternalLinkage())
        names.insert(function.getName());
  return names;
}

/// Defines in `module` what it only declares. The machine that the library was compiled for is
/// the program's but for its version.
void define(Module &module) {
  std::unique_ptr<Module> library = read_library(module.getContext());
  if (!library)
    return;
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (NamedMDNode *flags = library->getModuleFlagsMetadata())
    library->eraseNamedMetadata(flags);
  StringSet<> ours;
  for (Function &function : *library) {
    if (function.isDeclaration())
      continue;
    ours.insert(function.getName());
    function.setComdat(nullptr);
    function.setAttributes(AttributeList());
    function.addFnAttr(Attribute::NoUnwind);
  }
  Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded);
  for (Function &function : module)
    if (!function.isDeclaration() && ours.contains(function.getName()))
      function.setLinkage(GlobalValue::InternalLinkage);
}

CallInst *next_call(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
      if (Function *callee = call->getCalledFunction();
          !callee->isDeclaration() && callee != &function)
        return call;
  return nullptr;
}

/// What the front end does to code of the program (frontend/prepare).
void simplify(Function &function) {
  frontend::Analyses analyses;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .bonusInstThreshold(0)
                                     .convertSwitchRangeToICmp(false)
                                     .convertSwitchToLookupTable(false)
                                     .hoistCommonInsts(false)
                                     .sinkCommonInsts(false)
                                     .needCanonicalLoops(true)));
  passes.addPass(LowerSwitchPass()); // what comes later knows none
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(ADCEPass());
  passes.run(function, analyses.functions);
}

} // namespace

bool is_in_library(StringRef name) {
  static const StringSet<> names = read_names();
  return names.contains(name);
}

bool link_library(Function &function) {
  bool wanted = false, missing = false;
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
      if (is_in_library(call->getCalledFunction()->getName())) {
        wanted = true;
        missing |= call->getCalledFunction()->isDeclaration();
      }
  if (!wanted)
    return false;
  if (missing)
    define(*function.getParent());
  while (CallInst *call = next_call(function)) {
    InlineFunctionInfo info;
    if (!InlineFunction(*call, info).isSuccess())
      return false; // stays a call, which is reported
  }
  simplify(function);
  return true;
}

} // namespace neuronify::kernel
