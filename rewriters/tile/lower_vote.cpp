// Votes, ballots, matches and reductions of a warp, and of a block at a barrier.
#include "tile/lowering.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace neuronify::tile {

void Lowering::lower_vote(CallInst &call, StringRef name) {
  const Expr active = mask_of(call.getParent());
  // Member mask and what is asked about: first and second argument, or the other way round.
  Value *asked = nullptr, *members = nullptr;
  if (name.starts_with("reduce_")) {
    asked = call.getArgOperand(0);
    members = call.getArgOperand(1);
  } else if (call.arg_size() == 2) {
    members = call.getArgOperand(0);
    asked = call.getArgOperand(1);
  } else if (call.arg_size() == 1) {
    asked = call.getArgOperand(0);
  }
  std::vector<Expr> operands;
  if (asked && asked->getType()->isIntegerTy(1))
    operands.push_back(mask(asked));
  else if (asked)
    operands.push_back(number_operand(asked));
  operands.push_back(active);
  if (name.starts_with("block_")) {
    // The barrier's number says nothing about who takes part.
  } else if (members) {
    operands.push_back(operand(members));
  } else if (asked) {
    operands.push_back(literal({Kind::host_int}, -1));
  }
  for (const Expr &operand : operands)
    if (!operand) {
      failed_ = true;
      return;
    }
  if (call.getType()->isIntegerTy(1)) {
    remember(&call, declare("m", {Kind::mask}, operation(name.str(), {Kind::mask}, operands)),
             false);
    return;
  }
  const bool is_pair = call.getType()->isStructTy();
  Expr result = is_pair ? declare("", {Kind::tile_int}, fresh({Kind::tile_int}))
                        : new_tile(&call, Kind::tile_int);
  operands.insert(operands.begin(), result);
  issue(name.str(), std::move(operands));
  if (!is_pair)
    return;
  // The lanes that match, and whether all of them do.
  for (User *user : call.users()) {
    auto *part = dyn_cast<ExtractValueInst>(user);
    if (!part) {
      fail(call, "NFY4009", "vector or aggregate value");
      return;
    }
    if (part->getIndices()[0] == 0)
      remember(part, result, true);
    else
      remember(part,
               declare("m", {Kind::mask},
                       operation("tile_ne", {Kind::mask}, {result, literal({Kind::host_int}, 0)})),
               false);
  }
}

} // namespace neuronify::tile
