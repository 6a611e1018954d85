// Device code of several files as one program (nvcc -rdc=true): what a file calls and others define
// is copied into its device IR, from where everything goes on as in a file of its own.
#include "frontend/frontend.h"
#include "frontend/passes.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <set>

namespace neuronify::frontend {

namespace {

/// Functions of C++, but for the operators new and delete.
bool is_of_user(llvm::StringRef symbol) {
  return symbol.starts_with("_Z") && !symbol.starts_with("_Zn") && !symbol.starts_with("_Zd");
}

std::vector<std::string> missing(const llvm::Module &module) {
  std::vector<std::string> symbols;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && is_of_user(function.getName()))
      symbols.push_back(function.getName().str());
  return symbols;
}

/// Variables of one file that its functions write are there once. A copy would be another one.
bool is_own_state(const llvm::GlobalVariable &variable) {
  const bool constant = variable.isConstant() && !variable.isExternallyInitialized();
  return !constant && variable.getAddressSpace() != 3 && !variable.isDeclaration() &&
         (variable.hasLocalLinkage() || variable.hasAttribute(kNameless));
}

} // namespace

std::vector<std::string> missing_functions(const Unit &unit) {
  return unit.original ? missing(*unit.original) : std::vector<std::string>();
}

std::vector<std::string> offered_functions(const Unit &unit) {
  std::vector<std::string> symbols;
  if (unit.original)
    for (const llvm::Function &function : *unit.original)
      if (function.hasExternalLinkage() && !function.isDeclaration() &&
          function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
        symbols.push_back(function.getName().str());
  return symbols;
}

bool link_device_code(Unit &unit, const std::map<std::string, std::string> &definitions) {
  if (!unit.original)
    return false;
  std::unique_ptr<llvm::Module> all = llvm::CloneModule(*unit.original);
  std::set<std::string> known;
  for (const llvm::GlobalVariable &variable : all->globals())
    known.insert(variable.getName().str());
  llvm::Linker linker(*all);
  // What is copied may call further functions.
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string &symbol : missing(*all)) {
      const auto found = definitions.find(symbol);
      const llvm::Function *declared = all->getFunction(symbol);
      if (found == definitions.end() || (declared && !declared->isDeclaration()))
        continue;
      auto other =
          llvm::parseBitcodeFile(llvm::MemoryBufferRef(found->second, unit.file), *unit.context);
      if (!other) {
        llvm::consumeError(other.takeError());
        return false;
      }
      if (linker.linkInModule(std::move(*other), llvm::Linker::LinkOnlyNeeded))
        return false;
      changed = true;
    }
  }
  for (const llvm::GlobalVariable &variable : all->globals())
    if (!known.contains(variable.getName().str()) && is_own_state(variable))
      return false;
  unit.original = std::move(all);
  unit.device = llvm::CloneModule(*unit.original);
  prepare(*unit.device);
  return true;
}

} // namespace neuronify::frontend
