#include "tile/passes/passes.h"

namespace neuronify::tile {
namespace {

bool only_leaves(const std::vector<Statement> &body) {
  return body.size() == 1 && body[0].form == Statement::Form::leave;
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
