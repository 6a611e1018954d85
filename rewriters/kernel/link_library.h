// Library functions that no operation of the chip computes, as code: rewriters/kernel/library.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Function;
}

namespace neuronify::kernel {

/// Is there code for this function?
bool is_in_library(llvm::StringRef name);

/// Puts the code of library functions in place of their calls. True where there was one.
bool link_library(llvm::Function &function);

} // namespace neuronify::kernel
