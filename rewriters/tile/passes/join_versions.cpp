#include "tile/passes/passes.h"
#include "tile/uses.h"

#include <algorithm>
#include <map>

namespace neuronify::tile {
namespace {

using Form = Statement::Form;

/// `counter + 1` and the like, which is no longer than a name.
bool is_next(const Expr &value, int counter) {
  return value->form == Expression::Form::operation && value->type.kind == Kind::host_int &&
         (value->operation == "add" || value->operation == "sub") &&
         is_variable(value->operands[0], counter) &&
         value->operands[1]->form == Expression::Form::literal;
}

class Joiner {
public:
  explicit Joiner(Program &program) : program_(program), counts_(program) {}
  void run() { join(program_.body, nullptr); }

private:
  /// A number that is copied when it is set. A tile would get another name instead.
  bool is_number(int v) const {
    const Kind kind = program_.variables[size_t(v)].type.kind;
    return kind == Kind::host_int || kind == Kind::host_float || kind == Kind::index;
  }

  /// Are these two versions of one variable of the original, or one of them nobody's?
  bool are_versions(int old, int fresh) const {
    const Variable &a = program_.variables[size_t(old)], &b = program_.variables[size_t(fresh)];
    Type type = b.type;
    if (counts_.reads[size_t(fresh)] == 1) // by the copy, which converts
      type.is_signed = a.type.is_signed;
    return is_number(old) && a.type == type && (!b.named || (a.named && a.name == b.name));
  }

  static int copied(const Statement &statement) {
    return statement.value && statement.value->form == Expression::Form::variable
               ? statement.value->variable
               : -1;
  }

  /// `fresh` becomes `old` in body[from] and behind. The copy, body[at], goes.
  void merge(std::vector<Statement> &body, size_t from, size_t at, int old, int fresh) {
    counts_.reads[size_t(old)] += counts_.reads[size_t(fresh)] - 1;
    body[at] = Statement(); // nothing, until the block is done
    const Expr value = variable(old, program_.variables[size_t(old)].type);
    for (size_t i = from; i < body.size(); ++i)
      replace_reads(body[i], fresh, value);
    body[from].variable = old;
  }

  /// The step of a counter stays where it is, at the end: that of a `for`. Who reads the next value
  /// before adds it up.
  bool step_at_end(std::vector<Statement> &body, size_t from, size_t at, int old, int fresh) {
    for (size_t i = at + 1; i < body.size(); ++i)
      if (reads_of(body[i], fresh))
        return false;
    const Expr next = body[from].value;
    counts_.reads[size_t(old)] += counts_.reads[size_t(fresh)] - 1;
    for (size_t i = from + 1; i <= at; ++i)
      replace_reads(body[i], fresh, next);
    body[from] = Statement(); // nothing, until the block is done
    return true;
  }

  /// body[at] sets a variable to the version that body[from] declares: sets it there instead.
  bool join_step(std::vector<Statement> &body, size_t from, size_t at, const Statement *loop) {
    const int old = body[at].variable, fresh = body[from].variable;
    int sets = 0;
    for (const Statement &statement : body)
      sets += sets_of(statement, old);
    if (sets != 1)
      return false;
    if (is_next(body[from].value, old))
      return step_at_end(body, from, at, old, fresh);
    bool left = false;
    for (size_t i = from + 1; i < at; ++i) {
      if (reads_of(body[i], old) || (body[i].form == Form::declare && body[i].variable == old))
        return false;
      left |= leaves_loop(body[i]);
    }
    // Whoever leaves in between takes the new value along.
    if (left && !(loop && reads_of(*loop, old) == counts_.reads[size_t(old)]))
      return false;
    body[from].form = Form::set;
    merge(body, from, at, old, fresh);
    return true;
  }

  /// body[at] declares a variable with the value that body[from] declares: is declared there.
  bool join_start(std::vector<Statement> &body, size_t from, size_t at) {
    const int old = body[at].variable, fresh = body[from].variable;
    int reads = 0;
    for (size_t i = from + 1; i <= at; ++i)
      reads += reads_of(body[i], fresh);
    if (reads != counts_.reads[size_t(fresh)])
      return false;
    merge(body, from, at, old, fresh);
    return true;
  }

  void join(std::vector<Statement> &body, const Statement *loop) {
    std::map<int, size_t> declared; // in this block, and never set
    for (size_t i = 0; i < body.size(); ++i) {
      join(body[i].body, body[i].form == Form::loop ? &body[i] : nullptr);
      join(body[i].otherwise, nullptr);
      const bool declares = body[i].form == Form::declare;
      if (declares || body[i].form == Form::set) {
        const auto found = declared.find(copied(body[i]));
        if (found != declared.end() && are_versions(body[i].variable, found->first)) {
          const size_t from = found->second;
          if (declares ? join_start(body, from, i) : join_step(body, from, i, loop)) {
            declared.erase(found);
            if (declares && counts_.sets[size_t(body[from].variable)] == 0)
              declared[body[from].variable] = from;
            continue;
          }
        }
      }
      if (declares && body[i].value && counts_.sets[size_t(body[i].variable)] == 0)
        declared[body[i].variable] = i;
    }
    std::erase_if(body, [](const Statement &statement) {
      return statement.form == Form::issue && statement.operation.empty();
    });
  }

  Program &program_;
  Counts counts_;
};

} // namespace

void join_versions(Program &program) { Joiner(program).run(); }

} // namespace neuronify::tile
