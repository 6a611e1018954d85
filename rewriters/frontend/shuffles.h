// Shuffles as PTX defines them (PTX ISA, "shfl.sync"). `mode` is "up", "down", "bfly" or "idx"; the
// operands are PTX's, all of 32 bits.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace neuronify::frontend {

/// The intrinsic that is the shuffle; null for another mode.
llvm::Value *shuffled(llvm::IRBuilder<> &builder, llvm::StringRef mode, llvm::Value *value,
                      llvm::Value *lane, llvm::Value *clamp, llvm::Value *members);

/// The lane that a lane reads from, and whether it is in the segment: the predicate of a shuffle.
struct ShuffleSource {
  llvm::Value *own, *from, *in_segment;
};
ShuffleSource source_of_shuffle(llvm::IRBuilder<> &builder, llvm::StringRef mode, llvm::Value *lane,
                                llvm::Value *clamp);

} // namespace neuronify::frontend
