// Instructions that compute: as expressions where the launch knows the result, as operations on
// tiles where only the chip does.
#include "tile/lowering.h"

#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <bit>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace neuronify::tile {

// ---- instructions
// -------------------------------------------------------------------------------------

void Lowering::lower_instruction(Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return lower_store(*store);
  if (isa<AllocaInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
      isa<AddrSpaceCastInst>(instruction) || isa<FenceInst>(instruction))
    return; // part of the places that use them
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return lower_call(*call);
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return lower_atomic(*atomic);
  if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return lower_compare_swap(*swap);
  if (isa<ExtractValueInst>(instruction) &&
      (tiles_.count(&instruction) || known_.count(&instruction)))
    return; // what made the aggregate has made its parts
  if (instruction.getType()->isPointerTy()) {
    auto *select = dyn_cast<SelectInst>(&instruction);
    if (select && a_.known(select) == Known::host) {
      llvm::Type *byte = llvm::Type::getInt8Ty(instruction.getContext());
      declare_for(instruction, operation("select", {Kind::place},
                                         {mask(select->getCondition()),
                                          place(select->getTrueValue(), byte, instruction),
                                          place(select->getFalseValue(), byte, instruction)}));
    }
    return; // the others are looked at where they are used
  }
  if (a_.known(&instruction) == Known::chip)
    lower_chip(instruction);
  else
    lower_known(instruction);
}

void Lowering::lower_known(Instruction &instruction) {
  Expr value = recompute(instruction);
  if (value && !failed_)
    declare_for(instruction, value);
}

/// The expression of an instruction whose result is known at launch.
Expr Lowering::recompute(const Instruction &constant_instruction) {
  auto &instruction = const_cast<Instruction &>(constant_instruction);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return host_element(*load);
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return known_binary(*binary);
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return known_cast(*cast);
  if (auto *compare = dyn_cast<CmpInst>(&instruction))
    return known_compare(*compare);
  if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    const Type type = type_of(instruction);
    if (instruction.getType()->isIntegerTy(1) && match(select->getTrueValue(), m_One()))
      return operation("or", type, {mask(select->getCondition()), mask(select->getFalseValue())});
    if (instruction.getType()->isIntegerTy(1) && match(select->getFalseValue(), m_Zero()))
      return operation("and", type, {mask(select->getCondition()), mask(select->getTrueValue())});
    auto form = [&](Value *v) {
      return instruction.getType()->isIntegerTy(1) ? mask(v) : known(v);
    };
    return operation("select", type,
                     {mask(select->getCondition()), form(select->getTrueValue()),
                      form(select->getFalseValue())});
  }
  if (isa<FreezeInst>(instruction))
    return known(instruction.getOperand(0));
  if (instruction.getOpcode() == Instruction::FNeg)
    return operation("neg", type_of(instruction), {known(instruction.getOperand(0))});
  fail(instruction, "NFY4009",
       std::string("unsupported operation '") + instruction.getOpcodeName() + "'");
  return nullptr;
}

Expr Lowering::known_binary(BinaryOperator &binary) {
  Type type = type_of(binary);
  if (binary.getType()->isIntegerTy(1)) {
    Expr left = mask(binary.getOperand(0));
    if (match(&binary, m_Not(m_Value())))
      return operation("not", type, {left});
    return operation(binary.getOpcodeName(), type, {left, mask(binary.getOperand(1))});
  }
  Expr left = known(binary.getOperand(0)), right = known(binary.getOperand(1));
  if (type.kind ==
      Kind::host_int) { // C's signed overflow is undefined: sign only where LLVM says so
    auto *wraps = dyn_cast<OverflowingBinaryOperator>(&binary);
    switch (binary.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::LShr:
      type.is_signed = false;
      break;
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::AShr:
      break;
    default:
      type.is_signed =
          wraps ? wraps->hasNoSignedWrap() : left->type.is_signed && right->type.is_signed;
    }
  }
  return operation(binary.getOpcodeName(), type, {left, right});
}

