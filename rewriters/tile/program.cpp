#include "tile/program.h"

#include <cstring>

namespace neuronify::tile {

Expr literal(const Type &type, int64_t value) {
  auto e = std::make_shared<Expression>();
  e->form = Expression::Form::literal;
  e->type = type;
  e->integer = value;
  return e;
}

Expr float_literal(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return literal({Kind::host_float}, bits);
}

Expr variable(int number, const Type &type) {
  auto e = std::make_shared<Expression>();
  e->form = Expression::Form::variable;
  e->type = type;
  e->variable = number;
  return e;
}

Expr operation(std::string name, const Type &type, std::vector<Expr> operands) {
  auto e = std::make_shared<Expression>();
  e->form = Expression::Form::operation;
  e->type = type;
  e->operation = std::move(name);
  e->operands = std::move(operands);
  return e;
}

Expr negate(const Expr &condition) {
  if (condition->form == Expression::Form::operation && condition->operation == "not")
    return condition->operands[0];
  return operation("not", condition->type, {condition});
}

bool same(const Expr &a, const Expr &b) {
  if (a == b)
    return true;
  if (!a || !b || a->form != b->form || !(a->type == b->type) || a->integer != b->integer ||
      a->variable != b->variable || a->operation != b->operation ||
      a->operands.size() != b->operands.size())
    return false;
  for (size_t i = 0; i < a->operands.size(); ++i)
    if (!same(a->operands[i], b->operands[i]))
      return false;
  return true;
}

bool reads(const Expr &expression, int number) {
  if (!expression)
    return false;
  if (expression->form == Expression::Form::variable)
    return expression->variable == number;
  for (const Expr &operand : expression->operands)
    if (reads(operand, number))
      return true;
  return false;
}

int Program::add_variable(std::string name, const Type &type, bool named) {
  variables.push_back({std::move(name), type, named});
  return int(variables.size()) - 1;
}

} // namespace neuronify::tile
