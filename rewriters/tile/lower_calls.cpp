// Calls: special registers, math, shuffles, barriers.
#include "tile/lowering.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace neuronify::tile {

using kernel::Callee;
using kernel::Effect;

Expr Lowering::known_call(CallInst &call) {
  const Callee callee = kernel::find_callee(call);
  Type type = type_of(call);
  std::vector<Expr> operands;
  for (const Value *argument : call.args())
    if (!argument->getType()->isIntegerTy(1)) // "is poison at INT_MIN" and the like
      operands.push_back(known(argument));
  if (callee.operation == "warpSize")
    return literal(type, 32);
  if (operands.empty())
    type.is_signed = false; // coordinates and dimensions are unsigned in CUDA
  return operation(std::string(callee.operation), type, std::move(operands));
}

void Lowering::lower_call(CallInst &call) {
  const Callee callee = kernel::find_callee(call);
  switch (callee.effect) {
  case Effect::ignored:
  case Effect::barrier: // lock-step: every lane has got here
    return;
  case Effect::grid_barrier:
    program.one_core = program.waves_together = true;
    return issue("grid_sync", {mask_of(call.getParent())});
  case Effect::warp:
    return lower_shuffle(call, callee.operation);
  case Effect::vote:
    return lower_vote(call, callee.operation);
  case Effect::texture:
    return lower_texture(call, callee.operation);
  case Effect::print:
    return lower_print(call);
  case Effect::stop:
    return lower_stop(call, callee.operation);
  case Effect::unsupported: {
    const Function *function = call.getCalledFunction();
    std::string what = function             ? "call of '" + function->getName().str() + "'"
                       : call.isInlineAsm() ? "inline assembly"
                                            : "indirect call";
    fail(call, std::string(callee.diagnostic).c_str(), what);
    return;
  }
  case Effect::none:
    break;
  }
  if (a_.known(&call) == Known::chip)
    lower_call_on_chip(call);
  else
    declare_for(call, known_call(call));
}

void Lowering::lower_call_on_chip(CallInst &call) {
  const Callee callee = kernel::find_callee(call);
  const StringRef name = callee.operation;
  SmallVector<Value *, 3> arguments;
  for (Value *argument : call.args())
    if (!argument->getType()->isIntegerTy(1))
      arguments.push_back(argument);
  const bool is_long = call.getType()->isIntegerTy(64);
  const bool makes_bits = name == "float_to_half" || name == "float_to_bfloat";
  if (call.getType()->isIntegerTy() && call.getType()->getIntegerBitWidth() != 32 && !is_long &&
      !makes_bits) {
    fail(call, call.getType()->getIntegerBitWidth() > 32 ? "NFY4003" : "NFY4009",
         "call of '" + call.getCalledFunction()->getName().str() + "' on data of this width");
    return;
  }
  const bool counts = name == "popc" || name == "clz" || name == "ctz" || name == "ffs";
  const Kind kind = call.getType()->isFloatTy() ? Kind::tile_float
                    : is_long && !counts        ? Kind::tile_wide
                                                : Kind::tile_int;
  if (name == "float_as_int" || name == "int_as_float") {
    const Type type{kind};
    remember(&call, declare("", type, operation(name.str(), type, {tile(arguments[0])})), true);
    return;
  }
  if (name == "isnan" || name == "isinf" || name == "isfinite" || name == "signbit") {
    Expr x = tile(arguments[0]), lanes;
    if (name == "signbit") {
      lanes = operation(
          "test_bit", {Kind::mask},
          {operation("float_as_int", {Kind::tile_int}, {x}), literal({Kind::host_int}, 31)});
    } else if (name == "isnan") {
      lanes = operation("tile_uno", {Kind::mask}, {x, x});
    } else {
      Expr size = new_tile(nullptr, Kind::tile_float);
      issue("fabs", {size, x});
      const Expr infinity = float_literal(std::numeric_limits<float>::infinity());
      lanes = operation(name == "isinf" ? "tile_oeq" : "tile_olt", {Kind::mask}, {size, infinity});
    }
    Expr flag = declare("m", {Kind::mask}, lanes);
    issue("from_mask", {new_tile(&call, Kind::tile_int), flag});
    return;
  }
  // One argument: a tile. Several: host scalars may stay what they are.
  std::vector<Expr> operands{nullptr};
  for (Value *argument : arguments) {
    const bool pair = argument->getType()->isIntegerTy(64);
    if (pair && name.starts_with("fsh") && operands.size() == 3)
      operands.push_back(low_operand(argument)); // the count
    else if (arguments.size() == 1)
      operands.push_back(pair ? wide(argument) : tile(argument));
    else
      operands.push_back(pair ? wide_operand(argument) : operand(argument));
  }
  operands[0] = new_tile(&call, kind);
  issue(name.str(), std::move(operands));
}

void Lowering::lower_shuffle(CallInst &call, StringRef name) {
  // llvm.nvvm.shfl.sync.MODE(mask, value, lane or delta, clamp and segment mask)
  auto *control = dyn_cast<ConstantInt>(call.getArgOperand(3));
  Value *value = call.getArgOperand(1), *lane = call.getArgOperand(2);
  if (!control && a_.known(call.getArgOperand(3)) != Known::host) {
    fail(call, "NFY4006", "shuffle whose width is computed on the chip");
    return;
  }
  // The segment mask is (32 - width) << 8.
  Expr width;
  if (control)
    width = literal({Kind::host_int}, 32 - ((control->getZExtValue() >> 8) & 31));
  else
    width = operation("shuffle_width", {Kind::host_int}, {known(call.getArgOperand(3))});
  const bool on_chip = a_.known(lane) == Known::chip;
  if (on_chip && name != "shfl") {
    fail(call, "NFY4006", "shuffle whose distance is computed on the chip");
    return;
  }
  Expr source = tile(value);
  Expr which = on_chip ? tile(lane) : known(lane);
  Expr result = new_tile(&call, call.getType()->isFloatTy() ? Kind::tile_float : Kind::tile_int);
  issue(name.str(), {result, source, which, width});
}

} // namespace neuronify::tile
