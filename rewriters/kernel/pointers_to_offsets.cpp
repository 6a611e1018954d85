// Pointers into one object become offsets, counted in elements, where code chooses between them,
// compares them, or subtracts them.
#include "kernel/analysis.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <numeric>

using namespace llvm;

namespace neuronify::kernel {
namespace {

bool is_choice(const Value *value) { return isa<PHINode>(value) || isa<SelectInst>(value); }

/// The offset that a null pointer gets among pointers into one object: no element is there.
constexpr int64_t kNull = int64_t(1) << 62;

/// The object below `pointer`, through other choices too; null if there are several. Null pointers
/// are none: nobody may access what they point to.
const Value *common_object(const Value *pointer) {
  SmallVector<const Value *, 8> work{pointer};
  SmallPtrSet<const Value *, 8> seen;
  const Value *object = nullptr;
  while (!work.empty()) {
    const Value *at = getUnderlyingObject(work.pop_back_val(), 0);
    if (!seen.insert(at).second || isa<UndefValue>(at) || isa<ConstantPointerNull>(at))
      continue;
    if (auto *phi = dyn_cast<PHINode>(at)) {
      for (const Value *value : phi->incoming_values())
        work.push_back(value);
    } else if (auto *select = dyn_cast<SelectInst>(at)) {
      work.push_back(select->getTrueValue());
      work.push_back(select->getFalseValue());
    } else if (object && object != at) {
      return nullptr;
    } else {
      object = at;
    }
  }
  return object;
}

class Rewriter {
public:
  explicit Rewriter(Function &function) : function_(function), layout_(function.getDataLayout()) {}

  bool run() {
    SetVector<Instruction *> choices;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block)
        if (is_choice(&instruction) && instruction.getType()->isPointerTy())
          if (auto *object = const_cast<Value *>(common_object(&instruction));
              object && available(object, instruction)) {
            choices.insert(&instruction);
            objects_[&instruction] = object;
          }
    leave_stored_nulls(choices);
    for (Instruction *choice : choices)
      measure_choice(choice);
    for (Instruction *choice : choices)
      create(choice);
    for (Instruction *choice : choices)
      fill(choice);
    for (Instruction *choice : choices)
      replace(choice);
    for (Instruction *choice : choices) {
      choice->replaceAllUsesWith(PoisonValue::get(choice->getType()));
      choice->eraseFromParent();
    }
    twins_.clear();
    objects_.clear();
    const bool tested = compare_with_null();
    const bool compared = compare_offsets(), subtracted = subtract_offsets();
    const bool split = split_addresses();
    return tested || compared || subtracted || split || !choices.empty();
  }

private:
  /// Is `pointer`, or an address computed from it, wanted as a number: stored, or compared with
  /// more than null?
  static bool is_wanted_as_number(const Value *pointer) {
    for (const Use &use : pointer->uses()) {
      const User *user = use.getUser();
      if (isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user)) {
        if (is_wanted_as_number(user))
          return true;
      } else if (isa<StoreInst>(user)) {
        if (use.getOperandNo() == 0)
          return true;
      } else if (isa<ICmpInst>(user)) {
        if (!isa<ConstantPointerNull>(user->getOperand(1 - use.getOperandNo())))
          return true;
      } else if (isa<PtrToIntInst>(user)) {
        if (any_of(user->users(), [](const User *number) {
              auto *binary = dyn_cast<BinaryOperator>(number);
              return !binary || binary->getOpcode() != Instruction::Sub;
            }))
          return true;
      }
    }
    return false;
  }

  static bool chooses_null(const Instruction *choice) {
    return any_of(choice->operands(), [](const Use &value) {
      return isa<ConstantPointerNull>(value->stripPointerCasts());
    });
  }

