// Texture fetches and surface accesses: one statement per component or piece of an element.
#include "tile/lowering.h"
#include "tile/operations.h"

#include <llvm/Analysis/ValueTracking.h>

using namespace llvm;

namespace neuronify::tile {

/// What a reference is bound to, which the host reads when it launches.
void Lowering::lower_texture_handle(CallInst &call) {
  auto found = arrays_.find(getUnderlyingObject(call.getArgOperand(0), 0));
  if (found == arrays_.end()) {
    fail(call, "NFY4014", "a texture reference that is no variable of the program");
    return;
  }
  declare_for(call, operation("texture_handle", {Kind::host_int, 64, false}, {found->second}));
}

void Lowering::lower_texture(CallInst &call, StringRef name) {
  if (name == "texture_handle")
    return lower_texture_handle(call);
  if (a_.known(call.getArgOperand(0)) != Known::host) {
    fail(call, "NFY4014", "a texture or surface whose handle is not known at launch");
    return;
  }
  std::vector<Expr> operands;
  if (!name.starts_with("surface_write"))
    operands.push_back(
        new_tile(&call, call.getType()->isFloatTy() ? Kind::tile_float : Kind::tile_int));
  const std::string signature(find_operation(name.str())->signature);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Value *argument = call.getArgOperand(i);
    const char kind = signature[operands.size()];
    if (kind == 'n' && a_.known(argument) != Known::host) {
      fail(call, "NFY4014", "a texture or surface access whose mode is not known at launch");
      return;
    }
    if (kind == 'n' || (kind == 'X' && a_.known(argument) != Known::chip))
      operands.push_back(known(argument));
    else
      operands.push_back(kind == 'X' ? tile(argument) : operand(argument));
    if (!operands.back()) {
      failed_ = true;
      return;
    }
  }
  operands.push_back(mask_of(call.getParent()));
  issue(name.str(), std::move(operands));
}

} // namespace neuronify::tile
