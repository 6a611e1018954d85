#include "frontend/assembly_integers.h"

#include "frontend/assembly_packed.h"

namespace neuronify::frontend {

using llvm::Value;

Value *unary_integer(llvm::IRBuilder<> &builder, llvm::StringRef name, unsigned bits, Value *a) {
  llvm::Type *type = a->getType();
  if (name == "mov")
    return a;
  if (name == "not")
    return builder.CreateNot(a);
  if (name == "neg")
    return builder.CreateNeg(a);
  if (name == "abs")
    return builder.CreateSelect(builder.CreateICmpSLT(a, llvm::ConstantInt::get(type, 0)),
                                builder.CreateNeg(a), a);
  if (bits < 32)
    return nullptr;
  if (name == "brev")
    return builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, a);
  // Counts of bits are 32-bit integers, whatever they count.
  Value *count = nullptr;
  if (name == "popc")
    count = builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a);
  if (name == "clz")
    count = builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a, builder.getFalse());
  return count ? builder.CreateTrunc(count, builder.getInt32Ty()) : nullptr;
}

Value *shift_integer(llvm::IRBuilder<> &builder, const Kind &kind, bool left, Value *a,
                     Value *amount) {
  llvm::Type *type = a->getType();
  Value *last = builder.getInt32(kind.bits - 1);
  Value *far = builder.CreateICmpUGT(amount, last);
  Value *near = builder.CreateZExtOrTrunc(builder.CreateSelect(far, last, amount), type);
  if (!left && kind.sort == 's')
    return builder.CreateAShr(a, near);
  Value *moved = left ? builder.CreateShl(a, near) : builder.CreateLShr(a, near);
  return builder.CreateSelect(far, llvm::ConstantInt::get(type, 0), moved);
}

Value *wide_product(llvm::IRBuilder<> &builder, const Kind &kind, Value *a, Value *b) {
  if (kind.bits > 32)
    return nullptr;
  llvm::Type *type = builder.getIntNTy(2 * kind.bits);
  const bool is_signed = kind.sort == 's';
  return builder.CreateMul(builder.CreateIntCast(a, type, is_signed),
                           builder.CreateIntCast(b, type, is_signed));
}

Value *high_product(llvm::IRBuilder<> &builder, llvm::Module &module, const Kind &kind, Value *a,
                    Value *b) {
  if (kind.bits == 16)
    return builder.CreateTrunc(builder.CreateLShr(wide_product(builder, kind, a, b), 16),
                               a->getType());
  const bool is_signed = kind.sort == 's';
  const llvm::StringRef name = kind.bits == 64 ? (is_signed ? "__nv_mul64hi" : "__nv_umul64hi")
                                               : (is_signed ? "__nv_mulhi" : "__nv_umulhi");
  return call_library(builder, module, name, a, b);
}

} // namespace neuronify::frontend
