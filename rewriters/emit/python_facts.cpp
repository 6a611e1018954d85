#include "emit/python_facts.h"

#include "tile/uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Statement;

namespace {

bool is_variable(const Expr &e) { return e->form == Expression::Form::variable; }

/// Masks that follow from values on the chip.
bool is_chip_mask(const std::string &operation) {
  return operation.starts_with("tile_") || operation == "test_bit" ||
         operation.starts_with("vote_") || operation.starts_with("block_");
}

void for_each(const Expr &e, const std::function<void(const Expr &)> &function) {
  if (!e)
    return;
  function(e);
  for (const Expr &operand : e->operands)
    for_each(operand, function);
}

bool is_leave(const Statement &s) {
  return s.form == Statement::Form::branch && s.otherwise.empty() && s.body.size() == 1 &&
         s.body[0].form == Statement::Form::leave;
}

void declared_in(const std::vector<Statement> &body, std::set<int> &variables) {
  tile::for_each_statement(body, [&](const Statement &s) {
    if (s.form == Statement::Form::declare || (s.form == Statement::Form::loop && s.variable >= 0))
      variables.insert(s.variable);
  });
}

} // namespace

bool leaves(const std::vector<Statement> &body) {
  return std::ranges::any_of(body, tile::leaves_loop);
}

bool is_column_operation(const std::string &name) {
  static const std::set<std::string> names{"fadd", "fsub", "fmul",      "fdiv",      "neg",
                                           "fabs", "sqrt", "div_exact", "sqrt_exact"};
  return names.count(name) != 0;
}

PythonFacts::PythonFacts(const tile::Program &program) : program_(program) {
  tile::for_each_statement(program.body, [&](const Statement &s) {
    if (s.form == Statement::Form::issue && s.operation == "assign")
      assigned_.insert(s.operands[0]->variable);
    if (s.form == Statement::Form::declare && s.value && s.value->type.kind == Kind::place)
      places_[s.variable] = s.value;
    tile::for_each_expression(s, [this](const Expr &root) {
      std::set<int> read;
      for_each(root, [&](const Expr &e) {
        if (e->form == Expression::Form::variable && read.insert(e->variable).second)
          ++reads_[e->variable];
        uses_addresses_ |= e->form == Expression::Form::operation &&
                           (e->operation == "at_address" || e->operation == "address" ||
                            (e->operation == "field" && e->type.kind == Kind::pointer));
      });
    });
  });
  find_textures();
  find_used();
  find_narrowed();
  find_chip_masks();
  find_columns();
  find_structural();
  find_int_data();
  visit(program.body);
  study_lanes(program.body);
}

void PythonFacts::fail(std::string code, unsigned line, std::string text, int counter) {
  if (!problem_)
    problem_ = NoPython{std::move(code), std::move(text), line ? line : program_.line, counter};
}

int PythonFacts::pointer_of(const Expr &place) const {
  if (is_variable(place)) {
    if (place->type.kind == Kind::pointer)
      return place->variable;
    auto found = places_.find(place->variable);
    return found == places_.end() ? -1 : pointer_of(found->second);
  }
  for (const Expr &operand : place->operands)
    if (operand->type.kind == Kind::place || operand->type.kind == Kind::pointer)
      return pointer_of(operand);
  return -1;
}

void PythonFacts::find_used() {
  tile::for_each_statement(program_.body, [&](const Statement &s) {
    if (s.form != Statement::Form::issue)
      return;
    if (s.operation.starts_with("surface_write_"))
      for_each(texture_handle(s), [&](const Expr &e) {
        if (is_variable(e))
          written_.insert(e->variable);
      });
    for (const Expr &operand : s.operands)
      writes_ |= operand->type.kind == Kind::place && s.operation != "load";
    for (const Expr &operand : s.operands) {
      if (operand->type.kind != Kind::place)
        continue;
      if (s.operation != "load")
        written_.insert(pointer_of(operand));
      if (s.operation != "store")
        read_.insert(pointer_of(operand));
    }
  });
  // Textures that have another name in the kernel.
  tile::for_each_statement(program_.body, [&](const Statement &s) {
    if (s.form == Statement::Form::declare && textures_.count(s.variable) &&
        written_.count(s.variable))
      for_each(s.value, [&](const Expr &e) {
        if (is_variable(e))
          written_.insert(e->variable);
      });
  });
}