Expr Lowering::known_cast(CastInst &cast) {
  Type type = type_of(cast);
  Value *source = cast.getOperand(0);
  if (isa<PtrToIntInst>(cast)) {
    if (auto number = number_of_array(getUnderlyingObject(source, 0)))
      return literal(type, *number);
    Expr pointer = given_pointer(source);
    if (!pointer)
      fail(cast, "NFY4008", "the number of an address that the launch does not give");
    return pointer ? operation("address", type, {pointer}) : nullptr;
  }
  if (source->getType()->isIntegerTy(1) && cast.getType()->isFloatingPointTy()) { // 0 / 1, 0 / -1
    const float one = isa<SIToFPInst>(cast) ? -1.0f : 1.0f;
    auto number = [&](float value) {
      return type.bits == 64 ? literal(type, std::bit_cast<int64_t>(double(value)))
                             : float_literal(value);
    };
    return operation("select", type, {mask(source), number(one), number(0)});
  }
  if (source->getType()->isIntegerTy(1)) {
    const int64_t one = isa<SExtInst>(cast) ? -1 : 1;
    const Type host{Kind::host_int, type.bits};
    return operation("select", type, {mask(source), literal(host, one), literal(host, 0)});
  }
  if (cast.getType()->isIntegerTy(1)) { // the low bit
    Expr value = known(source);
    const Type host{Kind::host_int, value->type.bits, value->type.is_signed};
    Expr bit = operation("and", value->type, {value, literal(host, 1)});
    return operation("ne", type, {bit, literal(host, 0)});
  }
  if (isa<ZExtInst>(cast)) {
    if (isKnownNonNegative(source, SimplifyQuery(a_.function.getDataLayout(), &cast)))
      return operation("sext", type, {known(source)}); // the same, and how C writes it
    if (type.kind == Kind::host_int)
      type.is_signed = false;
  }
  return operation(cast.getOpcodeName(), type, {known(source)});
}

static const char *predicate_name(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return "eq";
  case CmpInst::ICMP_NE:
    return "ne";
  case CmpInst::ICMP_SLT:
    return "slt";
  case CmpInst::ICMP_SLE:
    return "sle";
  case CmpInst::ICMP_SGT:
    return "sgt";
  case CmpInst::ICMP_SGE:
    return "sge";
  case CmpInst::ICMP_ULT:
    return "ult";
  case CmpInst::ICMP_ULE:
    return "ule";
  case CmpInst::ICMP_UGT:
    return "ugt";
  case CmpInst::ICMP_UGE:
    return "uge";
  case CmpInst::FCMP_OEQ:
    return "oeq";
  case CmpInst::FCMP_OGT:
    return "ogt";
  case CmpInst::FCMP_OGE:
    return "oge";
  case CmpInst::FCMP_OLT:
    return "olt";
  case CmpInst::FCMP_OLE:
    return "ole";
  case CmpInst::FCMP_ONE:
    return "one";
  case CmpInst::FCMP_ORD:
    return "ord";
  case CmpInst::FCMP_UEQ:
    return "ueq";
  case CmpInst::FCMP_UGT:
    return "ugt_float";
  case CmpInst::FCMP_UGE:
    return "uge_float";
  case CmpInst::FCMP_ULT:
    return "ult_float";
  case CmpInst::FCMP_ULE:
    return "ule_float";
  case CmpInst::FCMP_UNE:
    return "une";
  case CmpInst::FCMP_UNO:
    return "uno";
  default:
    return "";
  }
}

/// A pointer that the launch gives, an argument, an element of one, or a variable; else null.
Expr Lowering::given_pointer(const Value *value) {
  const Value *pointer = value->stripPointerCasts();
  if (auto *argument = dyn_cast<Argument>(pointer); argument && !argument->hasByValAttr())
    return input(argument, argument->getArgNo(), 0);
  if (auto *load = dyn_cast<LoadInst>(pointer); load && a_.is_host_element(*load))
    return host_element(*load);
  if (auto *global = dyn_cast<GlobalVariable>(pointer);
      global && a_.object(global).space == kernel::Object::Space::symbol)
    return arrays_.lookup(global);
  return nullptr;
}

/// Arguments, as the launch gives them, with each other or with null.
Expr Lowering::compare_pointers(CmpInst &compare) {
  Expr sides[2];
  for (int i = 0; i < 2; ++i) {
    const Value *pointer = compare.getOperand(i)->stripPointerCasts();
    sides[i] =
        isa<ConstantPointerNull>(pointer) ? literal({Kind::pointer}, 0) : given_pointer(pointer);
  }
  if (!sides[0] || !sides[1] || !ICmpInst::isEquality(compare.getPredicate())) {
    fail(compare, "NFY4008", "comparison of computed pointers");
    return nullptr;
  }
  return operation(compare.getPredicate() == CmpInst::ICMP_EQ ? "eq_pointer" : "ne_pointer",
                   type_of(compare), {sides[0], sides[1]});
}

