#include "tile/chip_masks.h"

namespace neuronify::tile {

ChipMasks::ChipMasks(const Program &program) : variables_(program.variables.size(), false) {
  bool changed = true;
  while (changed) { // a loop may set after it read
    changed = false;
    for_each_statement(program.body,
                       [&](const Statement &statement) { changed |= note(statement); });
  }
}

/// Learns from a statement that writes a mask; true if there was something to learn.
bool ChipMasks::note(const Statement &statement) {
  int variable = statement.variable;
  bool from_chip = false;
  if (statement.form == Statement::Form::issue && statement.operation == "assign" &&
      statement.operands[0]->form == Expression::Form::variable &&
      statement.operands[0]->type.kind == Kind::mask) {
    variable = statement.operands[0]->variable;
    from_chip = may_be_tile(statement.operands[1]) || may_be_tile(statement.operands[2]);
  } else if (statement.form == Statement::Form::declare || statement.form == Statement::Form::set) {
    from_chip =
        statement.value && statement.value->type.kind == Kind::mask && may_be_tile(statement.value);
  }
  if (!from_chip || variables_[variable])
    return false;
  variables_[variable] = true;
  return true;
}

bool ChipMasks::may_be_tile(const Expr &expression) const {
  if (expression->type.kind != Kind::mask) // whatever it comes from, the host has it
    return false;
  if (expression->form == Expression::Form::variable)
    return variables_[expression->variable];
  if (expression->operation == "launch_part")
    return false;
  if (expression->operation.starts_with("vote_") || expression->operation.starts_with("block_"))
    return true; // counted on the chip, whatever is known of it
  for (const Expr &operand : expression->operands)
    if (operand->type.is_tile() || may_be_tile(operand))
      return true;
  return false;
}

} // namespace neuronify::tile
