#include "tile/verify.h"

#include "tile/operations.h"

#include <fmt/format.h>

namespace neuronify::tile {
namespace {

class Verifier {
public:
  explicit Verifier(const Program &program)
      : program_(program), declared_(program.variables.size(), false) {}

  std::vector<std::string> run() {
    for (const Input &input : program_.inputs)
      declared_[input.variable] = true;
    block(program_.body, 0);
    return std::move(problems_);
  }

private:
  template <class... A>
  void problem(const Statement &statement, fmt::format_string<A...> text, A &&...arguments) {
    problems_.push_back(fmt::format("line {}: ", statement.line) +
                        fmt::format(text, std::forward<A>(arguments)...));
  }

  void expression(const Statement &statement, const Expr &e) {
    if (!e)
      return problem(statement, "an operand is missing");
    if (e->form == Expression::Form::variable) {
      if (e->variable < 0 || e->variable >= int(declared_.size()))
        return problem(statement, "variable %{} does not exist", e->variable);
      if (!declared_[e->variable])
        problem(statement, "variable %{} is read where it is not declared", e->variable);
      if (e->type.kind != program_.variables[e->variable].type.kind)
        problem(statement, "variable %{} is read as another kind", e->variable);
    }
    for (const Expr &operand : e->operands)
      expression(statement, operand);
  }

  static bool assignable(const Type &variable, const Type &value) {
    if (variable.kind == value.kind)
      return true;
    if (variable.kind == Kind::index)
      return value.kind == Kind::host_int;
    if (variable.kind == Kind::mask)
      return value.kind == Kind::host_bool;
    return variable.is_tile() && value.is_tile() && variable.kind != Kind::tile_wide &&
           value.kind != Kind::tile_wide;
  }

  bool names_text(const Statement &statement) const {
    const Expr &text = statement.operands[0];
    return text && text->form == Expression::Form::literal && text->integer >= 0 &&
           size_t(text->integer) < program_.texts.size();
  }

  void issue(const Statement &statement) {
    if ((statement.operation == "print" || statement.operation == "assert_fail") &&
        !names_text(statement))
      return problem(statement, "'{}' names no text", statement.operation);
    const OperationRow *row = find_operation(statement.operation);
    if (!row)
      return problem(statement, "operation '{}' is unknown", statement.operation);
    if (!takes(*row, statement.operands.size()))
      return problem(statement, "operation '{}' takes {} operands, not {}", statement.operation,
                     row->signature.size(), statement.operands.size());
    if (find_operation(statement.operation, statement.operands))
      return;
    for (size_t i = 0; i < statement.operands.size(); ++i)
      if (statement.operands[i] &&
          !fits(letter_of(*row, i, statement.operands.size()), statement.operands[i]))
        problem(statement, "operand {} of '{}' is of the wrong kind", i, statement.operation);
  }

  void block(const std::vector<Statement> &body, int loops) {
    std::vector<int> here;
    for (const Statement &statement : body) {
      const bool counts = statement.form == Statement::Form::loop && statement.variable >= 0;
      if (counts) // the counter exists in the loop only
        declared_[statement.variable] = true;
      for_each_expression(statement, [&](const Expr &e) { expression(statement, e); });
      switch (statement.form) {
      case Statement::Form::declare:
        if (declared_[statement.variable])
          problem(statement, "variable %{} is declared twice", statement.variable);
        declared_[statement.variable] = true;
        here.push_back(statement.variable);
        [[fallthrough]];
      case Statement::Form::set:
        if (!declared_[statement.variable])
          problem(statement, "variable %{} is set where it is not declared", statement.variable);
        if (statement.value &&
            !assignable(program_.variables[statement.variable].type, statement.value->type))
          problem(statement, "variable %{} is set to a value of another kind", statement.variable);
        break;
      case Statement::Form::issue:
        issue(statement);
        break;
      case Statement::Form::leave:
        if (!loops)
          problem(statement, "leave outside of a loop");
        break;
      case Statement::Form::branch:
        if (!statement.value || statement.value->type.kind != Kind::host_bool)
          problem(statement, "a branch needs a host truth value");
        break;
      case Statement::Form::loop:
        if (statement.value && statement.value->type.kind != Kind::host_bool)
          problem(statement, "a loop needs a host truth value");
        break;
      }
      block(statement.body, loops + (statement.form == Statement::Form::loop));
      block(statement.otherwise, loops);
      if (counts)
        declared_[statement.variable] = false;
    }
    for (int variable : here)
      declared_[variable] = false;
  }

  const Program &program_;
  std::vector<bool> declared_;
  std::vector<std::string> problems_;
};

} // namespace

std::vector<std::string> verify(const Program &program) { return Verifier(program).run(); }

} // namespace neuronify::tile
