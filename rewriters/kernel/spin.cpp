#include "kernel/spin.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

/// Where an instruction reads a word that others may change; null if it does not.
const Value *watched(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return load->getPointerOperand();
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return swap->getPointerOperand();
  return nullptr;
}

/// Is the value the same in every round? Address computations of such values count as well.
bool is_same(const Loop &loop, const Value *value) {
  if (loop.isLoopInvariant(value))
    return true;
  auto *instruction = cast<Instruction>(value);
  if (!isa<GetElementPtrInst>(instruction) && !isa<CastInst>(instruction) &&
      !isa<BinaryOperator>(instruction))
    return false;
  return all_of(instruction->operands(),
                [&](const Use &operand) { return is_same(loop, operand.get()); });
}

/// Does an instruction write through a pointer into the object?
bool writes_into(const Instruction &instruction, const Value *object) {
  const Value *written = nullptr;
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    written = store->getPointerOperand();
  else if (!isa<LoadInst>(instruction))
    written = watched(instruction);
  return written && getUnderlyingObject(written, 0) == object;
}

/// May anything in the loop but `wait` write the object that it looks at?
bool is_changed(const Loop &loop, const Instruction &wait) {
  const Value *object = getUnderlyingObject(watched(wait), 0);
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (&instruction != &wait && writes_into(instruction, object))
        return true;
  return false;
}

/// May a thread of this kernel write the object that a plain load reads? Nobody waits for what no
/// one writes; loads that ask for others' writes say so.
bool is_written(const LoadInst &load) {
  const Value *object = getUnderlyingObject(load.getPointerOperand(), 0);
  if (isa<AllocaInst>(object))
    return false;
  if (load.isVolatile() || load.isAtomic())
    return true;
  return any_of(instructions(*load.getFunction()),
                [&](const Instruction &instruction) { return writes_into(instruction, object); });
}

/// Do its rounds differ in nothing that they bring themselves?
bool waits(const Loop &loop, const Instruction &instruction) {
  const Value *pointer = watched(instruction);
  if (!pointer || !is_same(loop, pointer))
    return false;
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && !is_written(*load))
    return false;
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
    for (const Value *operand : instruction.operands())
      if (!is_same(loop, operand))
        return false;
  // Counting up to something is progress; adding nothing is a way to write a load.
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    const auto operation = atomic->getOperation();
    auto *constant = dyn_cast<ConstantInt>(atomic->getValOperand());
    const bool counts = operation == AtomicRMWInst::Add || operation == AtomicRMWInst::Sub ||
                        operation == AtomicRMWInst::UIncWrap ||
                        operation == AtomicRMWInst::UDecWrap || operation == AtomicRMWInst::FAdd;
    if (counts && !(constant && constant->isZero()))
      return false;
  }
  return !is_changed(loop, instruction);
}

using Slice = SmallSetVector<const Instruction *, 16>;

/// What `value` is computed from inside of the loop, in this round and in earlier ones.
Slice slice_of(const Loop &loop, const Value *value) {
  Slice slice;
  SmallVector<const Value *, 16> work{value};
  while (!work.empty()) {
    auto *instruction = dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !slice.insert(instruction))
      continue;
    for (const Value *operand : instruction->operands())
      work.push_back(operand);
    // A value that a join chooses is decided by the branches to it.
    if (auto *phi = dyn_cast<PHINode>(instruction))
      for (const BasicBlock *from : phi->blocks())
        if (auto *branch = dyn_cast<BranchInst>(from->getTerminator());
            branch && branch->isConditional() && phi->getParent() != loop.getHeader())
          work.push_back(branch->getCondition());
  }
  return slice;
}

bool is_count(const User *user) {
  auto *binary = dyn_cast<BinaryOperator>(user);
  if (!binary)
    return false;
  switch (binary->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return true;
  default:
    return false;
  }
}

/// Does the loop carry a number in `phi` that some round counts up or down, at once or behind a
/// join? The start of an inner loop is one: `continue` may make two loops of one.
bool counts(const PHINode &phi, const Slice &slice) {
  SmallSetVector<const PHINode *, 4> carried;
  carried.insert(&phi);
  for (size_t i = 0; i < carried.size(); ++i)
    for (const User *user : carried[i]->users()) {
      if (!slice.contains(cast<Instruction>(user)))
        continue;
      if (is_count(user))
        return true;
      if (auto *join = dyn_cast<PHINode>(user))
        carried.insert(join);
    }
  return false;
}

/// A wait that `condition` depends on, unless something else in it changes from round to round.
const Instruction *wait_below(const Loop &loop, const Value *condition) {
  const Slice slice = slice_of(loop, condition);
  const Instruction *wait = nullptr;
  for (const Instruction *instruction : slice) {
    if (!watched(*instruction))
      continue;
    if (waits(loop, *instruction))
      wait = instruction;
    else if (!isa<LoadInst>(instruction))
      return nullptr; // an atomic that gets on
  }
  for (const Instruction *instruction : slice)
    if (auto *phi = dyn_cast<PHINode>(instruction); phi && phi->getParent() == loop.getHeader())
      for (const BasicBlock *from : phi->blocks())
        if (loop.contains(from) && wait &&
            (counts(*phi, slice) ||
             !slice_of(loop, phi->getIncomingValueForBlock(from)).contains(wait)))
          return nullptr;
  return wait;
}

} // namespace

const Instruction *find_wait(const Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  const Instruction *found = nullptr;
  for (const BasicBlock *block : exiting) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const Instruction *wait =
        branch && branch->isConditional() ? wait_below(loop, branch->getCondition()) : nullptr;
    if (!wait)
      return nullptr;
    found = wait;
  }
  return found;
}

} // namespace neuronify::kernel
