// 16-bit floating point on a chip whose engines compute in fp32.
//
// A half (fp16 or bf16) is what it is needed as: the 16 bits that memory holds, where it is only
// moved, and a float of the same value, where something is computed from it. An operation on halves
// is one on floats whose result is rounded to the 16-bit format. What comes out is a function
// without halves, so that nothing behind it knows them (docs/design.md, "16-bit floats").
#pragma once

#include <llvm/IR/DebugLoc.h>

#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace neuronify::kernel {

/// An operation on halves that has no counterpart.
struct HalfUse {
  llvm::DebugLoc location;
  std::string what;
  std::string code; ///< number of the diagnostic that stops the kernel
};

bool uses_halves(const llvm::Function &function);

/// Every operation that `widen_halves` cannot replace, in the order of blocks.
std::vector<HalfUse> find_unsupported_halves(const llvm::Function &function);

/// Replaces all halves. None may be unsupported. LCSSA form and debug variables are kept.
void widen_halves(llvm::Function &function);

} // namespace neuronify::kernel
