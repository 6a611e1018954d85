// What single integer instructions of PTX compute, for read_assembly.cpp.
#pragma once

#include "frontend/assembly_text.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace neuronify::frontend {

/// mov, not, neg, abs, popc, brev and clz of numbers of `bits` bits; null for other names and where
/// the instruction does not exist for that width.
llvm::Value *unary_integer(llvm::IRBuilder<> &builder, llvm::StringRef name, unsigned bits,
                           llvm::Value *a);

/// shl and shr: shifts by all bits or more give what is left then.
llvm::Value *shift_integer(llvm::IRBuilder<> &builder, const Kind &kind, bool left, llvm::Value *a,
                           llvm::Value *amount);

/// All bits of a product of 16- or 32-bit numbers; null for wider ones.
llvm::Value *wide_product(llvm::IRBuilder<> &builder, const Kind &kind, llvm::Value *a,
                          llvm::Value *b);

/// The upper half of a product.
llvm::Value *high_product(llvm::IRBuilder<> &builder, llvm::Module &module, const Kind &kind,
                          llvm::Value *a, llvm::Value *b);

} // namespace neuronify::frontend