Expr Lowering::known_compare(CmpInst &compare) {
  Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  const Type type = type_of(compare);
  if (left->getType()->isPointerTy())
    return compare_pointers(compare);
  if (left->getType()->isIntegerTy(1)) {
    Expr differ = operation("xor", type, {mask(left), mask(right)});
    return compare.getPredicate() == CmpInst::ICMP_EQ ? operation("not", type, {differ}) : differ;
  }
  return operation(predicate_name(compare.getPredicate()), type, {known(left), known(right)});
}

// ---- on the chip
// --------------------------------------------------------------------------------------

void Lowering::lower_chip(Instruction &instruction) {
  if (instruction.getType()->isVectorTy() || instruction.getType()->isAggregateType()) {
    fail(instruction, "NFY4009", "vector or aggregate value");
    return;
  }
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return lower_load(*load);
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return lower_binary(*binary);
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return lower_cast(*cast);
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return lower_select(*select);
  if (auto *compare = dyn_cast<CmpInst>(&instruction))
    return lower_compare(*compare);
  if (isa<FreezeInst>(instruction)) {
    Value *source = instruction.getOperand(0);
    if (instruction.getType()->isIntegerTy(1))
      remember(&instruction, mask(source), false);
    else
      remember(&instruction, is_pair(instruction) ? wide(source) : tile(source), true);
    return;
  }
  if (instruction.getOpcode() == Instruction::FNeg && instruction.getType()->isFloatTy()) {
    Expr source = tile(instruction.getOperand(0));
    issue("fneg", {new_tile(&instruction, Kind::tile_float), source});
    return;
  }
  fail(instruction, "NFY4009",
       std::string("unsupported operation '") + instruction.getOpcodeName() + "'");
}

void Lowering::lower_binary(BinaryOperator &binary) {
  if (binary.getType()->isFloatingPointTy())
    return lower_float_binary(binary);
  if (binary.getType()->isIntegerTy(1)) {
    Expr value = known_binary(binary);
    remember(&binary, declare("m", {Kind::mask}, value), false);
    return;
  }
  const unsigned bits = binary.getType()->getIntegerBitWidth();
  if (bits > 32)
    return lower_wide_binary(binary);
  std::string name = binary.getOpcodeName();
  const bool low_word_closed = name == "add" || name == "sub" || name == "mul" || name == "and" ||
                               name == "or" || name == "xor";
  Expr left = low_operand(binary.getOperand(0)), right = low_operand(binary.getOperand(1));
  // Operations that look at the upper bits need them right where the C type is narrower.
  if (bits < 32 && !low_word_closed) {
    const bool is_signed = name == "sdiv" || name == "srem" || name == "ashr";
    auto extend = [&](Expr value) {
      if (!value->type.is_tile())
        return value;
      Expr wide = new_tile(nullptr, Kind::tile_int);
      issue(is_signed ? "sext" : "zext", {wide, value, literal({Kind::host_int}, bits)});
      return wide;
    };
    if (name != "shl")
      left = extend(left);
    right = extend(right);
  }
  issue(integer_operation(name), {new_tile(&binary, Kind::tile_int), left, right});
}

void Lowering::lower_float_binary(BinaryOperator &binary) {
  if (!binary.getType()->isFloatTy()) {
    fail(binary, binary.getType()->isDoubleTy() ? "NFY4001" : "NFY4009",
         binary.getType()->isDoubleTy() ? "double precision arithmetic"
                                        : "half precision arithmetic");
    return;
  }
  std::string name = binary.getOpcodeName();
  if (name == "frem")
    name = "fmod";
  Expr left = operand(binary.getOperand(0)), right = operand(binary.getOperand(1));
  issue(name, {new_tile(&binary, Kind::tile_float), left, right});
}