bool PythonFacts::on_chip(const Expr &mask) const {
  bool found = false;
  for_each(mask, [&](const Expr &e) {
    found |= is_variable(e) ? chip_.count(e->variable) != 0
                            : e->type.kind == Kind::mask && is_chip_mask(e->operation);
  });
  return found;
}

void PythonFacts::find_chip_masks() {
  for (bool changed = true; changed;) {
    const size_t before = chip_.size();
    tile::for_each_statement(program_.body, [&](const Statement &s) {
      const bool sets = s.form == Statement::Form::declare || s.form == Statement::Form::set;
      if (sets && s.value && s.value->type.kind == Kind::mask && on_chip(s.value))
        chip_.insert(s.variable);
      if (s.form == Statement::Form::issue && s.operation == "assign" &&
          s.operands[0]->type.kind == Kind::mask &&
          (on_chip(s.operands[1]) || on_chip(s.operands[2])))
        chip_.insert(s.operands[0]->variable);
    });
    changed = chip_.size() != before;
  }
}

bool PythonFacts::is_column(const Expr &e) const {
  bool found = false;
  for_each(e,
           [&](const Expr &part) { found |= is_variable(part) && columns_.count(part->variable); });
  return found;
}

bool PythonFacts::is_narrowed(const Expr &e) const {
  return e->operation == "fptrunc" && is_variable(e->operands[0]) &&
         narrowed_.count(e->operands[0]->variable) != 0;
}

/// Doubles of which nothing but the nearest float, or nothing but the bits, is used.
void PythonFacts::find_narrowed() {
  std::map<int, std::set<std::string>> uses; // of each double argument
  for (const tile::Input &input : program_.inputs)
    if (const tile::Type &type = program_.variables[size_t(input.variable)].type;
        type.kind == Kind::host_float && type.bits == 64)
      uses[input.variable];
  auto count = [&](const Expr &e, const std::string &use, auto &&self) -> void {
    if (is_variable(e) && uses.count(e->variable))
      uses[e->variable].insert(use);
    for (const Expr &operand : e->operands)
      self(operand, e->operation, self);
  };
  tile::for_each_statement(program_.body, [&](const Statement &s) {
    tile::for_each_expression(s, [&](const Expr &e) { count(e, "", count); });
  });
  for (const auto &[variable, operations] : uses) {
    if (operations == std::set<std::string>{"fptrunc"})
      narrowed_.insert(variable);
    if (operations == std::set<std::string>{"bitcast"})
      bits_.insert(variable);
  }
}

/// Float arguments are tensors, and what is computed from them are columns, unless `structural_`.
void PythonFacts::find_columns() {
  columns_.clear();
  for (const tile::Input &input : program_.inputs)
    if (program_.variables[size_t(input.variable)].type.kind == Kind::host_float &&
        (program_.variables[size_t(input.variable)].type.bits == 32 ||
         narrowed_.count(input.variable)) &&
        !structural_.count(input.variable))
      columns_.insert(input.variable);
  for (bool changed = true; changed;) {
    const size_t before = columns_.size();
    tile::for_each_statement(program_.body, [&](const Statement &s) {
      if (s.variable >= 0 && program_.variables[size_t(s.variable)].type.kind == Kind::host_float &&
          ((s.value && is_column(s.value)) || (s.start && is_column(s.start))))
        columns_.insert(s.variable);
    });
    changed = columns_.size() != before;
  }
}

/// The arguments that `e` computes with become Python numbers.
void PythonFacts::make_structural(const Expr &e) {
  std::set<int> sources;
  for_each(e, [&](const Expr &part) {
    if (is_variable(part) && columns_.count(part->variable))
      sources.insert(part->variable);
  });
  // What these variables are made from, by whatever sets them.
  for (size_t before = 0; before != sources.size();) {
    before = sources.size();
    tile::for_each_statement(program_.body, [&](const Statement &s) {
      if (s.variable < 0 || !sources.count(s.variable))
        return;
      for (const Expr *value : {&s.value, &s.start, &s.step})
        for_each(*value, [&](const Expr &part) {
          if (is_variable(part) && columns_.count(part->variable))
            sources.insert(part->variable);
        });
    });
  }
  structural_.insert(sources.begin(), sources.end());
}

