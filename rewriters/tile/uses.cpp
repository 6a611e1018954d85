#include "tile/uses.h"

#include <algorithm>

namespace neuronify::tile {
namespace {

using Form = Statement::Form;

int occurrences(const Expr &expression, int variable) {
  if (!expression)
    return 0;
  int count = is_variable(expression, variable);
  for (const Expr &operand : expression->operands)
    count += occurrences(operand, variable);
  return count;
}

template <class F> int count_statements(const Statement &statement, F &&counts) {
  int count = 0;
  for_each_statement(statement, [&](const Statement &inner) { count += counts(inner); });
  return count;
}

Expr replaced(const Expr &expression, int variable, const Expr &value) {
  if (expression->form == Expression::Form::variable)
    return expression->variable == variable ? value : expression;
  return with_operands(expression,
                       [&](const Expr &operand) { return replaced(operand, variable, value); });
}

} // namespace

bool is_variable(const Expr &expression, int number) {
  return expression && expression->form == Expression::Form::variable &&
         expression->variable == number;
}

bool is_operation(const Expr &expression, const char *name) {
  return expression && expression->form == Expression::Form::operation &&
         expression->operation == name;
}

int reads_of(const Statement &statement, int variable) {
  int count = 0;
  for_each_statement(statement, [&](const Statement &inner) {
    for_each_expression(inner, [&](const Expr &e) { count += occurrences(e, variable); });
  });
  return count;
}

int reads_of(const std::vector<Statement> &body, int variable) {
  int count = 0;
  for (const Statement &statement : body)
    count += reads_of(statement, variable);
  return count;
}

int set_by(const Statement &statement) {
  if (statement.form == Form::set || statement.form == Form::loop)
    return statement.variable;
  return statement.form == Form::issue && statement.operation == "assign"
             ? statement.operands[0]->variable
             : -1;
}

int rebound_by(const Statement &statement) {
  const bool writes_tile = statement.form == Form::issue && statement.operation == "assign" &&
                           statement.operands[0]->type.is_tile();
  return writes_tile ? -1 : set_by(statement);
}

int sets_of(const Statement &statement, int variable) {
  return count_statements(statement,
                          [&](const Statement &inner) { return set_by(inner) == variable; });
}

int rebindings_of(const Statement &statement, int variable) {
  return count_statements(statement,
                          [&](const Statement &inner) { return rebound_by(inner) == variable; });
}

int rebindings_of(const std::vector<Statement> &body, int variable) {
  int count = 0;
  for (const Statement &statement : body)
    count += rebindings_of(statement, variable);
  return count;
}

bool disturbs(const Statement &statement, const Expr &expression) {
  if (expression->form == Expression::Form::variable)
    return sets_of(statement, expression->variable) > 0;
  return std::any_of(expression->operands.begin(), expression->operands.end(),
                     [&](const Expr &operand) { return disturbs(statement, operand); });
}

void replace_reads(Statement &statement, int variable, const Expr &value) {
  const auto replace = [&](Expr &expression) {
    if (expression && reads(expression, variable))
      expression = replaced(expression, variable, value);
  };
  for (Expr *expression : {&statement.value, &statement.start, &statement.step})
    replace(*expression);
  for (Expr &operand : statement.operands)
    replace(operand);
  for (std::vector<Statement> *body : {&statement.body, &statement.otherwise})
    for (Statement &inner : *body)
      replace_reads(inner, variable, value);
}

bool leaves_loop(const Statement &statement) {
  return statement.form == Form::leave || (statement.form == Form::branch &&
                                           (std::ranges::any_of(statement.body, leaves_loop) ||
                                            std::ranges::any_of(statement.otherwise, leaves_loop)));
}

Counts::Counts(const Program &program)
    : reads(program.variables.size(), 0), sets(program.variables.size(), 0) {
  for_each_statement(program.body, [&](const Statement &statement) {
    for_each_expression(statement, [&](const Expr &e) { count(e); });
    if (const int variable = set_by(statement); variable >= 0)
      ++sets[size_t(variable)];
  });
}

void Counts::count(const Expr &expression) {
  if (expression->form == Expression::Form::variable)
    ++reads[size_t(expression->variable)];
  for (const Expr &operand : expression->operands)
    count(operand);
}

} // namespace neuronify::tile
