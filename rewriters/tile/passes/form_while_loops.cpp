#include "tile/passes/passes.h"

namespace neuronify::tile {
namespace {

bool only_leaves(const std::vector<Statement> &body) {
  return body.size() == 1 && body[0].form == Statement::Form::leave;
}

/// As negate(), and comparisons of host integers become their opposites.
Expr opposite_of(const Expr &condition) {
  static const std::pair<const char *, const char *> opposite[] = {
      {"eq", "ne"}, {"slt", "sge"}, {"sle", "sgt"}, {"ult", "uge"}, {"ule", "ugt"}};
  if (condition->form == Expression::Form::operation && condition->type.kind == Kind::host_bool &&
      !condition->operands.empty() && condition->operands[0]->type.kind == Kind::host_int)
    for (auto [a, b] : opposite) {
      if (condition->operation == a)
        return operation(b, condition->type, condition->operands);
      if (condition->operation == b)
        return operation(a, condition->type, condition->operands);
    }
  return negate(condition);
}

void form(std::vector<Statement> &body) {
  for (Statement &statement : body) {
    form(statement.body);
    form(statement.otherwise);
    if (statement.form != Statement::Form::loop || statement.value || statement.body.empty())
      continue;
    Statement &first = statement.body.front();
    if (first.form != Statement::Form::branch || !first.otherwise.empty() ||
        !only_leaves(first.body))
      continue;
    statement.value = opposite_of(first.value);
    statement.line = first.line;
    statement.body.erase(statement.body.begin());
  }
}

} // namespace

void form_while_loops(Program &program) { form(program.body); }

} // namespace neuronify::tile