  /// An offset at which nothing is will do for a null that is tested, but is not its number: such
  /// pointers become numbers (pointers_to_numbers).
  void leave_stored_nulls(SetVector<Instruction *> &choices) {
    SmallPtrSet<Value *, 4> with_null, as_number;
    for (Instruction *choice : choices) {
      if (chooses_null(choice))
        with_null.insert(objects_[choice]);
      if (is_wanted_as_number(choice))
        as_number.insert(objects_[choice]);
    }
    choices.remove_if([&](Instruction *choice) {
      Value *object = objects_[choice];
      if (!with_null.contains(object) || !as_number.contains(object))
        return false;
      objects_.erase(choice);
      return true;
    });
  }

  /// `p != nullptr`, where a choice made p, asks for the offset of null; or the object is null.
  bool compare_with_null() {
    bool changed = false;
    for (auto &[address, choice] : addresses_) {
      auto &[twin, object] = choice;
      for (User *user : make_early_inc_range(address->users())) {
        auto *compare = dyn_cast<ICmpInst>(user);
        if (!compare || !compare->isEquality())
          continue;
        const bool second = isa<ConstantPointerNull>(compare->getOperand(1));
        if (!second && !isa<ConstantPointerNull>(compare->getOperand(0)))
          continue;
        IRBuilder<> builder(compare);
        Value *null = builder.CreateICmpEQ(twin, builder.getInt64(kNull));
        if (!isa<GlobalVariable>(object) && !isa<AllocaInst>(object))
          null = builder.CreateOr(
              null, builder.CreateAnd(builder.CreateIsNull(object), builder.CreateIsNull(twin)));
        compare->replaceAllUsesWith(
            compare->getPredicate() == ICmpInst::ICMP_EQ ? null : builder.CreateNot(null));
        compare->eraseFromParent();
        changed = true;
      }
    }
    return changed;
  }

