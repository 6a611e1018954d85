// A loop that tries compare-and-swap with op(old, value) until nobody has come between is the
// atomic operation `op`: what CUDA code writes where there is no such function, such as the maximum
// of floats.
//
//   do {
//     assumed = old;
//     old = atomicCAS(p, assumed, op(assumed, value));
//   } while (assumed != old);
//
// As a loop it takes a round per lane that gets on; as one operation all lanes of a wave are done
// together. The first read of the word, which only saves a round, goes away with it.
#include "kernel/analysis.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace neuronify::kernel {
namespace {

struct Retry {
  BasicBlock *block, *exit;
  PHINode *assumed;
  AtomicCmpXchgInst *swap;
  ExtractValueInst *found;
};

/// `block` is a loop of its own that ends when the swap has found what it assumed.
std::optional<Retry> find_retry(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional())
    return {};
  const bool again_if_true = branch->getSuccessor(0) == &block;
  if (!again_if_true && branch->getSuccessor(1) != &block)
    return {};
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  if (!compare || compare->getParent() != &block ||
      compare->getPredicate() != (again_if_true ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ))
    return {};
  auto *found = dyn_cast<ExtractValueInst>(compare->getOperand(0));
  auto *assumed = dyn_cast<PHINode>(compare->getOperand(1));
  if (!found) {
    found = dyn_cast<ExtractValueInst>(compare->getOperand(1));
    assumed = dyn_cast<PHINode>(compare->getOperand(0));
  }
  if (!found || !assumed || assumed->getParent() != &block || found->getIndices()[0] != 0)
    return {};
  auto *swap = dyn_cast<AtomicCmpXchgInst>(found->getAggregateOperand());
  if (!swap || swap->getParent() != &block || swap->getCompareOperand() != assumed ||
      assumed->getIncomingValueForBlock(&block) != found)
    return {};
  return Retry{&block, branch->getSuccessor(again_if_true ? 1 : 0), assumed, swap, found};
}

/// Nothing else happens in the loop, and `assumed` is its only variable.
bool is_pure(const Retry &retry) {
  const Value *object = getUnderlyingObject(retry.swap->getPointerOperand(), 0);
  for (Instruction &instruction : *retry.block) {
    if (&instruction == retry.swap || &instruction == retry.assumed)
      continue;
    if (isa<PHINode>(instruction) || instruction.mayHaveSideEffects())
      return false;
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && getUnderlyingObject(load->getPointerOperand(), 0) == object)
      return false;
  }
  return true;
}

const Value *without_casts(const Value *value) {
  while (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

bool depends_on(const Value *value, const Retry &retry) {
  if (value == retry.assumed)
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction->getParent() != retry.block || isa<PHINode>(instruction))
    return false;
  return any_of(instruction->operands(),
                [&](const Use &operand) { return depends_on(operand.get(), retry); });
}

AtomicRMWInst::BinOp operation_of(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
    return AtomicRMWInst::Add;
  case Instruction::Sub:
    return AtomicRMWInst::Sub;
  case Instruction::And:
    return AtomicRMWInst::And;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  case Instruction::FAdd:
    return AtomicRMWInst::FAdd;
  case Instruction::FSub:
    return AtomicRMWInst::FSub;
  default:
    break;
  }
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *function = call ? call->getCalledFunction() : nullptr;
  if (!function)
    return AtomicRMWInst::BAD_BINOP;
  return StringSwitch<AtomicRMWInst::BinOp>(function->getName())
      .Cases({"__nv_fmaxf", "llvm.maxnum.f32"}, AtomicRMWInst::FMax)
      .Cases({"__nv_fminf", "llvm.minnum.f32"}, AtomicRMWInst::FMin)
      .Cases({"__nv_max", "llvm.smax.i32"}, AtomicRMWInst::Max)
      .Cases({"__nv_min", "llvm.smin.i32"}, AtomicRMWInst::Min)
      .Cases({"__nv_umax", "llvm.umax.i32"}, AtomicRMWInst::UMax)
      .Cases({"__nv_umin", "llvm.umin.i32"}, AtomicRMWInst::UMin)
      .Default(AtomicRMWInst::BAD_BINOP);
}

bool raise(const Retry &retry) {
  auto *next = dyn_cast<Instruction>(without_casts(retry.swap->getNewValOperand()));
  if (!next || next->getParent() != retry.block)
    return false;
  const AtomicRMWInst::BinOp operation = operation_of(*next);
  if (operation == AtomicRMWInst::BAD_BINOP || next->getNumOperands() < 2)
    return false;
  Value *left = next->getOperand(0), *right = next->getOperand(1);
  const bool ordered = operation == AtomicRMWInst::Sub || operation == AtomicRMWInst::FSub;
  if (!ordered && without_casts(left) != retry.assumed)
    std::swap(left, right);
  if (without_casts(left) != retry.assumed || depends_on(right, retry))
    return false;
  IRBuilder<> builder(retry.swap);
  Value *old =
      builder.CreateAtomicRMW(operation, retry.swap->getPointerOperand(), right,
                              retry.swap->getAlign(), AtomicOrdering::SequentiallyConsistent);
  old = builder.CreateBitCast(old, retry.assumed->getType());
  // Behind the loop both are the old value.
  retry.found->replaceAllUsesWith(old);
  for (PHINode &phi : retry.exit->phis())
    if (phi.getIncomingValueForBlock(retry.block) == retry.assumed)
      phi.setIncomingValueForBlock(retry.block, old);
  Instruction *end = retry.block->getTerminator();
  BranchInst::Create(retry.exit, end->getIterator());
  end->eraseFromParent();
  retry.assumed->removeIncomingValue(retry.block, false);
  retry.found->eraseFromParent();
  retry.swap->eraseFromParent();
  return true;
}

} // namespace

bool raise_compare_swap(Function &function) {
  bool changed = false;
  for (BasicBlock &block : function)
    if (std::optional<Retry> retry = find_retry(block); retry && is_pure(*retry))
      changed |= raise(*retry);
  return changed;
}

} // namespace neuronify::kernel
