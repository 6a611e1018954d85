// memcpy, memmove and memset of a known small size become loads and stores.
#include "kernel/analysis.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

constexpr uint64_t kLargest = 1024; // bytes; larger copies are loops in anybody's code

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

} // namespace

bool expand_memory_intrinsics(Function &function) {
  SmallVector<Instruction *, 8> done;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      auto *memory = dyn_cast<MemIntrinsic>(&instruction);
      auto *length = memory ? dyn_cast<ConstantInt>(memory->getLength()) : nullptr;
      if (!length || length->getZExtValue() > kLargest)
        continue;
      if (auto *copy = dyn_cast<MemTransferInst>(memory))
        expand_copy(*copy, length->getZExtValue());
      else if (auto *set = dyn_cast<MemSetInst>(memory); set && isa<ConstantInt>(set->getValue()))
        expand_set(*set, length->getZExtValue());
      else
        continue;
      done.push_back(&instruction);
    }
  for (Instruction *instruction : done)
    instruction->eraseFromParent();
  return !done.empty();
}

} // namespace neuronify::kernel
