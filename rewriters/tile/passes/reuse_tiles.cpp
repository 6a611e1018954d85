#include "tile/passes/passes.h"

#include <map>

namespace neuronify::tile {
namespace {

/// Tiles that may change places: declared fresh, unnamed, and never given a second name.
class Candidates {
public:
  explicit Candidates(const Program &program) : simple_(program.variables.size(), false) {
    for_each_statement(program.body, [&](const Statement &statement) {
      if (statement.form == Statement::Form::declare && statement.value &&
          statement.value->form == Expression::Form::operation &&
          statement.value->operation == "tile" && !program.variables[statement.variable].named)
        simple_[statement.variable] = true;
    });
    for_each_statement(program.body, [&](const Statement &statement) {
      if (statement.form == Statement::Form::set)
        simple_[statement.variable] = false;
      if (statement.form == Statement::Form::declare || statement.form == Statement::Form::set)
        alias(statement.value);
    });
  }
  bool is_simple(int variable) const { return simple_[variable]; }

private:
  /// A declared copy or view of a tile keeps it alive under another name.
  void alias(const Expr &value) {
    if (!value || !value->type.is_tile())
      return;
    if (value->form == Expression::Form::variable)
      simple_[value->variable] = false;
    for (const Expr &operand : value->operands)
      alias(operand);
  }
  std::vector<bool> simple_;
};

/// Last statement of `body` (by position) that mentions each variable, nested statements included.
std::map<int, size_t> last_uses(const std::vector<Statement> &body) {
  std::map<int, size_t> last;
  auto visit = [&](auto &&self, const Expr &e, size_t at) -> void {
    if (!e)
      return;
    if (e->form == Expression::Form::variable)
      last[e->variable] = at;
    for (const Expr &operand : e->operands)
      self(self, operand, at);
  };
  for (size_t i = 0; i < body.size(); ++i) {
    const std::vector<Statement> one{body[i]};
    for_each_statement(one, [&](const Statement &statement) {
      for_each_expression(statement, [&](const Expr &e) { visit(visit, e, i); });
    });
  }
  return last;
}

Expr renamed(const Expr &e, const std::map<int, int> &names) {
  if (!e)
    return e;
  if (e->form == Expression::Form::variable) {
    auto found = names.find(e->variable);
    return found == names.end() ? e : variable(found->second, e->type);
  }
  std::vector<Expr> operands;
  bool changed = false;
  for (const Expr &operand : e->operands) {
    operands.push_back(renamed(operand, names));
    changed |= operands.back() != operand;
  }
  return changed ? operation(e->operation, e->type, std::move(operands)) : e;
}

void rename(Statement &statement, const std::map<int, int> &names) {
  for (Expr *value : {&statement.value, &statement.start, &statement.step})
    *value = renamed(*value, names);
  for (Expr &operand : statement.operands)
    operand = renamed(operand, names);
  for (Statement &inner : statement.body)
    rename(inner, names);
  for (Statement &inner : statement.otherwise)
    rename(inner, names);
}

void reuse(std::vector<Statement> &body, const Candidates &candidates) {
  const auto last = last_uses(body);
  std::map<int, std::vector<int>> free; // by type: tiles whose content is no longer wanted
  std::map<int, int> names;
  std::vector<Statement> result;
  std::map<size_t, std::vector<int>> ending;
  for (size_t i = 0; i < body.size(); ++i) {
    Statement &statement = body[i];
    const bool candidate =
        statement.form == Statement::Form::declare && candidates.is_simple(statement.variable);
    if (candidate) {
      const int original = statement.variable;
      auto found = last.find(original);
      const int kind = int(statement.value->type.kind);
      int holder = original;
      if (auto &pool = free[kind]; !pool.empty()) {
        holder = pool.back();
        pool.pop_back();
        names[original] = holder;
      } else {
        result.push_back(statement);
      }
      ending[found == last.end() ? i : found->second].push_back(holder);
      if (found == last.end())
        free[kind].push_back(holder);
      continue;
    }
    reuse(statement.body, candidates);
    reuse(statement.otherwise, candidates);
    rename(statement, names);
    result.push_back(std::move(statement));
    for (int holder : ending[i])
      for (const Statement &declared : result)
        if (declared.form == Statement::Form::declare && declared.variable == holder)
          free[int(declared.value->type.kind)].push_back(holder);
  }
  body = std::move(result);
}

} // namespace

void reuse_tiles(Program &program) {
  const Candidates candidates(program);
  reuse(program.body, candidates);
}

} // namespace neuronify::tile
