// Atomic operations: one statement each, with or without the old values.
#include "tile/lowering.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::tile {

using Space = kernel::Object::Space;

/// The name after "atomic_" or "fetch_"; empty where there is none.
static StringRef operation_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return "exch";
  case AtomicRMWInst::Add:
    return "add";
  case AtomicRMWInst::Sub:
    return "sub";
  case AtomicRMWInst::And:
    return "and";
  case AtomicRMWInst::Or:
    return "or";
  case AtomicRMWInst::Xor:
    return "xor";
  case AtomicRMWInst::Max:
    return "max";
  case AtomicRMWInst::Min:
    return "min";
  case AtomicRMWInst::UMax:
    return "umax";
  case AtomicRMWInst::UMin:
    return "umin";
  case AtomicRMWInst::FAdd:
    return "fadd";
  case AtomicRMWInst::FSub:
    return "fsub";
  case AtomicRMWInst::FMax:
    return "fmax";
  case AtomicRMWInst::FMin:
    return "fmin";
  case AtomicRMWInst::UIncWrap:
    return "inc";
  case AtomicRMWInst::UDecWrap:
    return "dec";
  default:
    return "";
  }
}

static bool is_half(const llvm::Type *type) { return type->isHalfTy() || type->isBFloatTy(); }
static bool is_word(const llvm::Type *type) { return type->isIntegerTy(32) || type->isFloatTy(); }
static bool is_number(const llvm::Type *type) { return is_word(type) || type->isIntegerTy(64); }

/// Issues the operation on the word at `pointer` in all objects that lanes may choose; the tile
/// with the old values, or null where nobody wants them.
Expr Lowering::found_by(Instruction &at, const std::string &name, Value *pointer, llvm::Type *type,
                        const std::vector<Expr> &operands, bool wanted) {
  if (!is_number(type) && name != "cas16" && !(is_half(type) && name.starts_with("fadd"))) {
    fail(at, type->isDoubleTy() ? "NFY4001" : "NFY4002",
         type->isDoubleTy() ? "atomic operation on double precision data"
                            : "atomic operation on data of this size");
    return nullptr;
  }
  const bool wide = type->isIntegerTy(64);
  const bool is_float = type->isFloatTy() || is_half(type);
  const Kind kind = is_float ? Kind::tile_float : wide ? Kind::tile_wide : Kind::tile_int;
  Expr result;
  const auto targets = alternatives(pointer, mask_of(at.getParent()), at, type);
  for (const Alternative &target : targets) {
    Expr to = place(target, type, at);
    if (!to)
      return nullptr;
    // No instruction is atomic between cores: waves one after the other, in the order of blocks.
    const Space space = target.in_array ? Space::shared : a_.object(target.pointer).space;
    program.sequential |=
        space != Space::shared && space != Space::dynamic_shared && space != Space::local;
    std::vector<Expr> all;
    Expr old;
    if (wanted) {
      const Type result_type{kind, uint8_t(name == "cas16" ? 16 : wide ? 64 : 32)};
      old = declare("", result_type, fresh(result_type));
      all.push_back(old);
    }
    all.push_back(to);
    all.insert(all.end(), operands.begin(), operands.end());
    all.push_back(target.lanes);
    issue((wanted ? "fetch_" : "atomic_") + name + (wide ? "64" : ""), std::move(all));
    if (result)
      issue("assign", {result, old, target.lanes});
    else
      result = old;
  }
  return result;
}

/// A tile, a pair of tiles for 64 bits, or a host scalar.
Expr Lowering::number_operand(const Value *value) {
  return value->getType()->isIntegerTy(64) ? wide_operand(value) : operand(value);
}

void Lowering::lower_atomic(AtomicRMWInst &atomic) {
  const StringRef name = operation_of(atomic.getOperation());
  if (name.empty()) {
    fail(atomic, "NFY4002",
         "atomic operation '" + AtomicRMWInst::getOperationName(atomic.getOperation()).str() + "'");
    return;
  }
  llvm::Type *type = atomic.getType();
  Expr value;
  if (is_number(type) || is_half(type))
    value = number_operand(atomic.getValOperand());
  // Halves are floats on the chip; the operation is named for what memory holds.
  const std::string suffix = type->isHalfTy() ? "_half" : type->isBFloatTy() ? "_bfloat" : "";
  Expr old = found_by(atomic, name.str() + suffix, atomic.getPointerOperand(), atomic.getType(),
                      {value}, !atomic.use_empty());
  if (old)
    remember(&atomic, old, true);
}

/// The result is a pair: what was there, and whether it was the expected value.
void Lowering::lower_compare_swap(AtomicCmpXchgInst &swap) {
  llvm::Type *type = swap.getCompareOperand()->getType();
  Expr compare, value;
  const bool narrow = type->isIntegerTy(16);
  if (is_number(type) || narrow) {
    compare = number_operand(swap.getCompareOperand());
    value = number_operand(swap.getNewValOperand());
  }
  Expr old = found_by(swap, narrow ? "cas16" : "cas", swap.getPointerOperand(), type,
                      {compare, value}, !swap.use_empty());
  if (!old)
    return;
  for (User *user : swap.users()) {
    auto *part = dyn_cast<ExtractValueInst>(user);
    if (!part || (narrow && part->getIndices()[0] != 0)) {
      fail(swap, "NFY4009", "vector or aggregate value");
      return;
    }
    if (part->getIndices()[0] == 0)
      remember(part, old, true);
    else
      remember(part, declare("m", {Kind::mask}, operation("tile_eq", {Kind::mask}, {old, compare})),
               false);
  }
}

} // namespace neuronify::tile
