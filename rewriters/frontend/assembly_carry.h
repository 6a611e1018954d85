// The carry flag of PTX between inline assembly statements, for read_assembly.cpp.
//
// `add.cc` in one statement and `addc` in the next is how code for long integers is written, often
// with one function for each. The flag becomes a variable of the function; functions of one block
// that touch it are inlined first, so that a chain through them is one in their caller.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace neuronify::frontend {

/// Inlines the functions that carry chains run through.
void inline_carry_functions(llvm::Module &module);

/// The flag of one function.
class CarryFlag {
public:
  explicit CarryFlag(llvm::Function &function);

  /// Whether some statement takes the flag that another one has left.
  bool crosses_statements() const { return crosses_; }
  llvm::Value *read(llvm::IRBuilder<> &builder);
  void write(llvm::IRBuilder<> &builder, llvm::Value *carry);

private:
  llvm::Value *place();

  llvm::Function &function_;
  bool crosses_ = false;
  llvm::AllocaInst *place_ = nullptr;
};

} // namespace neuronify::frontend