/// A float that decides what is traced, or that is more than arithmetic, is known when tracing.
void PythonFacts::find_structural() {
  for (bool changed = true; changed;) {
    const size_t before = structural_.size();
    auto study = [&](const Expr &root) {
      for_each(root, [&](const Expr &e) {
        if (e->form != Expression::Form::operation || !e->type.is_host())
          return;
        if (e->type.kind == Kind::host_float && e->type.bits == 32 &&
            (is_column_operation(e->operation) || is_narrowed(e)))
          return;
        for (const Expr &operand : e->operands)
          if (operand->type.kind == Kind::host_float && is_column(operand))
            make_structural(operand);
      });
    };
    tile::for_each_statement(program_.body,
                             [&](const Statement &s) { tile::for_each_expression(s, study); });
    find_columns();
    changed = structural_.size() != before;
  }
}

/// Integer arguments that only stand beside tiles.
void PythonFacts::find_int_data() {
  for (const tile::Input &input : program_.inputs) {
    const tile::Type &type = program_.variables[size_t(input.variable)].type;
    if (type.kind == Kind::host_int && type.bits == 32)
      int_data_.insert(input.variable);
  }
  // Operands of tile operations, by their place, that may be data.
  auto is_data_operand = [](const Statement &s, size_t i) {
    static const std::set<std::string> operations{
        "iadd", "isub",   "imul",   "iand",   "ior",    "ixor", "shl",  "lshr",
        "ashr", "sdiv",   "udiv",   "srem",   "urem",   "smin", "smax", "umin",
        "umax", "smulhi", "umulhi", "select", "assign", "fill", "store"};
    return s.form == Statement::Form::issue && operations.count(s.operation) &&
           (s.operation == "store" ? i == 1 : i >= 1);
  };
  auto exclude = [&](const Expr &root) {
    for_each(root, [&](const Expr &e) {
      if (is_variable(e))
        int_data_.erase(e->variable);
    });
  };
  auto exclude_unless_compared = [&](const Expr &root, auto &&self) -> void {
    if (is_variable(root) && root->type.is_host())
      return exclude(root);
    const bool compares = root->form == Expression::Form::operation &&
                          root->type.kind == Kind::mask && root->operation.starts_with("tile_");
    for (const Expr &operand : root->operands)
      if (!compares || !is_variable(operand) || operand->type.kind != Kind::host_int)
        self(operand, self);
  };
  tile::for_each_statement(program_.body, [&](const Statement &s) {
    for (const Expr *e : {&s.value, &s.start, &s.step})
      if (*e)
        exclude_unless_compared(*e, exclude_unless_compared);
    const bool wide = std::ranges::any_of(
        s.operands, [](const Expr &e) { return e->type.kind == Kind::tile_wide; });
    for (size_t i = 0; i < s.operands.size(); ++i)
      if (wide || !is_data_operand(s, i) || !is_variable(s.operands[i]))
        exclude_unless_compared(s.operands[i], exclude_unless_compared);
  });
}

bool PythonFacts::asks_chip(const Expr &condition, Expr &mask) const {
  bool found = false;
  for_each(condition, [&](const Expr &e) {
    if (e->form == Expression::Form::operation && e->operation == "any" &&
        e->type.kind == Kind::host_bool && on_chip(e->operands[0])) {
      found = true;
      mask = e->operands[0];
    }
  });
  return found;
}

/// A loop with ways out that the launch decides is traced round by round; those that the chip
/// decides are left out.
bool PythonFacts::ends_by_launch(const Statement &loop) {
  Expr mask;
  bool by_launch = loop.value && !asks_chip(loop.value, mask);
  std::vector<const Statement *> by_chip;
  for (const Statement &s : loop.body) {
    if (!tile::leaves_loop(s))
      continue;
    const bool asks = is_leave(s) && asks_chip(s.value, mask);
    if (asks && (s.value->operation != "not" || s.value->operands[0]->operation != "any"))
      return false;
    asks ? by_chip.push_back(&s) : void(by_launch = true);
  }
  if (!by_launch || by_chip.empty())
    return false;
  saves_rounds_.insert(by_chip.begin(), by_chip.end());
  early_.insert(&loop);
  return true;
}

