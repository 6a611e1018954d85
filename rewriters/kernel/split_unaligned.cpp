// Loads and stores of less than natural alignment (memcpy of a value from a string of bytes, packed
// structs) become as many aligned ones as it takes. No instruction of the chip addresses an
// element anywhere else than at a multiple of its size.
#include "kernel/rewrites.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

/// Bits of each part of an access of `type` at `pointer`, or 0 where it may stay as it is.
unsigned bits_of_part(Type *type, const Value *pointer, Align align, const Instruction &at) {
  const DataLayout &layout = at.getModule()->getDataLayout();
  if (!type->isIntegerTy() && !type->isFloatingPointTy() && !type->isPointerTy())
    return 0;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  if (bits < 16 || bits > 64 || !isPowerOf2_64(bits))
    return 0;
  const Align known = std::max(align, getKnownAlignment(const_cast<Value *>(pointer), layout, &at));
  return known.value() * 8 < bits ? unsigned(known.value() * 8) : 0;
}

Value *address_of_part(IRBuilder<> &builder, Value *pointer, unsigned byte) {
  return byte == 0 ? pointer : builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, byte);
}

Type *integer_of(IRBuilder<> &builder, Type *type, const DataLayout &layout) {
  return builder.getIntNTy(unsigned(layout.getTypeSizeInBits(type).getFixedValue()));
}

void split_load(LoadInst &load, unsigned bits) {
  IRBuilder<> builder(&load);
  Type *whole = integer_of(builder, load.getType(), load.getModule()->getDataLayout());
  Value *value = nullptr;
  for (unsigned at = 0; at < whole->getIntegerBitWidth(); at += bits) {
    Value *part = builder.CreateAlignedLoad(
        builder.getIntNTy(bits), address_of_part(builder, load.getPointerOperand(), at / 8),
        Align(bits / 8));
    part = builder.CreateShl(builder.CreateZExt(part, whole), at);
    value = value ? builder.CreateOr(value, part) : part;
  }
  value = builder.CreateBitOrPointerCast(value, load.getType());
  take_over_name(*value, load);
  load.replaceAllUsesWith(value);
  load.eraseFromParent();
}

void split_store(StoreInst &store, unsigned bits) {
  IRBuilder<> builder(&store);
  Value *value = store.getValueOperand();
  Type *whole = integer_of(builder, value->getType(), store.getModule()->getDataLayout());
  value = builder.CreateBitOrPointerCast(value, whole);
  for (unsigned at = 0; at < whole->getIntegerBitWidth(); at += bits)
    builder.CreateAlignedStore(
        builder.CreateTrunc(builder.CreateLShr(value, at), builder.getIntNTy(bits)),
        address_of_part(builder, store.getPointerOperand(), at / 8), Align(bits / 8));
  store.eraseFromParent();
}

} // namespace

bool split_unaligned(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (unsigned bits =
              bits_of_part(load->getType(), load->getPointerOperand(), load->getAlign(), *load))
        split_load(*load, bits), changed = true;
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      if (unsigned bits = bits_of_part(store->getValueOperand()->getType(),
                                       store->getPointerOperand(), store->getAlign(), *store))
        split_store(*store, bits), changed = true;
    }
  return changed;
}

} // namespace neuronify::kernel
