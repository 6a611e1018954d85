// What stops a kernel at first sight: constructs that no lowering could help with.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace neuronify::kernel {

/// One construct: where it is, the number of its diagnostic, and what to call it.
struct Unsupported {
  const llvm::Instruction *at;
  std::string code, what;
};

/// All of them, in source order; of several on one line with one number, the first.
std::vector<Unsupported> find_unsupported(llvm::Function &function);

} // namespace neuronify::kernel
