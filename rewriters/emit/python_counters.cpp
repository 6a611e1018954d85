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
const Type kPair{Kind::tile_wide, 64, true, {}};
const Type kMask{Kind::mask, 32, true, {}};

bool is_number(const Type &type) { return type.kind == Kind::index || type.kind == Kind::host_int; }

/// What a number or truth that moves becomes: narrow integers are 32 bits with the sign above them.
Type moved_type(const Type &type) {
  return type.kind == Kind::host_bool ? kMask : type.bits == 64 ? kPair : kTile;
}

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
      const bool has_form =
          type.kind == Kind::host_bool || (is_number(type) && (type.bits <= 32 || type.bits == 64));
      if (!has_form)
        return false;
      type = moved_type(type);
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

  bool may_move(int variable) const {
    const Type &type = program_.variables[size_t(variable)].type;
    return is_number(type) || type.kind == Kind::host_bool;
  }
  /// The variable where it is now.
  Expr moved(const Expr &e) const {
    return tile::variable(e->variable, program_.variables[size_t(e->variable)].type);
  }

  /// All integers that are computed from the moved ones move, too.
  void find_followers() {
    for (size_t before = 0; before != moved_.size();) {
      before = moved_.size();
      tile::for_each_statement(program_.body, [&](const Statement &s) {
        const bool sets = s.form == Statement::Form::declare || s.form == Statement::Form::set;
        if (sets && may_move(s.variable) && depends(s.value))
          moved_.insert(s.variable);
        if (s.form == Statement::Form::issue && s.operation == "assign" &&
            may_move(s.operands[0]->variable) && depends(s.operands[1]))
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

  Expr fresh(const Type &type) {
    std::string name;
    do
      name = "c" + std::to_string(++temporaries_);
    while (!names_.insert(name).second);
    const int number = program_.add_variable(name, type);
    put(Statement::Form::declare, number, nullptr);
    return tile::variable(number, type);
  }

  /// Writes a number to a tile.
  void fill(const Expr &tile, const Expr &e) {
    if (e->type.kind == Kind::index)
      return issue("materialize", {tile, e});
    issue("fill", {tile, with_sign(e)});
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
      return issue("copy", {tile, moved(e)});
    const bool narrow = e->type.bits < 32;
    if (e->operation == "select")
      return issue("select", {tile, condition(e->operands[0]), number(e->operands[1]),
                              number(e->operands[2])});
    if (e->operation == "sext" || e->operation == "zext")
      return extend(tile, e);
    if (e->operation == "trunc")
      return truncate(tile, e);
    static const std::set<std::string> of_any_width{"add", "sub", "mul", "and", "or", "xor"};
    auto found = names.find(e->operation);
    const bool shifts = e->operation == "shl" || e->operation == "lshr" || e->operation == "ashr";
    if (found == names.end() || (narrow && !of_any_width.count(e->operation)) ||
        (e->type.bits == 64 && shifts && depends(e->operands[1]))) {
      give_up();
      return;
    }
    std::vector<Expr> operands{tile};
    for (const Expr &operand : e->operands)
      operands.push_back(number(operand));
    issue(found->second, std::move(operands));
    if (narrow)
      keep_sign(tile, e->type);
  }

  static Expr bits(const Type &type) {
    return tile::literal({Kind::host_int, 32, true, {}}, type.bits);
  }

  void keep_sign(const Expr &tile, const Type &type) { issue("sext", {tile, tile, bits(type)}); }

  /// The sign of a narrow integer is there already.
  void extend(const Expr &tile, const Expr &e) {
    const Expr &inner = e->operands[0];
    if (inner->type.kind == Kind::host_bool || inner->type.bits > 32) {
      give_up();
      return;
    }
    const Expr value = number(inner);
    if (e->type.bits == 64 || e->operation == "zext")
      return issue(e->operation, {tile, value, bits(inner->type)});
    issue("copy", {tile, value});
  }

  void truncate(const Expr &tile, const Expr &e) {
    const Expr value = number(e->operands[0]);
    issue("copy", {tile, value->type.kind == Kind::tile_wide ? low_word(value) : value});
    if (e->type.bits < 32)
      keep_sign(tile, e->type);
  }

  /// A number of the host's as tiles hold it.
  Expr with_sign(const Expr &e) {
    if (e->type.bits >= 32)
      return e;
    if (e->form == Expression::Form::literal)
      return tile::literal({Kind::host_int, 32, true, {}},
                           int64_t(uint64_t(e->integer) << (64 - e->type.bits)) >>
                               (64 - e->type.bits));
    return e->type.is_signed ? e : give_up();
  }

  static Expr low_word(const Expr &pair) { return tile::operation("low_word", kTile, {pair}); }

  /// A tile, or a number that the host knows.
  Expr number(const Expr &e) {
    if (!depends(e) && e->type.is_tile())
      return e;
    if (!depends(e) && e->type.kind == Kind::host_int)
      return with_sign(e);
    if (e->form == Expression::Form::variable && depends(e))
      return moved(e);
    if (!is_number(e->type) || (e->type.bits > 32 && e->type.bits != 64))
      return give_up();
    const Expr tile = fresh(moved_type(e->type));
    compute(tile, e);
    return tile;
  }

  /// A condition as a mask.
  Expr condition(const Expr &e) {
    if (!depends(e))
      return e;
    if (e->form == Expression::Form::variable)
      return moved(e);
    const Type &mask = kMask;
    static const std::set<std::string> comparisons{"eq",  "ne",  "slt", "sle", "sgt",
                                                   "sge", "ult", "ule", "ugt", "uge"};
    if (comparisons.count(e->operation)) {
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
    if (offset->operation == "mul" && offset->type.bits == 64 &&
        unit->type.kind == Kind::host_int && unit->form == Expression::Form::literal &&
        offset->operands[1]->form == Expression::Form::literal)
      return moved_place(base, offset->operands[0],
                         tile::literal({Kind::host_int, 64, true, {}},
                                       unit->integer * offset->operands[1]->integer),
                         type);
    if (offset->operation == "add" && offset->type.bits == 64)
      return moved_place(moved_place(base, offset->operands[0], unit, type), offset->operands[1],
                         unit, type);
    const Expr start =
        base->type.kind == Kind::place
            ? base
            : tile::operation("element", type,
                              {base, tile::literal({Kind::host_int, 64, true, {}}, 0), unit});
    const Expr by = number(offset); // of a pair the low word: no memory is larger
    return tile::operation("plus", type,
                           {start, by->type.kind == Kind::tile_wide ? low_word(by) : by, unit});
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
    const Type &type = program_.variables[size_t(s.variable)].type;
    if (moved_.count(s.variable) && type.kind == Kind::mask) {
      copy.value = s.value ? condition(s.value) : nullptr;
      out_->push_back(std::move(copy));
      return;
    }
    if (moved_.count(s.variable)) {
      if (declares) {
        put(Statement::Form::declare, s.variable, nullptr);
        if (s.value)
          compute(tile::variable(s.variable, type), s.value);
        return;
      }
      if (s.value->form == Expression::Form::variable && depends(s.value))
        return put(Statement::Form::set, s.variable, number(s.value));
      const Expr value = fresh(type);
      compute(value, s.value);
      return put(Statement::Form::set, s.variable, value);
    }
    if (depends(s.value)) {
      const Kind kind = program_.variables[size_t(s.variable)].type.kind;
      copy.value = kind == Kind::mask    ? condition(s.value)
                   : kind == Kind::place ? place(s.value)
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
        operand = moved(operand);
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
      case Kind::host_bool:
        operand = condition(operand);
        break;
      case Kind::index:
      case Kind::host_int:
        operand = s.operation.starts_with("shfl") ? give_up() : number(operand);
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
