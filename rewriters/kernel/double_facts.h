// What is known of each double on the chip before it is replaced. Private to doubles*.cpp.
#pragma once

#include "kernel/analysis.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

namespace neuronify::kernel {

class DoubleFacts {
public:
  explicit DoubleFacts(const Analysis &analysis);

  const Analysis &analysis;
  /// Instructions that make or take a double on the chip, in reverse post-order.
  std::vector<llvm::Instruction *> involved;

  bool on_chip(const llvm::Value *value) const;
  /// Is the double a float: extended from one, a constant that one holds, or computed from such
  /// without rounding?
  bool is_float(const llvm::Value *value) const;
  /// Are its 64 bits to be had: loaded, moved, or those of a float?
  bool has_bits(const llvm::Value *value) const;
  bool is_lossy(const llvm::Instruction &instruction) const;
  /// Is it an operation on floats, written in double, whose result goes to a float, and is the
  /// float operation's?
  bool is_float_operation(const llvm::Instruction &instruction) const;

private:
  bool float_holds(const llvm::Instruction &instruction) const;
  bool bits_hold(const llvm::Instruction &instruction) const;
  template <class Holds> void settle(llvm::DenseSet<const llvm::Value *> &set, Holds &&holds) const;

  llvm::DenseSet<const llvm::Value *> floats_, bits_;
};

/// Is it a call that prints, which takes doubles as they are?
bool is_print(const llvm::Instruction &instruction);
/// Does `value` go through a conversion to float wherever it is used?
bool only_rounded(const llvm::Value &value);

} // namespace neuronify::kernel
