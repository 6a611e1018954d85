// Integers of more than 32 bits on the chip: which of them must be there whole, as two words, and
// for which the low word is enough.
//
// The low word is enough where nothing else is asked for (addresses, whose index is in range in any
// defined program, and truncations), and where the rest is known to be an extension of it.
#include "kernel/analysis.h"
#include "kernel/calls.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

constexpr unsigned kWord = 32;

unsigned bits_of(const Value *value) {
  return value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
}
bool is_long(const Value *value) { return bits_of(value) > kWord; }

bool is_shift(unsigned opcode) {
  return opcode == Instruction::Shl || opcode == Instruction::LShr || opcode == Instruction::AShr;
}
bool is_division(unsigned opcode) {
  return opcode == Instruction::SDiv || opcode == Instruction::UDiv ||
         opcode == Instruction::SRem || opcode == Instruction::URem;
}

/// Counts bits: its result is small whatever its width.
bool is_count(const CallInst &call) {
  const std::string_view operation = find_callee(call).operation;
  return operation == "popc" || operation == "clz" || operation == "ctz" || operation == "ffs";
}

/// When an instruction reads more than the low word of an operand.
enum class Need : uint8_t { never, always, as_result };

Need need_of_shift(const Analysis &analysis, const BinaryOperator &shift, unsigned operand) {
  if (operand == 1)
    return Need::never; // the count
  auto *count = dyn_cast<ConstantInt>(shift.getOperand(1));
  if (shift.getOpcode() == Instruction::Shl)
    return count && count->uge(kWord) ? Need::never : Need::as_result;
  return analysis.is_narrow(shift) ? Need::never : Need::always;
}

Need need(const Analysis &analysis, const Instruction &user, unsigned operand) {
  switch (user.getOpcode()) {
  case Instruction::GetElementPtr:
    return Need::never;
  case Instruction::Trunc:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::Select:
    return Need::as_result;
  case Instruction::Mul:
    return analysis.is_narrow(user) ? Need::never : Need::as_result;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return need_of_shift(analysis, cast<BinaryOperator>(user), operand);
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
  case Instruction::ICmp:
    return analysis.is_narrow(user) ? Need::never : Need::always;
  default:
    return Need::always;
  }
}

/// Instructions whose result comes as two words, or not at all.
bool makes_both_words(const Analysis &analysis, const Instruction &instruction) {
  const unsigned opcode = instruction.getOpcode();
  if (is_shift(opcode))
    return !isa<ConstantInt>(instruction.getOperand(1));
  if (is_division(opcode))
    return !analysis.is_narrow(instruction);
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return !is_count(*call);
  if (isa<ZExtInst>(instruction) || isa<SExtInst>(instruction))
    return is_long(instruction.getOperand(0));
  return isa<FPToSIInst>(instruction) || isa<FPToUIInst>(instruction);
}

} // namespace

Extension Analysis::extension(const Value *value) const {
  if (auto found = extensions_.find(value); found != extensions_.end())
    return found->second;
  Extension result;
  const unsigned bits = bits_of(value);
  const DataLayout &layout = function.getDataLayout();
  if (bits > kWord) {
    result.zero = computeKnownBits(value, layout).countMinLeadingZeros() >= bits - kWord;
    result.sign = ComputeNumSignBits(value, layout) > bits - kWord;
    auto *remainder = dyn_cast<BinaryOperator>(value); // smaller than the divisor
    if (remainder && remainder->getOpcode() == Instruction::SRem)
      result.sign |= common_extension(*remainder).sign;
  }
  return extensions_[value] = result;
}

Extension Analysis::common_extension(const Instruction &instruction) const {
  const Extension a = extension(instruction.getOperand(0)),
                  b = extension(instruction.getOperand(1));
  return {a.zero && b.zero, a.sign && b.sign};
}

bool Analysis::is_narrow(const Instruction &instruction) const {
  const Extension both = isa<BinaryOperator>(instruction) || isa<ICmpInst>(instruction)
                             ? common_extension(instruction)
                             : Extension{};
  switch (instruction.getOpcode()) {
  case Instruction::Mul:
  case Instruction::ICmp:
    return both.zero || both.sign;
  case Instruction::UDiv:
  case Instruction::URem:
    return both.zero;
  case Instruction::SDiv:
  case Instruction::SRem: // of INT32_MIN / -1 the low word is right, the quotient no extension of
                          // it
    return both.sign;
  case Instruction::LShr:
  case Instruction::AShr: {
    auto *count = dyn_cast<ConstantInt>(instruction.getOperand(1));
    const Extension of = extension(instruction.getOperand(0));
    return count && count->getValue().ult(kWord) &&
           (instruction.getOpcode() == Instruction::LShr ? of.zero : of.sign);
  }
  default:
    return false;
  }
}

void Analysis::find_wide() {
  SmallVector<const Instruction *, 32> work;
  auto mark = [&](const Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !is_long(value))
      return;
    if (extension(value).any() && !makes_both_words(*this, *instruction))
      return;
    if (wide_.insert(value).second)
      work.push_back(instruction);
  };
  for (const Instruction &instruction : instructions(function)) {
    if (is_long(&instruction) && makes_both_words(*this, instruction))
      mark(&instruction);
    if (isa<AssumeInst>(instruction) || instruction.isLifetimeStartOrEnd())
      continue;
    for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
      if (is_long(instruction.getOperand(i)) && need(*this, instruction, i) == Need::always)
        mark(instruction.getOperand(i));
  }
  while (!work.empty()) {
    const Instruction *instruction = work.pop_back_val();
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i)
      if (is_long(instruction->getOperand(i)) && need(*this, *instruction, i) == Need::as_result)
        mark(instruction->getOperand(i));
  }
}

} // namespace neuronify::kernel
