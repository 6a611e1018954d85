#include "emit/python_in_place.h"

#include "tile/uses.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Program;
using tile::Statement;
using Form = tile::Statement::Form;

namespace {

/// Element-wise instructions, which may write one of their operands.
bool is_elementwise(const Statement &s) {
  static const std::set<std::string> names{"fadd", "fsub", "fmul"};
  return s.form == Form::issue && names.count(s.operation) &&
         (s.operands[1]->type.is_tile() || s.operands[2]->type.is_tile());
}

/// Where a body computes the next value of a variable.
struct Step {
  size_t made, computed, set; ///< `t = tile`, the instruction, `x = t`
};

class Places {
public:
  Places(Program &program, const std::function<bool(const Statement &)> &ends_on_chip)
      : program_(program), ends_on_chip_(ends_on_chip) {}

  void run() {
    tile::for_each_statement(program_.body, [&](const Statement &s) {
      tile::for_each_expression(s, [&](const Expr &e) { count(e); });
    });
    find_candidates(program_.body, false);
    tile::for_each_statement(program_.body, [&](const Statement &s) { exclude_aliases(s); });
    if (!candidates_.empty())
      rewrite(program_.body);
  }

private:
  /// Fresh tiles that are set in steps of this form and in no other way.
  void find_candidates(const std::vector<Statement> &body, bool on_chip) {
    for (size_t i = 0; i < body.size(); ++i) {
      const Statement &s = body[i];
      if (s.form == Form::declare && is_fresh(s))
        fresh_.insert(s.variable);
      if (s.form == Form::set && (on_chip || !find_step(body, i)))
        bad_.insert(s.variable);
      else if (s.form == Form::set)
        candidates_.insert(s.variable);
      const bool chip = on_chip || (s.form == Form::loop && ends_on_chip_(s));
      find_candidates(s.body, chip);
      find_candidates(s.otherwise, chip);
    }
    std::erase_if(candidates_, [&](int x) { return bad_.count(x) || !fresh_.count(x); });
  }

  void count(const Expr &e) {
    if (e->form == Expression::Form::variable)
      ++reads_[e->variable];
    for (const Expr &operand : e->operands)
      count(operand);
  }

  static bool is_fresh(const Statement &s) {
    return !s.value ||
           (s.value->form == Expression::Form::operation && s.value->operation == "tile");
  }

  /// Another name of the tile would see what becomes of it.
  void exclude_aliases(const Statement &s) {
    if (s.form == Form::issue)
      return;
    tile::for_each_expression(s, [&](const Expr &e) {
      std::erase_if(candidates_, [&](int x) { return e->type.is_tile() && tile::reads(e, x); });
    });
  }

  bool find_step(const std::vector<Statement> &body, size_t set, Step *found = nullptr) const {
    const Expr &value = body[set].value;
    const int x = body[set].variable;
    if (program_.variables[size_t(x)].type.kind != Kind::tile_float ||
        value->form != Expression::Form::variable)
      return false;
    const int t = value->variable;
    Step step{body.size(), body.size(), set};
    for (size_t i = 0; i < set; ++i) {
      if (body[i].form == Form::declare && body[i].variable == t && is_fresh(body[i]))
        step.made = i;
      if (is_elementwise(body[i]) && is_variable(body[i].operands[0], t))
        step.computed = i;
    }
    if (step.made >= set || step.computed >= set || reads_.at(t) != 2)
      return false;
    for (size_t i = step.computed + 1; i < set; ++i)
      if (reads_of(body[i], x) || body[i].variable == x || body[i].form == Form::leave ||
          !body[i].body.empty())
        return false;
    if (found)
      *found = step;
    return true;
  }

  void rewrite(std::vector<Statement> &body) {
    for (size_t i = 0; i < body.size(); ++i) {
      Step step;
      if (body[i].form == Form::set && candidates_.count(body[i].variable) &&
          find_step(body, i, &step)) {
        Statement &compute = body[step.computed];
        compute.operands[0] = tile::variable(body[i].variable, compute.operands[0]->type);
        body.erase(body.begin() + std::ptrdiff_t(step.set));
        body.erase(body.begin() + std::ptrdiff_t(step.made));
        i -= 2;
        continue;
      }
      rewrite(body[i].body);
      rewrite(body[i].otherwise);
    }
  }

  Program &program_;
  const std::function<bool(const Statement &)> &ends_on_chip_;
  std::set<int> candidates_, bad_, fresh_;
  std::map<int, int> reads_; ///< of each variable, before anything was rewritten: steps share none
};

} // namespace

void sum_in_place(Program &program,
                  const std::function<bool(const Statement &loop)> &ends_on_chip) {
  Places(program, ends_on_chip).run();
}

} // namespace neuronify::emit