void Lowering::lower_select(SelectInst &select) {
  Expr condition = mask(select.getCondition());
  Value *on_true = select.getTrueValue(), *on_false = select.getFalseValue();
  if (select.getType()->isIntegerTy(1)) {
    Expr value;
    if (match(on_true, m_One())) // logical or
      value = operation("or", {Kind::mask}, {condition, mask(on_false)});
    else if (match(on_false, m_Zero())) // logical and
      value = operation("and", {Kind::mask}, {condition, mask(on_true)});
    else
      value = operation("select", {Kind::mask}, {condition, mask(on_true), mask(on_false)});
    remember(&select, declare("m", {Kind::mask}, value), false);
    return;
  }
  if (select.getType()->isPointerTy()) {
    fail(select, "NFY4008", "choice between pointers into different objects");
    return;
  }
  const bool is_long =
      select.getType()->isIntegerTy() && select.getType()->getIntegerBitWidth() > 32;
  const bool pair = is_pair(select);
  auto form = [&](Value *v) { return pair ? wide_operand(v) : is_long ? low_word(v) : operand(v); };
  Expr a = form(on_true), b = form(on_false);
  const Kind kind = select.getType()->isFloatTy() ? Kind::tile_float
                    : pair                        ? Kind::tile_wide
                                                  : Kind::tile_int;
  issue("select", {new_tile(&select, kind), condition, a, b});
}

/// Integers on the chip compare as 32-bit numbers; wider ones where both sides are extended ones.
Expr Lowering::compare_integers(CmpInst &compare) {
  const unsigned bits = compare.getOperand(0)->getType()->getIntegerBitWidth();
  CmpInst::Predicate predicate = compare.getPredicate();
  Expr operands[2];
  const bool is_signed = CmpInst::isSigned(predicate);
  for (int i = 0; i < 2; ++i) {
    const Value *side = compare.getOperand(i);
    if (bits > 32) {
      operands[i] = a_.is_narrow(compare) ? low_operand(side) : extended_wide(side, is_signed);
      continue;
    }
    operands[i] = operand(side);
    if (bits < 32 && operands[i]->type.is_tile()) {
      Expr wide = new_tile(nullptr, Kind::tile_int);
      issue(is_signed ? "sext" : "zext", {wide, operands[i], literal({Kind::host_int}, bits)});
      operands[i] = wide;
    } else if (bits < 32 && !is_signed) {
      operands[i] = operation("zext", {Kind::host_int, 32, false}, {operands[i]});
    } else if (bits < 32) {
      operands[i] = operation("sext", {Kind::host_int, 32}, {operands[i]});
    }
  }
  // The signed order of zero-extended numbers is the unsigned order of the 32-bit ones. The
  // unsigned order of sign-extended numbers is the unsigned order of the 32-bit ones as well.
  if (bits > 32 && a_.is_narrow(compare) && !a_.common_extension(compare).sign && is_signed)
    predicate = ICmpInst::getUnsignedPredicate(predicate);
  switch (predicate) { // the chip's library has less and less-or-equal
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE:
    predicate = CmpInst::getSwappedPredicate(predicate);
    std::swap(operands[0], operands[1]);
    break;
  default:
    break;
  }
  return operation(std::string("tile_") + predicate_name(predicate), {Kind::mask},
                   {operands[0], operands[1]});
}

void Lowering::lower_compare(CmpInst &compare) {
  Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  Expr value;
  if (left->getType()->isIntegerTy(1)) {
    value = operation("xor", {Kind::mask}, {mask(left), mask(right)});
    if (compare.getPredicate() == CmpInst::ICMP_EQ)
      value = operation("not", {Kind::mask}, {value});
  } else if (left->getType()->isIntegerTy()) {
    value = compare_integers(compare);
  } else if (left->getType()->isFloatTy()) {
    if (compare.getPredicate() == CmpInst::FCMP_TRUE ||
        compare.getPredicate() == CmpInst::FCMP_FALSE)
      value =
          compare.getPredicate() == CmpInst::FCMP_TRUE ? all_ : operation("none", {Kind::mask}, {});
    else
      value = operation(std::string("tile_") + predicate_name(compare.getPredicate()), {Kind::mask},
                        {operand(left), operand(right)});
  } else {
    fail(compare, left->getType()->isPointerTy() ? "NFY4008" : "NFY4009", "unsupported comparison");
  }
  if (value)
    remember(&compare, declare("m", {Kind::mask}, value), false);
}

