// `acos(-1.0)` and the like: what the code wrote for a constant is one. Clang leaves it to
// libdevice, which is not linked.
#include "kernel/analysis.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cmath>

using namespace llvm;

namespace neuronify::kernel {
namespace {

struct Row {
  const char *name; ///< of the function of doubles; that of floats has an f behind it
  double (*compute)(double);
};

constexpr Row kFunctions[] = {
    {"__nv_acos", std::acos}, {"__nv_asin", std::asin}, {"__nv_atan", std::atan},
    {"__nv_sqrt", std::sqrt}, {"__nv_cbrt", std::cbrt}, {"__nv_exp", std::exp},
    {"__nv_log", std::log},   {"__nv_log2", std::log2}, {"__nv_log10", std::log10},
    {"__nv_sin", std::sin},   {"__nv_cos", std::cos},   {"__nv_tan", std::tan},
};

Constant *fold(const CallInst &call) {
  const Function *function = call.getCalledFunction();
  if (!function || call.arg_size() != 1 || call.getType() != call.getArgOperand(0)->getType())
    return nullptr;
  auto *argument = dyn_cast<ConstantFP>(call.getArgOperand(0));
  const bool is_double = call.getType()->isDoubleTy();
  if (!argument || !(is_double || call.getType()->isFloatTy()))
    return nullptr;
  for (const Row &row : kFunctions)
    if (function->getName() == (is_double ? row.name : std::string(row.name) + "f")) {
      const double value = row.compute(argument->getValueAPF().convertToDouble());
      return ConstantFP::get(call.getType(), is_double ? value : double(float(value)));
    }
  return nullptr;
}

} // namespace

bool fold_constant_math(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (Constant *value = fold(*call)) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
        changed = true;
      }
  return changed;
}

} // namespace neuronify::kernel
