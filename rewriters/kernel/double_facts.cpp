#include "kernel/double_facts.h"

#include "kernel/calls.h"
#include "kernel/doubles.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

constexpr unsigned kFraction = 24; ///< bits of an integer that a float always holds

bool is_double(const Value *value) { return value->getType()->isDoubleTy(); }

bool takes_double(const Instruction &instruction) {
  for (const Value *operand : instruction.operands())
    if (is_double(operand))
      return true;
  return false;
}

std::string_view operation_of(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call ? find_callee(*call).operation : std::string_view();
}

/// Functions whose result is one of their arguments, or a whole number near it.
bool keeps_floats(std::string_view operation) {
  for (const char *name :
       {"fabs", "copysign", "floor", "ceil", "trunc_float", "rint", "round", "fmin", "fmax"})
    if (operation == name)
      return true;
  return false;
}

/// + - * / and square root of two floats, rounded to double and then to float, is the operation on
/// floats, bit for bit: 53 >= 2 * 24 + 2.
bool rounds_once(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return true;
  default:
    return operation_of(instruction) == "sqrt";
  }
}

bool is_integer_conversion(const Instruction &instruction) {
  return isa<SIToFPInst>(instruction) || isa<UIToFPInst>(instruction);
}

unsigned source_bits(const Instruction &conversion) {
  return conversion.getOperand(0)->getType()->getScalarSizeInBits();
}

bool is_move(const Instruction &instruction) {
  return isa<PHINode>(instruction) || isa<SelectInst>(instruction) || isa<FreezeInst>(instruction);
}

} // namespace

bool is_print(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() && find_callee(*call).effect == Effect::print;
}

bool only_rounded(const Value &value) {
  for (const User *user : value.users())
    if (!isa<FPTruncInst>(user) || !user->getType()->isFloatTy())
      return false;
  return true;
}

DoubleFacts::DoubleFacts(const Analysis &analysis) : analysis(analysis) {
  ReversePostOrderTraversal<Function *> order(&analysis.function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      if ((is_double(&instruction) || takes_double(instruction)) &&
          (isa<StoreInst>(instruction) || analysis.known(&instruction) == Known::chip))
        involved.push_back(&instruction);
  settle(floats_, [this](const Instruction &i) { return float_holds(i); });
  settle(bits_, [this](const Instruction &i) { return bits_hold(i); });
}

/// The largest set of which every member holds, given that the others do: phis hold as long as what
/// comes in does.
template <class Holds> void DoubleFacts::settle(DenseSet<const Value *> &set, Holds &&holds) const {
  for (const Instruction *instruction : involved)
    if (is_double(instruction))
      set.insert(instruction);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Instruction *instruction : involved)
      if (set.contains(instruction) && !holds(*instruction))
        changed |= set.erase(instruction);
  }
}

bool DoubleFacts::on_chip(const Value *value) const {
  return isa<Instruction>(value) && analysis.known(value) == Known::chip;
}

bool DoubleFacts::is_float(const Value *value) const {
  if (isa<UndefValue>(value))
    return true;
  if (auto *constant = dyn_cast<ConstantFP>(value)) {
    APFloat narrowed = constant->getValueAPF();
    bool inexact = false;
    narrowed.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
    return !inexact || constant->isNaN();
  }
  if (on_chip(value))
    return floats_.contains(value);
  auto *extension = dyn_cast<FPExtInst>(value);
  return extension && extension->getSrcTy()->isFloatTy();
}

bool DoubleFacts::has_bits(const Value *value) const {
  return !on_chip(value) || bits_.contains(value);
}

bool DoubleFacts::float_holds(const Instruction &instruction) const {
  if (isa<FPExtInst>(instruction)) // of a float or a smaller one
    return true;
  if (is_integer_conversion(instruction))
    return source_bits(instruction) <= kFraction;
  if (!is_move(instruction) && instruction.getOpcode() != Instruction::FNeg &&
      !keeps_floats(operation_of(instruction)))
    return false;
  for (const Value *operand : instruction.operands())
    if (is_double(operand) && !is_float(operand))
      return false;
  return true;
}

bool DoubleFacts::bits_hold(const Instruction &instruction) const {
  if (isa<LoadInst>(instruction) || isa<BitCastInst>(instruction) || is_float(&instruction) ||
      (is_integer_conversion(instruction) && source_bits(instruction) == 32))
    return true;
  if (!is_move(instruction))
    return false;
  for (const Value *operand : instruction.operands())
    if (is_double(operand) && !has_bits(operand))
      return false;
  return true;
}

