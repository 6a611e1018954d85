#include "emit/private_data.h"

#include "tile/text.h"

#include <fmt/format.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <vector>

using namespace llvm;

namespace neuronify::emit {

namespace {

/// The words of the first value up to the last one that is not zero. What is undefined is zero.
std::vector<uint32_t> words_of(const GlobalVariable &global, uint64_t size) {
  const DataLayout &layout = global.getDataLayout();
  Type *byte = Type::getInt8Ty(global.getContext());
  Constant *first = const_cast<Constant *>(global.getInitializer());
  std::vector<uint32_t> words;
  for (uint64_t at = 0; !first->isNullValue() && at < size; ++at) {
    auto *value = dyn_cast_or_null<ConstantInt>(
        ConstantFoldLoadFromConst(first, byte, APInt(64, at), layout));
    if (!value || value->isZero())
      continue;
    words.resize(at / 4 + 1);
    words.back() |= uint32_t(value->getZExtValue()) << at % 4 * 8;
  }
  return words;
}

/// How runtime/host compares it: "f32" and the like, or as bytes.
std::string element_of(const Type *type) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  if (type->isFloatTy())
    return "\"f32\"";
  if (type->isDoubleTy())
    return "\"f64\"";
  return "nullptr";
}

} // namespace

std::string private_data(const GlobalVariable &global, const std::string &identifier) {
  const uint64_t size = global.getDataLayout().getTypeAllocSize(global.getValueType());
  std::string values;
  for (uint32_t word : words_of(global, size))
    values += fmt::format("{}{}", values.empty() ? "" : ", ",
                          word < 10 ? fmt::format("{}", word) : fmt::format("{:#x}", word));
  return fmt::format("const uint32_t {0}_values[{1}] = {{{2}}};\n"
                     "const neuronify::DeviceSymbol {0}{{{0}_values, {3}, {4}, {5}}};\n",
                     identifier, (size + 3) / 4, values, tile::quoted(global.getName().str()), size,
                     element_of(global.getValueType()));
}

} // namespace neuronify::emit
