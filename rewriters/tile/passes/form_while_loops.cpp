#include "tile/passes/passes.h"

namespace neuronify::tile {
namespace {

bool only_leaves(const std::vector<Statement> &body) {
  return body.size() == 1 && body[0].form == Statement::Form::leave;
}

Expr negate(const Expr &condition) {
  if (condition->form == Expression::Form::operation && condition->operation == "not")
    return condition->operands[0];
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
  return operation("not", condition->type, {condition});
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
    statement.value = negate(first.value);
    statement.line = first.line;
    statement.body.erase(statement.body.begin());
  }
}

} // namespace

void form_while_loops(Program &program) { form(program.body); }

} // namespace neuronify::tile
