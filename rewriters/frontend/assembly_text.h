// The text of an inline PTX statement, for read_assembly.cpp.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace neuronify::frontend {

/// `add.cc.u32 $0, $1, {a, b}` under `@!p`.
struct Line {
  llvm::StringRef guard; ///< "p" or "!p", or ""
  llvm::StringRef name;  ///< "add"
  llvm::SmallVector<llvm::StringRef, 4> modifiers;
  llvm::SmallVector<llvm::StringRef, 4> operands;

  bool has(llvm::StringRef modifier) const { return llvm::is_contained(modifiers, modifier); }
};

/// What a register is: u, s, b, f, or p for predicates, and its bits.
struct Kind {
  char sort = 0;
  unsigned bits = 0;
};

/// Of "u32", "pred"; nothing where it is no type.
std::optional<Kind> kind_of(llvm::StringRef type);

/// Splits at commas outside of braces.
llvm::SmallVector<llvm::StringRef, 4> split_operands(llvm::StringRef text);

/// All lines of a statement. Braces around it all open a scope, which one statement does not need.
std::vector<Line> parse(llvm::StringRef text);

} // namespace neuronify::frontend
