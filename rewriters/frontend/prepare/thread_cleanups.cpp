#include "frontend/prepare/passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace neuronify::frontend {

namespace {

/// A block that does nothing but choose where to go on by a number that its predecessors bring.
struct Crossing {
  llvm::BasicBlock *block = nullptr;
  llvm::PHINode *number = nullptr;
  llvm::ICmpInst *test = nullptr; ///< of the number, where two ways remain

  /// Where `number` leads.
  llvm::BasicBlock *way(llvm::ConstantInt *value) const {
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator()))
      return choice->findCaseValue(value)->getCaseSuccessor();
    const bool holds = llvm::ICmpInst::compare(
        value->getValue(), llvm::cast<llvm::ConstantInt>(test->getOperand(1))->getValue(),
        test->getPredicate());
    return block->getTerminator()->getSuccessor(holds ? 0 : 1);
  }
};

/// What a block's last instruction chooses by, in `found`.
bool find_number(llvm::BasicBlock &block, Crossing &found) {
  found.block = &block;
  llvm::Value *number = nullptr;
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator())) {
    number = choice->getCondition();
  } else if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
             branch && branch->isConditional()) {
    found.test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (!found.test || found.test->getParent() != &block || !found.test->hasOneUse() ||
        !llvm::isa<llvm::ConstantInt>(found.test->getOperand(1)))
      return false;
    number = found.test->getOperand(0);
  }
  found.number = llvm::dyn_cast_or_null<llvm::PHINode>(number);
  return found.number && found.number->getParent() == &block;
}

bool find_crossing(llvm::BasicBlock &block, const llvm::DominatorTree &tree, Crossing &found) {
  found = {};
  if (!find_number(block, found))
    return false;
  for (const llvm::Instruction &instruction : block)
    if (!llvm::isa<llvm::PHINode>(instruction) && &instruction != block.getTerminator() &&
        &instruction != found.test && !instruction.isDebugOrPseudoInst() &&
        !instruction.isLifetimeStartOrEnd())
      return false;
  // Ways around the head of a loop would give it a second one.
  for (llvm::BasicBlock *from : llvm::predecessors(&block))
    if (tree.dominates(&block, from))
      return false;
  return true;
}

/// A predecessor whose number is known, and where it leads.
llvm::BasicBlock *known_way(const Crossing &crossing, llvm::BasicBlock *from) {
  auto *number = llvm::dyn_cast<llvm::ConstantInt>(crossing.number->getIncomingValueForBlock(from));
  if (!number || llvm::isa<llvm::IndirectBrInst>(from->getTerminator()) ||
      llvm::count(llvm::successors(from), crossing.block) != 1)
    return nullptr;
  for (const llvm::PHINode &phi : crossing.block->phis())
    if (auto *other = llvm::dyn_cast<llvm::PHINode>(phi.getIncomingValueForBlock(from));
        other && other->getParent() == crossing.block)
      return nullptr; // what an earlier visit left
  llvm::BasicBlock *to = crossing.way(number);
  return to == crossing.block ? nullptr : to;
}

/// Uses of the crossing's values find them on all ways.
void repair(const Crossing &crossing, llvm::ArrayRef<llvm::BasicBlock *> ways,
            llvm::ArrayRef<llvm::SmallVector<llvm::Value *, 4>> values) {
  size_t index = 0;
  for (llvm::PHINode &phi : crossing.block->phis()) {
    llvm::SSAUpdater updater;
    updater.Initialize(phi.getType(), phi.getName());
    updater.AddAvailableValue(crossing.block, &phi);
    for (size_t i = 0; i < ways.size(); ++i)
      updater.AddAvailableValue(ways[i], values[i][index]);
    ++index;
    llvm::SmallVector<llvm::Use *, 8> uses;
    for (llvm::Use &use : phi.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *join = llvm::dyn_cast<llvm::PHINode>(user);
      const llvm::BasicBlock *where = join ? join->getIncomingBlock(use) : user->getParent();
      if (where != crossing.block)
        uses.push_back(&use);
    }
    for (llvm::Use *use : uses)
      updater.RewriteUse(*use);
  }
}

/// A block between two; the second may have lost all other predecessors.
llvm::BasicBlock *new_way(llvm::BasicBlock *from, llvm::BasicBlock *to) {
  auto *way =
      llvm::BasicBlock::Create(from->getContext(), from->getName() + ".way", from->getParent(), to);
  llvm::BranchInst::Create(to, way)->setDebugLoc(from->getTerminator()->getDebugLoc());
  from->getTerminator()->replaceSuccessorWith(to, way);
  to->replacePhiUsesWith(from, way);
  return way;
}

bool thread(const Crossing &crossing) {
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, 4> known;
  for (llvm::BasicBlock *from : llvm::predecessors(crossing.block))
    if (llvm::BasicBlock *to = known_way(crossing, from))
      known.push_back({from, to});
  if (known.empty())
    return false;
  llvm::SmallVector<llvm::BasicBlock *, 4> ways;
  llvm::SmallVector<llvm::SmallVector<llvm::Value *, 4>, 4> values;
  for (auto [from, to] : known) {
    llvm::BasicBlock *way = new_way(from, crossing.block);
    llvm::SmallVector<llvm::Value *, 4> brought;
    for (llvm::PHINode &phi : crossing.block->phis())
      brought.push_back(phi.getIncomingValueForBlock(way));
    for (llvm::PHINode &join : to->phis()) {
      llvm::Value *value = join.getIncomingValueForBlock(crossing.block);
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
          phi && phi->getParent() == crossing.block)
        value = phi->getIncomingValueForBlock(way);
      join.addIncoming(value, way);
    }
    crossing.block->removePredecessor(way, /*KeepOneInputPHIs=*/true);
    way->getTerminator()->setSuccessor(0, to);
    ways.push_back(way);
    values.push_back(std::move(brought));
  }
  repair(crossing, ways, values);
  return true;
}

} // namespace

void thread_cleanups(llvm::Function &function) {
  bool changed = true;
  while (changed) {
    changed = false;
    const llvm::DominatorTree tree(function);
    for (llvm::BasicBlock &block : function) {
      Crossing crossing;
      if (tree.isReachableFromEntry(&block) && find_crossing(block, tree, crossing) &&
          thread(crossing)) {
        changed = true;
        break; // the tree is another one
      }
    }
    if (changed)
      llvm::removeUnreachableBlocks(function);
  }
}

} // namespace neuronify::frontend
