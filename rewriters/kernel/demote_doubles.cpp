// Replaces the doubles of the chip by floats and by 64-bit integers with their bits.
#include "kernel/calls.h"
#include "kernel/double_replacement.h"
#include "kernel/doubles.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

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

class Demotion : public DoubleReplacement {
public:
  Demotion(Function &function, const Analysis &analysis)
      : DoubleReplacement(function, analysis, Type::getFloatTy(function.getContext())) {}

private:
  Value *constant(const APFloat &value) override {
    APFloat narrowed = value;
    bool ignored = false;
    narrowed.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &ignored);
    return ConstantFP::get(context_, narrowed);
  }
  Value *number_of_host(Builder &builder, Value *value) override {
    return builder.CreateFPTrunc(value, float_);
  }
  Value *number_of_float(Builder &, Value *value) override { return value; }
  Value *number_of_bits(Builder &builder, Value *word) override {
    return builder.CreateCall(conversion("neuronify.double_to_float", float_, word_), {word});
  }
  Value *bits_of_number(Builder &builder, Value *number, bool) override {
    return builder.CreateCall(conversion("neuronify.float_to_double", word_, float_), {number});
  }
  Value *float_of_number(Builder &, Value *number) override { return number; }
  bool rounds_bits() const override { return false; } // numbers are what rounding gives

  /// The float that stands for a double.
  Value *compute(Instruction &instruction, Builder &builder) override {
    auto operand = [&](unsigned i) { return as_number(instruction.getOperand(i)); };
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
      return builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
    if (instruction.getOpcode() == Instruction::FNeg)
      return builder.CreateFNeg(operand(0));
    auto &conversion = cast<CastInst>(instruction);
    Value *source = conversion.getOperand(0);
    return source->getType() == float_ ? source
                                       : builder.CreateCast(conversion.getOpcode(), source, float_);
  }

  /// The same function of floats. One that has no counterpart stays, and is diagnosed.
  Value *call(CallInst &call, Builder &builder) override {
    std::vector<Value *> arguments;
    std::vector<Type *> types;
    for (Value *argument : call.args()) {
      arguments.push_back(is_double(argument) ? as_number(argument) : argument);
      types.push_back(arguments.back()->getType());
    }
    Type *result = is_double(&call) ? float_ : call.getType();
    const std::string name = float_counterpart(call.getCalledFunction()->getName());
    FunctionCallee callee =
        module_.getOrInsertFunction(name, FunctionType::get(result, types, false));
    return builder.CreateCall(callee, arguments);
  }

  Value *convert(CastInst &conversion, Builder &builder) override {
    return builder.CreateCast(conversion.getOpcode(), as_number(conversion.getOperand(0)),
                              conversion.getType());
  }

  Value *compare(FCmpInst &compare, Builder &builder) override {
    CmpInst::Predicate predicate = compare.getPredicate();
    Value *sides[2] = {compare.getOperand(0), compare.getOperand(1)};
    if (isa<ConstantFP>(sides[0]) && !isa<ConstantFP>(sides[1])) {
      std::swap(sides[0], sides[1]);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    Value *left = as_number(sides[0]), *right = as_number(sides[1]);
    auto *bound = dyn_cast<ConstantFP>(sides[1]);
    if (bound && !facts_.is_float(bound)) {
      APFloat rounded = cast<ConstantFP>(right)->getValueAPF();
      bool ignored = false;
      rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
      predicate = beside(predicate, bound->getValueAPF(), rounded);
    }
    return builder.CreateFCmp(predicate, left, right);
  }
};

} // namespace

void demote_doubles(Function &function, const Analysis &analysis) {
  Demotion(function, analysis).run();
}

} // namespace neuronify::kernel
