// Packed integers of PTX (vadd4, vabsdiff2, dp4a, …), for read_assembly.cpp.
#pragma once

#include "frontend/assembly_text.h"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Module;
}

namespace neuronify::frontend {

/// A call of a library function of two values.
llvm::Value *call_library(llvm::IRBuilder<> &builder, llvm::Module &module, const llvm::Twine &name,
                          llvm::Value *a, llvm::Value *b);

/// What `line` computes of three 32-bit values; null where it is no packed operation that is known.
llvm::Value *packed(llvm::IRBuilder<> &builder, llvm::Module &module, const Line &line,
                    bool is_signed, llvm::Value *a, llvm::Value *b, llvm::Value *c);

} // namespace neuronify::frontend
