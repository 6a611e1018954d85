// Accesses whose lanes may mean several objects: one access to each of them, by the lanes that do.
#include "tile/lowering.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace neuronify::tile {

using Space = kernel::Object::Space;

/// What is between the numbers of two arrays; no array is larger.
constexpr int64_t kArrayNumbers = int64_t(1) << 30;

/// `pointer` with `from`, a choice among pointers below it, replaced by `to`: only geps are
/// between.
static Value *rebase(Value *pointer, const Value *from, Value *to, Instruction *at) {
  if (pointer == from)
    return to;
  if (auto *gep = dyn_cast<GetElementPtrInst>(pointer)) {
    auto *copy = cast<GetElementPtrInst>(gep->clone());
    copy->setOperand(0, rebase(gep->getPointerOperand(), from, to, at));
    copy->insertBefore(at->getIterator());
    return copy;
  }
  return nullptr;
}

/// Arrays have no addresses on the chip. What stands for them are numbers that no address of device
/// memory has, apart by more than their sizes.
std::optional<int64_t> Lowering::number_of_array(const Value *array) {
  const Space space = a_.object(array).space;
  if (space != Space::shared && space != Space::dynamic_shared && space != Space::local)
    return {};
  auto [entry, fresh] = array_numbers_.try_emplace(array, next_array_number_);
  if (fresh)
    next_array_number_ += kArrayNumbers;
  return entry->second;
}

/// Lanes whose number is that of an array, for each that it may be; the others mean device memory.
std::vector<Lowering::Alternative>
Lowering::arrays_or_memory(IntToPtrInst &pointer, const Expr &lanes, const llvm::Type *accessed) {
  const Value *value = pointer.getOperand(0);
  const int64_t bytes = std::max<int64_t>(1, int64_t(accessed->getPrimitiveSizeInBits() / 8));
  const bool on_chip = a_.known(value) == Known::chip;
  Expr number = on_chip ? wide(value) : known(value), left = lanes;
  std::vector<Alternative> result;
  for (const Value *array : arrays_with_addresses_) {
    const Expr base = literal({Kind::host_int, 64}, *number_of_array(array));
    const Expr limit = literal({Kind::host_int, 64}, kArrayNumbers);
    Alternative inside{nullptr, nullptr, nullptr, true};
    Expr is_here;
    if (on_chip) {
      const Type pair{Kind::tile_wide, 64};
      Expr from = declare("", pair, fresh(pair));
      issue("isub", {from, number, base});
      is_here = operation("tile_ult", {Kind::mask}, {from, limit});
      Expr index = operation("low_word", {Kind::tile_int}, {from});
      if (bytes > 1) {
        Expr element = new_tile(nullptr, Kind::tile_int);
        issue("lshr", {element, index, literal({Kind::host_int}, Log2_64(uint64_t(bytes)))});
        index = element;
      }
      inside.place =
          operation("plus", {Kind::place},
                    {arrays_.lookup(array), index, literal({Kind::host_int, 64}, bytes)});
    } else {
      Expr from = operation("sub", number->type, {number, base});
      const bool same = number->type.kind == Kind::host_int;
      is_here = operation("ult", {same ? Kind::host_bool : Kind::mask}, {from, limit});
      inside.place = operation("element", {Kind::place},
                               {arrays_.lookup(array), from, literal({Kind::host_int}, 1)});
    }
    is_here = declare("m", is_here->type, is_here);
    inside.lanes = declare("m", {Kind::mask}, operation("and", {Kind::mask}, {left, is_here}));
    left = declare("m", {Kind::mask}, operation("andnot", {Kind::mask}, {left, is_here}));
    result.push_back(std::move(inside));
  }
  result.push_back({&pointer, left});
  return result;
}

Expr Lowering::place(const Alternative &alternative, const llvm::Type *accessed,
                     const Instruction &at) {
  return alternative.place ? alternative.place : place(alternative.pointer, accessed, at);
}

/// Where each lane picks one of several objects: the address in each, and which lanes pick it. One
/// address for all lanes where there is no such choice.
std::vector<Lowering::Alternative> Lowering::alternatives(Value *pointer, const Expr &lanes,
                                                          Instruction &at,
                                                          const llvm::Type *accessed) {
  if (auto *number = dyn_cast<IntToPtrInst>(pointer->stripPointerCasts());
      number && !arrays_with_addresses_.empty())
    return arrays_or_memory(*number, lanes, accessed);
  auto *select = dyn_cast<SelectInst>(const_cast<Value *>(getUnderlyingObject(pointer, 0)));
  if (!select || a_.known(select) == Known::host)
    return {{pointer, lanes}};
  std::vector<Alternative> result;
  Expr condition = mask(select->getCondition());
  for (bool side : {true, false}) {
    Value *base = side ? select->getTrueValue() : select->getFalseValue();
    Value *address = rebase(pointer, select, base, &at);
    if (!address || !condition) {
      fail(at, "NFY4008", "lanes choose between pointers into different objects");
      return {};
    }
    Expr taken = declare("m", {Kind::mask},
                         operation(side ? "and" : "andnot", {Kind::mask}, {lanes, condition}));
    for (Alternative &alternative : alternatives(address, taken, at, accessed))
      result.push_back(std::move(alternative));
  }
  return result;
}

} // namespace neuronify::tile
