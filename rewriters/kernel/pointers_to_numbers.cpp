// Pointers that the launch does not give become numbers, the addresses themselves: those that are
// loaded from memory, those that lanes choose among objects, and those that are stored or compared.
// Only where memory is accessed a number is a pointer again (`inttoptr`).
//
// Device memory has numbers of its own. Shared and local arrays of the chip have none, but they are
// known, so the lowering gives them some (`ptrtoint` of an array is left for it) and tells them
// apart where memory is accessed.
#include "kernel/analysis.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace neuronify::kernel {
namespace {

bool is_choice(const Value *value) { return isa<PHINode>(value) || isa<SelectInst>(value); }

class Rewriter {
public:
  explicit Rewriter(Function &function)
      : function_(function), layout_(function.getDataLayout()), analysis_(function),
        number_(IntegerType::getInt64Ty(function.getContext())) {}

  bool run() {
    expand_constants();
    find();
    for (Instruction *instruction : found_)
      twin(instruction);
    fill_twins();
    for (Instruction *instruction : found_)
      point_again(instruction);
    rewrite_users();
    fill_twins();
    for (Instruction *instruction : found_) {
      instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    rebuild_addresses();
    return changed_ || !found_.empty();
  }

private:
  /// Constants that are computed from addresses of variables become instructions.
  void expand_constants() {
    SmallVector<Instruction *, 32> work;
    for (Instruction &instruction : instructions(function_))
      work.push_back(&instruction);
    while (!work.empty()) {
      Instruction *instruction = work.pop_back_val();
      for (Use &operand : instruction->operands()) {
        auto *constant = dyn_cast<ConstantExpr>(operand);
        if (!constant ||
            !(constant->getType()->isIntegerTy() || constant->getOpcode() == Instruction::IntToPtr))
          continue;
        auto *phi = dyn_cast<PHINode>(instruction);
        Instruction *at = phi ? phi->getIncomingBlock(operand)->getTerminator() : instruction;
        Instruction *expanded = constant->getAsInstruction();
        expanded->insertBefore(at->getIterator());
        expanded->setDebugLoc(instruction->getDebugLoc());
        if (phi) // of one value per block, however many edges come from there
          phi->setIncomingValueForBlock(at->getParent(), expanded);
        else
          operand.set(expanded);
        work.push_back(expanded);
        changed_ = true;
      }
    }
  }

  /// Does `pointer` have a number wherever it comes from? `known`: choices that are looked at.
  bool has_number(const Value *pointer, SmallPtrSetImpl<const Value *> &known) const {
    const Value *object = getUnderlyingObject(pointer, 0);
    if (!known.insert(object).second)
      return true;
    if (auto *phi = dyn_cast<PHINode>(object))
      return all_of(phi->incoming_values(), [&](const Use &v) { return has_number(v, known); });
    if (auto *select = dyn_cast<SelectInst>(object))
      return has_number(select->getTrueValue(), known) &&
             has_number(select->getFalseValue(), known);
    if (auto *freeze = dyn_cast<FreezeInst>(object))
      return has_number(freeze->getOperand(0), known);
    if (auto *argument = dyn_cast<Argument>(object))
      return !argument->hasByValAttr();
    if (auto *global = dyn_cast<GlobalVariable>(object))
      return global->getAddressSpace() == 3 || !is_nameless(*global) ||
             (has_plain_data(*global) && !global->hasPrivateLinkage());
    return isa<AllocaInst>(object) || isa<LoadInst>(object) || isa<IntToPtrInst>(object) ||
           isa<UndefValue>(object) || isa<ConstantPointerNull>(object);
  }
  bool has_number(const Value *pointer) const {
    SmallPtrSet<const Value *, 8> known;
    return has_number(pointer, known);
  }

  /// Does the launch give the object below `pointer`, or each of those that selects choose from?
  bool is_given(const Value *pointer) const {
    const Value *object = getUnderlyingObject(pointer, 0);
    if (auto *load = dyn_cast<LoadInst>(object))
      return analysis_.is_host_element(*load);
    if (auto *select = dyn_cast<SelectInst>(object))
      return is_given(select->getTrueValue()) && is_given(select->getFalseValue());
    if (isa<PHINode>(object))
      return analysis_.known(object) == Known::host && !found_.contains(cast<Instruction>(object));
    return isa<Argument>(object) || isa<GlobalVariable>(object) || isa<AllocaInst>(object) ||
           isa<UndefValue>(object) || isa<ConstantPointerNull>(object);
  }

  /// The pointers that become numbers everywhere.
  void find() {
    for (Instruction &instruction : instructions(function_)) {
      if (!instruction.getType()->isPointerTy())
        continue;
      auto *load = dyn_cast<LoadInst>(&instruction);
      const bool loaded = load && !analysis_.is_host_element(*load);
      const bool chosen = isa<PHINode>(instruction) &&
                          analysis_.known(&instruction) != Known::host && has_number(&instruction);
      if (loaded || chosen || (isa<FreezeInst>(instruction) && has_number(&instruction)))
        found_.insert(&instruction);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (Instruction &instruction : instructions(function_))
        if (instruction.getType()->isPointerTy() && is_choice(&instruction) &&
            !found_.contains(&instruction) && !is_given(&instruction) && has_number(&instruction))
          changed |= found_.insert(&instruction);
    }
  }

  /// The number of a load, phi or select of a pointer; what it is made of follows in fill().
  Value *twin(Instruction *instruction) {
    if (auto found = twins_.find(instruction); found != twins_.end())
      return found->second;
    Instruction *result;
    if (auto *load = dyn_cast<LoadInst>(instruction)) {
      auto *copy = new LoadInst(number_, load->getPointerOperand(), "", load->isVolatile(),
                                load->getAlign(), load->getIterator());
      result = copy;
    } else if (auto *phi = dyn_cast<PHINode>(instruction)) {
      result = PHINode::Create(number_, phi->getNumIncomingValues(), "", phi->getIterator());
    } else {
      Value *none = ConstantInt::get(number_, 0);
      auto *select = dyn_cast<SelectInst>(instruction);
      result = select ? static_cast<Instruction *>(SelectInst::Create(
                            select->getCondition(), none, none, "", instruction->getIterator()))
                      : new FreezeInst(none, "", instruction->getIterator());
    }
    result->setDebugLoc(instruction->getDebugLoc());
    if (instruction->hasName())
      result->setName(instruction->getName());
    twins_in_order_.push_back(instruction);
    return twins_[instruction] = result;
  }

  void fill_twins() {
    for (; filled_ < twins_in_order_.size(); ++filled_) // grows
      fill(twins_in_order_[filled_]);
  }

  void fill(Instruction *instruction) {
    Instruction *twin = cast<Instruction>(twins_[instruction]);
    if (auto *phi = dyn_cast<PHINode>(instruction)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock *from = phi->getIncomingBlock(i);
        cast<PHINode>(twin)->addIncoming(number(phi->getIncomingValue(i), from->getTerminator()),
                                         from);
      }
    } else if (auto *select = dyn_cast<SelectInst>(instruction)) {
      twin->setOperand(1, number(select->getTrueValue(), twin));
      twin->setOperand(2, number(select->getFalseValue(), twin));
    } else if (isa<FreezeInst>(instruction)) {
      twin->setOperand(0, number(instruction->getOperand(0), twin));
    }
  }

