#include "emit/python_counters.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Program;
using tile::Statement;
using tile::Type;

namespace {

const Type kTile{Kind::tile_int, 32, true, {}};

class Mover {
public:
  Mover(Program &program, int variable) : program_(program) {
    moved_.insert(variable);
    for (const tile::Variable &known : program.variables)
      names_.insert(known.name);
  }

  bool run() {
    find_followers();
    for (int variable : moved_) {
      Type &type = program_.variables[size_t(variable)].type;
      if ((type.kind != Kind::index && type.kind != Kind::host_int) || type.bits != 32)
        return false;
      type = kTile;
    }
    for (const tile::Input &input : program_.inputs)
      if (moved_.count(input.variable))
        return false; // an argument is what it is
    program_.body = rewrite(program_.body);
    return possible_;
  }

private:
  bool depends(const Expr &e) const {
    if (!e)
      return false;
    if (e->form == Expression::Form::variable)
      return moved_.count(e->variable) != 0;
    for (const Expr &operand : e->operands)
      if (depends(operand))
        return true;
    return false;
  }

  bool is_number(int variable) const {
    const Kind kind = program_.variables[size_t(variable)].type.kind;
    return kind == Kind::index || kind == Kind::host_int;
  }

  /// All integers that are computed from the moved ones move, too.
  void find_followers() {
    for (size_t before = 0; before != moved_.size();) {
      before = moved_.size();
      tile::for_each_statement(program_.body, [&](const Statement &s) {
        const bool sets = s.form == Statement::Form::declare || s.form == Statement::Form::set;
        if (sets && is_number(s.variable) && depends(s.value))
          moved_.insert(s.variable);
        if (s.form == Statement::Form::issue && s.operation == "assign" &&
            is_number(s.operands[0]->variable) && depends(s.operands[1]))
          moved_.insert(s.operands[0]->variable);
      });
    }
  }

  Expr give_up() {
    possible_ = false;
    return tile::literal({Kind::host_int, 32, true, {}}, 0);
  }

  // ---- statements in front of the one that is rewritten

  void put(Statement::Form form, int variable, Expr value) {
    Statement s;
    s.form = form;
    s.line = line_;
    s.variable = variable;
    s.value = std::move(value);
    out_->push_back(std::move(s));
  }

  void issue(const std::string &operation, std::vector<Expr> operands) {
    Statement s;
    s.form = Statement::Form::issue;
    s.line = line_;
    s.operation = operation;
    s.operands = std::move(operands);
    out_->push_back(std::move(s));
  }

  Expr fresh() {
    std::string name;
    do
      name = "c" + std::to_string(++temporaries_);
    while (!names_.insert(name).second);
    const int number = program_.add_variable(name, kTile);
    put(Statement::Form::declare, number, nullptr);
    return tile::variable(number, kTile);
  }

  /// Writes a number to a tile.
  void fill(const Expr &tile, const Expr &e) {
    if (e->type.kind == Kind::index)
      return issue("materialize", {tile, e});
    if (e->type.bits != 32)
      give_up();
    issue("fill", {tile, e});
  }

  void compute(const Expr &tile, const Expr &e) {
    static const std::map<std::string, const char *> names{
        {"add", "iadd"},  {"sub", "isub"},  {"mul", "imul"},  {"and", "iand"},  {"or", "ior"},
        {"xor", "ixor"},  {"shl", "shl"},   {"lshr", "lshr"}, {"ashr", "ashr"}, {"sdiv", "sdiv"},
        {"udiv", "udiv"}, {"srem", "srem"}, {"urem", "urem"}, {"smin", "smin"}, {"smax", "smax"},
        {"umin", "umin"}, {"umax", "umax"}, {"iabs", "iabs"}};
    if (!depends(e))
      return fill(tile, e);
    if (e->form == Expression::Form::variable)
      return issue("copy", {tile, tile::variable(e->variable, kTile)});
    if (e->operation == "select" && e->type.bits == 32)
      return issue("select", {tile, condition(e->operands[0]), number(e->operands[1]),
                              number(e->operands[2])});
    auto found = names.find(e->operation);
    if (found == names.end() || e->type.bits != 32) {
      give_up();
      return;
    }
    std::vector<Expr> operands{tile};
    for (const Expr &operand : e->operands)
      operands.push_back(number(operand));
    issue(found->second, std::move(operands));
  }

  /// A tile, or a number that the host knows.
  Expr number(const Expr &e) {
    if (!depends(e) && e->type.kind == Kind::host_int)
      return e->type.bits == 32 ? e : give_up();
    if (e->form == Expression::Form::variable && depends(e))
      return tile::variable(e->variable, kTile);
    const Expr tile = fresh();
    compute(tile, e);
    return tile;
  }

  /// A condition as a mask.
  Expr condition(const Expr &e) {
    if (!depends(e))
      return e;
    const Type mask{Kind::mask, 32, true, {}};
    static const std::set<std::string> comparisons{"eq",  "ne",  "slt", "sle", "sgt",
                                                   "sge", "ult", "ule", "ugt", "uge"};
    if (comparisons.count(e->operation)) {
      for (const Expr &operand : e->operands)
        if (operand->type.bits != 32)
          return give_up();
      return tile::operation("tile_" + e->operation, mask,
                             {number(e->operands[0]), number(e->operands[1])});
    }
    if (e->operation.starts_with("tile_"))
      return tile::operation(e->operation, mask, {number(e->operands[0]), number(e->operands[1])});
    static const std::set<std::string> algebra{"not", "and", "or", "xor", "andnot", "select"};
    if (!algebra.count(e->operation))
      return give_up();
    std::vector<Expr> operands;
    for (const Expr &operand : e->operands)
      operands.push_back(condition(operand));
    return tile::operation(e->operation, mask, std::move(operands));
  }

