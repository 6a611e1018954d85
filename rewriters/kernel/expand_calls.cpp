// Library functions that are a few operations, written out before anything is analysed, so that
// what of them depends on the launch only costs nothing.
#include "kernel/analysis.h"
#include "kernel/calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <cmath>

using namespace llvm;

namespace neuronify::kernel {
namespace {

class Expansion {
public:
  explicit Expansion(CallInst &call) : call_(call), builder_(&call) {}

  /// Null: the call stays. Else what it returns, or the call itself where it returns nothing.
  Value *run() {
    StringRef name = call_.getCalledFunction()->getName();
    if (name == "llvm.is.fpclass.f32")
      return is_normal();
    if (!name.consume_front("__nv_"))
      return name == "llvm.nvvm.prmt"               ? permute()
             : name.starts_with("llvm.nvvm.mul24.") ? product(name.ends_with("ui"))
                                                    : nullptr;
    if (name == "mul24" || name == "umul24")
      return product(name == "umul24");
    if (name == "byte_perm")
      return permute();
    if (name == "sad" || name == "usad")
      return distance(name == "sad");
    if (name == "hadd" || name == "uhadd" || name == "rhadd" || name == "urhadd")
      return average(!name.starts_with("u"), name.contains("rh"));
    if (Value *converted = conversion(name))
      return converted;
    return call_.arg_size() > 0 ? mathematics(name) : nullptr;
  }

private:
  Value *argument(unsigned i) { return call_.getArgOperand(i); }

  Value *call(const Twine &name, Type *result, ArrayRef<Value *> arguments) {
    SmallVector<Type *, 3> types;
    for (Value *value : arguments)
      types.push_back(value->getType());
    return builder_.CreateCall(
        call_.getModule()->getOrInsertFunction(name.str(), FunctionType::get(result, types, false)),
        arguments);
  }

  /// The product of the low 24 bits, as 32 bits.
  Value *product(bool is_unsigned) {
    auto low = [&](Value *x) {
      return is_unsigned ? builder_.CreateAnd(x, 0xffffff)
                         : builder_.CreateAShr(builder_.CreateShl(x, 8), 8);
    };
    return builder_.CreateMul(low(argument(0)), low(argument(1)));
  }

  /// Four bytes of the eight in both arguments. Bit 3 of a selector asks for the byte's sign.
  Value *permute() {
    Type *word = builder_.getInt32Ty();
    Value *result = builder_.getInt32(0);
    for (unsigned i = 0; i < 4; ++i) {
      Value *choice = builder_.CreateLShr(argument(2), 4 * i);
      Value *second = builder_.CreateICmpNE(builder_.CreateAnd(choice, 4), builder_.getInt32(0));
      Value *from = builder_.CreateSelect(second, argument(1), argument(0));
      Value *shift = builder_.CreateShl(builder_.CreateAnd(choice, 3), 3);
      Value *byte = builder_.CreateAnd(builder_.CreateLShr(from, shift), 0xff);
      Value *sign = builder_.CreateAnd(
          builder_.CreateSub(builder_.getInt32(0), builder_.CreateLShr(byte, 7)), 0xff);
      Value *replicate = builder_.CreateICmpNE(builder_.CreateAnd(choice, 8), builder_.getInt32(0));
      byte = builder_.CreateSelect(replicate, sign, byte);
      result = builder_.CreateOr(result, builder_.CreateShl(byte, ConstantInt::get(word, 8 * i)));
    }
    return result;
  }

  /// isnormal(); other questions of the kind come as comparisons.
  Value *is_normal() {
    if (cast<ConstantInt>(argument(1))->getZExtValue() != fcNormal)
      return nullptr;
    Value *exponent = builder_.CreateAnd(builder_.CreateLShr(bits(argument(0)), 23), 0xff);
    return builder_.CreateICmpULT(builder_.CreateSub(exponent, builder_.getInt32(1)),
                                  builder_.getInt32(254));
  }

  /// |a - b| + c
  Value *distance(bool is_signed) {
    Value *a = argument(0), *b = argument(1);
    Value *order = is_signed ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
    Value *size = builder_.CreateSelect(order, builder_.CreateSub(b, a), builder_.CreateSub(a, b));
    return builder_.CreateAdd(size, argument(2));
  }

  /// (a + b) / 2, rounded down or up, without overflow.
  Value *average(bool is_signed, bool up) {
    Value *a = argument(0), *b = argument(1), *other = builder_.CreateXor(a, b);
    Value *half = is_signed ? builder_.CreateAShr(other, 1) : builder_.CreateLShr(other, 1);
    return up ? builder_.CreateSub(builder_.CreateOr(a, b), half)
              : builder_.CreateAdd(builder_.CreateAnd(a, b), half);
  }