bool DoubleFacts::is_float_operation(const Instruction &instruction) const {
  for (const Value *operand : instruction.operands())
    if (is_double(operand) && !is_float(operand))
      return false;
  return rounds_once(instruction) && only_rounded(instruction);
}

bool DoubleFacts::is_lossy(const Instruction &instruction) const {
  if (isa<FPTruncInst>(instruction) && !instruction.getType()->isFloatTy())
    return !is_float(instruction.getOperand(0)); // to 16 bits through a float: rounded twice
  if (isa<StoreInst>(instruction) || is_print(instruction) || isa<FPTruncInst>(instruction) ||
      isa<BitCastInst>(instruction) || is_move(instruction) ||
      (is_double(&instruction) && has_bits(&instruction)))
    return false; // what is stored or rounded is exact, or has been found out already
  bool of_floats = true, of_constants = true;
  for (const Value *operand : instruction.operands())
    if (is_double(operand)) {
      of_floats &= is_float(operand);
      of_constants &= is_float(operand) || isa<ConstantFP>(operand);
    }
  if (isa<FCmpInst>(instruction))
    return !of_constants; // a bound between two floats has one of them next to it
  if (!is_double(&instruction)) {
    const std::string_view operation = operation_of(instruction);
    return !of_floats && operation != "isnan" && operation != "signbit";
  }
  if (is_integer_conversion(instruction))
    return source_bits(instruction) > 32 || !only_rounded(instruction); // a narrow one rounds once
  const bool sign_only =
      instruction.getOpcode() == Instruction::FNeg || operation_of(instruction) == "fabs";
  if (sign_only || (of_floats && rounds_once(instruction)))
    return !only_rounded(instruction);
  return true;
}

// ---- what becomes known of it outside
// ------------------------------------------------------------------

bool uses_doubles(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (instruction.getType()->isDoubleTy() || takes_double(instruction))
      return true;
  return false;
}

/// Why `instruction` cannot be done in float: the number of its diagnostic and what it is.
static DoubleUse find_obstacle(const Instruction &instruction, Precision precision) {
  const DebugLoc &at = instruction.getDebugLoc();
  if (is_print(instruction))
    return {};
  if (auto *call = dyn_cast<CallInst>(&instruction)) {
    const Function *function = call->getCalledFunction();
    const bool known = function && (precision == Precision::pairs
                                        ? !pair_counterpart(*call).empty()
                                        : !float_counterpart(function->getName()).empty());
    if (known)
      return {};
    const std::string_view code = find_callee(*call).diagnostic;
    return {at, function ? "call of '" + function->getName().str() + "'" : "inline assembly",
            std::string(code.empty() ? "NFY4006" : code)};
  }
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction))
    return {at, "atomic operation on double precision data", "NFY4001"};
  if (isa<BitCastInst>(instruction) &&
      (instruction.getType()->isVectorTy() || instruction.getOperand(0)->getType()->isVectorTy()))
    return {at, "vector of a double's words", "NFY4009"};
  if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction) || is_move(instruction) ||
      isa<BinaryOperator>(instruction) || isa<CastInst>(instruction) ||
      isa<FCmpInst>(instruction) || instruction.getOpcode() == Instruction::FNeg)
    return {};
  return {at, std::string("double precision in '") + instruction.getOpcodeName() + "'", "NFY4009"};
}

static std::string describe(const Instruction &instruction) {
  if (isa<FCmpInst>(instruction))
    return "double precision comparison";
  if (isa<CastInst>(instruction))
    return "double precision conversion";
  if (isa<CallInst>(instruction))
    return "double precision function";
  return "double precision arithmetic";
}

std::vector<DoubleUse> find_lossy_doubles(const Analysis &analysis, Precision precision) {
  const DoubleFacts facts(analysis);
  std::vector<DoubleUse> result;
  for (const Instruction *instruction : facts.involved) {
    DoubleUse obstacle = find_obstacle(*instruction, precision);
    if (!obstacle.code.empty())
      result.push_back(std::move(obstacle));
    else if (facts.is_lossy(*instruction))
      result.push_back({instruction->getDebugLoc(), describe(*instruction), ""});
  }
  return result;
}

} // namespace neuronify::kernel