void PythonFacts::study_loop(const Statement &loop) {
  if (ends_by_launch(loop))
    return;
  Expr mask;
  ChipLoop found;
  bool is_chip = false;
  if (loop.value && asks_chip(loop.value, mask)) {
    is_chip = true;
    found = {mask, ChipLoop::kAtTop, {}};
    if (loop.value->operation != "any" || leaves(loop.body))
      return fail("NFY6002", loop.line,
                  "a loop ends in several ways, of which the chip decides one");
  }
  for (size_t i = 0; i < loop.body.size(); ++i) {
    const Statement &s = loop.body[i];
    Expr asked;
    if (!is_leave(s) || !asks_chip(s.value, asked))
      continue;
    const bool plain = s.value->operation == "not" && s.value->operands[0]->operation == "any";
    if (is_chip || !plain)
      return fail("NFY6002", s.line, "a loop ends in several ways, of which the chip decides one");
    is_chip = true;
    found = {asked, i, {}};
  }
  if (!is_chip)
    return;
  if (loop.variable >= 0 || (loop.value && found.check != ChipLoop::kAtTop))
    return fail("NFY6002", loop.line, "a counted loop also ends when the chip says so");
  // Nothing but the check may leave.
  size_t ways_out = 0;
  for (const Statement &s : loop.body)
    ways_out += tile::leaves_loop(s);
  if (ways_out != (found.check == ChipLoop::kAtTop ? 0 : 1))
    return fail("NFY6002", loop.line, "a loop ends in several ways, of which the chip decides one");
  std::set<int> inside;
  declared_in(loop.body, inside);
  tile::for_each_statement(loop.body, [&](const Statement &s) {
    int variable = s.form == Statement::Form::set ? s.variable : -1;
    if (s.form == Statement::Form::issue && s.operation == "assign" &&
        !s.operands[0]->type.is_tile())
      variable = s.operands[0]->variable;
    if (variable < 0 || inside.count(variable))
      return;
    const Kind kind = program_.variables[size_t(variable)].type.kind;
    if (kind != Kind::tile_float && kind != Kind::tile_int && kind != Kind::tile_wide &&
        kind != Kind::mask)
      return fail("NFY6002", s.line,
                  fmt::format("'{}' is known when the kernel is traced, and changes in a loop that "
                              "ends when the chip says so",
                              program_.variables[size_t(variable)].name),
                  variable);
    if (std::ranges::find(found.carried, variable) == found.carried.end())
      found.carried.push_back(variable);
    if (kind == Kind::mask)
      chip_.insert(variable);
  });
  find_chip_masks();
  loops_[&loop] = std::move(found);
}

const ChipLoop *PythonFacts::chip_loop(const Statement &loop) const {
  auto found = loops_.find(&loop);
  return found == loops_.end() ? nullptr : &found->second;
}

void PythonFacts::visit(const std::vector<Statement> &body) {
  for (const Statement &s : body) {
    Expr mask;
    if (s.form == Statement::Form::loop)
      study_loop(s);
    if (s.form == Statement::Form::loop && !loops_.count(&s))
      study_counted(s);
    else if (s.form == Statement::Form::branch && !is_leave(s) && asks_chip(s.value, mask) &&
             (!s.otherwise.empty() || s.value->operation != "any"))
      fail("NFY6003", s.line, "a branch depends on what the chip computes");
    if (s.form == Statement::Form::issue && s.operation == "assign" &&
        s.operands[0]->type.kind == Kind::index && on_chip(s.operands[2]))
      fail("NFY6002", s.line,
           fmt::format("'{}' is known when the kernel is traced, and only some lanes that the chip "
                       "chooses change it",
                       program_.variables[size_t(s.operands[0]->variable)].name),
           s.operands[0]->variable);
    visit(s.body);
    visit(s.otherwise);
  }
}

} // namespace neuronify::emit
