#include "tile/passes/passes.h"

#include <ranges>
#include <vector>

namespace neuronify::tile {
namespace {

/// Does the statement write memory?
bool is_store(const Statement &statement) {
  return statement.form == Statement::Form::issue &&
         (statement.operation == "store" || statement.operation.starts_with("atomic_") ||
          statement.operation.starts_with("fetch_") ||
          statement.operation.starts_with("surface_write_") || statement.operation == "print" ||
          statement.operation == "assert_fail" || statement.operation == "trap" ||
          statement.operation == "grid_sync");
}

/// The variable a statement writes, or -1 where its effect is more than that.
int written(const Statement &statement) {
  switch (statement.form) {
  case Statement::Form::declare:
  case Statement::Form::set:
    return statement.variable;
  case Statement::Form::issue:
    if (!is_store(statement) && statement.operands[0]->form == Expression::Form::variable)
      return statement.operands[0]->variable;
    return -1;
  default:
    return -1;
  }
}

class Liveness {
public:
  explicit Liveness(const Program &program) : live_(program.variables.size(), false) {
    do {
      changed_ = false;
      visit(program.body);
    } while (changed_);
  }
  bool is_live(int variable) const { return live_[variable]; }

private:
  void mark(const Expr &expression) {
    if (!expression)
      return;
    if (expression->form == Expression::Form::variable && !live_[expression->variable]) {
      live_[expression->variable] = true;
      changed_ = true;
    }
    for (const Expr &operand : expression->operands)
      mark(operand);
  }
  /// From the last statement to the first, so that a chain of values is known in one round.
  void visit(const std::vector<Statement> &body) {
    for (const Statement &statement : std::views::reverse(body)) {
      visit(statement.otherwise);
      visit(statement.body);
      const int variable = written(statement);
      if (variable < 0 || live_[variable])
        for_each_expression(statement, [&](const Expr &e) { mark(e); });
    }
  }
  std::vector<bool> live_;
  bool changed_ = false;
};

void prune(std::vector<Statement> &body, const Liveness &liveness) {
  std::vector<Statement> kept;
  for (Statement &statement : body) {
    prune(statement.body, liveness);
    prune(statement.otherwise, liveness);
    const int variable = written(statement);
    if (variable >= 0 && !liveness.is_live(variable))
      continue;
    if (statement.form == Statement::Form::branch && statement.body.empty() &&
        statement.otherwise.empty())
      continue;
    if (statement.form == Statement::Form::branch && statement.body.empty()) {
      statement.body = std::move(statement.otherwise);
      statement.otherwise.clear();
      statement.value = operation("not", statement.value->type, {statement.value});
    }
    kept.push_back(std::move(statement));
  }
  body = std::move(kept);
}

} // namespace

void remove_dead_code(Program &program) {
  const Liveness liveness(program);
  prune(program.body, liveness);
  std::erase_if(program.inputs,
                [&](const Input &input) { return !liveness.is_live(input.variable); });
}

} // namespace neuronify::tile