  /// The address that `pointer` is, computed before `at`. It has a number.
  Value *number(Value *pointer, Instruction *at) {
    IRBuilder<> builder(at);
    if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
      SmallMapVector<Value *, APInt, 4> variables;
      APInt bytes(64, 0);
      if (gep->collectOffset(layout_, 64, variables, bytes)) {
        Value *sum = number(gep->getPointerOperand(), at);
        for (auto &[index, scale] : variables) {
          Value *wide = builder.CreateSExtOrTrunc(index, number_);
          sum = builder.CreateAdd(
              sum, scale.isOne() ? wide : builder.CreateMul(wide, builder.getInt(scale)));
        }
        return bytes.isZero() ? sum : builder.CreateAdd(sum, builder.getInt(bytes));
      }
    }
    if (Operator::getOpcode(pointer) == Instruction::AddrSpaceCast)
      return number(cast<Operator>(pointer)->getOperand(0), at);
    if (auto *cast = dyn_cast<IntToPtrInst>(pointer))
      return builder.CreateZExtOrTrunc(cast->getOperand(0), number_);
    if (isa<ConstantPointerNull>(pointer))
      return builder.getInt64(0);
    if (isa<UndefValue>(pointer))
      return UndefValue::get(number_);
    auto *instruction = dyn_cast<Instruction>(pointer);
    if (instruction && (is_choice(pointer) || found_.contains(instruction)))
      return twin(instruction);
    auto *result = CastInst::Create(Instruction::PtrToInt, pointer, number_, "", at->getIterator());
    result->setDebugLoc(at->getDebugLoc());
    return result;
  }

  /// Whoever accesses what `instruction` points to does so by its number.
  void point_again(Instruction *instruction) {
    auto *twin = cast<Instruction>(twins_[instruction]);
    const auto at = isa<PHINode>(twin) ? twin->getParent()->getFirstInsertionPt()
                                       : std::next(instruction->getIterator());
    auto *pointer = CastInst::Create(Instruction::IntToPtr, twin, instruction->getType(), "", at);
    instruction->replaceAllUsesWith(pointer);
  }

  /// Numbers of pointers, comparisons of them, and pointers that are stored.
  void rewrite_users() {
    SmallVector<Instruction *, 16> users;
    for (Instruction &instruction : instructions(function_))
      users.push_back(&instruction);
    for (Instruction *user : users) {
      if (auto *store = dyn_cast<StoreInst>(user)) {
        Value *value = store->getValueOperand();
        if (value->getType()->isPointerTy() && has_number(value)) {
          store->setOperand(0, number(value, store));
          changed_ = true;
        }
      } else if (auto *cast = dyn_cast<PtrToIntInst>(user)) {
        replace_number(*cast);
      } else if (auto *compare = dyn_cast<ICmpInst>(user)) {
        replace_comparison(*compare);
      }
    }
  }

