// Pointers into one object become byte offsets where code chooses between them, compares them, or
// subtracts them.
#include "kernel/analysis.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

bool is_choice(const Value *value) { return isa<PHINode>(value) || isa<SelectInst>(value); }

/// The object below `pointer`, through other choices too; null if there are several.
const Value *common_object(const Value *pointer) {
  SmallVector<const Value *, 8> work{pointer};
  SmallPtrSet<const Value *, 8> seen;
  const Value *object = nullptr;
  while (!work.empty()) {
    const Value *at = getUnderlyingObject(work.pop_back_val(), 0);
    if (!seen.insert(at).second || isa<UndefValue>(at))
      continue;
    if (auto *phi = dyn_cast<PHINode>(at)) {
      for (const Value *value : phi->incoming_values())
        work.push_back(value);
    } else if (auto *select = dyn_cast<SelectInst>(at)) {
      work.push_back(select->getTrueValue());
      work.push_back(select->getFalseValue());
    } else if (object && object != at) {
      return nullptr;
    } else {
      object = at;
    }
  }
  return object;
}

class Rewriter {
public:
  explicit Rewriter(Function &function) : function_(function), layout_(function.getDataLayout()) {}

  bool run() {
    SetVector<Instruction *> choices;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block)
        if (is_choice(&instruction) && instruction.getType()->isPointerTy())
          if (auto *object = const_cast<Value *>(common_object(&instruction));
              object && available(object, instruction)) {
            choices.insert(&instruction);
            objects_[&instruction] = object;
          }
    for (Instruction *choice : choices)
      create(choice);
    for (Instruction *choice : choices)
      fill(choice);
    for (Instruction *choice : choices)
      replace(choice);
    for (Instruction *choice : choices) {
      choice->replaceAllUsesWith(PoisonValue::get(choice->getType()));
      choice->eraseFromParent();
    }
    twins_.clear();
    const bool compared = compare_offsets(), subtracted = subtract_offsets();
    return compared || subtracted || !choices.empty();
  }

