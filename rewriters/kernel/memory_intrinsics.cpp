// memcpy, memmove and memset become loads and stores: one after the other where the size is known
// and small, in a loop otherwise.
#include "kernel/analysis.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

constexpr uint64_t kLargest = 1024; // bytes; larger copies are loops

/// The widest element, up to four bytes, that both size and alignment allow.
uint64_t element_bytes(uint64_t size, uint64_t align) {
  for (uint64_t bytes : {4, 2, 1})
    if (size % bytes == 0 && align % bytes == 0)
      return bytes;
  return 1;
}

void expand_copy(MemTransferInst &copy, uint64_t size) {
  IRBuilder<> builder(&copy);
  const uint64_t align = std::min(copy.getDestAlign().valueOrOne().value(),
                                  copy.getSourceAlign().valueOrOne().value());
  const uint64_t bytes = element_bytes(size, align);
  Type *type = builder.getIntNTy(unsigned(bytes * 8));
  SmallVector<Value *, 16> values; // all reads before all writes: the areas may overlap
  for (uint64_t at = 0; at < size; at += bytes)
    values.push_back(builder.CreateAlignedLoad(
        type, builder.CreateConstGEP1_64(builder.getInt8Ty(), copy.getRawSource(), at),
        Align(bytes)));
  for (uint64_t at = 0; at < size; at += bytes)
    builder.CreateAlignedStore(
        values[at / bytes], builder.CreateConstGEP1_64(builder.getInt8Ty(), copy.getRawDest(), at),
        Align(bytes));
}

void expand_set(MemSetInst &set, uint64_t size) {
  IRBuilder<> builder(&set);
  auto *byte = cast<ConstantInt>(set.getValue());
  const uint64_t bytes = element_bytes(size, set.getDestAlign().valueOrOne().value());
  APInt pattern = APInt::getSplat(unsigned(bytes * 8), byte->getValue());
  for (uint64_t at = 0; at < size; at += bytes)
    builder.CreateAlignedStore(
        builder.getInt(pattern),
        builder.CreateConstGEP1_64(builder.getInt8Ty(), set.getRawDest(), at), Align(bytes));
}

/// Before `instruction`: for (i = 0; i < length / bytes; ++i) body(i), where `length` is a multiple
/// of `bytes` and may be zero.
template <class Body> void loop(MemIntrinsic &instruction, uint64_t bytes, Body body) {
  IRBuilder<> builder(&instruction);
  Value *length = builder.CreateZExtOrTrunc(instruction.getLength(), builder.getInt64Ty());
  Value *count = builder.CreateUDiv(length, builder.getInt64(bytes));
  Instruction *inside = &instruction;
  if (!isa<ConstantInt>(count))
    inside = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(count), &instruction, false);
  auto [at, index] = SplitBlockAndInsertSimpleForLoop(count, inside->getIterator());
  builder.SetInsertPoint(at);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  body(builder, index);
}

/// The widest element for a copy or set of `length` bytes, which may not be known.
uint64_t loop_bytes(const Value *length, uint64_t align) {
  auto *size = dyn_cast<ConstantInt>(length);
  return size ? element_bytes(size->getZExtValue(), align) : 1;
}

void loop_copy(MemTransferInst &copy) {
  const uint64_t bytes =
      loop_bytes(copy.getLength(), std::min(copy.getDestAlign().valueOrOne().value(),
                                            copy.getSourceAlign().valueOrOne().value()));
  loop(copy, bytes, [&](IRBuilder<> &builder, Value *index) {
    Type *type = builder.getIntNTy(unsigned(bytes * 8));
    Value *value = builder.CreateAlignedLoad(
        type, builder.CreateGEP(type, copy.getRawSource(), index), Align(bytes));
    builder.CreateAlignedStore(value, builder.CreateGEP(type, copy.getRawDest(), index),
                               Align(bytes));
  });
}

void loop_set(MemSetInst &set) {
  const uint64_t bytes = loop_bytes(set.getLength(), set.getDestAlign().valueOrOne().value());
  loop(set, bytes, [&](IRBuilder<> &builder, Value *index) {
    Type *type = builder.getIntNTy(unsigned(bytes * 8));
    Value *value = builder.CreateMul(
        builder.CreateZExt(set.getValue(), type),
        ConstantInt::get(type, APInt::getSplat(unsigned(bytes * 8), APInt(8, 1))));
    builder.CreateAlignedStore(value, builder.CreateGEP(type, set.getRawDest(), index),
                               Align(bytes));
  });
}

} // namespace

bool expand_memory_intrinsics(Function &function) {
  SmallVector<MemIntrinsic *, 8> found;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
        found.push_back(memory);
  bool changed = false;
  for (MemIntrinsic *memory : found) {
    auto *length = dyn_cast<ConstantInt>(memory->getLength());
    const bool small = length && length->getZExtValue() <= kLargest;
    auto *copy = dyn_cast<MemTransferInst>(memory);
    auto *set = dyn_cast<MemSetInst>(memory);
    if (copy && small)
      expand_copy(*copy, length->getZExtValue());
    else if (set && small && isa<ConstantInt>(set->getValue()))
      expand_set(*set, length->getZExtValue());
    else if (copy && !isa<MemMoveInst>(copy)) // which would have to know its direction
      loop_copy(*copy);
    else if (set)
      loop_set(*set);
    else
      continue;
    memory->eraseFromParent();
    changed = true;
  }
  return changed;
}

} // namespace neuronify::kernel