  /// A pointer that the launch gives, as it is.
  bool is_plain(const Value *pointer) const {
    const Value *value = pointer->stripPointerCasts();
    auto *load = dyn_cast<LoadInst>(value);
    return isa<Argument>(value) || isa<GlobalVariable>(value) || (load && !found_.contains(load));
  }

  void replace_number(PtrToIntInst &cast) {
    Value *pointer = cast.getPointerOperand();
    if (is_plain(pointer) || !has_number(pointer))
      return;
    IRBuilder<> builder(&cast);
    cast.replaceAllUsesWith(builder.CreateZExtOrTrunc(number(pointer, &cast), cast.getType()));
    cast.eraseFromParent();
    changed_ = true;
  }

  void replace_comparison(ICmpInst &compare) {
    Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    if (!left->getType()->isPointerTy() || !has_number(left) || !has_number(right))
      return;
    auto simple = [&](Value *side) {
      const Value *value = side->stripPointerCasts();
      return isa<ConstantPointerNull>(value) || (is_plain(side) && !isa<GlobalVariable>(value));
    };
    if (compare.isEquality() && simple(left) && simple(right))
      return; // as the launch gives them
    IRBuilder<> builder(&compare);
    Value *result =
        builder.CreateICmp(compare.getPredicate(), number(left, &compare), number(right, &compare));
    if (auto *instruction = dyn_cast<Instruction>(result); instruction && compare.hasName())
      instruction->takeName(&compare);
    compare.replaceAllUsesWith(result);
    compare.eraseFromParent();
    changed_ = true;
  }

  /// The same address, which starts at a number, computed before `at`.
  static Value *copy(Value *pointer, Instruction *at) {
    auto *instruction = cast<Instruction>(pointer);
    Instruction *result = instruction->clone();
    if (!isa<IntToPtrInst>(instruction))
      result->setOperand(0, copy(instruction->getOperand(0), at));
    result->insertBefore(at->getIterator());
    return result;
  }

  /// Does `pointer` start at a number?
  static bool is_number(const Value *pointer) {
    while (isa<GetElementPtrInst>(pointer) || isa<AddrSpaceCastInst>(pointer))
      pointer = cast<Instruction>(pointer)->getOperand(0);
    return isa<IntToPtrInst>(pointer);
  }

  /// Addresses are computed where they are used, so that numbers, and no pointers, leave loops.
  /// Where they may be those of arrays they are numbers as a whole, which tell whose they are.
  void rebuild_addresses() {
    const bool of_arrays = !arrays_with_addresses(function_).empty();
    for (Instruction &instruction : instructions(function_)) {
      unsigned operand;
      if (isa<LoadInst>(instruction) || isa<AtomicRMWInst>(instruction) ||
          isa<AtomicCmpXchgInst>(instruction))
        operand = 0;
      else if (isa<StoreInst>(instruction))
        operand = StoreInst::getPointerOperandIndex();
      else
        continue;
      Value *pointer = instruction.getOperand(operand);
      if (!is_number(pointer))
        continue;
      changed_ = true;
      instruction.setOperand(
          operand, of_arrays
                       ? CastInst::Create(Instruction::IntToPtr, number(pointer, &instruction),
                                          pointer->getType(), "", instruction.getIterator())
                       : copy(pointer, &instruction));
    }
  }

  Function &function_;
  const DataLayout &layout_;
  const Analysis analysis_;
  IntegerType *number_;
  SmallSetVector<Instruction *, 16> found_;
  DenseMap<Instruction *, Value *> twins_;
  SmallVector<Instruction *, 16> twins_in_order_;
  size_t filled_ = 0; ///< twins that have their operands
  bool changed_ = false;
};

} // namespace

/// Does what is computed from `value` reach an access, memory, or a call?
static bool escapes(const Value *value, SmallPtrSetImpl<const Value *> &seen) {
  for (const User *user : value->users()) {
    if (isa<ICmpInst>(user) || !seen.insert(user).second)
      continue;
    if (!isa<BinaryOperator>(user) && !isa<PHINode>(user) && !isa<SelectInst>(user) &&
        !isa<TruncInst>(user) && !isa<ZExtInst>(user) && !isa<SExtInst>(user) &&
        !isa<FreezeInst>(user))
      return true;
    if (escapes(user, seen))
      return true;
  }
  return false;
}

std::vector<const Value *> arrays_with_addresses(const Function &function) {
  SetVector<const Value *> result;
  for (const Instruction &instruction : instructions(function)) {
    auto *number = dyn_cast<PtrToIntInst>(&instruction);
    const Value *object = number ? getUnderlyingObject(number->getPointerOperand(), 0) : nullptr;
    auto *global = dyn_cast_or_null<GlobalVariable>(object);
    SmallPtrSet<const Value *, 8> seen;
    if ((isa_and_nonnull<AllocaInst>(object) || (global && global->getAddressSpace() == 3)) &&
        escapes(number, seen))
      result.insert(object);
  }
  return {result.begin(), result.end()};
}

bool pointers_to_numbers(Function &function) { return Rewriter(function).run(); }

} // namespace neuronify::kernel
