#include "tile/passes/passes.h"

namespace neuronify::tile {
namespace {

/// The comparison that holds where `comparison`, of integers, does not; null for other operations.
const char *opposite_of(const Expression &comparison) {
  static const std::pair<const char *, const char *> opposites[] = {
      {"eq", "ne"}, {"slt", "sge"}, {"sle", "sgt"}, {"ult", "uge"}, {"ule", "ugt"}};
  if (comparison.form != Expression::Form::operation || comparison.operands.size() != 2)
    return nullptr;
  for (const Expr &operand : comparison.operands)
    if (operand->type.kind != Kind::host_int && operand->type.kind != Kind::index)
      return nullptr;
  for (auto [a, b] : opposites) {
    if (comparison.operation == a)
      return b;
    if (comparison.operation == b)
      return a;
  }
  return nullptr;
}

Expr settled(const Expr &expression) {
  if (!expression || expression->form != Expression::Form::operation)
    return expression;
  if (expression->operation == "not") {
    const Expression &inner = *expression->operands[0];
    if (const char *opposite = opposite_of(inner))
      return settled(operation(opposite, expression->type, inner.operands));
  }
  return with_operands(expression, [](const Expr &operand) { return settled(operand); });
}

void settle(std::vector<Statement> &body) {
  for (Statement &statement : body) {
    for (Expr *value : {&statement.value, &statement.start, &statement.step})
      *value = settled(*value);
    for (Expr &operand : statement.operands)
      operand = settled(operand);
    settle(statement.body);
    settle(statement.otherwise);
  }
}

} // namespace

void settle_negations(Program &program) { settle(program.body); }

} // namespace neuronify::tile
