// Replaces the halves of a kernel by their bits and by floats of the same value. Only operations in
// memory that read and write at once keep the type.
#include "kernel/calls.h"
#include "kernel/half_calls.h"
#include "kernel/halves.h"
#include "kernel/rewrites.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

bool is_half(const Type *type) { return type->isHalfTy() || type->isBFloatTy(); }
bool is_half(const Value *value) { return is_half(value->getType()); }

bool takes_half(const Instruction &instruction) {
  for (const Value *operand : instruction.operands())
    if (is_half(operand->getType()->getScalarType()))
      return true;
  return false;
}

bool involves_half(const Instruction &instruction) {
  return is_half(instruction.getType()->getScalarType()) || takes_half(instruction);
}

bool is_move(const Value *value) {
  return isa<PHINode>(value) || isa<SelectInst>(value) || isa<FreezeInst>(value);
}

/// Does the format hold this number?
bool holds(const Type *format, const APFloat &number) {
  APFloat narrowed = number;
  bool inexact = false;
  narrowed.convert(format->getFltSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return !inexact;
}

class Widening {
public:
  explicit Widening(Function &function)
      : module_(*function.getParent()), context_(function.getContext()),
        float_(Type::getFloatTy(context_)), word_(Type::getInt16Ty(context_)) {
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (involves_half(instruction))
          involved_.push_back(&instruction);
    settle();
  }

  void run() {
    for (Instruction *instruction : involved_)
      replace(*instruction);
    for (auto &[from, to] : phis_)
      for (unsigned i = 0; i < from->getNumIncomingValues(); ++i) {
        BasicBlock *block = from->getIncomingBlock(i);
        Value *value = from->getIncomingValue(i);
        to->addIncoming(to->getType() == float_ ? as_float(value)
                                                : as_bits(value, block->getTerminator()),
                        block);
      }
    for (Instruction *instruction : involved_)
      erase(*instruction);
  }

private:
  /// What is moved stays bits as long as everything that comes in is.
  void settle() {
    for (const Instruction *instruction : involved_)
      if (is_half(instruction) &&
          (isa<LoadInst>(instruction) || isa<BitCastInst>(instruction) || is_move(instruction)))
        moved_.insert(instruction);
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Instruction *instruction : involved_)
        if (moved_.contains(instruction) && is_move(instruction))
          for (const Value *operand : instruction->operands())
            if (is_half(operand) && !isa<Constant>(operand) && !moved_.contains(operand))
              changed |= moved_.erase(instruction);
    }
  }

  // ---- both forms of a value -----------------------------------------------------------------
  Value *as_float(Value *value) {
    if (isa<UndefValue>(value))
      return UndefValue::get(float_);
    if (auto *constant = dyn_cast<ConstantFP>(value)) {
      APFloat number = constant->getValueAPF();
      bool ignored = false;
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &ignored);
      return ConstantFP::get(context_, number);
    }
    Value *&made = floats_[value];
    if (made)
      return made;
    auto *original = cast<Instruction>(value);
    IRBuilder<> builder(isa<PHINode>(original) ? &*original->getParent()->getFirstInsertionPt()
                                               : original);
    builder.SetCurrentDebugLocation(original->getDebugLoc());
    made = moved_.contains(value)
               ? convert(builder, "to_float", value->getType(), bits_.lookup(value))
               : convert(builder, "round", value->getType(), unrounded_.lookup(value));
    exact_[made] = value->getType();
    return made;
  }

  Value *as_bits(Value *value, Instruction *at) {
    if (isa<UndefValue>(value))
      return UndefValue::get(word_);
    if (auto *constant = dyn_cast<ConstantFP>(value))
      return ConstantInt::get(context_, constant->getValueAPF().bitcastToAPInt());
    if (moved_.contains(value))
      return bits_.lookup(value);
    Value *&made = narrowed_[{value, at->getParent()}];
    if (!made) { // where it is used: a loop that carries it has no need of its bits
      Value *number = unrounded_.lookup(value);
      IRBuilder<> builder(at);
      made =
          convert(builder, "from_float", value->getType(), number ? number : floats_.lookup(value));
    }
    return made;
  }

  /// Calls one of our functions, which are named for the format.
  Value *convert(IRBuilder<> &builder, StringRef what, Type *format, Value *source) {
    const std::string name = format->isHalfTy() ? "half" : "bfloat";
    std::string callee = "neuronify.";
    if (what == "to_float")
      callee += name + "_to_float";
    else if (what == "from_float")
      callee += "float_to_" + name;
    else
      callee += "round_" + name + (source->getType()->isDoubleTy() ? ".f64" : "");
    return call(builder, callee, what == "from_float" ? word_ : float_, {source});
  }

  Value *call(IRBuilder<> &builder, const std::string &name, Type *result,
              ArrayRef<Value *> arguments) {
    SmallVector<Type *, 3> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    FunctionCallee callee =
        module_.getOrInsertFunction(name, FunctionType::get(result, types, false));
    if (StringRef(name).starts_with("neuronify.")) {
      auto *made = cast<Function>(callee.getCallee());
      made->setDoesNotAccessMemory();
      made->setDoesNotThrow();
      made->setWillReturn();
    }
    return builder.CreateCall(callee, arguments);
  }

  /// Is a float a number of the format already, so that rounding it changes nothing?
  bool is_exact(const Value *value, const Type *format, int depth = 0) const {
    constexpr int kDeepest = 8;
    if (auto found = exact_.find(value); found != exact_.end())
      return found->second == format;
    if (auto *constant = dyn_cast<ConstantFP>(value))
      return constant->getValueAPF().isNaN() || holds(format, constant->getValueAPF());
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || depth == kDeepest)
      return false;
    if (isa<SIToFPInst>(instruction) || isa<UIToFPInst>(instruction))
      return instruction->getOperand(0)->getType()->getIntegerBitWidth() <= 8;
    auto *function = dyn_cast<CallInst>(instruction);
    if (!isa<SelectInst>(instruction) && instruction->getOpcode() != Instruction::FNeg &&
        !(function && keeps_format(find_callee(*function).operation)))
      return false;
    for (const Use &operand : function ? function->args() : instruction->operands())
      if (operand->getType()->isFloatTy() && !is_exact(operand, format, depth + 1))
        return false;
    return true;
  }

  // ---- instructions
  // ----------------------------------------------------------------------------------
  void replace(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    if (!is_half(&instruction))
      return replace_user(instruction, builder);
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      const bool bits = moved_.contains(phi);
      PHINode *copy = builder.CreatePHI(bits ? word_ : float_, phi->getNumIncomingValues());
      phis_.push_back({phi, copy});
      if (bits)
        bits_[phi] = copy;
      else
        set_exact(*phi, copy);
    } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
      replace_atomic(*atomic, builder);
    } else if (moved_.contains(&instruction)) {
      bits_[&instruction] = move_bits(instruction, builder);
    } else {
      compute(instruction, builder);
    }
  }

  /// Stays one on halves, between conversions that change nothing.
  void replace_atomic(AtomicRMWInst &atomic, IRBuilder<> &builder) {
    Value *value = atomic.getValOperand();
    if (!isa<Constant>(value))
      value = builder.Insert(new FPTruncInst(as_float(value), atomic.getType()));
    Value *found =
        builder.CreateAtomicRMW(atomic.getOperation(), atomic.getPointerOperand(), value,
                                atomic.getAlign(), atomic.getOrdering(), atomic.getSyncScopeID());
    if (!atomic.use_empty())
      set_exact(atomic, builder.CreateFPExt(found, float_));
  }

  void set_exact(Instruction &original, Value *number) {
    floats_[&original] = number;
    exact_[number] = original.getType();
  }

  void set_computed(Instruction &original, Value *number) {
    if (is_exact(number, original.getType()))
      floats_[&original] = number;
    else
      unrounded_[&original] = number;
  }

  Value *move_bits(Instruction &instruction, IRBuilder<> &builder) {
    auto bits = [&](unsigned i) { return as_bits(instruction.getOperand(i), &instruction); };
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      auto *copy = builder.CreateAlignedLoad(word_, load->getPointerOperand(), load->getAlign(),
                                             load->isVolatile());
      copy->setOrdering(load->getOrdering());
      copy->setSyncScopeID(load->getSyncScopeID());
      if (MDNode *invariant = load->getMetadata(LLVMContext::MD_invariant_load))
        copy->setMetadata(LLVMContext::MD_invariant_load, invariant);
      return copy;
    }
    if (isa<BitCastInst>(instruction)) {
      Value *source = instruction.getOperand(0);
      return is_half(source) ? bits(0) : source;
    }
    return isa<SelectInst>(instruction)
               ? builder.CreateSelect(instruction.getOperand(0), bits(1), bits(2))
               : builder.CreateFreeze(bits(0));
  }

  /// The float that stands for what `instruction` computes, rounded or not yet.
  void compute(Instruction &instruction, IRBuilder<> &builder) {
    auto operand = [&](unsigned i) { return as_float(instruction.getOperand(i)); };
    Type *format = instruction.getType();
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
      // The float quotient rounded to 16 bits is the quotient only where it is rounded itself.
      if (binary->getOpcode() == Instruction::FDiv)
        return set_computed(instruction,
                            call(builder, "neuronify.div_exact", float_, {operand(0), operand(1)}));
      Value *number = builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
      if (binary->getOpcode() == Instruction::FRem)
        return set_exact(instruction, number);
      return set_computed(instruction, number);
    }
    if (instruction.getOpcode() == Instruction::FNeg)
      return set_exact(instruction, builder.CreateFNeg(operand(0)));
    if (isa<SelectInst>(instruction))
      return set_exact(instruction,
                       builder.CreateSelect(instruction.getOperand(0), operand(1), operand(2)));
    if (isa<FreezeInst>(instruction))
      return set_exact(instruction, builder.CreateFreeze(operand(0)));
    if (auto *function = dyn_cast<CallInst>(&instruction)) {
      const FloatFunction floats = float_function(*function);
      Value *number = call_float(*function, floats.name, builder);
      return floats.exact ? set_exact(instruction, number) : set_computed(instruction, number);
    }
    Value *source = instruction.getOperand(0);
    if (isa<FPTruncInst>(instruction)) {
      if (source->getType()->isDoubleTy()) // one that the host knows
        return set_exact(instruction, convert(builder, "round", format, source));
      return set_computed(instruction, source);
    }
    return set_computed(instruction, from_integer(cast<CastInst>(instruction), builder));
  }

  /// Integers beyond a float's 24 bits overflow to infinity as fp16 whichever way they are rounded;
  /// bf16 holds them, and has to be rounded once.
  Value *from_integer(CastInst &cast, IRBuilder<> &builder) {
    Value *source = cast.getOperand(0);
    const bool is_signed = isa<SIToFPInst>(cast);
    if (cast.getType()->isHalfTy() || source->getType()->getIntegerBitWidth() <= 24)
      return builder.CreateCast(cast.getOpcode(), source, float_);
    Value *word = builder.CreateIntCast(source, builder.getInt32Ty(), is_signed);
    return call(builder, is_signed ? "neuronify.int_to_float_odd" : "neuronify.uint_to_float_odd",
                float_, {word});
  }

  Value *call_float(CallInst &original, const std::string &name, IRBuilder<> &builder) {
    SmallVector<Value *, 3> arguments;
    for (Value *argument : original.args())
      arguments.push_back(is_half(argument) ? as_float(argument) : argument);
    return call(builder, name, is_half(&original) ? float_ : original.getType(), arguments);
  }

  void replace_user(Instruction &instruction, IRBuilder<> &builder) {
    auto operand = [&](unsigned i) { return as_float(instruction.getOperand(i)); };
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      auto *copy = builder.CreateAlignedStore(as_bits(store->getValueOperand(), store),
                                              store->getPointerOperand(), store->getAlign(),
                                              store->isVolatile());
      copy->setOrdering(store->getOrdering());
      copy->setSyncScopeID(store->getSyncScopeID());
      return;
    }
    Value *value = nullptr;
    if (auto *compare = dyn_cast<FCmpInst>(&instruction))
      value = builder.CreateFCmp(compare->getPredicate(), operand(0), operand(1));
    else if (isa<BitCastInst>(instruction))
      value = as_bits(instruction.getOperand(0), &instruction);
    else if (auto *function = dyn_cast<CallInst>(&instruction))
      value = call_float(*function, float_function(*function).name, builder);
    else if (isa<FPExtInst>(instruction) && instruction.getType() == float_)
      value = operand(0);
    else
      value = builder.CreateCast(cast<CastInst>(instruction).getOpcode(), operand(0),
                                 instruction.getType());
    take_over_name(*value, instruction);
    instruction.replaceAllUsesWith(value);
  }

  // ---- the end of the original
  // -----------------------------------------------------------------------------
  void erase(Instruction &instruction) {
    if (is_half(&instruction)) {
      Value *form = floats_.lookup(&instruction);
      for (auto *forms : {&bits_, &unrounded_})
        if (!form)
          form = forms->lookup(&instruction);
      if (form)
        take_over_name(*form, instruction);
    }
    if (!instruction.use_empty())
      instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
    instruction.eraseFromParent();
  }

  Module &module_;
  LLVMContext &context_;
  Type *float_, *word_;
  std::vector<Instruction *> involved_; ///< in reverse post-order
  DenseSet<const Value *> moved_;       ///< halves whose form is their bits
  /// By half: the bits of one that is moved; the float of the same value; the float that has to be
  /// rounded to be it.
  DenseMap<const Value *, Value *> bits_, floats_, unrounded_;
  DenseMap<const Value *, Type *> exact_; ///< floats that are numbers of a format
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> narrowed_;
  std::vector<std::pair<PHINode *, PHINode *>> phis_;
};

