// Replaces the doubles of the chip by floats and by 64-bit integers with their bits.
#include "kernel/calls.h"
#include "kernel/double_facts.h"
#include "kernel/doubles.h"
#include "kernel/rewrites.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

bool is_double(const Value *value) { return value->getType()->isDoubleTy(); }

/// `x OP bound`, where the float `rounded` is the one nearest to `bound` and x is a float. Nothing
/// lies between the two, so on which side of the bound x is says on which side of the float.
CmpInst::Predicate beside(CmpInst::Predicate predicate, const APFloat &bound,
                          const APFloat &rounded) {
  const bool below = rounded.compare(bound) == APFloat::cmpLessThan;
  switch (predicate) {
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
    return below ? CmpInst::FCMP_OGT : CmpInst::FCMP_OGE;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE:
    return below ? CmpInst::FCMP_OLE : CmpInst::FCMP_OLT;
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    return below ? CmpInst::FCMP_UGT : CmpInst::FCMP_UGE;
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_ULE:
    return below ? CmpInst::FCMP_ULE : CmpInst::FCMP_ULT;
  case CmpInst::FCMP_OEQ: // no float is the bound
    return CmpInst::FCMP_FALSE;
  case CmpInst::FCMP_UEQ:
    return CmpInst::FCMP_UNO;
  case CmpInst::FCMP_ONE:
    return CmpInst::FCMP_ORD;
  case CmpInst::FCMP_UNE:
    return CmpInst::FCMP_TRUE;
  default:
    return predicate;
  }
}

class Demotion {
public:
  Demotion(Function &function, const Analysis &analysis)
      : facts_(analysis), module_(*function.getParent()), context_(function.getContext()),
        float_(Type::getFloatTy(context_)), word_(Type::getInt64Ty(context_)) {}

  void run() {
    for (Instruction *instruction : facts_.involved)
      ask_operands(*instruction);
    while (!work_.empty()) {
      auto [value, as_float] = work_.pop_back_val();
      ask_for(*value, as_float);
    }
    for (Instruction *instruction : facts_.involved)
      replace(*instruction);
    for (auto &[from, to] : phis_)
      for (unsigned i = 0; i < from->getNumIncomingValues(); ++i) {
        BasicBlock *block = from->getIncomingBlock(i);
        Value *value = from->getIncomingValue(i);
        to->addIncoming(to->getType() == float_ ? as_float(value)
                                                : as_bits(value, block->getTerminator()),
                        block);
      }
    for (Instruction *instruction : facts_.involved)
      erase(*instruction);
  }

private:
  // ---- who wants which form -----------------------------------------------------------------
  void want(Value *value, bool as_float) {
    if (!is_double(value) || !facts_.on_chip(value))
      return;
    // The bits of a float, and of what is computed, are made from the float.
    const bool floats = as_float || facts_.is_float(value) || !facts_.has_bits(value);
    if ((floats ? want_float_ : want_bits_).insert(value).second)
      work_.push_back({cast<Instruction>(value), floats});
  }

  /// What an instruction that is no double itself wants of its operands.
  void ask_operands(Instruction &instruction) {
    if (is_double(&instruction))
      return;
    const bool bits =
        isa<StoreInst>(instruction) || isa<BitCastInst>(instruction) || is_print(instruction);
    for (Value *operand : instruction.operands())
      want(operand, !bits);
  }

  void ask_for(Instruction &instruction, bool as_float) {
    if (isa<LoadInst>(instruction) || isa<BitCastInst>(instruction)) {
      want_bits_.insert(&instruction);
      return;
    }
    for (Value *operand : instruction.operands())
      want(operand, as_float);
  }

