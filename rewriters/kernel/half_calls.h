// Functions of halves and what they are on floats. Private to widen_halves.cpp.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Instructions.h>

#include <string>

namespace neuronify::kernel {

/// A function of floats that computes the same, before the result is rounded to 16 bits.
struct FloatFunction {
  std::string name;   ///< empty: there is none
  bool exact = false; ///< the result of 16-bit arguments has 16 bits, or is rounded already
};

FloatFunction float_function(const llvm::CallInst &call);

/// Is the result of this function of floats one of the arguments, or a whole number near it?
bool keeps_format(llvm::StringRef operation);

} // namespace neuronify::kernel