  /// float2uint_rd and the like: rounded first, then converted exactly.
  Value *conversion(StringRef name) {
    const bool down = name.ends_with("_rd"), up = name.ends_with("_ru");
    if (!(down || up) || !argument(0)->getType()->isFloatingPointTy() ||
        !call_.getType()->isIntegerTy() || find_callee(call_).effect != Effect::unsupported)
      return nullptr;
    const bool is_double = argument(0)->getType()->isDoubleTy();
    Value *whole = call(Twine(down ? "__nv_floor" : "__nv_ceil") + (is_double ? "" : "f"),
                        argument(0)->getType(), {argument(0)});
    return call("__nv_" + name.drop_back(1) + "z", call_.getType(), {whole});
  }

  /// Functions of floats (ending in f) and of doubles that are others of the same type.
  Value *mathematics(StringRef name) {
    Type *type = argument(0)->getType();
    if (!type->isFloatingPointTy())
      return nullptr;
    const StringRef ending = type->isFloatTy() ? "f" : "";
    StringRef plain = name;
    if (!ending.empty() && !plain.consume_back("f"))
      return nullptr;
    auto function = [&](StringRef base, ArrayRef<Value *> arguments) {
      return call("__nv_" + base + ending, type, arguments);
    };
    auto inverse = [&](Value *x) { return builder_.CreateFDiv(ConstantFP::get(type, 1), x); };
    if (plain == "sincos" || plain == "fast_sincos") {
      builder_.CreateStore(function("sin", {argument(0)}), argument(1));
      builder_.CreateStore(function("cos", {argument(0)}), argument(2));
      return &call_;
    }
    if (plain == "sincospi") {
      builder_.CreateStore(function("sinpi", {argument(0)}), argument(1));
      builder_.CreateStore(function("cospi", {argument(0)}), argument(2));
      return &call_;
    }
    if (plain == "rhypot")
      return inverse(function("hypot", {argument(0), argument(1)}));
    if (plain == "rcbrt")
      return inverse(function("cbrt", {argument(0)}));
    if (plain == "norm3d" || plain == "rnorm3d") {
      Value *length =
          function("hypot", {function("hypot", {argument(0), argument(1)}), argument(2)});
      return plain == "norm3d" ? length : inverse(length);
    }
    if (plain == "norm4d" || plain == "rnorm4d") {
      Value *length = function("hypot", {function("hypot", {argument(0), argument(1)}),
                                         function("hypot", {argument(2), argument(3)})});
      return plain == "norm4d" ? length : inverse(length);
    }
    if (plain == "fdim") {
      Value *difference = builder_.CreateFSub(argument(0), argument(1));
      Value *not_above = builder_.CreateFCmpOLE(argument(0), argument(1));
      return builder_.CreateSelect(not_above, ConstantFP::get(type, 0), difference);
    }
    if (plain == "powi" && type->isFloatTy())
      return function("pow", {argument(0), builder_.CreateSIToFP(argument(1), type)});
    if (type->isFloatTy())
      if (Value *value = parts(plain))
        return value;
    if (plain == "nan")
      return ConstantFP::getQNaN(type);
    return nullptr;
  }

  Value *bits(Value *x) { return builder_.CreateBitCast(x, builder_.getInt32Ty()); }
  Value *number(Value *x) { return builder_.CreateBitCast(x, builder_.getFloatTy()); }
  Value *constant(double x) { return ConstantFP::get(builder_.getFloatTy(), x); }

  /// A float as fraction in [0.5, 1) and exponent; `ordinary` where it is finite and not zero.
  struct Parts {
    Value *fraction, *exponent, *ordinary;
  };
  Parts split(Value *x) {
    Value *size = builder_.CreateAnd(bits(x), 0x7fffffff);
    Value *ordinary = builder_.CreateICmpULT(builder_.CreateSub(size, builder_.getInt32(1)),
                                             builder_.getInt32(0x7f7fffff));
    Value *subnormal = builder_.CreateICmpULT(size, builder_.getInt32(0x00800000));
    Value *normal =
        bits(builder_.CreateSelect(subnormal, builder_.CreateFMul(x, constant(0x1p24)), x));
    Value *biased = builder_.CreateAnd(builder_.CreateLShr(normal, 23), 0xff);
    Value *bias = builder_.CreateSelect(subnormal, builder_.getInt32(150), builder_.getInt32(126));
    Value *fraction = builder_.CreateOr(builder_.CreateAnd(normal, 0x807fffff), 0x3f000000);
    return {number(fraction), builder_.CreateSub(biased, bias), ordinary};
  }