private:
  /// `p < end` of pointers into one object compares their offsets.
  bool compare_offsets() {
    SmallVector<ICmpInst *, 8> found;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block)
        if (auto *compare = dyn_cast<ICmpInst>(&instruction);
            compare && share_object(compare->getOperand(0), compare->getOperand(1)))
          found.push_back(compare);
    for (ICmpInst *compare : found) {
      Value *left = offset(compare->getOperand(0), compare),
            *right = offset(compare->getOperand(1), compare);
      IRBuilder<> builder(compare);
      const auto predicate =
          compare->isEquality() ? compare->getPredicate() : compare->getSignedPredicate();
      compare->replaceAllUsesWith(builder.CreateICmp(predicate, left, right));
      compare->eraseFromParent();
    }
    return !found.empty();
  }

  /// `p - q` of pointers into one object is the difference of their offsets.
  bool subtract_offsets() {
    SmallVector<BinaryOperator *, 8> found;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block) {
        auto *difference = dyn_cast<BinaryOperator>(&instruction);
        if (!difference || difference->getOpcode() != Instruction::Sub)
          continue;
        auto *left = dyn_cast<PtrToIntInst>(difference->getOperand(0));
        auto *right = dyn_cast<PtrToIntInst>(difference->getOperand(1));
        if (left && right && difference->getType()->isIntegerTy(64) &&
            share_object(left->getPointerOperand(), right->getPointerOperand()))
          found.push_back(difference);
      }
    for (BinaryOperator *difference : found) {
      Value *left =
          offset(cast<PtrToIntInst>(difference->getOperand(0))->getPointerOperand(), difference);
      Value *right =
          offset(cast<PtrToIntInst>(difference->getOperand(1))->getPointerOperand(), difference);
      IRBuilder<> builder(difference);
      difference->replaceAllUsesWith(builder.CreateSub(left, right));
      difference->eraseFromParent();
    }
    return !found.empty();
  }

  static bool share_object(const Value *a, const Value *b) {
    if (!a->getType()->isPointerTy())
      return false;
    const Value *object = getUnderlyingObject(a, 0);
    return object == getUnderlyingObject(b, 0) && !is_choice(object);
  }

  /// Objects that exist wherever the kernel runs.
  bool available(const Value *object, const Instruction &) const {
    if (isa<Argument>(object) || isa<GlobalVariable>(object))
      return true;
    auto *instruction = dyn_cast<Instruction>(object);
    return instruction && instruction->getParent()->isEntryBlock();
  }

  void create(Instruction *choice) {
    IRBuilder<> builder(choice);
    Type *offset = builder.getInt64Ty();
    Instruction *twin;
    if (auto *phi = dyn_cast<PHINode>(choice))
      twin = builder.CreatePHI(offset, phi->getNumIncomingValues());
    else
      twin = cast<Instruction>(
          SelectInst::Create(cast<SelectInst>(choice)->getCondition(), ConstantInt::get(offset, 0),
                             ConstantInt::get(offset, 0), "", choice->getIterator()));
    twin->setDebugLoc(choice->getDebugLoc());
    if (choice->hasName())
      twin->setName(choice->getName());
    twins_[choice] = twin;
  }

  /// Byte offset of `pointer` in its object, computed before `at`.
  Value *offset(Value *pointer, Instruction *at) {
    IRBuilder<> builder(at);
    Value *sum = nullptr;
    auto add = [&](Value *term) { sum = sum ? builder.CreateAdd(sum, term) : term; };
    auto result = [&] { return sum ? sum : builder.getInt64(0); };
    while (true) {
      if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
        SmallMapVector<Value *, APInt, 4> variables;
        APInt constant(64, 0);
        if (!gep->collectOffset(layout_, 64, variables, constant))
          return result();
        for (auto &[index, scale] : variables) {
          Value *wide = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
          Value *bytes = scale == 1 ? wide : builder.CreateMul(wide, builder.getInt(scale));
          add(bytes);
        }
        if (!constant.isZero())
          add(builder.getInt(constant));
        pointer = gep->getPointerOperand();
      } else if (Operator::getOpcode(pointer) == Instruction::AddrSpaceCast) {
        pointer = cast<Operator>(pointer)->getOperand(0);
      } else if (auto *instruction = dyn_cast<Instruction>(pointer);
                 instruction && twins_.count(instruction)) {
        add(twins_[instruction]);
        return result();
      } else {
        return result();
      }
    }
  }

  void fill(Instruction *choice) {
    Instruction *twin = twins_[choice];
    if (auto *phi = dyn_cast<PHINode>(choice)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock *from = phi->getIncomingBlock(i);
        cast<PHINode>(twin)->addIncoming(offset(phi->getIncomingValue(i), from->getTerminator()),
                                         from);
      }
    } else {
      auto *select = cast<SelectInst>(choice);
      twin->setOperand(1, offset(select->getTrueValue(), twin));
      twin->setOperand(2, offset(select->getFalseValue(), twin));
    }
  }

  void replace(Instruction *choice) {
    Instruction *twin = twins_[choice];
    BasicBlock::iterator at = isa<PHINode>(twin) ? twin->getParent()->getFirstInsertionPt()
                                                 : std::next(twin->getIterator());
    IRBuilder<> builder(twin->getParent(), at);
    Value *object = objects_[choice];
    Value *address = builder.CreateGEP(builder.getInt8Ty(), object, twin);
    if (address->getType() != choice->getType())
      address = builder.CreateAddrSpaceCast(address, choice->getType());
    choice->replaceAllUsesWith(address);
  }

  Function &function_;
  const DataLayout &layout_;
  DenseMap<Instruction *, Instruction *> twins_;
  DenseMap<Instruction *, Value *> objects_;
};

} // namespace

bool pointers_to_offsets(Function &function) { return Rewriter(function).run(); }

} // namespace neuronify::kernel
