#include "kernel/double_replacement.h"

#include "kernel/rewrites.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {

DoubleReplacement::DoubleReplacement(Function &function, const Analysis &analysis, Type *number)
    : facts_(analysis), module_(*function.getParent()), context_(function.getContext()),
      number_(number), word_(Type::getInt64Ty(context_)), float_(Type::getFloatTy(context_)) {}

void DoubleReplacement::run() {
  for (Instruction *instruction : facts_.involved)
    ask_operands(*instruction);
  while (!work_.empty()) {
    auto [value, as_number] = work_.pop_back_val();
    ask_for(*value, as_number);
  }
  for (Instruction *instruction : facts_.involved)
    replace(*instruction);
  for (auto &[from, to] : phis_)
    for (unsigned i = 0; i < from->getNumIncomingValues(); ++i) {
      BasicBlock *block = from->getIncomingBlock(i);
      Value *value = from->getIncomingValue(i);
      to->addIncoming(to->getType() == number_ ? as_number(value)
                                               : as_bits(value, block->getTerminator()),
                      block);
    }
  for (Instruction *instruction : facts_.involved)
    erase(*instruction);
}

// ---- who wants which form
// ------------------------------------------------------------------------

void DoubleReplacement::want(Value *value, bool as_number) {
  if (!is_double(value) || !facts_.on_chip(value))
    return;
  // The bits of a float, and of what is computed, are made from the number.
  const bool numbers = as_number || facts_.is_float(value) || !facts_.has_bits(value);
  if ((numbers ? want_number_ : want_bits_).insert(value).second)
    work_.push_back({cast<Instruction>(value), numbers});
}

bool DoubleReplacement::takes_bits(const Instruction &instruction) const {
  if (isa<FPTruncInst>(instruction) && instruction.getType() == float_)
    return rounds_bits();
  return isa<StoreInst>(instruction) || isa<BitCastInst>(instruction) || is_print(instruction);
}

/// What an instruction that is no double itself wants of its operands.
void DoubleReplacement::ask_operands(Instruction &instruction) {
  if (is_double(&instruction))
    return;
  for (Value *operand : instruction.operands())
    want(operand, !takes_bits(instruction));
}

void DoubleReplacement::ask_for(Instruction &instruction, bool as_number) {
  if (isa<LoadInst>(instruction) || isa<BitCastInst>(instruction)) {
    want_bits_.insert(&instruction);
    return;
  }
  for (Value *operand : instruction.operands())
    want(operand, as_number);
}

// ---- both forms of a value
// -----------------------------------------------------------------------

static Instruction *behind(Value *value, Function &function) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return &*function.getEntryBlock().getFirstInsertionPt();
  if (isa<PHINode>(instruction))
    return &*instruction->getParent()->getFirstInsertionPt();
  return instruction->getNextNode();
}

Value *DoubleReplacement::from_host(Value *value, Type *type) {
  Value *&made = host_[{value, type}];
  if (made)
    return made;
  Builder builder(behind(value, facts_.analysis.function));
  auto *extension = dyn_cast<FPExtInst>(value);
  if (type != number_)
    made = builder.CreateBitCast(value, type);
  else if (extension && extension->getSrcTy() == float_)
    made = number_of_float(builder, extension->getOperand(0));
  else
    made = number_of_host(builder, value);
  return made;
}

Value *DoubleReplacement::as_number(Value *value) {
  if (isa<UndefValue>(value))
    return UndefValue::get(number_);
  if (auto *constant = dyn_cast<ConstantFP>(value))
    return this->constant(constant->getValueAPF());
  return facts_.on_chip(value) ? numbers_.lookup(value) : from_host(value, number_);
}

Value *DoubleReplacement::as_bits(Value *value, Instruction *at) {
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
    Builder builder(at);
    made = bits_of_number(builder, numbers_.lookup(value), facts_.is_float(value));
  }
  return made;
}

/// A double as the float nearest to it.
Value *DoubleReplacement::rounded(Value *value, Builder &builder) {
  Value *bits = rounds_bits() ? bits_.lookup(value) : nullptr;
  if (bits)
    return builder.CreateCall(conversion("neuronify.double_to_float", float_, word_), {bits});
  return float_of_number(builder, as_number(value));
}

FunctionCallee DoubleReplacement::conversion(StringRef name, Type *to, ArrayRef<Type *> from) {
  FunctionCallee callee = module_.getOrInsertFunction(name, FunctionType::get(to, from, false));
  auto *function = cast<Function>(callee.getCallee());
  if (function->isDeclaration()) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return callee;
}

// ---- instructions
// --------------------------------------------------------------------------------