  /// x * 2^n, rounded once: steps down stay above the subnormal numbers until the last.
  Value *scaled(Value *x, Value *n) {
    for (int i = 0; i < 2; ++i) {
      Value *large = builder_.CreateICmpSGT(n, builder_.getInt32(127));
      x = builder_.CreateSelect(large, builder_.CreateFMul(x, constant(0x1p127)), x);
      n = builder_.CreateSelect(large, builder_.CreateSub(n, builder_.getInt32(127)), n);
      Value *small = builder_.CreateICmpSLT(n, builder_.getInt32(-126));
      x = builder_.CreateSelect(small, builder_.CreateFMul(x, constant(0x1p-102)), x);
      n = builder_.CreateSelect(small, builder_.CreateAdd(n, builder_.getInt32(102)), n);
    }
    n = builder_.CreateBinaryIntrinsic(Intrinsic::smin, n, builder_.getInt32(127));
    n = builder_.CreateBinaryIntrinsic(Intrinsic::smax, n, builder_.getInt32(-126));
    Value *power = builder_.CreateShl(builder_.CreateAdd(n, builder_.getInt32(127)), 23);
    return builder_.CreateFMul(x, number(power));
  }

  /// The float that follows x in the direction of y.
  Value *next(Value *x, Value *y) {
    Value *zero = constant(0);
    Value *up = builder_.CreateFCmpOLT(x, y), *positive = builder_.CreateFCmpOGT(x, zero);
    Value *away = builder_.CreateICmpEQ(up, positive);
    Value *step = builder_.CreateSelect(away, builder_.getInt32(1), builder_.getInt32(-1));
    Value *sign = builder_.CreateAnd(bits(y), 0x80000000);
    Value *first = builder_.CreateOr(sign, 1);
    Value *moved = builder_.CreateSelect(builder_.CreateFCmpOEQ(x, zero), first,
                                         builder_.CreateAdd(bits(x), step));
    Value *result = builder_.CreateSelect(builder_.CreateFCmpOEQ(x, y), y, number(moved));
    return builder_.CreateSelect(builder_.CreateFCmpUNO(x, y), builder_.CreateFAdd(x, y), result);
  }

  /// Functions that take a float apart or put one together, without their ending.
  Value *parts(StringRef name) {
    Value *x = argument(0);
    Type *type = x->getType();
    if (name == "ldexp" || name == "scalbn")
      return scaled(x, argument(1));
    if (name == "nextafter")
      return next(x, argument(1));
    if (name == "frexp") {
      const Parts p = split(x);
      builder_.CreateStore(builder_.CreateSelect(p.ordinary, p.exponent, builder_.getInt32(0)),
                           argument(1));
      return builder_.CreateSelect(p.ordinary, p.fraction, x);
    }
    if (name == "ilogb") {
      const Parts p = split(x);
      Value *infinite = builder_.CreateFCmpOEQ(builder_.CreateFMul(x, x), constant(INFINITY));
      Value *other = builder_.CreateSelect(infinite, builder_.getInt32(0x7fffffff),
                                           builder_.getInt32(0x80000000));
      return builder_.CreateSelect(p.ordinary, builder_.CreateSub(p.exponent, builder_.getInt32(1)),
                                   other);
    }
    if (name == "logb") {
      const Parts p = split(x);
      Value *exponent =
          builder_.CreateSIToFP(builder_.CreateSub(p.exponent, builder_.getInt32(1)), type);
      Value *other = builder_.CreateSelect(builder_.CreateFCmpOEQ(x, constant(0)),
                                           constant(-INFINITY), builder_.CreateFMul(x, x));
      return builder_.CreateSelect(p.ordinary, exponent, other);
    }
    if (name == "modf") {
      Value *whole = call("__nv_truncf", type, {x});
      builder_.CreateStore(whole, argument(1));
      Value *size = builder_.CreateAnd(bits(x), 0x7fffffff);
      Value *infinite = builder_.CreateICmpEQ(size, builder_.getInt32(0x7f800000));
      Value *rest = builder_.CreateSelect(infinite, constant(0), builder_.CreateFSub(x, whole));
      Value *sign = builder_.CreateAnd(bits(x), 0x80000000);
      Value *result = builder_.CreateOr(builder_.CreateAnd(bits(rest), 0x7fffffff), sign);
      return number(result);
    }
    if (name == "llround" || name == "lround")
      return call("__nv_float2ll_rz", call_.getType(), {call("__nv_roundf", type, {x})});
    return nullptr;
  }

  CallInst &call_;
  IRBuilder<> builder_;
};

} // namespace

bool expand_calls(Function &function) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
      calls.push_back(call);
  bool changed = false;
  for (CallInst *call : calls) {
    Value *value = Expansion(*call).run();
    if (!value)
      continue;
    changed = true;
    if (value != call)
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  return changed;
}

} // namespace neuronify::kernel
