#include "tile/chip_masks.h"
#include "tile/passes/passes.h"

namespace neuronify::tile {
namespace {

Expr settled(const Expr &expression, const ChipMasks &masks) {
  if (!expression || expression->form != Expression::Form::operation)
    return expression;
  if (expression->operation == "launch_part" && !masks.may_be_tile(expression->operands[0]))
    return settled(expression->operands[0], masks);
  return with_operands(expression, [&](const Expr &operand) { return settled(operand, masks); });
}

void settle(std::vector<Statement> &body, const ChipMasks &masks) {
  for (Statement &statement : body) {
    statement.value = settled(statement.value, masks);
    for (Expr &operand : statement.operands)
      operand = settled(operand, masks);
    settle(statement.body, masks);
    settle(statement.otherwise, masks);
  }
}

} // namespace

void settle_masks(Program &program) { settle(program.body, ChipMasks(program)); }

} // namespace neuronify::tile
