#include "passes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

bool isVolatileShared(const StoreInst &store) {
  if (!store.isVolatile())
    return false;
  Function &function = *const_cast<Function *>(store.getFunction());
  return function.arg_size() >= coordinate_count &&
         getUnderlyingObject(store.getPointerOperand(), 0) ==
             coordinate(function, Coordinate::Shared);
}

} // namespace

void keepLockStep(Module &module) {
  std::vector<StoreInst *> stores;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *store = dyn_cast<StoreInst>(&instruction); store && isVolatileShared(*store))
        stores.push_back(store);

  for (StoreInst *store : stores) {
    IRBuilder<> builder(store);
    Function &function = *store->getFunction();
    FunctionCallee converge =
        module.getOrInsertFunction("neuronify_wait_converge", builder.getInt32Ty(),
                                   builder.getPtrTy(), builder.getInt32Ty(), builder.getInt32Ty());
    Value *arguments[] = {coordinate(function, Coordinate::Context), linearThread(builder),
                          builder.getInt32(0)};
    builder.CreateCall(converge, arguments);
    builder.SetInsertPoint(store->getNextNode());
    builder.SetCurrentDebugLocation(store->getDebugLoc());
    builder.CreateCall(converge, arguments);
  }
}

} // namespace neuronify::reference
