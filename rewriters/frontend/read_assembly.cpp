// Inline PTX of integer instructions becomes IR, for the reference and the port alike: carry
// chains, wide products, shifts, selections by predicates, in straight lines, with registers of
// their own; and with them what CUB writes so: shuffles, loads and stores with a cache operator,
// sums of floats.
//
// A statement is translated as a whole or not at all; what is left goes its own way on both sides
// (single instructions that read registers, approximate or order memory) or is diagnosed.
#include "frontend/assembly_carry.h"
#include "frontend/assembly_integers.h"
#include "frontend/assembly_packed.h"
#include "frontend/assembly_text.h"
#include "frontend/bit_fields.h"
#include "frontend/passes.h"
#include "frontend/shuffles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace neuronify::frontend {

namespace {

using llvm::SmallVector;
using llvm::StringRef;
using llvm::Value;

/// One statement. Builds in front of the call; nothing is kept of it where a line is not known.
class Statement {
public:
  Statement(llvm::CallInst &call, CarryFlag &flag)
      : call_(call), flag_(flag), builder_(&call),
        assembly_(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())) {}

  bool run() {
    const StringRef text = assembly_.getAsmString();
    const std::vector<Line> lines = parse(text);
    if (lines.empty() || text.contains("//") || !bind_operands())
      return false;
    llvm::Instruction *before = call_.getPrevNode();
    for (const Line &line : lines)
      if (!translate(line)) {
        discard(before);
        return false;
      }
    if (!can_finish()) {
      discard(before);
      return false;
    }
    if (carry_ && flag_.crosses_statements())
      flag_.write(builder_, carry_);
    finish();
    return true;
  }

private:
  // ---- registers ---------------------------------------------------------------------------

  struct Register {
    Kind kind;
    Value *value = nullptr;
    Value *pointer = nullptr; ///< of which it holds the address
  };

  static Kind kind_of_value(const llvm::Type *type) {
    if (type->isIntegerTy())
      return {'b', type->getIntegerBitWidth()};
    return type->isFloatTy() ? Kind{'f', 32} : type->isDoubleTy() ? Kind{'f', 64} : Kind{};
  }

  llvm::Type *result_type(unsigned i) const {
    llvm::Type *type = call_.getType();
    auto *all = llvm::dyn_cast<llvm::StructType>(type);
    return all ? all->getElementType(i) : type;
  }

