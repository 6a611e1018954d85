// compile_commands.json, as build systems write it.
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace neuronify::frontend {

struct CompileCommand {
  std::string directory;          ///< where the compiler is started
  std::string file;               ///< absolute, without "." and ".."
  std::vector<std::string> words; ///< the compiler and its arguments
};

/// Reads all entries in their order. The error says what is wrong with the file, without its name.
/// Source: Clang's "JSON Compilation Database Format Specification".
llvm::Expected<std::vector<CompileCommand>> read_compile_commands(const std::string &file);

} // namespace neuronify::frontend