  // ---- both forms of a value -----------------------------------------------------------------
  static Instruction *behind(Value *value, Function &function) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return &*function.getEntryBlock().getFirstInsertionPt();
    if (isa<PHINode>(instruction))
      return &*instruction->getParent()->getFirstInsertionPt();
    return instruction->getNextNode();
  }

  Value *from_host(Value *value, Type *type) {
    Value *&made = host_[{value, type}];
    if (!made) {
      IRBuilder<> builder(behind(value, facts_.analysis.function));
      made =
          type == float_ ? builder.CreateFPTrunc(value, type) : builder.CreateBitCast(value, type);
    }
    return made;
  }

  Value *as_float(Value *value) {
    if (isa<UndefValue>(value))
      return UndefValue::get(float_);
    if (auto *constant = dyn_cast<ConstantFP>(value)) {
      APFloat narrowed = constant->getValueAPF();
      bool ignored = false;
      narrowed.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &ignored);
      return ConstantFP::get(context_, narrowed);
    }
    if (facts_.on_chip(value))
      return floats_.lookup(value);
    if (auto *extension = dyn_cast<FPExtInst>(value); extension && extension->getSrcTy() == float_)
      return extension->getOperand(0);
    return from_host(value, float_);
  }

  Value *as_bits(Value *value, Instruction *at) {
    if (isa<UndefValue>(value))
      return UndefValue::get(word_);
    if (auto *constant = dyn_cast<ConstantFP>(value))
      return ConstantInt::get(context_, constant->getValueAPF().bitcastToAPInt());
    if (!facts_.on_chip(value))
      return from_host(value, word_);
    if (Value *bits = bits_.lookup(value))
      return bits;
    Value *&made = extended_[{value, at->getParent()}];
    if (!made) { // where it is used: a loop that carries it has no need of its bits
      IRBuilder<> builder(at);
      made = builder.CreateCall(conversion("neuronify.float_to_double", word_, float_),
                                {floats_.lookup(value)});
    }
    return made;
  }

  FunctionCallee conversion(const char *name, Type *to, Type *from) {
    FunctionCallee callee = module_.getOrInsertFunction(name, FunctionType::get(to, {from}, false));
    auto *function = cast<Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return callee;
  }

  // ---- instructions
  // ----------------------------------------------------------------------------------
  void replace(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    const bool bits = want_bits_.contains(&instruction),
               floats = want_float_.contains(&instruction);
    if (!is_double(&instruction))
      replace_user(instruction, builder);
    else if (isa<LoadInst>(instruction) || isa<BitCastInst>(instruction))
      replace_source(instruction, builder, bits, floats);
    else if (auto *phi = dyn_cast<PHINode>(&instruction))
      replace_phi(*phi, builder, bits, floats);
    else if (bits || floats)
      replace_value(instruction, builder, bits, floats);
  }

  void replace_source(Instruction &instruction, IRBuilder<> &builder, bool bits, bool floats) {
    if (!bits && !floats)
      return;
    Value *word = instruction.getOperand(0); // of a bit cast
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      auto *copy = builder.CreateAlignedLoad(word_, load->getPointerOperand(), load->getAlign(),
                                             load->isVolatile());
      if (MDNode *invariant = load->getMetadata(LLVMContext::MD_invariant_load))
        copy->setMetadata(LLVMContext::MD_invariant_load, invariant);
      word = copy;
    }
    bits_[&instruction] = word;
    if (floats)
      floats_[&instruction] =
          builder.CreateCall(conversion("neuronify.double_to_float", float_, word_), {word});
  }

  void replace_phi(PHINode &phi, IRBuilder<> &builder, bool bits, bool floats) {
    auto make = [&](Type *type, DenseMap<const Value *, Value *> &form) {
      PHINode *copy = builder.CreatePHI(type, phi.getNumIncomingValues());
      form[&phi] = copy;
      phis_.push_back({&phi, copy});
    };
    if (bits)
      make(word_, bits_);
    if (floats)
      make(float_, floats_);
  }

  void replace_value(Instruction &instruction, IRBuilder<> &builder, bool bits, bool floats) {
    if (floats)
      floats_[&instruction] = compute(instruction, builder);
    if (!bits)
      return;
    auto word = [&](unsigned i) { return as_bits(instruction.getOperand(i), &instruction); };
    if (isa<SIToFPInst>(instruction) || isa<UIToFPInst>(instruction)) {
      Value *source = instruction.getOperand(0);
      const char *name =
          isa<SIToFPInst>(instruction) ? "neuronify.int_to_double" : "neuronify.uint_to_double";
      bits_[&instruction] =
          builder.CreateCall(conversion(name, word_, source->getType()), {source});
      return;
    }
    bits_[&instruction] = isa<SelectInst>(instruction)
                              ? builder.CreateSelect(instruction.getOperand(0), word(1), word(2))
                              : builder.CreateFreeze(word(0));
  }

  /// The float that stands for a double.
  Value *compute(Instruction &instruction, IRBuilder<> &builder) {
    auto operand = [&](unsigned i) { return as_float(instruction.getOperand(i)); };
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
      return builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
    if (isa<SelectInst>(instruction))
      return builder.CreateSelect(instruction.getOperand(0), operand(1), operand(2));
    if (isa<FreezeInst>(instruction))
      return builder.CreateFreeze(operand(0));
    if (instruction.getOpcode() == Instruction::FNeg)
      return builder.CreateFNeg(operand(0));
    if (auto *call = dyn_cast<CallInst>(&instruction))
      return call_float(*call, builder);
    auto &conversion = cast<CastInst>(instruction);
    Value *source = conversion.getOperand(0);
    return source->getType() == float_ ? source
                                       : builder.CreateCast(conversion.getOpcode(), source, float_);
  }

  /// The same function of floats. One that has no counterpart stays, and is diagnosed.
  Value *call_float(CallInst &call, IRBuilder<> &builder) {
    std::vector<Value *> arguments;
    std::vector<Type *> types;
    for (Value *argument : call.args()) {
      arguments.push_back(is_double(argument) ? as_float(argument) : argument);
      types.push_back(arguments.back()->getType());
    }
    Type *result = is_double(&call) ? float_ : call.getType();
    const std::string name = float_counterpart(call.getCalledFunction()->getName());
    FunctionCallee callee =
        module_.getOrInsertFunction(name, FunctionType::get(result, types, false));
    return builder.CreateCall(callee, arguments);
  }

  Value *compare(FCmpInst &compare, IRBuilder<> &builder) {
    CmpInst::Predicate predicate = compare.getPredicate();
    Value *sides[2] = {compare.getOperand(0), compare.getOperand(1)};
    if (isa<ConstantFP>(sides[0]) && !isa<ConstantFP>(sides[1])) {
      std::swap(sides[0], sides[1]);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    Value *left = as_float(sides[0]), *right = as_float(sides[1]);
    auto *bound = dyn_cast<ConstantFP>(sides[1]);
    if (bound && !facts_.is_float(bound)) {
      APFloat rounded = cast<ConstantFP>(right)->getValueAPF();
      bool ignored = false;
      rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
      predicate = beside(predicate, bound->getValueAPF(), rounded);
    }
    return builder.CreateFCmp(predicate, left, right);
  }

  /// The bits of what memory held, the float of what was computed.
  void replace_print(CallInst &call, IRBuilder<> &builder) {
    SmallVector<Value *, 8> arguments;
    for (Value *argument : call.args()) {
      if (is_double(argument) && facts_.on_chip(argument)) {
        Value *bits = bits_.lookup(argument);
        argument = bits ? bits : floats_.lookup(argument);
      }
      arguments.push_back(argument);
    }
    builder.CreateCall(call.getFunctionType(), call.getCalledOperand(), arguments);
  }

  void replace_user(Instruction &instruction, IRBuilder<> &builder) {
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      builder.CreateAlignedStore(as_bits(store->getValueOperand(), store),
                                 store->getPointerOperand(), store->getAlign(),
                                 store->isVolatile());
      return;
    }
    if (is_print(instruction))
      return replace_print(cast<CallInst>(instruction), builder);
    Value *value = nullptr;
    if (auto *comparison = dyn_cast<FCmpInst>(&instruction))
      value = compare(*comparison, builder);
    else if (isa<BitCastInst>(instruction))
      value = as_bits(instruction.getOperand(0), &instruction);
    else if (auto *call = dyn_cast<CallInst>(&instruction))
      value = call_float(*call, builder);
    else if (auto *conversion = dyn_cast<CastInst>(&instruction))
      value = conversion->getType() == float_
                  ? as_float(conversion->getOperand(0))
                  : builder.CreateCast(conversion->getOpcode(), as_float(conversion->getOperand(0)),
                                       conversion->getType());
    take_over_name(*value, instruction);
    instruction.replaceAllUsesWith(value);
  }

  // ---- the end of the original
  // -----------------------------------------------------------------------------
  void erase(Instruction &instruction) {
    if (is_double(&instruction)) {
      Value *form = floats_.lookup(&instruction);
      if (!form)
        form = bits_.lookup(&instruction);
      if (form)
        take_over_name(*form, instruction);
    }
    if (!instruction.use_empty())
      instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
    instruction.eraseFromParent();
  }

  DoubleFacts facts_;
  Module &module_;
  LLVMContext &context_;
  Type *float_, *word_;
  DenseSet<const Value *> want_float_, want_bits_;
  SmallVector<std::pair<Instruction *, bool>, 32> work_;
  DenseMap<const Value *, Value *> floats_, bits_;
  DenseMap<std::pair<Value *, Type *>, Value *> host_;
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> extended_;
  std::vector<std::pair<PHINode *, PHINode *>> phis_;
};

} // namespace

void demote_doubles(Function &function, const Analysis &analysis) {
  Demotion(function, analysis).run();
}

} // namespace neuronify::kernel
