// Integers of more than 32 bits on the chip: pairs of tiles where both words are asked for, and the
// low word alone where that is enough (rewriters/kernel/widths.cpp decides).
#include "tile/lowering.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace neuronify::tile {

static unsigned bits_of(const Value *value) { return value->getType()->getIntegerBitWidth(); }

static Expr number(int64_t value) { return literal({Kind::host_int}, value); }

std::string integer_operation(const std::string &opcode) {
  static const std::map<std::string, std::string> names{{"add", "iadd"}, {"sub", "isub"},
                                                        {"mul", "imul"}, {"and", "iand"},
                                                        {"or", "ior"},   {"xor", "ixor"}};
  auto found = names.find(opcode);
  return found == names.end() ? opcode : found->second;
}

// ---- values in the forms that operations want
// --------------------------------------------------------

bool Lowering::is_pair(const Instruction &instruction) const {
  if (!instruction.getType()->isIntegerTy() || bits_of(&instruction) <= 32)
    return false;
  // Where the launch knows it, someone has asked for all of it.
  return a_.known(&instruction) != Known::chip || a_.is_wide(&instruction);
}

Expr Lowering::wide(const Value *value) {
  if (auto found = pairs_.find(value); found != pairs_.end())
    return found->second;
  auto found = tiles_.find(value);
  if (found != tiles_.end() && found->second->type.kind == Kind::tile_wide)
    return found->second;
  const Type type{Kind::tile_wide, uint8_t(std::min(64u, bits_of(value)))};
  const Known when = a_.known(value);
  if (when == Known::chip) {
    const kernel::Extension extension = a_.extension(value);
    Expr low = tile(value);
    if (!low)
      return nullptr;
    if (!extension.any()) {
      fail(*cast<Instruction>(value), "NFY4003", "64-bit integer data");
      return nullptr;
    }
    Expr result = declare("", type, fresh(type));
    issue(extension.sign ? "sext" : "zext", {result, low, number(32)});
    remember(value, result, Form::pair);
    return result;
  }
  if (when == Known::launch && !a_.is_affine(value)) {
    lower_chip_form(*const_cast<Instruction *>(cast<Instruction>(value)));
    auto made = tiles_.find(value);
    return made == tiles_.end() ? nullptr : made->second;
  }
  Expr source = known(value);
  Expr result = declare("", type, fresh(type));
  issue(when == Known::launch ? "materialize" : "fill", {result, source});
  remember(value, result, Form::pair);
  return result;
}

Expr Lowering::wide_operand(const Value *value) {
  return a_.known(value) == Known::host ? known(value) : wide(value);
}

Expr Lowering::operand_for(const Type &type, const Value *value) {
  return type.kind == Kind::tile_wide ? wide_operand(value) : operand(value);
}

/// The low word as a tile or a host scalar of 32 bits; of an extension what was extended.
Expr Lowering::low_operand(const Value *value) {
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return number(
        int32_t(constant->getValue().extractBitsAsZExtValue(std::min(32u, bits_of(value)), 0)));
  if (bits_of(value) <= 32)
    return operand(value);
  if (auto *extension = dyn_cast<CastInst>(value);
      extension && (isa<SExtInst>(extension) || isa<ZExtInst>(extension)) &&
      bits_of(extension->getOperand(0)) == 32)
    return operand(extension->getOperand(0));
  if (a_.known(value) == Known::host)
    return operation("trunc", {Kind::host_int, 32}, {known(value)});
  return low_word(value);
}

/// A pair whose bits above the type's width are those of the number.
Expr Lowering::extended_wide(const Value *value, bool is_signed) {
  Expr source = wide_operand(value);
  if (!source || bits_of(value) == 64 || !source->type.is_tile())
    return source;
  const Type type{Kind::tile_wide, 64};
  Expr result = declare("", type, fresh(type));
  issue(is_signed ? "sext" : "zext", {result, source, number(bits_of(value))});
  return result;
}

Expr Lowering::high_word(const Value *value, bool is_signed) {
  Expr pair = extended_wide(value, is_signed);
  if (!pair)
    return nullptr;
  if (!pair->type.is_tile())
    return operation("trunc", {Kind::host_int, 32},
                     {operation("lshr", {Kind::host_int, 64, false},
                                {pair, literal({Kind::host_int, 64}, 32)})});
  return operation("high_word", {Kind::tile_int}, {pair});
}

// ---- arithmetic
// --------------------------------------------------------------------------------------

static bool is_closed(unsigned opcode) {
  return opcode == Instruction::Add || opcode == Instruction::Sub || opcode == Instruction::Mul ||
         opcode == Instruction::And || opcode == Instruction::Or || opcode == Instruction::Xor;
}

/// A right shift by a constant of which the low word is enough.
bool Lowering::lower_low_word_of_shift(BinaryOperator &shift) {
  Value *source = shift.getOperand(0);
  const bool is_signed = shift.getOpcode() == Instruction::AShr;
  const int64_t count = int64_t(cast<ConstantInt>(shift.getOperand(1))->getLimitedValue(64));
  if (a_.is_narrow(shift)) {
    Expr low = low_operand(source);
    issue(shift.getOpcodeName(), {new_tile(&shift, Kind::tile_int), low, number(count)});
    return true;
  }
  if (count >= 64)
    return false;
  Expr high = high_word(source, is_signed);
  if (!high)
    return true;
  if (count == 32 && high->type.is_tile()) {
    remember(&shift, declare("", {Kind::tile_int}, high), true);
  } else if (count >= 32) {
    issue(shift.getOpcodeName(), {new_tile(&shift, Kind::tile_int), high, number(count - 32)});
  } else {
    Expr low = low_operand(source);
    issue("fshr", {new_tile(&shift, Kind::tile_int), high, low, number(count)});
  }
  return true;
}

