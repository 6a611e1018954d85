#include "kernel/order.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

const Value *written_pointer(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->getPointerOperand();
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return swap->getPointerOperand();
  return nullptr;
}

/// Does it matter who comes first? Sums and the like are the same in any order, but for what
/// threads find.
bool has_order(const Instruction &instruction) {
  if (isa<AtomicCmpXchgInst>(instruction))
    return true;
  auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && (!atomic->use_empty() || atomic->getOperation() == AtomicRMWInst::Xchg);
}

/// An atomic operation on device memory that the kernel also loads from: what is loaded is there
/// before or after another thread's operation. (In shared memory there is a barrier in between.)
const Instruction *find_early_load(Function &function) {
  for (const Instruction &update : instructions(function)) {
    if (!isa<AtomicRMWInst>(update))
      continue;
    const Value *object = getUnderlyingObject(written_pointer(update), 0);
    if (object->getType()->getPointerAddressSpace() == 3)
      continue;
    for (const Instruction &load : instructions(function))
      if (isa<LoadInst>(load) &&
          getUnderlyingObject(getLoadStorePointerOperand(&load), 0) == object)
        return &update;
  }
  return nullptr;
}

} // namespace

const Instruction *find_order_dependence(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (const Instruction &atomic : instructions(function)) {
    if (!has_order(atomic))
      continue;
    if (loops.getLoopFor(atomic.getParent()))
      return &atomic;
    const Value *object = getUnderlyingObject(written_pointer(atomic), 0);
    // Stores before the first barrier that only initialise shared memory are common and harmless.
    for (const Instruction &other : instructions(function)) {
      const Value *pointer = &other == &atomic ? nullptr : written_pointer(other);
      if (pointer && !isa<StoreInst>(other) && getUnderlyingObject(pointer, 0) == object)
        return &atomic;
    }
  }
  return find_early_load(function);
}

} // namespace neuronify::kernel
