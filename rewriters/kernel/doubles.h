// Double precision on a chip that has none.
//
// Doubles that the host knows stay doubles. On the chip a double is what it is needed as: the 64
// bits that memory holds, where it is only moved, and a float or a pair of floats, where something
// is computed from it. What comes out is a function without doubles on the chip; memory and the
// host keep theirs.
#pragma once

#include <llvm/IR/DebugLoc.h>

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace neuronify::kernel {

class Analysis;

/// What something is computed in, where the original computes in double.
enum class Precision : uint8_t {
  single, ///< floats
  pairs,  ///< sums of two floats: 48 bits in the range of floats
};

/// An operation whose result in float is not the original's, or one that cannot be done at all.
struct DoubleUse {
  llvm::DebugLoc location;
  std::string what;
  std::string code; ///< number of the diagnostic that stops the kernel; empty: float can stand in
};

bool uses_doubles(const llvm::Function &function);

/// Library calls that reinterpret and convert doubles become instructions. Before any analysis.
bool normalize_doubles(llvm::Function &function);

/// Additions and subtractions in memory become loops around a compare-and-swap of the bits. Before
/// loops are brought into the form that the analysis wants.
bool expand_double_atomics(llvm::Function &function);

/// Every operation that would lose precision, in the order of blocks. Operations on floats that are
/// written in double (`x * 0.5` stored to a float) and moves are exact and not among them.
std::vector<DoubleUse> find_lossy_doubles(const Analysis &analysis, Precision precision);

/// Replaces doubles on the chip by floats. No use may have a code. `analysis` is of no use
/// afterwards.
void demote_doubles(llvm::Function &function, const Analysis &analysis);

/// The same by pairs of floats.
void pair_doubles(llvm::Function &function, const Analysis &analysis);

} // namespace neuronify::kernel