/// What is wanted of the result is its low word; 32-bit operations give it exactly.
bool Lowering::lower_low_word(BinaryOperator &binary) {
  const std::string name = binary.getOpcodeName();
  auto *count = dyn_cast<ConstantInt>(binary.getOperand(1));
  const unsigned opcode = binary.getOpcode();
  if (opcode == Instruction::LShr || opcode == Instruction::AShr)
    return lower_low_word_of_shift(binary);
  if (opcode == Instruction::Shl && count->uge(32)) {
    issue("fill", {new_tile(&binary, Kind::tile_int), number(0)});
    return true;
  }
  const bool narrow = !is_closed(opcode) && opcode != Instruction::Shl; // a division
  auto low = [&](Value *v) -> Expr {
    if (auto *c = dyn_cast<ConstantInt>(v))
      return number(int32_t(c->getValue().extractBitsAsZExtValue(32, 0)));
    return narrow ? low_operand(v) : low_word(v);
  };
  Expr left = low(binary.getOperand(0)), right = low(binary.getOperand(1));
  issue(integer_operation(name), {new_tile(&binary, Kind::tile_int), left, right});
  return true;
}

/// A pair made of two words: `high << 32 | low`, and a word shifted up.
bool Lowering::lower_words(BinaryOperator &binary) {
  Value *low = nullptr, *high = nullptr;
  auto upper = m_Shl(m_Value(high), m_SpecificInt(32));
  if (match(&binary, m_c_Or(upper, m_Value(low))) || match(&binary, m_c_Add(upper, m_Value(low))) ||
      match(&binary, m_c_Xor(upper, m_Value(low)))) {
    if (!a_.extension(low).zero)
      return false;
    Expr a = low_operand(low), b = low_operand(high);
    issue("words", {new_tile(&binary, Kind::tile_wide), a, b});
    return true;
  }
  auto *count = dyn_cast<ConstantInt>(binary.getOperand(1));
  if (binary.getOpcode() != Instruction::Shl || !count || !count->uge(32) || count->uge(64))
    return false;
  Expr word = low_operand(binary.getOperand(0));
  const int64_t rest = int64_t(count->getZExtValue()) - 32;
  if (rest > 0) {
    Expr shifted = new_tile(nullptr, Kind::tile_int);
    issue("shl", {shifted, word, number(rest)});
    word = shifted;
  }
  issue("words", {new_tile(&binary, Kind::tile_wide), number(0), word});
  return true;
}

void Lowering::lower_wide_binary(BinaryOperator &binary) {
  const std::string name = binary.getOpcodeName();
  const unsigned opcode = binary.getOpcode();
  Value *left = binary.getOperand(0), *right = binary.getOperand(1);
  if (bits_of(&binary) > 64) {
    fail(binary, "NFY4003", "integer arithmetic of more than 64 bits on data ('" + name + "')");
    return;
  }
  if (!is_pair(binary)) {
    lower_low_word(binary);
    return;
  }
  if (lower_words(binary))
    return;
  if (opcode == Instruction::Mul && a_.is_narrow(binary)) {
    Expr a = low_operand(left), b = low_operand(right);
    issue(a_.common_extension(binary).sign ? "smul_wide" : "umul_wide",
          {new_tile(&binary, Kind::tile_wide), a, b});
    return;
  }
  const bool is_shift =
      opcode == Instruction::Shl || opcode == Instruction::LShr || opcode == Instruction::AShr;
  const bool is_signed = name == "sdiv" || name == "srem" || name == "ashr";
  const bool whole = !is_closed(opcode) && opcode != Instruction::Shl; // reads all bits
  Expr a = whole ? extended_wide(left, is_signed) : wide_operand(left);
  Expr b = is_shift ? low_operand(right)
           : whole  ? extended_wide(right, is_signed)
                    : wide_operand(right);
  issue(integer_operation(name), {new_tile(&binary, Kind::tile_wide), a, b});
}

// ---- conversions, comparisons, memory
// ----------------------------------------------------------------

/// An extension to more than 32 bits that must be there as a pair.
void Lowering::lower_extension(CastInst &cast) {
  Value *source = cast.getOperand(0);
  const bool is_signed = isa<SExtInst>(cast);
  if (bits_of(&cast) > 64) {
    fail(cast, "NFY4003", "integer data of more than 64 bits");
    return;
  }
  if (bits_of(source) == 1) {
    Expr lanes = mask(source);
    issue("select",
          {new_tile(&cast, Kind::tile_wide), lanes, number(is_signed ? -1 : 1), number(0)});
    return;
  }
  Expr value = bits_of(source) > 32 ? wide(source) : tile(source);
  issue(is_signed ? "sext" : "zext",
        {new_tile(&cast, Kind::tile_wide), value, number(bits_of(source))});
}

/// What a conversion of a long integer to float converts: a 32-bit word, or the pair.
Expr Lowering::wide_to_float_source(const Value *value, bool &is_signed) {
  const kernel::Extension extension = a_.extension(value);
  if (extension.zero || (extension.sign && is_signed)) {
    is_signed = extension.sign;
    Expr low = low_operand(value);
    if (low && !low->type.is_tile()) {
      Expr filled = new_tile(nullptr, Kind::tile_int);
      issue("fill", {filled, low});
      low = filled;
    }
    return low;
  }
  Expr source = wide(value);
  if (!source || bits_of(value) == 64)
    return source;
  return extended_wide(value, is_signed);
}

} // namespace neuronify::tile