  /// `p < end` of pointers into one object compares their offsets.
  bool compare_offsets() {
    SmallVector<ICmpInst *, 8> found;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block)
        if (auto *compare = dyn_cast<ICmpInst>(&instruction);
            compare && share_object(compare->getOperand(0), compare->getOperand(1)))
          found.push_back(compare);
    for (ICmpInst *compare : found) {
      const int64_t unit = common_unit(compare->getOperand(0), compare->getOperand(1));
      Value *left = offset(compare->getOperand(0), compare, unit),
            *right = offset(compare->getOperand(1), compare, unit);
      IRBuilder<> builder(compare);
      const auto predicate =
          compare->isEquality() ? compare->getPredicate() : compare->getSignedPredicate();
      compare->replaceAllUsesWith(builder.CreateICmp(predicate, left, right));
      compare->eraseFromParent();
    }
    return !found.empty();
  }

  /// `p - q` of pointers into one object is the difference of their offsets.
  bool subtract_offsets() {
    SmallVector<BinaryOperator *, 8> found;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block) {
        auto *difference = dyn_cast<BinaryOperator>(&instruction);
        if (!difference || difference->getOpcode() != Instruction::Sub)
          continue;
        auto *left = dyn_cast<PtrToIntInst>(difference->getOperand(0));
        auto *right = dyn_cast<PtrToIntInst>(difference->getOperand(1));
        if (left && right && difference->getType()->isIntegerTy(64) &&
            share_object(left->getPointerOperand(), right->getPointerOperand()))
          found.push_back(difference);
      }
    for (BinaryOperator *difference : found) {
      Value *left = cast<PtrToIntInst>(difference->getOperand(0))->getPointerOperand();
      Value *right = cast<PtrToIntInst>(difference->getOperand(1))->getPointerOperand();
      const int64_t unit = common_unit(left, right);
      Value *from = offset(left, difference, unit), *to = offset(right, difference, unit);
      IRBuilder<> builder(difference);
      auto *none = dyn_cast<ConstantInt>(to);
      Value *units = none && none->isZero() ? from : builder.CreateSub(from, to);
      divide_by_users(difference, units, unit);
      if (!difference->use_empty())
        difference->replaceAllUsesWith(
            unit == 1 ? units : builder.CreateMul(units, builder.getInt64(uint64_t(unit))));
      difference->eraseFromParent();
    }
    return !found.empty();
  }

  /// The number of an address in device memory (`size_t(p) & 15`) is that of its object plus an
  /// offset.
  bool split_addresses() {
    SmallVector<PtrToIntInst *, 8> found;
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block) {
        auto *number = dyn_cast<PtrToIntInst>(&instruction);
        if (!number || !number->getType()->isIntegerTy(64))
          continue;
        const Value *object = getUnderlyingObject(number->getPointerOperand(), 0);
        const bool in_device_memory =
            isa<Argument>(object) || (isa<LoadInst>(object) && available(object, *number));
        if (in_device_memory && object != number->getPointerOperand())
          found.push_back(number);
      }
    for (PtrToIntInst *number : found) {
      Value *pointer = number->getPointerOperand();
      Value *bytes = offset(pointer, number, 1);
      IRBuilder<> builder(number);
      Value *start = builder.CreatePtrToInt(const_cast<Value *>(getUnderlyingObject(pointer, 0)),
                                            number->getType());
      number->replaceAllUsesWith(builder.CreateAdd(start, bytes));
      number->eraseFromParent();
    }
    return !found.empty();
  }

  /// A difference in bytes that is divided by the size of elements has been counted in them.
  static void divide_by_users(BinaryOperator *bytes, Value *units, int64_t unit) {
    for (User *user : make_early_inc_range(bytes->users())) {
      auto *division = dyn_cast<BinaryOperator>(user);
      auto *by = division ? dyn_cast<ConstantInt>(division->getOperand(1)) : nullptr;
      if (!by || division->getOperand(0) != bytes)
        continue;
      int64_t size = by->getSExtValue();
      if (division->getOpcode() == Instruction::AShr && division->isExact())
        size = int64_t(1) << size;
      else if (division->getOpcode() != Instruction::SDiv || !division->isExact())
        continue;
      if (size != unit)
        continue;
      division->replaceAllUsesWith(units);
      division->eraseFromParent();
    }
  }

  static bool share_object(const Value *a, const Value *b) {
    if (!a->getType()->isPointerTy())
      return false;
    const Value *object = getUnderlyingObject(a, 0);
    return object == getUnderlyingObject(b, 0) && !is_choice(object);
  }

  /// Objects that exist wherever the kernel runs.
  bool available(const Value *object, const Instruction &) const {
    if (isa<Argument>(object) || isa<GlobalVariable>(object))
      return true;
    auto *instruction = dyn_cast<Instruction>(object);
    return instruction && instruction->getParent()->isEntryBlock();
  }

  void create(Instruction *choice) {
    IRBuilder<> builder(choice);
    Type *offset = builder.getInt64Ty();
    Instruction *twin;
    if (auto *phi = dyn_cast<PHINode>(choice))
      twin = builder.CreatePHI(offset, phi->getNumIncomingValues());
    else
      twin = cast<Instruction>(
          SelectInst::Create(cast<SelectInst>(choice)->getCondition(), ConstantInt::get(offset, 0),
                             ConstantInt::get(offset, 0), "", choice->getIterator()));
    twin->setDebugLoc(choice->getDebugLoc());
    if (choice->hasName())
      twin->setName(choice->getName());
    twins_[choice] = twin;
  }

  /// Calls `term` for each (index, scale) and `constant` for the constant part of the bytes between
  /// `pointer` and its object, or the choice below it, which is returned.
  template <class Term, class Constant>
  Instruction *for_each_term(Value *pointer, Term term, Constant constant) {
    while (true) {
      if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
        SmallMapVector<Value *, APInt, 4> variables;
        APInt bytes(64, 0);
        if (!gep->collectOffset(layout_, 64, variables, bytes))
          return nullptr;
        for (auto &[index, scale] : variables)
          term(index, scale.getSExtValue());
        if (!bytes.isZero())
          constant(bytes.getSExtValue());
        pointer = gep->getPointerOperand();
      } else if (Operator::getOpcode(pointer) == Instruction::AddrSpaceCast) {
        pointer = cast<Operator>(pointer)->getOperand(0);
      } else {
        auto *instruction = dyn_cast<Instruction>(pointer);
        return instruction && objects_.count(instruction) ? instruction : nullptr;
      }
    }
  }

  /// Makes `unit` divide all terms of `pointer`.
  void measure(Value *pointer, int64_t &unit) {
    for_each_term(
        pointer, [&](Value *, int64_t scale) { unit = std::gcd(unit, scale); },
        [&](int64_t bytes) { unit = std::gcd(unit, bytes); });
  }

  /// Choices count in the largest unit that divides all steps between them and their object.
  void measure_choice(Instruction *choice) {
    int64_t &unit = units_[objects_[choice]];
    if (auto *phi = dyn_cast<PHINode>(choice)) {
      for (Value *value : phi->incoming_values())
        measure(value, unit);
    } else {
      measure(cast<SelectInst>(choice)->getTrueValue(), unit);
      measure(cast<SelectInst>(choice)->getFalseValue(), unit);
    }
  }

  int64_t unit_of(Instruction *choice) { return std::max<int64_t>(1, units_[objects_[choice]]); }

  int64_t common_unit(Value *left, Value *right) {
    int64_t unit = 0;
    measure(left, unit);
    measure(right, unit);
    return std::max<int64_t>(1, unit);
  }

  /// Offset of `pointer` in its object in units, computed before `at`.
  Value *offset(Value *pointer, Instruction *at, int64_t unit) {
    IRBuilder<> builder(at);
    if (isa<ConstantPointerNull>(pointer->stripPointerCasts()))
      return builder.getInt64(kNull);
    Value *sum = nullptr;
    auto add = [&](Value *term) { sum = sum ? builder.CreateAdd(sum, term) : term; };
    Instruction *choice = for_each_term(
        pointer,
        [&](Value *index, int64_t scale) {
          Value *wide = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
          const int64_t factor = scale / unit;
          add(factor == 1 ? wide : builder.CreateMul(wide, builder.getInt64(uint64_t(factor))));
        },
        [&](int64_t bytes) { add(builder.getInt64(uint64_t(bytes / unit))); });
    if (choice && twins_.count(choice))
      add(twins_[choice]);
    return sum ? sum : builder.getInt64(0);
  }

  void fill(Instruction *choice) {
    Instruction *twin = twins_[choice];
    if (auto *phi = dyn_cast<PHINode>(choice)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock *from = phi->getIncomingBlock(i);
        cast<PHINode>(twin)->addIncoming(
            offset(phi->getIncomingValue(i), from->getTerminator(), unit_of(choice)), from);
      }
    } else {
      auto *select = cast<SelectInst>(choice);
      twin->setOperand(1, offset(select->getTrueValue(), twin, unit_of(choice)));
      twin->setOperand(2, offset(select->getFalseValue(), twin, unit_of(choice)));
    }
  }

  void replace(Instruction *choice) {
    Instruction *twin = twins_[choice];
    BasicBlock::iterator at = isa<PHINode>(twin) ? twin->getParent()->getFirstInsertionPt()
                                                 : std::next(twin->getIterator());
    IRBuilder<> builder(twin->getParent(), at);
    Value *object = objects_[choice];
    Type *step = builder.getInt8Ty();
    if (const int64_t unit = unit_of(choice); unit > 1)
      step = ArrayType::get(step, uint64_t(unit));
    Value *address = builder.CreateGEP(step, object, twin);
    addresses_[address] = {twin, object};
    if (address->getType() != choice->getType())
      address = builder.CreateAddrSpaceCast(address, choice->getType());
    choice->replaceAllUsesWith(address);
  }

  Function &function_;
  const DataLayout &layout_;
  DenseMap<Instruction *, Instruction *> twins_;
  DenseMap<Instruction *, Value *> objects_;
  /// What choices became: their offsets and objects.
  MapVector<Value *, std::pair<Value *, Value *>> addresses_;
  DenseMap<Value *, int64_t> units_; ///< of the choices among pointers into an object, in bytes
};

} // namespace

bool pointers_to_offsets(Function &function) { return Rewriter(function).run(); }

} // namespace neuronify::kernel
