#include "passes.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Linker/Linker.h>

using namespace llvm;

namespace neuronify::reference {

namespace {

Error unknown(const Twine &what, const Instruction *user) {
  std::string place;
  std::vector<Site> sites;
  if (user) {
    siteOf(*user, sites);
    if (sites.back().line)
      place = " (" + sites.back().file + ":" + std::to_string(sites.back().line) + ")";
  }
  return createStringError("the reference cannot run " + what + Twine(place));
}

/// What the original program calls a function.
StringRef deviceName(const Function &function) {
  StringRef name = function.getName();
  name.consume_front(device_prefix);
  return name;
}

/// Library name of a generic mathematical intrinsic, for double; "" where the host has its own.
StringRef mathName(Intrinsic::ID id) {
  switch (id) {
#define NAMED(intrinsic, name)                                                                     \
  case Intrinsic::intrinsic:                                                                       \
    return "__nv_" name;
    NAMED(sin, "sin")
    NAMED(cos, "cos")
    NAMED(tan, "tan")
    NAMED(asin, "asin")
    NAMED(acos, "acos")
    NAMED(atan, "atan")
    NAMED(atan2, "atan2")
    NAMED(sinh, "sinh")
    NAMED(cosh, "cosh")
    NAMED(tanh, "tanh")
    NAMED(exp, "exp")
    NAMED(exp2, "exp2")
    NAMED(exp10, "exp10")
    NAMED(log, "log")
    NAMED(log2, "log2")
    NAMED(log10, "log10")
    NAMED(pow, "pow")
    NAMED(powi, "powi")
    NAMED(ldexp, "ldexp")
    NAMED(minnum, "fmin")
    NAMED(maxnum, "fmax")
    NAMED(lrint, "llrint")
    NAMED(llrint, "llrint")
    NAMED(lround, "llround")
    NAMED(llround, "llround")
#undef NAMED
  default:
    return "";
  }
}

/// Rewrites calls in one module so that they go to the library.
class LibraryCalls {
public:
  LibraryCalls(Module &module, Module &library) : module_(module), library_(library) {}

  Error rewrite(Instruction &instruction) {
    if (auto *cast = dyn_cast<FPTruncInst>(&instruction))
      return narrow(*cast);
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      return Error::success();
    if (call->isInlineAsm())
      return unknown("inline assembly '" +
                         cast<InlineAsm>(call->getCalledOperand())->getAsmString() + "'",
                     call);
    Function *callee = call->getCalledFunction();
    if (!callee || !callee->isDeclaration())
      return Error::success();
    return callee->isIntrinsic() ? intrinsic(*call, *callee) : external(*call, *callee);
  }

private:
  Error external(CallInst &call, Function &callee) {
    StringRef name = deviceName(callee);
    Function *target = library_.getFunction(name);
    if (!target)
      target = library_.getFunction(("__nv_" + name).str());
    return target ? replace(call, *target) : unknown("a call to " + name, &call);
  }

  Error intrinsic(CallInst &call, Function &callee) {
    StringRef name = callee.getName();
    if (name.starts_with("llvm.nvvm.")) {
      Function *target = library_.getFunction(name.drop_front(strlen("llvm.")));
      return target ? replace(call, *target) : unknown(name, &call);
    }
    switch (callee.getIntrinsicID()) {
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
      return replace(call, *library_.getFunction("nvvm.trap"), {});
    case Intrinsic::debugtrap:
      call.eraseFromParent();
      return Error::success();
    case Intrinsic::fmuladd:
      return split(call);
    case Intrinsic::fma:
      if (call.getType()->getScalarType()->isHalfTy())
        return elementwise(call, *library_.getFunction("neuronify_fma_half"));
      if (call.getType()->getScalarType()->isBFloatTy())
        return elementwise(call, *library_.getFunction("neuronify_fma_bfloat"));
      return Error::success();
    default:
      break;
    }
    StringRef math = mathName(callee.getIntrinsicID());
    if (math.empty())
      return Error::success();
    bool is_double = call.getArgOperand(0)->getType()->getScalarType()->isDoubleTy();
    return elementwise(call, *library_.getFunction(is_double ? math.str() : (math + "f").str()));
  }

  /// Contraction is off: a multiplication, then an addition.
  Error split(CallInst &call) {
    IRBuilder<> builder(&call);
    Value *product = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
    call.replaceAllUsesWith(builder.CreateFAdd(product, call.getArgOperand(2)));
    call.eraseFromParent();
    return Error::success();
  }

  /// Narrowing that takes two roundings, or a call per element, on the host.
  Error narrow(FPTruncInst &cast) {
    Type *from = cast.getSrcTy()->getScalarType(), *to = cast.getType()->getScalarType();
    StringRef name;
    if (to->isBFloatTy())
      name = from->isDoubleTy() ? "neuronify_double_to_bfloat" : "neuronify_float_to_bfloat";
    else if (to->isHalfTy() && from->isDoubleTy())
      name = "neuronify_double_to_half";
    return name.empty() ? Error::success() : elementwise(cast, *library_.getFunction(name));
  }

  Error replace(CallInst &call, Function &target) {
    return replace(call, target, SmallVector<Value *>(call.args()));
  }
  Error replace(CallInst &call, Function &target, ArrayRef<Value *> arguments) {
    IRBuilder<> builder(&call);
    Value *result = emit(builder, target, arguments, call.getType());
    if (!result)
      return unknown("a call to " + call.getCalledFunction()->getName() + " with these types",
                     &call);
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(result);
    call.eraseFromParent();
    return Error::success();
  }

