#include "passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

// Division by zero gives all ones and leaves the dividend as remainder; the one overflow,
// minimum / -1, wraps. That is what NVIDIA's generated division code yields; PTX leaves it open.
Value *defineDivision(BinaryOperator &division) {
  Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  bool is_signed =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  bool is_remainder =
      division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
  const APInt *known = nullptr;
  if (PatternMatch::match(divisor, PatternMatch::m_APInt(known)) && !known->isZero() &&
      !(is_signed && known->isAllOnes()))
    return nullptr;

  IRBuilder<> builder(&division);
  Type *type = division.getType();
  Value *zero = Constant::getNullValue(type), *one = ConstantInt::get(type, 1);
  Value *minus_one = Constant::getAllOnesValue(type);
  Value *by_zero = builder.CreateICmpEQ(divisor, zero);
  Value *by_minus_one = is_signed ? builder.CreateICmpEQ(divisor, minus_one) : nullptr;
  Value *unusual = is_signed ? builder.CreateOr(by_zero, by_minus_one) : by_zero;
  Value *safe = builder.CreateSelect(unusual, one, divisor);
  Value *result = builder.CreateBinOp(division.getOpcode(), dividend, safe);
  if (is_signed) {
    Value *overflowing = is_remainder ? zero : builder.CreateSub(zero, dividend);
    result = builder.CreateSelect(by_minus_one, overflowing, result);
  }
  return builder.CreateSelect(by_zero, is_remainder ? dividend : minus_one, result);
}

// PTX clamps shift amounts to the width.
Value *defineShift(BinaryOperator &shift) {
  Value *value = shift.getOperand(0), *amount = shift.getOperand(1);
  unsigned width = shift.getType()->getScalarSizeInBits();
  const APInt *known = nullptr;
  if (PatternMatch::match(amount, PatternMatch::m_APInt(known)) && known->ult(width))
    return nullptr;
  IRBuilder<> builder(&shift);
  Type *type = shift.getType();
  Value *last = ConstantInt::get(type, width - 1);
  if (shift.getOpcode() == Instruction::AShr)
    return builder.CreateAShr(value, builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, last));
  Value *in_range = builder.CreateICmpULE(amount, last);
  Value *safe = builder.CreateSelect(in_range, amount, Constant::getNullValue(type));
  Value *shifted = builder.CreateBinOp(shift.getOpcode(), value, safe);
  return builder.CreateSelect(in_range, shifted, Constant::getNullValue(type));
}

// `cvt` saturates and makes a NaN zero, or 2^63 where the integer has 64 bits. Below 16 bits there
// is no such conversion: NVPTX converts to 16 bits and cuts.
Value *defineToInteger(CastInst &cast) {
  IRBuilder<> builder(&cast);
  Type *type = cast.getType();
  Intrinsic::ID id =
      cast.getOpcode() == Instruction::FPToSI ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  unsigned width = std::max(16u, type->getScalarSizeInBits());
  Type *wide = type->getWithNewBitWidth(width);
  Value *operand = cast.getOperand(0);
  Value *result = builder.CreateIntrinsic(id, {wide, operand->getType()}, {operand});
  if (width == 64)
    result = builder.CreateSelect(builder.CreateFCmpUNO(operand, operand),
                                  ConstantInt::get(wide, APInt::getSignMask(64)), result);
  return builder.CreateTrunc(result, type);
}

// Integers become halves through double, which holds them exactly, so that one rounding happens.
Value *defineToHalf(CastInst &cast) {
  Type *type = cast.getType();
  unsigned width = cast.getOperand(0)->getType()->getScalarSizeInBits();
  if (!type->getScalarType()->is16bitFPTy() || width > 32)
    return nullptr;
  IRBuilder<> builder(&cast);
  Type *wide = type->getWithNewType(builder.getDoubleTy());
  return builder.CreateFPTrunc(builder.CreateCast(cast.getOpcode(), cast.getOperand(0), wide),
                               type);
}

// bf16 arithmetic: in float, then rounded; no host instruction knows bf16.
Value *defineBfloat(Instruction &operation) {
  if (!operation.getType()->getScalarType()->isBFloatTy())
    return nullptr;
  IRBuilder<> builder(&operation);
  Type *wide = operation.getType()->getWithNewType(builder.getFloatTy());
  Value *left = builder.CreateFPExt(operation.getOperand(0), wide);
  Value *right = builder.CreateFPExt(operation.getOperand(1), wide);
  Value *result =
      builder.CreateBinOp(static_cast<BinaryOperator &>(operation).getOpcode(), left, right);
  return builder.CreateFPTrunc(result, operation.getType());
}

Value *defined(Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return defineDivision(cast<BinaryOperator>(instruction));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return defineShift(cast<BinaryOperator>(instruction));
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return defineToInteger(cast<CastInst>(instruction));
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return defineToHalf(cast<CastInst>(instruction));
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return defineBfloat(instruction);
  default:
    return nullptr;
  }
}

// What a thread's locals hold before they are written differs from run to run on a device. Here it
// is zero, so that a run can be repeated.
void clearLocal(AllocaInst &local, const DataLayout &layout) {
  IRBuilder<> builder(local.getNextNode());
  Value *size = builder.getInt64(layout.getTypeAllocSize(local.getAllocatedType()));
  if (local.isArrayAllocation())
    size = builder.CreateMul(size, builder.CreateZExt(local.getArraySize(), builder.getInt64Ty()));
  builder.CreateMemSet(&local, builder.getInt8(0), size, local.getAlign());
}

} // namespace

void defineBehaviour(Module &module) {
  for (Function &function : module) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      // No overflow, no fast math: the host's optimiser must keep what the device would compute.
      instruction.dropPoisonGeneratingFlags();
      if (isa<FPMathOperator>(instruction))
        instruction.setFastMathFlags(FastMathFlags());
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        clearLocal(*local, module.getDataLayout());
      if (Value *replacement = defined(instruction)) {
        if (auto *named = dyn_cast<Instruction>(replacement))
          named->takeName(&instruction);
        instruction.replaceAllUsesWith(replacement);
        instruction.eraseFromParent();
      }
    }
  }
}

} // namespace neuronify::reference
