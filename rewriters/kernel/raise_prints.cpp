// Clang packs what printf prints into a local struct and calls vprintf. Here it becomes one call
// with the values themselves: neuronify.print(format, values...), floats as floats. A string comes
// as the strings it may be, followed by which of them it is.
#include "kernel/rewrites.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>

using namespace llvm;

namespace neuronify::kernel {
namespace {

/// What is stored to `buffer` right before `call`, by offset.
std::map<int64_t, StoreInst *> packed(CallInst &call, const AllocaInst &buffer) {
  const DataLayout &layout = call.getDataLayout();
  std::map<int64_t, StoreInst *> result;
  for (Instruction *at = call.getPrevNode(); at; at = at->getPrevNode()) {
    auto *store = dyn_cast<StoreInst>(at);
    if (!store) {
      auto *other = dyn_cast<CallInst>(at);
      if (other && any_of(other->args(), [&](const Use &use) { return use.get() == &buffer; }))
        break; // an earlier call with the same buffer
      continue;
    }
    APInt offset(64, 0);
    const Value *base =
        store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (base == &buffer)
      result.emplace(offset.getSExtValue(), store); // the last one counts
  }
  return result;
}

class Print {
public:
  explicit Print(CallInst &call) : call_(call), builder_(&call) {}

  /// False where it stays as it is.
  bool raise(SmallPtrSetImpl<AllocaInst *> &buffers) {
    StringRef text;
    if (call_.arg_size() != 2 || !getConstantStringInfo(call_.getArgOperand(0), text))
      return false;
    operands_.push_back(call_.getArgOperand(0));
    unsigned count = 0;
    if (!isa<ConstantPointerNull>(call_.getArgOperand(1))) {
      auto *buffer = dyn_cast<AllocaInst>(getUnderlyingObject(call_.getArgOperand(1), 0));
      if (!buffer)
        return false;
      for (auto &[offset, store] : packed(call_, *buffer)) {
        if (!add(store->getValueOperand()))
          return false;
        ++count;
      }
      buffers.insert(buffer);
    }
    Module &module = *call_.getModule();
    FunctionCallee print = module.getOrInsertFunction(
        "neuronify.print",
        FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, /*isVarArg=*/true));
    builder_.CreateCall(print, operands_);
    call_.replaceAllUsesWith(ConstantInt::get(call_.getType(), count));
    return true;
  }

private:
  bool add(Value *value) {
    if (value->getType()->isPointerTy())
      return add_string(value);
    if (auto *extension = dyn_cast<FPExtInst>(value);
        extension && extension->getSrcTy()->isFloatTy())
      value = extension->getOperand(0);
    Type *type = value->getType();
    if (!type->isFloatTy() && !type->isDoubleTy() && !type->isIntegerTy(32) &&
        !type->isIntegerTy(64))
      return false;
    operands_.push_back(value);
    return true;
  }

  bool add_string(Value *value) {
    SmallVector<Value *, 4> texts;
    Value *which = choose(value, texts);
    if (!which)
      return false;
    operands_.append(texts.begin(), texts.end());
    operands_.push_back(which);
    return true;
  }

  /// The number of the string among `texts`, which grow; null where it is not one of constants.
  Value *choose(Value *value, SmallVectorImpl<Value *> &texts) {
    StringRef text;
    if (getConstantStringInfo(value, text)) {
      texts.push_back(value);
      return builder_.getInt32(unsigned(texts.size() - 1));
    }
    auto *select = dyn_cast<SelectInst>(value);
    if (!select)
      return nullptr;
    Value *first = choose(select->getTrueValue(), texts);
    Value *second = first ? choose(select->getFalseValue(), texts) : nullptr;
    return second ? builder_.CreateSelect(select->getCondition(), first, second) : nullptr;
  }

  CallInst &call_;
  IRBuilder<> builder_;
  SmallVector<Value *, 8> operands_;
};

/// The stores that packed values go, and the buffer with them, unless something still reads it.
void remove_buffer(AllocaInst &buffer) {
  SmallVector<Instruction *, 16> stores;
  SmallVector<Instruction *, 16> work{&buffer};
  while (!work.empty()) {
    for (User *user : work.pop_back_val()->users()) {
      auto *instruction = cast<Instruction>(user);
      if (isa<GetElementPtrInst>(instruction) || isa<AddrSpaceCastInst>(instruction))
        work.push_back(instruction);
      else if (auto *store = dyn_cast<StoreInst>(instruction);
               (store && store->getPointerOperand() != store->getValueOperand()) ||
               instruction->isLifetimeStartOrEnd())
        stores.push_back(instruction);
      else
        return;
    }
  }
  SmallVector<WeakTrackingVH, 32> dead;
  for (Instruction *store : stores) {
    dead.append(store->op_begin(), store->op_end());
    store->eraseFromParent();
  }
  dead.push_back(&buffer);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace

bool raise_prints(Function &function) {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && callee->getName() == "vprintf")
        calls.push_back(call);
  SmallPtrSet<AllocaInst *, 8> buffers;
  bool changed = false;
  for (CallInst *call : calls)
    if (Print(*call).raise(buffers)) {
      call->eraseFromParent();
      changed = true;
    }
  for (AllocaInst *buffer : buffers)
    remove_buffer(*buffer);
  return changed;
}

} // namespace neuronify::kernel
