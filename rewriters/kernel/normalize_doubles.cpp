// Library calls that only reinterpret or convert doubles, as the instructions they stand for.
#include "kernel/doubles.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

/// Null: the call is something else.
Value *instruction_for(CallInst &call) {
  const Function *function = call.getCalledFunction();
  if (!function)
    return nullptr;
  const StringRef name = function->getName();
  IRBuilder<> builder(&call);
  Type *word = builder.getInt64Ty(), *half = builder.getInt32Ty(), *number = builder.getDoubleTy();
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  if (name == "__nv_double_as_longlong" || name == "llvm.nvvm.bitcast.d2ll")
    return builder.CreateBitCast(argument(0), word);
  if (name == "__nv_longlong_as_double" || name == "llvm.nvvm.bitcast.ll2d")
    return builder.CreateBitCast(argument(0), number);
  if (name == "__nv_double2loint" || name == "llvm.nvvm.d2i.lo")
    return builder.CreateTrunc(builder.CreateBitCast(argument(0), word), half);
  if (name == "__nv_double2hiint" || name == "llvm.nvvm.d2i.hi")
    return builder.CreateTrunc(builder.CreateLShr(builder.CreateBitCast(argument(0), word), 32),
                               half);
  if (name == "__nv_hiloint2double") {
    Value *high = builder.CreateShl(builder.CreateZExt(argument(0), word), 32);
    return builder.CreateBitCast(builder.CreateOr(high, builder.CreateZExt(argument(1), word)),
                                 number);
  }
  if (name == "__nv_double2float_rn" || name == "llvm.nvvm.d2f.rn")
    return builder.CreateFPTrunc(argument(0), builder.getFloatTy());
  if (name == "__nv_int2double_rn" || name == "llvm.nvvm.i2d.rn")
    return builder.CreateSIToFP(argument(0), number);
  if (name == "__nv_uint2double_rn" || name == "llvm.nvvm.ui2d.rn")
    return builder.CreateUIToFP(argument(0), number);
  if (name == "__nv_powi") {
    FunctionCallee pow = call.getModule()->getOrInsertFunction(
        "__nv_pow", FunctionType::get(number, {number, number}, false));
    return builder.CreateCall(pow, {argument(0), builder.CreateSIToFP(argument(1), number)});
  }
  return nullptr;
}

/// *p += x becomes
///
///   do {
///     assumed = found;
///     found = compare_and_swap(p, assumed, bits(number(assumed) + x));
///   } while (found != assumed);
void expand(AtomicRMWInst &atomic) {
  IRBuilder<> builder(&atomic);
  Type *word = builder.getInt64Ty(), *number = builder.getDoubleTy();
  Value *pointer = atomic.getPointerOperand();
  BasicBlock *before = atomic.getParent();
  BasicBlock *behind = before->splitBasicBlock(&atomic);
  BasicBlock *loop = BasicBlock::Create(atomic.getContext(), "", before->getParent(), behind);
  builder.SetInsertPoint(before->getTerminator());
  builder.SetCurrentDebugLocation(atomic.getDebugLoc());
  Value *start = builder.CreateAlignedLoad(word, pointer, Align(8));
  builder.CreateBr(loop);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(loop);
  PHINode *assumed = builder.CreatePHI(word, 2);
  Value *now = builder.CreateBitCast(assumed, number);
  Value *next = atomic.getOperation() == AtomicRMWInst::FSub
                    ? builder.CreateFSub(now, atomic.getValOperand())
                    : builder.CreateFAdd(now, atomic.getValOperand());
  Value *swap = builder.CreateAtomicCmpXchg(pointer, assumed, builder.CreateBitCast(next, word),
                                            Align(8), AtomicOrdering::SequentiallyConsistent,
                                            AtomicOrdering::SequentiallyConsistent);
  Value *found = builder.CreateExtractValue(swap, 0);
  assumed->addIncoming(start, before);
  assumed->addIncoming(found, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(found, assumed), behind, loop);
  builder.SetInsertPoint(&atomic);
  atomic.replaceAllUsesWith(builder.CreateBitCast(found, number));
  atomic.eraseFromParent();
}

} // namespace

bool expand_double_atomics(Function &function) {
  SmallVector<AtomicRMWInst *, 4> found;
  for (Instruction &instruction : instructions(function))
    if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
        atomic && atomic->getType()->isDoubleTy() &&
        (atomic->getOperation() == AtomicRMWInst::FAdd ||
         atomic->getOperation() == AtomicRMWInst::FSub))
      found.push_back(atomic);
  for (AtomicRMWInst *atomic : found)
    expand(*atomic);
  return !found.empty();
}

bool normalize_doubles(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (Value *value = instruction_for(*call)) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
        changed = true;
      }
  return changed;
}

} // namespace neuronify::kernel