  /// A place whose offset is partly on the chip.
  Expr place(const Expr &e) {
    if (!depends(e))
      return e;
    if (e->form != Expression::Form::operation || e->operation != "element")
      return give_up();
    return moved_place(place(e->operands[0]), e->operands[1], e->operands[2], e->type);
  }

  Expr moved_place(const Expr &base, const Expr &offset, const Expr &unit, const Type &type) {
    if (!depends(offset))
      return tile::operation("element", type, {base, offset, unit});
    // Addresses are in range in any defined program, so extensions change nothing.
    if (offset->operation == "sext" || offset->operation == "zext")
      return moved_place(base, offset->operands[0], unit, type);
    if (offset->operation == "add" && offset->type.bits == 64)
      return moved_place(moved_place(base, offset->operands[0], unit, type), offset->operands[1],
                         unit, type);
    const Expr start =
        base->type.kind == Kind::place
            ? base
            : tile::operation("element", type,
                              {base, tile::literal({Kind::host_int, 64, true, {}}, 0), unit});
    return tile::operation("plus", type, {start, number(offset), unit});
  }

  // ---- statements

  std::vector<Statement> rewrite(const std::vector<Statement> &body) {
    std::vector<Statement> result;
    for (const Statement &s : body) {
      std::vector<Statement> *outer = std::exchange(out_, &result);
      line_ = s.line;
      rewrite(s);
      out_ = outer;
    }
    return result;
  }

  void rewrite(const Statement &s) {
    Statement copy = s;
    switch (s.form) {
    case Statement::Form::declare:
    case Statement::Form::set:
      return rewrite_value(s);
    case Statement::Form::issue:
      return rewrite_issue(s);
    case Statement::Form::branch:
    case Statement::Form::loop:
      if (depends(s.start) || depends(s.step) ||
          (s.form == Statement::Form::loop && depends(s.value)))
        give_up();
      if (depends(s.value))
        copy.value = any_of(s.value);
      copy.body = rewrite(s.body);
      copy.otherwise = rewrite(s.otherwise);
      break;
    case Statement::Form::leave:
      break;
    }
    out_->push_back(std::move(copy));
  }

  /// `any(mask)` and its opposite are the conditions that may ask the chip.
  Expr any_of(const Expr &e) {
    if (e->operation == "not")
      return tile::operation("not", e->type, {any_of(e->operands[0])});
    if (e->operation == "any" && e->operands[0]->type.kind == Kind::mask)
      return tile::operation("any", e->type, {condition(e->operands[0])});
    return give_up();
  }

  void rewrite_value(const Statement &s) {
    Statement copy = s;
    const bool declares = s.form == Statement::Form::declare;
    if (moved_.count(s.variable)) {
      if (declares) {
        put(Statement::Form::declare, s.variable, nullptr);
        if (s.value)
          compute(tile::variable(s.variable, kTile), s.value);
        return;
      }
      if (s.value->form == Expression::Form::variable && depends(s.value))
        return put(Statement::Form::set, s.variable, number(s.value));
      const Expr value = fresh();
      compute(value, s.value);
      return put(Statement::Form::set, s.variable, value);
    }
    if (depends(s.value)) {
      const Kind kind = program_.variables[size_t(s.variable)].type.kind;
      copy.value = kind == Kind::mask && s.value->type.kind == Kind::mask ? condition(s.value)
                   : kind == Kind::place                                  ? place(s.value)
                                                                          : give_up();
    }
    out_->push_back(std::move(copy));
  }

  void rewrite_issue(const Statement &s) {
    Statement copy = s;
    if (s.operation == "materialize" && depends(s.operands[1])) {
      compute(s.operands[0], s.operands[1]);
      return;
    }
    const bool assigns = s.operation == "assign";
    for (size_t i = 0; i < copy.operands.size(); ++i) {
      Expr &operand = copy.operands[i];
      if (assigns && i == 0 && moved_.count(operand->variable)) {
        operand = tile::variable(operand->variable, kTile);
        if (copy.operands[1]->type.kind == Kind::index && !depends(copy.operands[1]))
          copy.operands[1] = number(copy.operands[1]);
        continue;
      }
      if (!depends(operand))
        continue;
      switch (operand->type.kind) {
      case Kind::place:
        operand = place(operand);
        break;
      case Kind::mask:
        operand = condition(operand);
        break;
      case Kind::index:
      case Kind::host_int:
        operand =
            s.operation.starts_with("shfl") || s.operation == "print" ? give_up() : number(operand);
        break;
      default:
        operand = give_up();
      }
    }
    out_->push_back(std::move(copy));
  }

  Program &program_;
  std::set<int> moved_;
  std::set<std::string> names_;
  std::vector<Statement> *out_ = nullptr;
  unsigned line_ = 0;
  int temporaries_ = 0;
  bool possible_ = true;
};

} // namespace

bool move_to_chip(Program &program, int variable) { return Mover(program, variable).run(); }

} // namespace neuronify::emit
