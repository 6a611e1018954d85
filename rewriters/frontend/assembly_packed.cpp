#include "frontend/assembly_packed.h"

#include "llvm/IR/Module.h"

namespace neuronify::frontend {

using llvm::StringRef;
using llvm::Value;

Value *call_library(llvm::IRBuilder<> &builder, llvm::Module &module, const llvm::Twine &name,
                    Value *a, Value *b) {
  llvm::Type *type = a->getType();
  return builder.CreateCall(
      module.getOrInsertFunction(name.str(), llvm::FunctionType::get(type, {type, type}, false)),
      {a, b});
}

static Value *sum_of_products(llvm::IRBuilder<> &builder, const Line &line, Value *a, Value *b,
                              Value *sum) {
  auto byte = [&](Value *x, unsigned i, bool is_signed) {
    Value *top = builder.CreateShl(x, 24 - 8 * i);
    return is_signed ? builder.CreateAShr(top, 24) : builder.CreateLShr(top, 24);
  };
  const bool a_signed = line.modifiers[0] == "s32", b_signed = line.modifiers[1] == "s32";
  for (unsigned i = 0; i < 4; ++i)
    sum = builder.CreateAdd(sum, builder.CreateMul(byte(a, i, a_signed), byte(b, i, b_signed)));
  return sum;
}

Value *packed(llvm::IRBuilder<> &builder, llvm::Module &module, const Line &line, bool is_signed,
              Value *a, Value *b, Value *c) {
  auto library = [&](const llvm::Twine &name) { return call_library(builder, module, name, a, b); };
  if (line.name == "dp4a" && line.modifiers.size() == 2)
    return sum_of_products(builder, line, a, b, c);
  StringRef fields = line.name.take_back(1);
  if (!line.name.starts_with("v") || (fields != "2" && fields != "4") ||
      line.modifiers.size() < 3 || line.modifiers[0] != line.modifiers[1] ||
      line.modifiers[1] != line.modifiers[2])
    return nullptr;
  const bool plain = line.modifiers.size() == 3;
  const std::string end = ((is_signed ? "s" : "u") + fields).str();
  const bool saturates = !plain && line.modifiers[3] == "sat";
  StringRef name = line.name.drop_back(1);
  if (name == "vabsdiff" && !plain && line.modifiers[3] == "add")
    return builder.CreateAdd(library("__nv_vsad" + end), c);
  if ((name == "vadd" || name == "vsub") && plain)
    return library("__nv_" + name + fields);
  if ((name == "vadd" || name == "vsub") && saturates)
    return library("__nv_" + name + (is_signed ? "ss" : "us") + fields);
  if (!plain)
    return nullptr;
  if (name == "vavrg")
    return library("__nv_vavg" + end);
  if (name == "vmin" || name == "vmax" || name == "vabsdiff")
    return library("__nv_" + name + end);
  return nullptr;
}

} // namespace neuronify::frontend
