#include "emit/pointer_types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace neuronify::emit {

namespace {

/// Whether a stored value is an integer that was computed. What was loaded may be anything.
bool is_integer(const llvm::Value &value) {
  const llvm::Value *inner = &value;
  if (const auto *cast = llvm::dyn_cast<llvm::BitCastInst>(inner))
    inner = cast->getOperand(0);
  if (!inner->getType()->isIntegerTy(32))
    return false;
  if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(inner))
    return is_integer(*select->getTrueValue()) || is_integer(*select->getFalseValue());
  const auto *operation = llvm::dyn_cast<llvm::Instruction>(inner);
  return operation && (operation->isBinaryOp() ||
                       (operation->isCast() && !llvm::isa<llvm::BitCastInst>(operation)));
}

/// The place of a stored element in a struct of `stride` bytes that `pointer` is an array of.
std::optional<uint64_t> place_in_struct(const llvm::Value *pointer, uint64_t stride,
                                        const llvm::DataLayout &layout) {
  int64_t place = 0;
  while (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variables;
    llvm::APInt constant(64, 0);
    if (!gep->collectOffset(layout, 64, variables, constant))
      return std::nullopt;
    for (const auto &[index, scale] : variables)
      if (scale.getSExtValue() % int64_t(stride) != 0)
        return std::nullopt;
    place += constant.getSExtValue();
    pointer = gep->getPointerOperand();
  }
  const int64_t size = int64_t(stride);
  return uint64_t((place % size + size) % size);
}

/// What a parameter points to, with the floats that integers are stored to as integers.
std::string with_stored_integers(const std::string &pointee, const llvm::Argument &parameter) {
  llvm::SmallVector<llvm::StringRef, 4> fields;
  llvm::StringRef(pointee).split(fields, ' ', -1, /*KeepEmpty=*/false);
  if (!llvm::all_of(fields, [](llvm::StringRef field) { return field == "f32" || field == "i32"; }))
    return pointee;
  std::set<size_t> integers;
  bool any_float = false;
  for (const llvm::Instruction &instruction : llvm::instructions(*parameter.getParent())) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || llvm::getUnderlyingObject(store->getPointerOperand(), 0) != &parameter)
      continue;
    if (!is_integer(*store->getValueOperand())) {
      any_float = true;
      continue;
    }
    const uint64_t stride = fields.empty() ? 4 : 4 * fields.size();
    if (auto place = place_in_struct(store->getPointerOperand(), stride,
                                     parameter.getParent()->getDataLayout());
        place && *place % 4 == 0)
      integers.insert(*place / 4);
  }
  if (integers.empty() || (fields.size() <= 1 && any_float))
    return pointee;
  if (fields.empty())
    return "i32"; // a `void *`
  std::vector<std::string> out;
  for (size_t i = 0; i < fields.size(); ++i)
    out.push_back(integers.contains(i) ? "i32" : fields[i].str());
  return llvm::join(out, " ");
}

bool is_known(const frontend::Field &field) { return field.is_pointer && !field.pointee.empty(); }

/// One entry per parameter, up to the last that is known.
std::string by_position(const frontend::Kernel &kernel, const llvm::Function &function) {
  std::vector<std::string> entries;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const frontend::Parameter &parameter = kernel.parameters[i];
    const bool known = !parameter.fields.empty() && is_known(parameter.fields.front());
    std::string entry = known ? parameter.fields.front().pointee : "";
    if (parameter.is_pointer && i < function.arg_size())
      entry = with_stored_integers(entry, *function.getArg(unsigned(i)));
    entries.push_back(entry.empty() ? "-" : entry);
  }
  while (!entries.empty() && entries.back() == "-")
    entries.pop_back();
  std::string text;
  for (const std::string &entry : entries)
    text += (text.empty() ? "" : ",") + entry;
  return text;
}

std::string by_place(const frontend::Kernel &kernel) {
  std::string text;
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    for (const frontend::Field &field : kernel.parameters[i].fields)
      if (is_known(field))
        text += (text.empty() ? "" : ",") + std::to_string(i) +
                (field.offset ? "+" + std::to_string(field.offset) : "") + "=" + field.pointee;
  return text;
}

} // namespace

std::string pointer_types(const frontend::Kernel &kernel, const llvm::Function &function) {
  bool plain = std::ranges::all_of(kernel.parameters, [](const frontend::Parameter &parameter) {
    return parameter.is_pointer || std::ranges::none_of(parameter.fields, is_known);
  });
  return plain ? by_position(kernel, function) : by_place(kernel);
}

} // namespace neuronify::emit