  /// Operands $0, $1, …: results first. A result that is tied to an argument starts as that.
  bool bind_operands() {
    unsigned number = 0, argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo &constraint : assembly_.ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber)
        continue;
      if (constraint.isIndirect || constraint.Type == llvm::InlineAsm::isLabel)
        return false;
      const std::string name = "$" + std::to_string(number++);
      if (constraint.Type == llvm::InlineAsm::isOutput) {
        registers_[name] = {kind_of_value(result_type(results_)), nullptr};
        ++results_;
        continue;
      }
      Value *operand = call_.getArgOperand(argument++), *value = as_bits(operand);
      if (!value)
        return false;
      registers_[name] = {kind_of_value(value->getType()), value,
                          operand->getType()->isPointerTy() ? operand : nullptr};
      unsigned tied = 0;
      if (constraint.Codes.size() == 1 && !StringRef(constraint.Codes[0]).getAsInteger(10, tied))
        registers_["$" + std::to_string(tied)].value = value;
    }
    return true;
  }

  Value *as_bits(Value *value) {
    llvm::Type *type = value->getType();
    if (type->isFloatTy() || type->isDoubleTy())
      return builder_.CreateBitCast(value, builder_.getIntNTy(type->isFloatTy() ? 32 : 64));
    if (type->isPointerTy())
      return builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    return type->isIntegerTy() ? value : nullptr;
  }

  /// An operand as an integer of `bits` bits; null where it is none.
  Value *read(StringRef operand, unsigned bits) {
    if (operand.size() > 2 && operand.starts_with("{")) {
      SmallVector<StringRef, 4> parts = split_operands(operand.drop_front().drop_back());
      if (parts.size() != 2 || bits % 2)
        return nullptr;
      Value *low = read(parts[0], bits / 2), *high = read(parts[1], bits / 2);
      if (!low || !high)
        return nullptr;
      llvm::Type *type = builder_.getIntNTy(bits);
      return builder_.CreateOr(builder_.CreateZExt(low, type),
                               builder_.CreateShl(builder_.CreateZExt(high, type), bits / 2));
    }
    int64_t number = 0;
    uint64_t large = 0;
    StringRef digits = operand;
    digits.consume_back("U"); // 0xffU
    if (!digits.getAsInteger(0, number))
      return llvm::ConstantInt::get(builder_.getIntNTy(bits), uint64_t(number), false, true);
    if (!digits.getAsInteger(0, large))
      return llvm::ConstantInt::get(builder_.getIntNTy(bits), large, false, true);
    const auto found = registers_.find(operand);
    if (found == registers_.end() || !found->second.value)
      return nullptr;
    Value *value = found->second.value;
    const unsigned have = value->getType()->getIntegerBitWidth();
    if (have < bits)
      return nullptr;
    return have == bits ? value : builder_.CreateTrunc(value, builder_.getIntNTy(bits));
  }

  /// Writes a register of as many bits as `value`; under a guard, where it holds.
  bool write(StringRef operand, Value *value) {
    if (!value)
      return false;
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (operand.size() > 2 && operand.starts_with("{")) {
      SmallVector<StringRef, 4> parts = split_operands(operand.drop_front().drop_back());
      llvm::Type *half = builder_.getIntNTy(bits / 2);
      return parts.size() == 2 && bits % 2 == 0 &&
             write(parts[0], builder_.CreateTrunc(value, half)) &&
             write(parts[1], builder_.CreateTrunc(builder_.CreateLShr(value, bits / 2), half));
    }
    const auto found = registers_.find(operand);
    if (found == registers_.end() || found->second.kind.bits != bits)
      return false;
    Value *&place = found->second.value;
    if (guard_) {
      if (!place)
        return false; // what it was is not known
      value = builder_.CreateSelect(guard_, value, place);
    }
    place = value;
    found->second.pointer = nullptr;
    return true;
  }

  bool declare(const Line &line) {
    // ".reg .u32 a" has arrived as ".reg" with the operands ".u32 a", "b".
    if (line.name != ".reg" || line.operands.empty())
      return false;
    auto [type, first] = llvm::getToken(line.operands[0]);
    const std::optional<Kind> kind = type.consume_front(".") ? kind_of(type) : std::nullopt;
    if (!kind || first.trim().empty() || first.contains('<'))
      return false;
    registers_[first.trim()] = {*kind, nullptr};
    for (StringRef name : llvm::drop_begin(line.operands))
      registers_[name] = {*kind, nullptr};
    return true;
  }

  // ---- instructions ------------------------------------------------------------------------

  bool translate(const Line &line) {
    if (line.name.starts_with("."))
      return declare(line);
    guard_ = nullptr;
    if (!line.guard.empty()) {
      StringRef name = line.guard;
      const bool opposite = name.consume_front("!");
      guard_ = read(name, 1);
      if (!guard_)
        return false;
      if (opposite)
        guard_ = builder_.CreateNot(guard_);
    }
    StringRef type = line.modifiers.empty() ? "" : line.modifiers.back();
    if (line.modifiers.size() == 4 && line.name.starts_with("v")) // vadd4.s32.s32.s32.sat
      type = line.modifiers[2];
    const std::optional<Kind> kind = kind_of(type);
    if (!kind || line.operands.size() < 2)
      return false;
    kind_ = *kind;
    if (line.name == "ld" || line.name == "st")
      return access(line);
    if (kind->bits < 16)
      return line.name == "cvt" && convert(line);
    if (line.name == "shfl")
      return shuffle(line);
    if (line.name == "setp")
      return compare(line);
    if (line.name == "cvt")
      return convert(line);
    if (kind_.sort == 'f' && line.name != "mov")
      return write(line.operands[0], of_floats(line));
    if (Value *packed = of_packed(line))
      return write(line.operands[0], packed);
    return write(line.operands[0], result(line));
  }

  Value *source(const Line &line, unsigned i) {
    return i < line.operands.size() ? read(line.operands[i], kind_.bits) : nullptr;
  }

  /// What an instruction that writes its first operand computes; null where it is not known.
  Value *result(const Line &line) {
    const size_t count = line.operands.size();
    Value *a = source(line, 1);
    if (!a)
      return nullptr;
    if (count == 2 && line.name == "bfind" && line.modifiers.size() <= 2)
      return find_highest(builder_, a, kind_.sort == 's', line.has("shiftamt"));
    if (count == 2)
      return line.modifiers.size() == 1 ? unary_integer(builder_, line.name, kind_.bits, a)
                                        : nullptr;
    if ((line.name == "bfe" || line.name == "bfi") && line.modifiers.size() == 1)
      return field(line, a);
    const bool is_shift = line.name == "shl" || line.name == "shr";
    Value *b = is_shift ? read(line.operands[2], 32) : source(line, 2);
    if (!b)
      return nullptr;
    if (line.name == "selp") {
      Value *choice = count == 4 ? read(line.operands[3], 1) : nullptr;
      return choice ? builder_.CreateSelect(choice, a, b) : nullptr;
    }
    if (line.name == "mul" || line.name == "mad" || line.name == "madc")
      return product(line, a, b);
    if (count == 3)
      return binary(line, a, b);
    if (line.name == "shf" && line.modifiers.size() == 3 && kind_.bits == 32 && count == 4)
      return funnel(line, a, b);
    return nullptr;
  }

  Value *field(const Line &line, Value *a) {
    const bool inserts = line.name == "bfi";
    const size_t at = inserts ? 3 : 2;
    if (line.operands.size() != at + 2 || kind_.bits < 32)
      return nullptr;
    Value *base = inserts ? source(line, 2) : a;
    Value *start = read(line.operands[at], 32), *length = read(line.operands[at + 1], 32);
    if (!base || !start || !length)
      return nullptr;
    return inserts ? insert_field(builder_, a, base, start, length)
                   : extract_field(builder_, a, start, length, kind_.sort == 's');
  }

  Value *binary(const Line &line, Value *a, Value *b) {
    StringRef name = line.name;
    if (name == "add" || name == "sub" || name == "addc" || name == "subc") {
      const bool sets = line.has("cc");
      if (line.modifiers.size() != (sets ? 2u : 1u))
        return nullptr;
      return name.starts_with("add") ? sum(a, b, name == "addc", sets)
                                     : difference(a, b, name == "subc", sets);
    }
    if (line.modifiers.size() != 1)
      return nullptr;
    if (name == "and")
      return builder_.CreateAnd(a, b);
    if (name == "or")
      return builder_.CreateOr(a, b);
    if (name == "xor")
      return builder_.CreateXor(a, b);
    if (name == "shl" || name == "shr")
      return shift_integer(builder_, kind_, name == "shl", a, b);
    if (name == "min" || name == "max") {
      Value *less = kind_.sort == 's' ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
      return name == "min" ? builder_.CreateSelect(less, a, b) : builder_.CreateSelect(less, b, a);
    }
    return nullptr;
  }

  /// 32 bits of the 64 in b and a, moved by the fourth operand.
  Value *funnel(const Line &line, Value *a, Value *b) {
    Value *amount = read(line.operands[3], 32);
    if (!amount || !(line.has("l") || line.has("r")) || !(line.has("wrap") || line.has("clamp")))
      return nullptr;
    const bool left = line.has("l");
    Value *moved = builder_.CreateIntrinsic(left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr,
                                            {builder_.getInt32Ty()}, {b, a, amount});
    if (line.has("wrap"))
      return moved;
    Value *far = builder_.CreateICmpUGT(amount, builder_.getInt32(31));
    return builder_.CreateSelect(far, left ? a : b, moved);
  }

  // ---- floats ------------------------------------------------------------------------------

  /// Sums, differences and products, rounded to nearest as long as nothing else is asked for.
  Value *of_floats(const Line &line) {
    if (line.operands.size() != 3 || kind_.bits < 32 ||
        (line.modifiers.size() != 1 && !(line.modifiers.size() == 2 && line.modifiers[0] == "rn")))
      return nullptr;
    Value *a = source(line, 1), *b = source(line, 2);
    if (!a || !b)
      return nullptr;
    llvm::Type *type = kind_.bits == 32 ? builder_.getFloatTy() : builder_.getDoubleTy();
    a = builder_.CreateBitCast(a, type);
    b = builder_.CreateBitCast(b, type);
    Value *value = line.name == "add"   ? builder_.CreateFAdd(a, b)
                   : line.name == "sub" ? builder_.CreateFSub(a, b)
                   : line.name == "mul" ? builder_.CreateFMul(a, b)
                                        : nullptr;
    return value ? builder_.CreateBitCast(value, builder_.getIntNTy(kind_.bits)) : nullptr;
  }

  // ---- lanes and memory ----------------------------------------------------------------------

  /// shfl.sync.MODE.b32 value|predicate, value, lane, clamp, members
  bool shuffle(const Line &line) {
    if (line.modifiers.size() != 3 || !line.has("sync") || kind_.bits != 32 ||
        line.operands.size() != 5 || guard_)
      return false;
    const auto [to, predicate] = line.operands[0].split('|');
    Value *value = source(line, 1), *lane = source(line, 2), *clamp = source(line, 3),
          *members = source(line, 4);
    if (!value || !lane || !clamp || !members)
      return false;
    const StringRef mode = line.modifiers[1];
    return write(to.trim(), shuffled(builder_, mode, value, lane, clamp, members)) &&
           (predicate.empty() ||
            write(predicate.trim(), source_of_shuffle(builder_, mode, lane, clamp).in_segment));
  }

  /// What "register" or "register+16" points to.
  Value *address(StringRef text, uint64_t &offset) {
    const auto [name, number] = text.split('+');
    const auto found = registers_.find(name.trim());
    if (found == registers_.end() || found->second.kind.bits != 64 || !found->second.value ||
        (!number.empty() && number.trim().getAsInteger(0, offset)))
      return nullptr;
    const Register &of = found->second;
    return of.pointer ? of.pointer : builder_.CreateIntToPtr(of.value, builder_.getPtrTy());
  }

  /// ld and st of one element or a vector, with whatever they say about caches and order: one
  /// thread or one statement of all lanes runs at a time.
  bool access(const Line &line) {
    const bool stores = line.name == "st";
    if (line.operands.size() != 2 || guard_ || line.has("shared") || line.has("local") ||
        line.has("param") || line.has("const"))
      return false;
    StringRef place = line.operands[stores ? 0 : 1], values = line.operands[stores ? 1 : 0];
    if (!place.consume_front("[") || !place.consume_back("]"))
      return false;
    uint64_t offset = 0;
    Value *base = address(place, offset);
    if (!base)
      return false;
    SmallVector<StringRef, 4> elements{values};
    if (values.consume_front("{") && values.consume_back("}"))
      elements = split_operands(values);
    const bool of_vector = line.has("v2") || line.has("v4") || line.has("v8");
    if ((elements.size() > 1) != of_vector)
      return false;
    const unsigned bytes = kind_.bits / 8;
    llvm::Type *type = builder_.getIntNTy(kind_.bits);
    const llvm::Align align(bytes * elements.size()); // of the whole vector, as PTX asks for
    for (size_t i = 0; i < elements.size(); ++i) {
      Value *at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset + i * bytes);
      const llvm::Align own = llvm::commonAlignment(align, offset + i * bytes);
      Value *value = stores ? read(elements[i], kind_.bits) : nullptr;
      if (stores && !value)
        return false;
      if (stores)
        builder_.CreateAlignedStore(value, at, own);
      else if (!write_extended(elements[i], builder_.CreateAlignedLoad(type, at, own)))
        return false;
    }
    return true;
  }

  /// Into a register that may be larger than what was loaded.
  bool write_extended(StringRef operand, Value *value) {
    const auto found = registers_.find(operand);
    if (found == registers_.end() || found->second.kind.bits < kind_.bits)
      return false;
    return write(operand, builder_.CreateIntCast(value, builder_.getIntNTy(found->second.kind.bits),
                                                 kind_.sort == 's'));
  }

  // ---- sums with carry ---------------------------------------------------------------------

  /// The flag as it is now; null where nobody has set it.
  Value *incoming() {
    if (!carry_ && flag_.crosses_statements())
      carry_ = flag_.read(builder_);
    return carry_;
  }

  Value *sum(Value *a, Value *b, bool with_carry, bool sets) {
    Value *total = builder_.CreateAdd(a, b);
    Value *carry = builder_.CreateICmpULT(total, a);
    if (with_carry) {
      if (!incoming())
        return nullptr;
      Value *one = builder_.CreateZExt(carry_, a->getType());
      total = builder_.CreateAdd(total, one);
      carry = builder_.CreateOr(carry, builder_.CreateICmpULT(total, one));
    }
    if (sets)
      set_carry(carry);
    return total;
  }

  Value *difference(Value *a, Value *b, bool with_carry, bool sets) {
    Value *rest = builder_.CreateSub(a, b);
    Value *borrow = builder_.CreateICmpULT(a, b);
    if (with_carry) {
      if (!incoming())
        return nullptr;
      Value *one = builder_.CreateZExt(carry_, a->getType());
      borrow = builder_.CreateOr(borrow, builder_.CreateICmpULT(rest, one));
      rest = builder_.CreateSub(rest, one);
    }
    if (sets)
      set_carry(borrow);
    return rest;
  }

  void set_carry(Value *carry) {
    carry_ = guard_ && incoming() ? builder_.CreateSelect(guard_, carry, carry_) : carry;
  }

  /// mul, mad and madc, with the low half, the high half, or all of the product.
  Value *product(const Line &line, Value *a, Value *b) {
    const bool adds = line.name != "mul", sets = line.has("cc");
    if (line.operands.size() != (adds ? 4u : 3u) || line.modifiers.size() != (sets ? 3u : 2u) ||
        (sets && !adds))
      return nullptr;
    const bool is_wide = line.has("wide");
    Value *value = is_wide          ? wide_product(builder_, kind_, a, b)
                   : line.has("lo") ? builder_.CreateMul(a, b)
                   : line.has("hi") ? high_product(builder_, *call_.getModule(), kind_, a, b)
                                    : nullptr;
    if (!value || !adds)
      return value;
    Value *more = read(line.operands[3], value->getType()->getIntegerBitWidth());
    return more ? sum(value, more, line.name == "madc", sets) : nullptr;
  }

  /// Four bytes or two halves at a time, and products of bytes; null where it is none of these.
  Value *of_packed(const Line &line) {
    if (line.operands.size() != 4 || kind_.bits != 32)
      return nullptr;
    Value *a = source(line, 1), *b = source(line, 2), *c = source(line, 3);
    return a && b && c ? packed(builder_, *call_.getModule(), line, kind_.sort == 's', a, b, c)
                       : nullptr;
  }

  // ---- comparisons and conversions -----------------------------------------------------------

  bool compare(const Line &line) {
    Value *a = source(line, 1), *b = source(line, 2);
    if (!a || !b || line.modifiers.size() != 2 || line.operands.size() != 3 || kind_.sort == 'f')
      return false;
    using Predicate = llvm::CmpInst::Predicate;
    const bool is_signed = kind_.sort == 's';
    const auto predicate = llvm::StringSwitch<std::optional<Predicate>>(line.modifiers[0])
                               .Case("eq", Predicate::ICMP_EQ)
                               .Case("ne", Predicate::ICMP_NE)
                               .Case("lt", is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT)
                               .Case("le", is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE)
                               .Case("gt", is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT)
                               .Case("ge", is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE)
                               .Default(std::nullopt);
    return predicate && write(line.operands[0], builder_.CreateICmp(*predicate, a, b));
  }

  /// Between integers: `cvt.to.from`.
  bool convert(const Line &line) {
    const std::optional<Kind> to =
        line.modifiers.size() == 2 ? kind_of(line.modifiers[0]) : std::nullopt;
    if (!to || to->sort == 'f' || kind_.sort == 'f' || to->bits < 8 || line.operands.size() != 2)
      return false;
    Value *value = source(line, 1);
    return value &&
           write(line.operands[0],
                 builder_.CreateIntCast(value, builder_.getIntNTy(to->bits), kind_.sort == 's'));
  }

  // ---- the end -----------------------------------------------------------------------------

  /// Whether every result has a value.
  bool can_finish() {
    for (unsigned i = 0; i < results_; ++i)
      if (!registers_["$" + std::to_string(i)].value)
        return false;
    return true;
  }

  void finish() {
    SmallVector<Value *, 4> values;
    for (unsigned i = 0; i < results_; ++i) {
      Value *value = registers_["$" + std::to_string(i)].value;
      llvm::Type *type = result_type(i);
      values.push_back(value->getType() == type ? value : builder_.CreateBitCast(value, type));
    }
    if (results_ == 1 && !call_.getType()->isStructTy()) {
      call_.replaceAllUsesWith(values[0]);
    } else if (results_ > 0) {
      Value *all = llvm::PoisonValue::get(call_.getType());
      for (unsigned i = 0; i < results_; ++i)
        all = builder_.CreateInsertValue(all, values[i], i);
      call_.replaceAllUsesWith(all);
    }
    call_.eraseFromParent();
  }

  void discard(llvm::Instruction *before) {
    while (call_.getPrevNode() != before)
      call_.getPrevNode()->eraseFromParent();
  }

  llvm::CallInst &call_;
  CarryFlag &flag_;
  llvm::IRBuilder<> builder_;
  const llvm::InlineAsm &assembly_;
  llvm::StringMap<Register> registers_;
  unsigned results_ = 0;
  Kind kind_;
  Value *guard_ = nullptr, *carry_ = nullptr;
};

} // namespace

void read_assembly(llvm::Module &module) {
  inline_carry_functions(module);
  for (llvm::Function &function : module) {
    CarryFlag flag(function);
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
        Statement(*call, flag).run();
  }
}

} // namespace neuronify::frontend