  /// Applies a scalar function to every element where `instruction` works on vectors.
  Error elementwise(Instruction &instruction, Function &target) {
    IRBuilder<> builder(&instruction);
    unsigned operands = isa<CallInst>(instruction) ? cast<CallInst>(instruction).arg_size() : 1;
    auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
    Type *element = instruction.getType()->getScalarType();
    Value *result = vector ? PoisonValue::get(vector) : nullptr;
    for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
      SmallVector<Value *> arguments;
      for (unsigned k = 0; k < operands; ++k) {
        Value *operand = instruction.getOperand(k);
        bool split = vector && operand->getType()->isVectorTy();
        arguments.push_back(split ? builder.CreateExtractElement(operand, i) : operand);
      }
      Value *scalar = emit(builder, target, arguments, element);
      if (!scalar)
        return unknown("a call to " + target.getName() + " with these types", &instruction);
      result = vector ? builder.CreateInsertElement(result, scalar, i) : scalar;
    }
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
    return Error::success();
  }

  /// Calls `target`, with the caller's context where it wants one. Null if the types do not fit.
  Value *emit(IRBuilder<> &builder, Function &target, ArrayRef<Value *> arguments, Type *result) {
    FunctionType *type = target.getFunctionType();
    SmallVector<Value *> passed(arguments);
    if (type->getNumParams() == arguments.size() + 3)
      append_range(passed, callerContext(builder));
    if (type->getNumParams() != passed.size())
      return nullptr;
    for (auto [value, wanted] : zip(passed, type->params()))
      if (!(value = converted(builder, value, wanted)))
        return nullptr;
    auto *declared =
        cast<Function>(module_.getOrInsertFunction(target.getName(), type).getCallee());
    CallInst *call = builder.CreateCall(declared, passed);
    // The call must extend small integers as the library's functions expect.
    call->setAttributes(target.getAttributes().removeFnAttributes(module_.getContext()));
    return result->isVoidTy() ? call : converted(builder, call, result);
  }

  /// The runner, the linear number of the thread, and a site to be filled in by numberSites.
  static SmallVector<Value *, 3> callerContext(IRBuilder<> &builder) {
    Function &caller = *builder.GetInsertBlock()->getParent();
    return {coordinate(caller, Coordinate::Context), linearThread(builder), builder.getInt32(0)};
  }

  /// `value` as type `wanted`: other address space, other view of the same bits, float of another
  /// width, or {T, i1} out of 64 bits with the flag in bit 32.
  Value *converted(IRBuilder<> &builder, Value *value, Type *wanted) {
    Type *type = value->getType();
    if (type == wanted)
      return value;
    if (type->isPointerTy() && wanted->isPointerTy())
      return builder.CreateAddrSpaceCast(value, wanted);
    if (auto *pair = dyn_cast<StructType>(wanted);
        pair && type->isIntegerTy(64) && pair->getNumElements() == 2) {
      Value *low = converted(builder, builder.CreateTrunc(value, builder.getInt32Ty()),
                             pair->getElementType(0));
      Value *flag = builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt1Ty());
      Value *result = builder.CreateInsertValue(PoisonValue::get(pair), low, 0);
      return builder.CreateInsertValue(result, flag, 1);
    }
    const DataLayout &layout = module_.getDataLayout();
    if (CastInst::isBitCastable(type, wanted) &&
        layout.getTypeSizeInBits(type) == layout.getTypeSizeInBits(wanted))
      return builder.CreateBitCast(value, wanted);
    if (type->isFloatingPointTy() && wanted->isFloatingPointTy())
      return wanted->isBFloatTy() ? nullptr : builder.CreateFPCast(value, wanted);
    if (type->isIntegerTy() && wanted->isIntegerTy())
      return builder.CreateZExtOrTrunc(value, wanted);
    return nullptr;
  }

  Module &module_;
  Module &library_;
};

/// Library functions become part of the kernel; the machine they were compiled for is the same.
void adopt(Module &module, StringSet<> &own) {
  for (Function &function : module) {
    if (function.isDeclaration() || own.contains(function.getName()))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    for (const char *attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                                  "min-legal-vector-width", "stack-protector-buffer-size"})
      function.removeFnAttr(attribute);
    if (!function.hasFnAttribute(Attribute::NoInline) &&
        !function.hasFnAttribute(Attribute::StrictFP))
      function.addFnAttr(Attribute::AlwaysInline);
  }
}

} // namespace

Error linkDeviceLibrary(Module &module, std::unique_ptr<Module> library) {
  StringSet<> own;
  LibraryCalls calls(module, *library);
  for (Function &function : make_early_inc_range(module)) {
    if (function.isDeclaration())
      continue;
    own.insert(function.getName());
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (Error error = calls.rewrite(instruction))
        return error;
  }
  for (Function &function : module)
    if (function.getName().starts_with(device_prefix) && function.isDeclaration() &&
        !function.use_empty())
      return unknown("a reference to " + deviceName(function), nullptr);
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return createStringError("the device library does not fit the kernel");
  adopt(module, own);

  for (GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty())
      return unknown("a reference to variable " + variable.getName(), nullptr);
  for (Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        !hostSymbols().count(function.getName().str()))
      return unknown("a call to " + function.getName(), nullptr);
  return Error::success();
}

} // namespace neuronify::reference
