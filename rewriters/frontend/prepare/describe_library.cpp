#include "frontend/prepare/passes.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <utility>

namespace neuronify::frontend {

namespace {

using llvm::StringRef;

/// libdevice functions that are one instruction of LLVM.
constexpr std::pair<StringRef, llvm::Intrinsic::ID> intrinsics[] = {
    {"__nv_abs", llvm::Intrinsic::abs},   {"__nv_llabs", llvm::Intrinsic::abs},
    {"__nv_max", llvm::Intrinsic::smax},  {"__nv_llmax", llvm::Intrinsic::smax},
    {"__nv_min", llvm::Intrinsic::smin},  {"__nv_llmin", llvm::Intrinsic::smin},
    {"__nv_umax", llvm::Intrinsic::umax}, {"__nv_ullmax", llvm::Intrinsic::umax},
    {"__nv_umin", llvm::Intrinsic::umin}, {"__nv_ullmin", llvm::Intrinsic::umin},
};
constexpr StringRef bit_casts[] = {
    "__nv_float_as_int",  "__nv_float_as_uint",      "__nv_int_as_float",
    "__nv_uint_as_float", "__nv_double_as_longlong", "__nv_longlong_as_double",
};

llvm::Value *replacement(llvm::CallInst &call, StringRef name) {
  llvm::IRBuilder<> builder(&call);
  if (llvm::is_contained(bit_casts, name))
    return builder.CreateBitCast(call.getArgOperand(0), call.getType(), call.getName());
  for (const auto &[function, id] : intrinsics) {
    if (function != name)
      continue;
    llvm::SmallVector<llvm::Value *, 2> operands(call.args());
    if (id == llvm::Intrinsic::abs)
      operands.push_back(builder.getFalse()); // the most negative integer is its own absolute value
    return builder.CreateIntrinsic(id, call.getType(), operands, nullptr, call.getName());
  }
  return nullptr;
}

void replace_calls(llvm::Function &function) {
  for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledOperand() != &function)
      continue;
    if (llvm::Value *value = replacement(*call, function.getName())) {
      value->takeName(call);
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

/// Clang declares libdevice like any function: as one that may do anything.
void describe(llvm::Function &function) {
  const bool has_results_in_memory = llvm::any_of(
      function.args(), [](const llvm::Argument &a) { return a.getType()->isPointerTy(); });
  function.setMemoryEffects(has_results_in_memory ? llvm::MemoryEffects::argMemOnly()
                                                  : llvm::MemoryEffects::none());
  function.setWillReturn();
  function.setDoesNotThrow();
  function.setNotConvergent();
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      call->setNotConvergent();
}

} // namespace

void describe_library(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() || !function.getName().starts_with("__nv_"))
      continue;
    replace_calls(function);
    describe(function);
  }
}

} // namespace neuronify::frontend
