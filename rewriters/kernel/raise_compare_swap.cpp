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
  if (swap->getCompareOperand()->getType()->isIntegerTy(16)) // no other operation has this size
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
  if (!next || next->getParent() != retry.block || next->getType()->isDoubleTy())
    return false; // doubles have compare-and-swap of their bits only
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

// ---- while (value > old) { old = compare-and-swap with value } ----------------------------------

/// The operation of a loop that goes on while `value predicate old`.
AtomicRMWInst::BinOp operation_while(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
    return AtomicRMWInst::Max;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SLE:
    return AtomicRMWInst::Min;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE:
    return AtomicRMWInst::UMax;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_ULE:
    return AtomicRMWInst::UMin;
  default:
    return AtomicRMWInst::BAD_BINOP;
  }
}

/// A header that asks whether there is anything to do, and a body that swaps.
struct Guarded {
  BasicBlock *header, *body, *exit;
  PHINode *assumed;
  ICmpInst *guard;
  AtomicCmpXchgInst *swap = nullptr;
  ExtractValueInst *found = nullptr;
  bool body_if_true;
};

std::optional<Guarded> find_guarded(BasicBlock &header) {
  auto *branch = dyn_cast<BranchInst>(header.getTerminator());
  auto *guard =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  auto *assumed = dyn_cast<PHINode>(&header.front());
  // Nothing but the variable and the question.
  if (!guard || !assumed || &*std::next(header.begin()) != guard || guard->getNextNode() != branch)
    return {};
  for (bool body_if_true : {true, false}) {
    BasicBlock *body = branch->getSuccessor(body_if_true ? 0 : 1);
    BasicBlock *exit = branch->getSuccessor(body_if_true ? 1 : 0);
    auto *end = dyn_cast<BranchInst>(body->getTerminator());
    if (body->getSinglePredecessor() != &header || !end || !end->isConditional() ||
        assumed->getBasicBlockIndex(body) < 0)
      continue;
    Guarded result{&header, body, exit, assumed, guard, nullptr, nullptr, body_if_true};
    auto at = body->begin();
    result.swap = dyn_cast<AtomicCmpXchgInst>(&*at++);
    result.found = result.swap ? dyn_cast<ExtractValueInst>(&*at++) : nullptr;
    auto *compare = result.found ? dyn_cast<ICmpInst>(&*at++) : nullptr;
    if (!compare || &*at != end || !compare->isEquality() || end->getCondition() != compare ||
        result.found->getIndices()[0] != 0 || result.found->getAggregateOperand() != result.swap ||
        result.swap->getCompareOperand() != assumed ||
        assumed->getIncomingValueForBlock(body) != result.found)
      continue;
    const bool compares =
        (compare->getOperand(0) == result.found && compare->getOperand(1) == assumed) ||
        (compare->getOperand(1) == result.found && compare->getOperand(0) == assumed);
    const unsigned done = compare->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1;
    if (compares && end->getSuccessor(done) == exit && end->getSuccessor(1 - done) == &header)
      return result;
  }
  return {};
}

bool raise(const Guarded &loop) {
  Value *value = loop.swap->getNewValOperand();
  CmpInst::Predicate predicate = loop.guard->getPredicate();
  if (loop.guard->getOperand(1) == value && loop.guard->getOperand(0) == loop.assumed)
    predicate = CmpInst::getSwappedPredicate(predicate);
  else if (loop.guard->getOperand(0) != value || loop.guard->getOperand(1) != loop.assumed)
    return false;
  if (!loop.body_if_true)
    predicate = CmpInst::getInversePredicate(predicate);
  const AtomicRMWInst::BinOp operation = operation_while(predicate);
  auto *defined = dyn_cast<Instruction>(value);
  auto *place = dyn_cast<Instruction>(loop.swap->getPointerOperand());
  auto in_loop = [&](const Instruction *instruction) {
    return instruction &&
           (instruction->getParent() == loop.header || instruction->getParent() == loop.body);
  };
  if (operation == AtomicRMWInst::BAD_BINOP || in_loop(defined) || in_loop(place))
    return false;
  for (PHINode &phi : loop.exit->phis()) {
    const Value *from_body = phi.getIncomingValueForBlock(loop.body);
    const Value *from_header = phi.getIncomingValueForBlock(loop.header);
    const bool old =
        (from_body == loop.found || from_body == loop.assumed) && from_header == loop.assumed;
    if (!old && (from_body != from_header || from_body == loop.found))
      return false;
  }
  for (const Instruction *result :
       {(const Instruction *)loop.found, (const Instruction *)loop.assumed})
    for (const User *user : result->users())
      if (!in_loop(cast<Instruction>(user)) && cast<Instruction>(user)->getParent() != loop.exit)
        return false;
  Instruction *end = loop.header->getTerminator();
  IRBuilder<> builder(end);
  builder.SetCurrentDebugLocation(loop.swap->getDebugLoc());
  Value *old =
      builder.CreateAtomicRMW(operation, loop.swap->getPointerOperand(), value,
                              loop.swap->getAlign(), AtomicOrdering::SequentiallyConsistent);
  for (PHINode &phi : loop.exit->phis()) {
    if (phi.getIncomingValueForBlock(loop.header) == loop.assumed)
      phi.setIncomingValueForBlock(loop.header, old);
    phi.removeIncomingValue(loop.body, false);
  }
  loop.assumed->removeIncomingValue(loop.body, false);
  builder.CreateBr(loop.exit);
  end->eraseFromParent();
  loop.body->dropAllReferences();
  loop.body->eraseFromParent();
  return true;
}

} // namespace

bool raise_compare_swap(Function &function) {
  bool changed = false;
  for (BasicBlock &block : function)
    if (std::optional<Retry> retry = find_retry(block); retry && is_pure(*retry))
      changed |= raise(*retry);
  SmallVector<Guarded, 2> loops; // raising one removes its body, which is no other's header
  for (BasicBlock &block : function)
    if (std::optional<Guarded> guarded = find_guarded(block))
      loops.push_back(*guarded);
  for (const Guarded &guarded : loops)
    changed |= raise(guarded);
  return changed;
}

} // namespace neuronify::kernel
