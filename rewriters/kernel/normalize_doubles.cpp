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

} // namespace

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
