#include "tile/passes/passes.h"
#include "tile/uses.h"

#include <map>
#include <vector>

namespace neuronify::tile {
namespace {

class Folder {
public:
  explicit Folder(Program &program) : program_(program), uses_(program) {}
  void run() { fold(program_.body); }

private:
  Expr replace(const Expr &expression) {
    if (!expression)
      return expression;
    if (expression->form == Expression::Form::variable) {
      if (auto found = everywhere_.find(expression->variable); found != everywhere_.end())
        return found->second;
      if (auto found = pending_.find(expression->variable); found != pending_.end()) {
        Expr value = found->second;
        pending_.erase(found);
        folded_[expression->variable] = true;
        return value;
      }
      return expression;
    }
    return with_operands(expression, [&](const Expr &operand) { return replace(operand); });
  }

  /// What `statement` or anything in it sets no longer has the value that pending expressions read.
  void forget(const Statement &statement) {
    auto drop = [&](int variable) {
      if (auto found = readers_.find(variable); found != readers_.end()) {
        for (int reader : found->second)
          pending_.erase(reader);
        readers_.erase(found);
      }
    };
    if (const int variable = set_by(statement); variable >= 0)
      drop(variable);
    for (const Statement &inner : statement.body)
      forget(inner);
    for (const Statement &inner : statement.otherwise)
      forget(inner);
  }

  /// The declaration's value waits for the one statement that reads it.
  void wait(const Statement &declaration) {
    pending_[declaration.variable] = declaration.value;
    auto add = [&](auto &&self, const Expr &e) -> void {
      if (e->form == Expression::Form::variable)
        readers_[e->variable].push_back(declaration.variable);
      for (const Expr &operand : e->operands)
        self(self, operand);
    };
    add(add, declaration.value);
  }

  /// A value that may be written in place of the variable wherever that is read.
  bool is_free(const Expr &value) const {
    if (value->form == Expression::Form::literal)
      return true;
    if (value->form == Expression::Form::variable)
      return uses_.sets[value->variable] == 0;
    return value->operands.empty() && value->operation != "tile";
  }

  /// Is `body[at]` another name of a variable that keeps its value until the name was read last?
  bool is_alias(const std::vector<Statement> &body, size_t at) const {
    const Statement &statement = body[at];
    if (statement.value->form != Expression::Form::variable ||
        program_.variables[statement.variable].type !=
            program_.variables[statement.value->variable].type)
      return false;
    const int source = statement.value->variable;
    bool was_set = false;
    for (size_t i = at + 1; i < body.size(); ++i) {
      const bool is_read = reads_of(body[i], statement.variable) > 0;
      if (is_read && was_set)
        return false;
      was_set |= sets_of(body[i], source) > 0;
      // A statement that has statements in it may read after it has set.
      if (is_read && was_set && body[i].form != Statement::Form::set)
        return false;
    }
    return true;
  }

  bool may_fold(const Statement &statement) const {
    const Variable &variable = program_.variables[statement.variable];
    if (!statement.value || uses_.sets[statement.variable])
      return false;
    const Kind kind = variable.type.kind;
    if (statement.value->form == Expression::Form::operation &&
        (statement.value->operation == "tile" || statement.value->operation == "shared_array" ||
         statement.value->operation == "local_array" ||
         statement.value->operation == "dynamic_shared"))
      return false;
    if (kind == Kind::mask && statement.value->form == Expression::Form::operation &&
        statement.value->operation.starts_with("tile_"))
      return uses_.reads[statement.variable] == 1;
    return true;
  }

  void fold(std::vector<Statement> &body) {
    auto outer =
        std::move(pending_); // expressions of outer blocks stay outside of loops and branches
    pending_.clear();
    for (size_t i = 0; i < body.size(); ++i) {
      Statement &statement = body[i];
      if (statement.form != Statement::Form::loop && statement.value)
        statement.value = replace(statement.value);
      for (Expr &operand : statement.operands)
        operand = replace(operand);
      if (statement.form == Statement::Form::declare && may_fold(statement)) {
        const Variable &variable = program_.variables[statement.variable];
        if (is_free(statement.value)
                ? !variable.named || statement.value->form != Expression::Form::operation
                : !variable.named && is_alias(body, i))
          everywhere_[statement.variable] = statement.value;
        else if (!variable.named && uses_.reads[statement.variable] == 1)
          wait(statement);
      }
      forget(statement);
      fold(statement.body);
      fold(statement.otherwise);
    }
    std::erase_if(body, [&](const Statement &statement) {
      return statement.form == Statement::Form::declare &&
             (folded_.count(statement.variable) || everywhere_.count(statement.variable));
    });
    pending_ = std::move(outer);
  }

  Program &program_;
  Counts uses_;
  std::map<int, Expr> pending_, everywhere_;
  std::map<int, std::vector<int>> readers_; ///< variables whose pending values read a variable
  std::map<int, bool> folded_;
};

} // namespace

void fold_expressions(Program &program) { Folder(program).run(); }

} // namespace neuronify::tile