void DoubleReplacement::replace(Instruction &instruction) {
  Builder builder(&instruction);
  const bool bits = want_bits_.contains(&instruction),
             numbers = want_number_.contains(&instruction);
  if (!is_double(&instruction))
    replace_user(instruction, builder);
  else if (isa<LoadInst>(instruction) || isa<BitCastInst>(instruction))
    replace_source(instruction, builder, bits, numbers);
  else if (auto *phi = dyn_cast<PHINode>(&instruction))
    replace_phi(*phi, builder, bits, numbers);
  else if (bits || numbers)
    replace_value(instruction, builder, bits, numbers);
}

void DoubleReplacement::replace_source(Instruction &instruction, Builder &builder, bool bits,
                                       bool numbers) {
  if (!bits && !numbers)
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
  if (numbers)
    numbers_[&instruction] = number_of_bits(builder, word);
}

void DoubleReplacement::replace_phi(PHINode &phi, Builder &builder, bool bits, bool numbers) {
  auto make = [&](Type *type, DenseMap<const Value *, Value *> &form) {
    PHINode *copy = builder.CreatePHI(type, phi.getNumIncomingValues());
    form[&phi] = copy;
    phis_.push_back({&phi, copy});
  };
  if (bits)
    make(word_, bits_);
  if (numbers)
    make(number_, numbers_);
}

void DoubleReplacement::replace_value(Instruction &instruction, Builder &builder, bool bits,
                                      bool numbers) {
  const bool chooses = isa<SelectInst>(instruction), freezes = isa<FreezeInst>(instruction);
  auto chosen = [&](auto &&form) {
    return chooses ? builder.CreateSelect(instruction.getOperand(0), form(1), form(2))
                   : builder.CreateFreeze(form(0));
  };
  auto *called = dyn_cast<CallInst>(&instruction);
  if (numbers && (chooses || freezes))
    numbers_[&instruction] =
        chosen([&](unsigned i) { return as_number(instruction.getOperand(i)); });
  else if (numbers)
    numbers_[&instruction] = called ? call(*called, builder) : compute(instruction, builder);
  if (!bits)
    return;
  if (isa<SIToFPInst>(instruction) || isa<UIToFPInst>(instruction)) {
    Value *source = instruction.getOperand(0);
    const char *name =
        isa<SIToFPInst>(instruction) ? "neuronify.int_to_double" : "neuronify.uint_to_double";
    bits_[&instruction] = builder.CreateCall(conversion(name, word_, source->getType()), {source});
    return;
  }
  bits_[&instruction] =
      chosen([&](unsigned i) { return as_bits(instruction.getOperand(i), &instruction); });
}

/// The bits of what memory held, and of what was computed in more than a float.
void DoubleReplacement::replace_print(CallInst &call, Builder &builder) {
  SmallVector<Value *, 8> arguments;
  for (Value *argument : call.args()) {
    if (is_double(argument) && facts_.on_chip(argument)) {
      Value *bits = bits_.lookup(argument);
      Value *number = numbers_.lookup(argument);
      argument = bits ? bits : number->getType() == float_ ? number : as_bits(argument, &call);
    }
    arguments.push_back(argument);
  }
  builder.CreateCall(call.getFunctionType(), call.getCalledOperand(), arguments);
}

void DoubleReplacement::replace_user(Instruction &instruction, Builder &builder) {
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    builder.CreateAlignedStore(as_bits(store->getValueOperand(), store), store->getPointerOperand(),
                               store->getAlign(), store->isVolatile());
    return;
  }
  if (is_print(instruction))
    return replace_print(cast<CallInst>(instruction), builder);
  Value *value = nullptr;
  if (auto *comparison = dyn_cast<FCmpInst>(&instruction))
    value = compare(*comparison, builder);
  else if (isa<BitCastInst>(instruction))
    value = as_bits(instruction.getOperand(0), &instruction);
  else if (auto *called = dyn_cast<CallInst>(&instruction))
    value = call(*called, builder);
  else if (instruction.getType() == float_ && isa<FPTruncInst>(instruction))
    value = rounded(instruction.getOperand(0), builder);
  else
    value = convert(cast<CastInst>(instruction), builder);
  take_over_name(*value, instruction);
  instruction.replaceAllUsesWith(value);
}

// ---- the end of the original
// ---------------------------------------------------------------------

void DoubleReplacement::erase(Instruction &instruction) {
  if (is_double(&instruction)) {
    Value *form = numbers_.lookup(&instruction);
    if (!form)
      form = bits_.lookup(&instruction);
    if (form)
      take_over_name(*form, instruction);
  }
  if (!instruction.use_empty())
    instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
  instruction.eraseFromParent();
}

} // namespace neuronify::kernel
