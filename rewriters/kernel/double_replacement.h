// Takes doubles off the chip: what the two forms of --fp64 have in common. Private to
// demote_doubles.cpp and pair_doubles.cpp.
#pragma once

#include "kernel/double_facts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace neuronify::kernel {

/// A double of the chip becomes its 64 bits where these are wanted (stores, bit tricks), a *number*
/// where something is computed from it, and both where both are. What a number is, a float or a
/// pair of floats, the derived class says.
class DoubleReplacement {
public:
  /// `number` is the type of numbers.
  DoubleReplacement(llvm::Function &function, const Analysis &analysis, llvm::Type *number);
  virtual ~DoubleReplacement() = default;

  void run();

protected:
  using Builder = llvm::IRBuilder<>;

  // ---- what a number is
  virtual llvm::Value *constant(const llvm::APFloat &value) = 0;
  /// Of a double that the host knows.
  virtual llvm::Value *number_of_host(Builder &builder, llvm::Value *value) = 0;
  virtual llvm::Value *number_of_float(Builder &builder, llvm::Value *value) = 0;
  virtual llvm::Value *number_of_bits(Builder &builder, llvm::Value *word) = 0;
  /// `is_float`: the number is one that a float holds.
  virtual llvm::Value *bits_of_number(Builder &builder, llvm::Value *number, bool is_float) = 0;
  virtual llvm::Value *float_of_number(Builder &builder, llvm::Value *number) = 0;
  /// Is a double that is rounded to float rounded from its bits, where it has them?
  virtual bool rounds_bits() const = 0;
  /// The number that `instruction` makes: arithmetic, a conversion or a call.
  virtual llvm::Value *compute(llvm::Instruction &instruction, Builder &builder) = 0;
  virtual llvm::Value *compare(llvm::FCmpInst &compare, Builder &builder) = 0;
  /// An integer, or a float of 16 bits, from a double.
  virtual llvm::Value *convert(llvm::CastInst &conversion, Builder &builder) = 0;
  /// A function that takes doubles and gives something else, or a double.
  virtual llvm::Value *call(llvm::CallInst &call, Builder &builder) = 0;

  llvm::Value *as_number(llvm::Value *value);
  /// A call of what converts words and floats on the chip, or of the library of kernels.
  llvm::FunctionCallee conversion(llvm::StringRef name, llvm::Type *to,
                                  llvm::ArrayRef<llvm::Type *> from);
  static bool is_double(const llvm::Value *value) { return value->getType()->isDoubleTy(); }

  DoubleFacts facts_;
  llvm::Module &module_;
  llvm::LLVMContext &context_;
  llvm::Type *number_, *word_, *float_;

private:
  void want(llvm::Value *value, bool as_number);
  bool takes_bits(const llvm::Instruction &instruction) const;
  void ask_operands(llvm::Instruction &instruction);
  void ask_for(llvm::Instruction &instruction, bool as_number);
  llvm::Value *from_host(llvm::Value *value, llvm::Type *type);
  llvm::Value *as_bits(llvm::Value *value, llvm::Instruction *at);
  llvm::Value *rounded(llvm::Value *value, Builder &builder);

  void replace(llvm::Instruction &instruction);
  void replace_source(llvm::Instruction &instruction, Builder &builder, bool bits, bool numbers);
  void replace_phi(llvm::PHINode &phi, Builder &builder, bool bits, bool numbers);
  void replace_value(llvm::Instruction &instruction, Builder &builder, bool bits, bool numbers);
  void replace_print(llvm::CallInst &call, Builder &builder);
  void replace_user(llvm::Instruction &instruction, Builder &builder);
  void erase(llvm::Instruction &instruction);

  llvm::DenseSet<const llvm::Value *> want_number_, want_bits_;
  llvm::SmallVector<std::pair<llvm::Instruction *, bool>, 32> work_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> numbers_, bits_;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Type *>, llvm::Value *> host_;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::BasicBlock *>, llvm::Value *> extended_;
  std::vector<std::pair<llvm::PHINode *, llvm::PHINode *>> phis_;
};

} // namespace neuronify::kernel
