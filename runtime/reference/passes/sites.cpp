#include "passes.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Support/Path.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

// A call inside one of the CUDA headers, ours or Clang's, says little: its caller is the place a
// person looks for.
bool isCudaHeader(StringRef file) {
  return file.contains("/__clang_cuda_") || file.contains("/neuronify/cuda/") ||
         file.contains("/include/neuronify/") || file.contains("/rewriters/frontend/include/");
}

std::string pathOf(const DILocation &location) {
  SmallString<256> path(location.getFilename());
  if (!sys::path::is_absolute(path) && !location.getDirectory().empty()) {
    path = location.getDirectory();
    sys::path::append(path, location.getFilename());
  }
  return std::string(path);
}

} // namespace

unsigned siteOf(const Instruction &instruction, std::vector<Site> &sites) {
  const DILocation *location = instruction.getDebugLoc();
  while (location && location->getInlinedAt() &&
         (!location->getLine() || isCudaHeader(pathOf(*location))))
    location = location->getInlinedAt();
  Site site;
  if (location)
    site = {pathOf(*location), location->getLine()};
  for (size_t i = sites.size(); i-- > 0;)
    if (sites[i].line == site.line && sites[i].file == site.file)
      return i;
  sites.push_back(site);
  return sites.size() - 1;
}

std::vector<Site> numberSites(Module &module) {
  std::vector<Site> sites;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->isDeclaration() || !callee->getName().starts_with("neuronify_"))
        continue;
      unsigned site = siteOf(instruction, sites);
      // Lanes are together where they wait in one call, not in two of one line (the sides of an
      // `if` in a macro); and optimisation may not make one of these.
      if (callee->getName() == "neuronify_wait_converge") {
        sites.push_back(Site(sites[site]));
        site = sites.size() - 1;
      }
      call->setArgOperand(2, ConstantInt::get(Type::getInt32Ty(module.getContext()), site));
    }
  return sites;
}

} // namespace neuronify::reference
