#include "emit/python_tidy.h"

#include "tile/passes/passes.h"
#include "tile/uses.h"

#include <algorithm>
#include <map>
#include <utility>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Program;
using tile::Statement;
using Form = tile::Statement::Form;

namespace {

void rebind(Statement &statement, int from, int to) {
  if (statement.variable == from)
    statement.variable = to;
  for (std::vector<Statement> *body : {&statement.body, &statement.otherwise})
    for (Statement &inner : *body)
      rebind(inner, from, to);
}

void rename(Statement &statement, int from, const Expr &to) {
  tile::replace_reads(statement, from, to);
  if (to->form == Expression::Form::variable)
    rebind(statement, from, to->variable);
}

class Tidier {
public:
  explicit Tidier(Program &program) : program_(program) {}

  void run() {
    tidy(program_.body);
    tile::remove_dead_code(program_);
  }

private:
  bool is_named(int variable) const { return program_.variables[size_t(variable)].named; }

  void tidy(std::vector<Statement> &body) {
    for (size_t i = 0; i < body.size();) {
      if (fold_widening(body, i) || make_in_place(body, i) || give_back(body, i))
        continue; // the statement is gone
      tidy(body[i].body);
      tidy(body[i].otherwise);
      ++i;
    }
  }

  /// The variable, or coordinate, that a widened launch-known or host integer is.
  static Expr widened(const Expr &value) {
    if (!value || value->operation != "sext")
      return nullptr;
    const Expr &source = value->operands[0];
    const bool plain = source->form == Expression::Form::variable ||
                       (source->form == Expression::Form::operation && source->operands.empty());
    const bool number = source->type.kind == Kind::index || source->type.kind == Kind::host_int;
    return plain && number && source->type.kind == value->type.kind ? source : nullptr;
  }

  /// `x = sext(y)` and uses of x: uses of sext(y), which prints as y.
  bool fold_widening(std::vector<Statement> &body, size_t at) {
    const Statement &statement = body[at];
    if (statement.form != Form::declare || is_named(statement.variable))
      return false;
    const Expr source = widened(statement.value);
    if (!source || program_.variables[size_t(statement.variable)].type != statement.value->type)
      return false;
    const int variable = statement.variable;
    bool was_set = false;
    for (size_t i = at + 1; i < body.size(); ++i) {
      if (rebindings_of(body[i], variable))
        return false;
      const bool is_read = reads_of(body[i], variable) > 0;
      if (is_read && was_set)
        return false;
      if (source->form == Expression::Form::variable)
        was_set |= rebindings_of(body[i], source->variable) > 0;
      if (is_read && was_set && body[i].form != Form::set)
        return false;
    }
    const Expr value = statement.value;
    body.erase(body.begin() + std::ptrdiff_t(at));
    for (size_t i = at; i < body.size(); ++i)
      rename(body[i], variable, value);
    return true;
  }

  /// `t = tile; ...; x = t`: the tile is made as x.
  bool make_in_place(std::vector<Statement> &body, size_t at) {
    const Statement &statement = body[at];
    if (statement.form != Form::declare || !statement.value ||
        statement.value->form != Expression::Form::variable)
      return false;
    const int from = statement.value->variable, to = statement.variable;
    const tile::Type &type = program_.variables[size_t(from)].type;
    if (!type.is_tile() || is_named(from) || type != program_.variables[size_t(to)].type)
      return false;
    size_t made = at;
    for (size_t i = 0; i < at; ++i)
      if (body[i].form == Form::declare && body[i].variable == from)
        made = i;
    if (made == at || (body[made].value && body[made].value->operation != "tile"))
      return false;
    for (size_t i = made + 1; i < body.size(); ++i)
      if (rebindings_of(body[i], from) || (i > at && reads_of(body[i], from)))
        return false;
    const Expr name = tile::variable(to, type);
    body.erase(body.begin() + std::ptrdiff_t(at));
    for (size_t i = made; i < at; ++i)
      rename(body[i], from, name);
    return true;
  }

  /// `x = y; loop with x; y = x`, where nobody looks at y in between nor at x afterwards: y.
  bool give_back(std::vector<Statement> &body, size_t at) {
    const Statement &statement = body[at];
    if (statement.form != Form::declare || !statement.value ||
        statement.value->form != Expression::Form::variable)
      return false;
    const int from = statement.variable, to = statement.value->variable;
    const tile::Type &type = program_.variables[size_t(from)].type;
    if (type != program_.variables[size_t(to)].type)
      return false;
    size_t end = at;
    for (size_t i = at + 1; i < body.size(); ++i) {
      if (end != at) {
        if (reads_of(body[i], from) || rebindings_of(body[i], from))
          return false;
      } else if (body[i].form == Form::set && body[i].variable == to &&
                 is_variable(body[i].value, from)) {
        end = i;
      } else if (reads_of(body[i], to) || rebindings_of(body[i], to) || leaves_loop(body[i])) {
        return false;
      }
    }
    if (end == at)
      return false;
    const Expr name = tile::variable(to, type);
    body.erase(body.begin() + std::ptrdiff_t(end));
    body.erase(body.begin() + std::ptrdiff_t(at));
    for (size_t i = at; i + 1 < end; ++i)
      rename(body[i], from, name);
    return true;
  }

  Program &program_;
};

} // namespace

Program tidied_for_python(const Program &program) {
  Program result = program;
  Tidier(result).run();
  return result;
}

} // namespace neuronify::emit