HalfUse obstacle(const Instruction &at, std::string what, const char *code) {
  return {at.getDebugLoc(), std::move(what), code};
}

/// Why `instruction` cannot be done in float; no code: it can.
HalfUse find_obstacle(const Instruction &instruction) {
  const Type *type = instruction.getType();
  bool vector = type->isVectorTy();
  for (const Value *operand : instruction.operands()) {
    vector |= operand->getType()->isVectorTy();
    if (isa<Argument>(operand) && is_half(operand))
      return obstacle(instruction,
                      "parameter of type '" +
                          std::string(operand->getType()->isHalfTy() ? "half" : "bfloat16") + "'",
                      "NFY4009");
  }
  if (vector)
    return obstacle(instruction, "vector of 16-bit floats", "NFY4009");
  if (auto *call = dyn_cast<CallInst>(&instruction)) {
    const Function *function = call->getCalledFunction();
    if (function && !float_function(*call).name.empty())
      return {};
    const std::string_view code = find_callee(*call).diagnostic;
    return obstacle(instruction,
                    function ? "call of '" + function->getName().str() + "'" : "inline assembly",
                    code.empty() ? "NFY4006" : code.data());
  }
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
      atomic && atomic->getOperation() == AtomicRMWInst::FAdd)
    return {};
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
    return obstacle(instruction, "atomic operation on 16-bit floats", "NFY4002");
  if (type->isBFloatTy() && (isa<SIToFPInst>(instruction) || isa<UIToFPInst>(instruction)) &&
      instruction.getOperand(0)->getType()->getIntegerBitWidth() > 32)
    return obstacle(instruction, "conversion of a 64-bit integer to bfloat16", "NFY4009");
  if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction) || is_move(&instruction) ||
      isa<BinaryOperator>(instruction) || isa<CastInst>(instruction) ||
      isa<FCmpInst>(instruction) || instruction.getOpcode() == Instruction::FNeg)
    return {};
  return obstacle(instruction,
                  std::string("16-bit floats in '") + instruction.getOpcodeName() + "'", "NFY4009");
}

} // namespace

bool uses_halves(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (involves_half(instruction))
      return true;
  return false;
}

std::vector<HalfUse> find_unsupported_halves(const Function &function) {
  std::vector<HalfUse> result;
  ReversePostOrderTraversal<const Function *> order(&function);
  for (const BasicBlock *block : order)
    for (const Instruction &instruction : *block)
      if (involves_half(instruction))
        if (HalfUse found = find_obstacle(instruction); !found.code.empty())
          result.push_back(std::move(found));
  return result;
}

void widen_halves(Function &function) { Widening(function).run(); }

} // namespace neuronify::kernel
