// Replaces the doubles of the chip by pairs of floats and by 64-bit integers with their bits.
//
// A pair is a vector of two while it is made; what computes with pairs are functions of the library
// (library/pairs.h), which are put in place of their calls, and then there are only floats.
#include "frontend/pass_managers.h"
#include "kernel/calls.h"
#include "kernel/double_replacement.h"
#include "kernel/doubles.h"
#include "kernel/link_library.h"

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

class Pairing : public DoubleReplacement {
public:
  Pairing(Function &function, const Analysis &analysis)
      : DoubleReplacement(function, analysis,
                          FixedVectorType::get(Type::getFloatTy(function.getContext()), 2)) {}

private:
  Value *constant(const APFloat &value) override {
    auto rounded = [](APFloat x) {
      bool ignored = false;
      x.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &ignored);
      return x;
    };
    const APFloat high = rounded(value);
    APFloat low = APFloat::getZero(APFloat::IEEEsingle());
    if (high.isFinite()) {
      APFloat rest = value, taken = high;
      bool ignored = false;
      taken.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
      rest.subtract(taken, APFloat::rmNearestTiesToEven);
      low = rounded(rest);
    }
    return ConstantVector::get({ConstantFP::get(context_, high), ConstantFP::get(context_, low)});
  }

  static Value *pair(Builder &builder, Type *type, Value *high, Value *low) {
    Value *first = builder.CreateInsertElement(PoisonValue::get(type), high, uint64_t(0));
    return builder.CreateInsertElement(first, low, uint64_t(1));
  }

  Value *number_of_host(Builder &builder, Value *value) override {
    Type *wide = value->getType();
    Value *high = builder.CreateFPTrunc(value, float_);
    Value *rest = builder.CreateFSub(value, builder.CreateFPExt(high, wide));
    // Of what no float holds nothing is left, and what is left of the others is less than this.
    Value *above = builder.CreateFCmpOGT(rest, ConstantFP::get(wide, -0x1p110));
    Value *below = builder.CreateFCmpOLT(rest, ConstantFP::get(wide, 0x1p110));
    Value *zero = ConstantFP::getZero(wide);
    Value *low = builder.CreateSelect(above, builder.CreateSelect(below, rest, zero), zero);
    return pair(builder, number_, high, builder.CreateFPTrunc(low, float_));
  }
  Value *number_of_float(Builder &builder, Value *value) override {
    return pair(builder, number_, value, ConstantFP::getZero(float_));
  }
  Value *number_of_bits(Builder &builder, Value *word) override {
    return builder.CreateCall(conversion("neuronify_pair_from_bits", number_, word_), {word});
  }
  Value *bits_of_number(Builder &builder, Value *number, bool is_float) override {
    if (is_float)
      return builder.CreateCall(conversion("neuronify.float_to_double", word_, float_),
                                {float_of_number(builder, number)});
    return builder.CreateCall(conversion("neuronify_pair_to_bits", word_, number_), {number});
  }
  Value *float_of_number(Builder &builder, Value *number) override {
    return builder.CreateExtractElement(number, uint64_t(0));
  }
  bool rounds_bits() const override { return true; } // a pair has been rounded once already

  Value *library(Builder &builder, StringRef operation, Type *result, ArrayRef<Value *> arguments) {
    SmallVector<Type *, 4> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    return builder.CreateCall(conversion(("neuronify_pair_" + operation).str(), result, types),
                              arguments);
  }

  Value *compute(Instruction &instruction, Builder &builder) override {
    if (isa<FPExtInst>(instruction))
      return number_of_float(builder, builder.CreateFPExt(instruction.getOperand(0), float_));
    if (auto *conversion = dyn_cast<CastInst>(&instruction))
      return of_integer(*conversion, builder);
    if (instruction.getOpcode() == Instruction::FNeg)
      return builder.CreateFNeg(as_number(instruction.getOperand(0)));
    auto &binary = cast<BinaryOperator>(instruction);
    Value *a = as_number(binary.getOperand(0)), *b = as_number(binary.getOperand(1));
    if (facts_.is_float_operation(instruction))
      return number_of_float(builder,
                             builder.CreateBinOp(binary.getOpcode(), float_of_number(builder, a),
                                                 float_of_number(builder, b)));
    return library(builder, binary.getOpcodeName(), number_, {a, b});
  }

  Value *of_integer(CastInst &conversion, Builder &builder) {
    const bool is_signed = isa<SIToFPInst>(conversion);
    Value *source = conversion.getOperand(0);
    const bool is_wide = source->getType()->getScalarSizeInBits() > 32;
    Type *type = is_wide ? word_ : builder.getInt32Ty();
    source = builder.CreateIntCast(source, type, is_signed);
    return library(builder,
                   is_wide ? (is_signed ? "long_to_float" : "ulong_to_float")
                           : (is_signed ? "int_to_float" : "uint_to_float"),
                   number_, {source});
  }

  /// To an integer, towards zero, or to a float of 16 bits.
  Value *convert(CastInst &conversion, Builder &builder) override {
    Value *number = as_number(conversion.getOperand(0));
    if (isa<FPTruncInst>(conversion))
      return builder.CreateFPTrunc(float_of_number(builder, number), conversion.getType());
    const bool is_signed = isa<FPToSIInst>(conversion);
    const bool is_wide = conversion.getType()->getScalarSizeInBits() > 32;
    Value *whole = library(builder,
                           is_wide ? (is_signed ? "float_to_long" : "float_to_ulong")
                                   : (is_signed ? "float_to_int" : "float_to_uint"),
                           is_wide ? word_ : builder.getInt32Ty(), {number});
    return builder.CreateIntCast(whole, conversion.getType(), is_signed);
  }

  Value *call(CallInst &call, Builder &builder) override {
    const bool in_float = is_double(&call) && facts_.is_float_operation(call);
    SmallVector<Value *, 4> arguments;
    SmallVector<Type *, 4> types;
    for (Value *argument : call.args()) {
      if (is_double(argument))
        argument = as_number(argument);
      arguments.push_back(in_float && argument->getType() == number_
                              ? float_of_number(builder, argument)
                              : argument);
      types.push_back(arguments.back()->getType());
    }
    if (in_float) {
      const std::string name = float_counterpart(call.getCalledFunction()->getName());
      return number_of_float(builder,
                             builder.CreateCall(conversion(name, float_, types), arguments));
    }
    return builder.CreateCall(
        conversion(pair_counterpart(call), is_double(&call) ? number_ : call.getType(), types),
        arguments);
  }

  /// By the high halves, and where these are equal by the low ones.
  Value *compare(FCmpInst &compare, Builder &builder) override {
    Value *a = as_number(compare.getOperand(0)), *b = as_number(compare.getOperand(1));
    auto half = [&](Value *pair, uint64_t i) { return builder.CreateExtractElement(pair, i); };
    Value *a_high = half(a, 0), *b_high = half(b, 0);
    Value *equal = builder.CreateFCmpOEQ(a_high, b_high);
    Value *low = builder.CreateFCmp(compare.getPredicate(), half(a, 1), half(b, 1));
    Value *high = builder.CreateFCmp(compare.getPredicate(), a_high, b_high);
    return builder.CreateSelect(equal, low, high);
  }
};

/// Vectors of two become two values.
void split_vectors(Function &function) {
  frontend::Analyses analyses;
  FunctionPassManager passes;
  passes.addPass(ScalarizerPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(ADCEPass());
  passes.run(function, analyses.functions);
}

} // namespace

void pair_doubles(Function &function, const Analysis &analysis) {
  Pairing(function, analysis).run();
  link_library(function);
  split_vectors(function);
}

} // namespace neuronify::kernel
