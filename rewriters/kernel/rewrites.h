// Rewrites of one kernel before it is analysed, besides those of analysis.h.
#pragma once

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace neuronify::kernel {

/// printf becomes one call with its values, `neuronify.print(format, values...)`.
bool raise_prints(llvm::Function &function);
/// Shuffles that only name lanes in another way than the tile program can become ones by lane
/// number.
bool expand_shuffles(llvm::Function &function);
/// Reads of clocks become counts of them, and the function gets the attribute kClockLine: the line
/// of a read.
bool count_clocks(llvm::Function &function);
inline constexpr char kClockLine[] = "neuronify.clock";
/// Loads and stores of less than natural alignment become aligned ones of their parts.
bool split_unaligned(llvm::Function &function);

/// The source variable that `original` holds is in `form` now.
void take_over_name(llvm::Value &form, llvm::Instruction &original);

} // namespace neuronify::kernel
