#include "tile/passes/passes.h"

#include <algorithm>

namespace neuronify::tile {
namespace {

using Form = Statement::Form;

int reads_of(const Statement &statement, int variable) {
  int count = 0;
  const std::vector<Statement> one{statement};
  for_each_statement(one, [&](const Statement &inner) {
    for_each_expression(inner, [&](const Expr &e) { count += reads(e, variable); });
  });
  return count;
}

bool sets(const Statement &statement, int variable) {
  bool found = false;
  const std::vector<Statement> one{statement};
  for_each_statement(one, [&](const Statement &inner) {
    found |= inner.form == Form::set && inner.variable == variable;
    found |= inner.form == Form::loop && inner.variable == variable;
    found |= inner.form == Form::issue && inner.operation == "assign" &&
             inner.operands[0]->variable == variable;
  });
  return found;
}

/// Does `statement` set any variable that `expression` reads?
bool disturbs(const Statement &statement, const Expr &expression) {
  if (expression->form == Expression::Form::variable)
    return sets(statement, expression->variable);
  return std::any_of(expression->operands.begin(), expression->operands.end(),
                     [&](const Expr &operand) { return disturbs(statement, operand); });
}

/// The one statement of `body` that steps `counter`, if it might as well be the last; else -1.
int find_step(const std::vector<Statement> &body, int counter) {
  int step = -1;
  for (size_t i = 0; i < body.size(); ++i) {
    if (!sets(body[i], counter))
      continue;
    if (step >= 0 || body[i].form != Form::set)
      return -1;
    step = int(i);
  }
  if (step < 0)
    return -1;
  for (const Statement &statement : body) // the step cannot see what the body declares
    if (statement.form == Form::declare && reads(body[size_t(step)].value, statement.variable))
      return -1;
  for (size_t i = size_t(step) + 1; i < body.size(); ++i)
    if (reads_of(body[i], counter) || disturbs(body[i], body[size_t(step)].value))
      return -1;
  return step;
}

/// The declaration that `body[at]`, a while loop, may take over as its counter; else -1.
int find_counter(const std::vector<Statement> &body, size_t at, const Program &program) {
  for (size_t d = at; d-- > 0;) {
    const Statement &declaration = body[d];
    if (declaration.form != Form::declare || !declaration.value ||
        program.variables[declaration.variable].type.kind != Kind::host_int ||
        !reads(body[at].value, declaration.variable) ||
        find_step(body[at].body, declaration.variable) < 0)
      continue;
    bool wanted = false;
    for (size_t i = d + 1; i < body.size(); ++i)
      if (i != at)
        wanted |= reads_of(body[i], declaration.variable) || sets(body[i], declaration.variable) ||
                  (i < at && disturbs(body[i], declaration.value));
    if (!wanted)
      return int(d);
  }
  return -1;
}

void form(std::vector<Statement> &body, const Program &program) {
  std::vector<size_t> moved;
  for (size_t i = 0; i < body.size(); ++i) {
    Statement &loop = body[i];
    if (loop.form == Form::loop && loop.value && loop.variable < 0) {
      if (const int d = find_counter(body, i, program); d >= 0) {
        const int step = find_step(loop.body, body[size_t(d)].variable);
        loop.variable = body[size_t(d)].variable;
        loop.start = body[size_t(d)].value;
        loop.step = loop.body[size_t(step)].value;
        loop.body.erase(loop.body.begin() + step);
        moved.push_back(size_t(d));
      }
    }
    form(loop.body, program);
    form(loop.otherwise, program);
  }
  std::sort(moved.rbegin(), moved.rend());
  for (size_t d : moved)
    body.erase(body.begin() + long(d));
}

} // namespace

void form_for_loops(Program &program) { form(program.body, program); }

} // namespace neuronify::tile
