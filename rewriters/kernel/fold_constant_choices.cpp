#include "kernel/analysis.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::kernel {

/// The truth value of `compare` for each incoming value of `phi`, as a phi of its own.
static PHINode *choose(ICmpInst &compare, PHINode &phi, ConstantInt &with) {
  Type *truth = compare.getType();
  auto *result = PHINode::Create(truth, phi.getNumIncomingValues(), "", phi.getIterator());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    auto *value = dyn_cast<ConstantInt>(phi.getIncomingValue(i));
    Constant *outcome =
        value ? ConstantInt::getBool(truth, ICmpInst::compare(value->getValue(), with.getValue(),
                                                              compare.getPredicate()))
              : cast<Constant>(UndefValue::get(truth));
    result->addIncoming(outcome, phi.getIncomingBlock(i));
  }
  result->setDebugLoc(compare.getDebugLoc());
  return result;
}

bool fold_constant_choices(Function &function) {
  SmallVector<ICmpInst *, 8> done;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      auto *compare = dyn_cast<ICmpInst>(&instruction);
      auto *phi = compare ? dyn_cast<PHINode>(compare->getOperand(0)) : nullptr;
      auto *with = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
      if (!phi || !with || !all_of(phi->incoming_values(), [](const Use &value) {
            return isa<ConstantInt>(value) || isa<UndefValue>(value);
          }))
        continue;
      compare->replaceAllUsesWith(choose(*compare, *phi, *with));
      done.push_back(compare);
    }
  for (ICmpInst *compare : done)
    compare->eraseFromParent();
  return !done.empty();
}

} // namespace neuronify::kernel
