#include "tile/passes/passes.h"
#include "tile/uses.h"

#include <algorithm>
#include <map>
#include <set>

namespace neuronify::tile {
namespace {

using Form = Statement::Form;

// Forming loops moves expressions and removes a step, but never of a variable that is looked at
// again.

bool sets(const Statement &statement, int variable) { return sets_of(statement, variable) > 0; }

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

/// Where a body declares the host integers that may become counters.
using Declarations = std::map<int, size_t>;

void add_variables(const Expr &expression, std::set<int> &found) {
  if (expression->form == Expression::Form::variable)
    found.insert(expression->variable);
  for (const Expr &operand : expression->operands)
    add_variables(operand, found);
}

/// The declaration that `body[at]`, a while loop, may take over as its counter; else -1.
int find_counter(const std::vector<Statement> &body, size_t at, const Declarations &declarations,
                 const Counts &counts) {
  std::set<int> variables;
  add_variables(body[at].value, variables);
  int best = -1;
  for (int variable : variables) {
    auto found = declarations.find(variable);
    if (found == declarations.end() || int(found->second) < best ||
        find_step(body[at].body, variable) < 0 ||
        // Nobody else reads or sets it.
        counts.reads[size_t(variable)] != reads_of(body[at], variable) ||
        counts.sets[size_t(variable)] != sets_of(body[at], variable))
      continue;
    const Expr &start = body[found->second].value;
    bool disturbed = false;
    for (size_t i = found->second + 1; i < at && !disturbed; ++i)
      disturbed = disturbs(body[i], start);
    if (!disturbed)
      best = int(found->second);
  }
  return best;
}

void form(std::vector<Statement> &body, const Program &program, const Counts &counts) {
  std::vector<size_t> moved;
  Declarations declarations;
  for (size_t i = 0; i < body.size(); ++i) {
    Statement &loop = body[i];
    if (loop.form == Form::declare && loop.value &&
        program.variables[size_t(loop.variable)].type.kind == Kind::host_int)
      declarations[loop.variable] = i;
    if (loop.form == Form::loop && loop.value && loop.variable < 0) {
      if (const int d = find_counter(body, i, declarations, counts); d >= 0) {
        const int step = find_step(loop.body, body[size_t(d)].variable);
        loop.variable = body[size_t(d)].variable;
        loop.start = body[size_t(d)].value;
        loop.step = loop.body[size_t(step)].value;
        loop.body.erase(loop.body.begin() + step);
        moved.push_back(size_t(d));
      }
    }
    form(loop.body, program, counts);
    form(loop.otherwise, program, counts);
  }
  std::sort(moved.begin(), moved.end());
  size_t kept = 0;
  for (size_t i = 0, next = 0; i < body.size(); ++i) {
    if (next < moved.size() && moved[next] == i)
      ++next;
    else if (kept++ != i)
      body[kept - 1] = std::move(body[i]);
  }
  body.resize(kept);
}

} // namespace

void form_for_loops(Program &program) { form(program.body, program, Counts(program)); }

} // namespace neuronify::tile