void Lowering::lower_cast(CastInst &cast) {
  Value *source = cast.getOperand(0);
  llvm::Type *from = source->getType(), *to = cast.getType();
  auto int_literal = [](int64_t v) { return literal({Kind::host_int}, v); };
  const unsigned from_bits = from->isIntegerTy() ? from->getIntegerBitWidth() : 0;

  switch (cast.getOpcode()) {
  case Instruction::Trunc:
    if (to->isIntegerTy(1)) {
      Expr value = from_bits > 32 ? low_word(source) : tile(source);
      remember(
          &cast,
          declare("m", {Kind::mask}, operation("test_bit", {Kind::mask}, {value, int_literal(0)})),
          false);
      return;
    }
    if (to->getIntegerBitWidth() > 32 && is_pair(cast))
      remember(&cast, wide(source), true);
    else
      remember(&cast, from_bits > 32 ? low_word(source) : tile(source), true);
    return;
  case Instruction::ZExt:
  case Instruction::SExt: {
    if (to->getIntegerBitWidth() > 32 && is_pair(cast))
      return lower_extension(cast);
    const bool is_signed = isa<SExtInst>(cast);
    if (from_bits == 1) {
      Expr result = new_tile(&cast, Kind::tile_int);
      issue("select", {result, mask(source), int_literal(is_signed ? -1 : 1), int_literal(0)});
    } else if (from_bits == 32) {
      remember(&cast, tile(source), true); // the low word of a wider number
    } else {
      Expr value = tile(source);
      issue(is_signed ? "sext" : "zext",
            {new_tile(&cast, Kind::tile_int), value, int_literal(from_bits)});
    }
    return;
  }
  case Instruction::BitCast:
    if ((from->isFloatTy() && to->isIntegerTy(32)) || (from->isIntegerTy(32) && to->isFloatTy())) {
      Expr value = tile(source);
      Type type = type_of(cast);
      remember(&cast,
               declare("", type,
                       operation(to->isFloatTy() ? "int_as_float" : "float_as_int", type, {value})),
               true);
      return;
    }
    break;
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    // Around atomic operations on halves, which are floats here (kernel/widen_halves.cpp).
    if (from->is16bitFPTy() || (to->is16bitFPTy() && from->isFloatTy())) {
      remember(&cast, tile(source), true);
      return;
    }
    break;
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    if (!to->isFloatTy())
      break;
    bool is_signed = isa<SIToFPInst>(cast);
    if (from_bits == 1) {
      issue("select", {new_tile(&cast, Kind::tile_float), mask(source),
                       float_literal(is_signed ? -1.0f : 1.0f), float_literal(0.0f)});
      return;
    }
    Expr value = from_bits > 32 ? wide_to_float_source(source, is_signed) : tile(source);
    if (from_bits < 32) {
      Expr wide = new_tile(nullptr, Kind::tile_int);
      issue(is_signed ? "sext" : "zext", {wide, value, int_literal(from_bits)});
      value = wide;
    }
    issue(is_signed ? "int_to_float" : "uint_to_float", {new_tile(&cast, Kind::tile_float), value});
    return;
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    if (!from->isFloatTy() || to->getIntegerBitWidth() > 64)
      break;
    Expr value = tile(source);
    if (to->getIntegerBitWidth() > 32) {
      issue(isa<FPToSIInst>(cast) ? "float_to_int" : "float_to_uint",
            {new_tile(&cast, Kind::tile_wide), value});
      return;
    }
    // A narrower unsigned result is defined for values that fit it only: the signed conversion
    // serves.
    const bool is_signed = isa<FPToSIInst>(cast) || to->getIntegerBitWidth() < 32;
    issue(is_signed ? "float_to_int" : "float_to_uint", {new_tile(&cast, Kind::tile_int), value});
    return;
  }
  default:
    break;
  }
  const bool is_double = from->isDoubleTy() || to->isDoubleTy();
  const bool is_wide = from_bits > 32 || (to->isIntegerTy() && to->getIntegerBitWidth() > 32);
  fail(cast,
       is_double ? "NFY4001"
       : is_wide ? "NFY4003"
                 : "NFY4009",
       is_double ? "double precision"
       : is_wide ? "64-bit integer data"
                 : "unsupported conversion");
}

} // namespace neuronify::tile
