// Fields of bits as PTX has them (bfe, bfi, bfind), for read_assembly.cpp. `start` and `length`
// are 32-bit integers of which the low eight bits count; what lies beyond the last bit is cut off.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace neuronify::frontend {

/// The field of `value` that starts at a bit, on the right; continued by its highest bit where
/// `is_signed`.
llvm::Value *extract_field(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *start,
                           llvm::Value *length, bool is_signed);

/// `base` with the low bits of `field` at that place.
llvm::Value *insert_field(llvm::IRBuilder<> &builder, llvm::Value *field, llvm::Value *base,
                          llvm::Value *start, llvm::Value *length);

/// The number of the highest bit that is one, or that is no copy of the sign: 32 bits, all ones
/// where there is none. `from_top` counts from the other end.
llvm::Value *find_highest(llvm::IRBuilder<> &builder, llvm::Value *value, bool is_signed,
                          bool from_top);

} // namespace neuronify::frontend
