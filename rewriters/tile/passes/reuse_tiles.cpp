#include "tile/passes/passes.h"
#include "tile/space.h"

#include <deque>
#include <map>
#include <utility>

namespace neuronify::tile {
namespace {

/// Tiles that may change places: declared fresh, and never given a second name.
class Candidates {
public:
  explicit Candidates(const Program &program) : simple_(program.variables.size(), false) {
    for_each_statement(program.body, [&](const Statement &statement) {
      if (statement.form == Statement::Form::declare && statement.value &&
          statement.value->form == Expression::Form::operation &&
          statement.value->operation == "tile")
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
    for_each_statement(body[i], [&](const Statement &statement) {
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
  return with_operands(e, [&](const Expr &operand) { return renamed(operand, names); });
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

/// The original's name of a value that bears a number: "sum" of "sum_2".
std::string stem(const std::string &name) {
  const size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end > 0 && name[end] == '_' && end + 1 < name.size()
             ? name.substr(0, end)
             : name;
}

/// How far to go: each level saves more space and makes more instructions wait for others.
struct Level {
  bool into_loads; ///< transfers into a tile that was used before wait for its last reader
  bool
      into_bodies; ///< tiles of loops and branches take over outer ones: rounds wait for each other
  bool named;      ///< values of one variable of the original share a tile
};
constexpr Level kLevels[] = {{false, false, true}, {true, false, true}, {true, true, true}};

/// What fits without reuse: 1,024 lanes on every generation (runtime/lanes, LaneBytes).
constexpr int64_t kEnough = 160;

/// Tiles whose content is no longer wanted, by kind and, where they are named, name; the one that
/// has been idle for longest first.
using Pool = std::map<std::pair<Kind, std::string>, std::deque<int>>;

class Reuse {
public:
  Reuse(const Program &program, const Level &level)
      : program_(program), candidates_(program), level_(level) {}

  void run(std::vector<Statement> &body, Pool free) const {
    const auto last = last_uses(body);
    std::map<int, int> names;
    std::vector<Statement> result;
    std::map<size_t, std::vector<int>> ending; // tiles by the statement after which they are free
    for (size_t i = 0; i < body.size(); ++i) {
      Statement &statement = body[i];
      if (is_candidate(statement, i + 1 < body.size() ? &body[i + 1] : nullptr)) {
        const int original = statement.variable;
        auto &pool = free[key(original)];
        int holder = original;
        if (pool.empty()) {
          result.push_back(statement);
        } else {
          holder = pool.front();
          pool.pop_front();
          names[original] = holder;
        }
        auto found = last.find(original);
        if (found == last.end())
          pool.push_back(holder);
        else
          ending[found->second].push_back(holder);
        continue;
      }
      const Pool inner = level_.into_bodies ? free : Pool();
      run(statement.body, inner);
      run(statement.otherwise, inner);
      rename(statement, names);
      result.push_back(std::move(statement));
      for (int holder : ending[i])
        free[key(holder)].push_back(holder);
    }
    body = std::move(result);
  }

private:
  std::pair<Kind, std::string> key(int variable) const {
    const Variable &v = program_.variables[size_t(variable)];
    return {v.type.kind, v.named ? stem(v.name) : ""};
  }
  bool is_candidate(const Statement &statement, const Statement *next) const {
    if (statement.form != Statement::Form::declare || !candidates_.is_simple(statement.variable) ||
        (program_.variables[size_t(statement.variable)].named && !level_.named))
      return false;
    const bool is_loaded = next && next->form == Statement::Form::issue &&
                           next->operation == "load" &&
                           next->operands[0]->variable == statement.variable;
    return level_.into_loads || !is_loaded;
  }

  const Program &program_;
  const Candidates candidates_;
  const Level level_;
};

} // namespace

void reuse_tiles(Program &program) {
  for (const Level &level : kLevels) {
    if (lane_bytes(program) <= kEnough)
      return;
    Reuse(program, level).run(program.body, {});
  }
}

} // namespace neuronify::tile
