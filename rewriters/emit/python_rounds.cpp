// Which loops that each lane counts by itself may run on the chip, where the same lanes are left.
#include "emit/python_facts.h"
#include "tile/uses.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Statement;
using Form = tile::Statement::Form;

namespace {

/// Is it the same in all rounds?
bool is_fixed(const Expr &e, const std::vector<Statement> &body) {
  bool fixed = true;
  tile::for_each_statement(body, [&](const Statement &s) {
    const int variable = s.form == Form::declare ? s.variable : rebound_by(s);
    fixed &= variable < 0 || !tile::reads(e, variable);
  });
  return fixed;
}

/// The terms of a conjunction, with masks that the loop's head declares written out.
void add_terms(const Expr &e, const std::vector<Statement> &body, size_t head,
               std::vector<Expr> &terms) {
  if (is_operation(e, "and")) {
    for (const Expr &operand : e->operands)
      add_terms(operand, body, head, terms);
    return;
  }
  for (size_t i = 0; i < head; ++i)
    if (body[i].form == Form::declare && is_variable(e, body[i].variable))
      return add_terms(body[i].value, body, head, terms);
  terms.push_back(e);
}

/// A number by which an affine expression's moving part is multiplied at least; 0 where none moves.
int64_t factor_of(const Expr &e, const std::set<int> &moving) {
  if (std::ranges::none_of(moving, [&](int variable) { return tile::reads(e, variable); }))
    return 0;
  if (e->form == Expression::Form::variable)
    return 1;
  int64_t factor = 0;
  for (const Expr &operand : e->operands)
    factor = std::gcd(factor, factor_of(operand, moving));
  constexpr int64_t kMost = int64_t(1) << 31;
  if (is_operation(e, "mul"))
    for (const Expr &operand : e->operands)
      if (operand->form == Expression::Form::literal && std::abs(operand->integer) < kMost)
        return factor < kMost ? factor * std::abs(operand->integer) : 1;
  return factor;
}

} // namespace

bool PythonFacts::find_lanes(const Statement &loop, LaneRounds &rounds) const {
  const std::vector<Statement> &body = loop.body;
  if (loop.value || loop.variable >= 0)
    return false;
  // if (!any(lanes)) leave: after masks, and what lanes that leave keep.
  size_t &check = rounds.check;
  while (check < body.size() && body[check].form != Form::branch) {
    const Statement &s = body[check++];
    const bool keeps = s.form == Form::issue && s.operation == "assign";
    if (!keeps && (s.form != Form::declare || !s.value || s.value->type.kind != Kind::mask))
      return false;
  }
  if (check == body.size())
    return false;
  const Statement &leave = body[check];
  if (leave.body.size() != 1 || leave.body[0].form != Form::leave || !leave.otherwise.empty() ||
      !is_operation(leave.value, "not") || !is_operation(leave.value->operands[0], "any"))
    return false;
  const Expr &lanes = leave.value->operands[0]->operands[0];
  if (lanes->form != Expression::Form::variable || lanes->type.kind != Kind::mask || on_chip(lanes))
    return false;
  rounds.lanes = lanes->variable;
  for (size_t i = check + 1; i < body.size(); ++i)
    if (body[i].form == Form::set && is_variable(body[i].value, rounds.lanes))
      rounds.active = body[i].variable;
  std::vector<Expr> terms;
  add_terms(lanes, body, check, terms);
  bool has_active = false;
  for (const Expr &term : terms) {
    const std::string &test = term->operation;
    const bool compares = term->operands.size() == 2 &&
                          (test == "slt" || test == "sle" || test == "ult" || test == "ule");
    if (is_variable(term, rounds.active)) {
      has_active = true;
    } else if (compares && term->operands[0]->form == Expression::Form::variable &&
               !is_fixed(term->operands[0], body)) {
      if (rounds.counter >= 0 || !is_fixed(term->operands[1], body))
        return false;
      rounds.counter = term->operands[0]->variable;
      rounds.end = term->operands[1];
      rounds.inclusive = test[2] == 'e';
    } else if (!is_fixed(term, body)) {
      return false;
    }
  }
  if (!has_active || rounds.counter < 0 || rebindings_of(body, rounds.counter) != 1 ||
      rebindings_of(body, rounds.active) != 1 ||
      program_.variables[size_t(rounds.counter)].type.kind != Kind::index)
    return false;
  for (size_t i = check + 1; i < body.size(); ++i)
    if (const Expr &next = body[i].value;
        body[i].form == Form::set && body[i].variable == rounds.counter &&
        is_operation(next, "add") && is_variable(next->operands[0], rounds.counter) &&
        next->operands[1]->type.kind == Kind::host_int && is_fixed(next->operands[1], body))
      rounds.step = next->operands[1];
  return rounds.step != nullptr;
}

/// A place whose address a register may count: moved by whole elements, and not by data.
bool PythonFacts::may_count(const Expr &place, int64_t bytes, const Repeat &repeat) const {
  if (place->form == Expression::Form::variable) {
    auto found = places_.find(place->variable);
    return found == places_.end() || may_count(found->second, bytes, repeat);
  }
  if (place->operation != "element" || place->operands[2]->form != Expression::Form::literal)
    return false;
  return factor_of(place->operands[1], repeat.moving) * place->operands[2]->integer % bytes == 0 &&
         may_count(place->operands[0], bytes, repeat);
}

/// Loads and stores that the package does where it is a register that says where. Lanes that the
/// chip chooses may have to take turns to store.
bool PythonFacts::may_count_accesses(const Statement &statement, const Repeat &repeat) const {
  bool possible = true;
  tile::for_each_statement(statement, [&](const Statement &s) {
    if (s.form != Form::issue || (s.operation != "load" && s.operation != "store"))
      return;
    const Expr &place = s.operands[s.operation == "load" ? 1 : 0];
    bool moves = false;
    for (int variable : repeat.moving)
      moves |= tile::reads(place, variable);
    const Expr &bytes = s.operands[2];
    possible &= !moves || (bytes->form == Expression::Form::literal &&
                           may_count(place, bytes->integer, repeat) &&
                           (s.operation == "load" || !on_chip(s.operands[3])));
  });
  return possible;
}

/// Studies all loops of a body, inner ones first. Is one of them such a loop?
bool PythonFacts::study_lanes(const std::vector<Statement> &body) {
  bool found = false;
  for (const Statement &s : body) {
    if (loops_.count(&s) || repeats_.count(&s))
      continue; // their rounds are the chip's already
    bool inside = study_lanes(s.body);
    inside |= study_lanes(s.otherwise);
    found |= inside;
    LaneRounds rounds;
    if (inside || s.form != Form::loop || may_end_early(s) || !find_lanes(s, rounds))
      continue;
    Repeat repeat;
    repeat.counter = rounds.counter;
    repeat.moving.insert(rounds.counter);
    std::set<int> declared;
    bool possible = true, stepped = false;
    for (size_t i = rounds.check + 1; possible && i < s.body.size(); ++i) {
      const Statement &inner = s.body[i];
      const int bound = inner.form == Form::set ? inner.variable : -1;
      if (bound == rounds.counter || bound == rounds.active) {
        stepped |= bound == rounds.counter;
        continue;
      }
      possible = !leaves_loop(inner) && !reads_of(inner, rounds.active) &&
                 !(stepped && reads_of(inner, rounds.counter)) &&
                 moves_addresses_only(inner, repeat) && may_count_accesses(inner, repeat);
      for (size_t k = 0; k < rounds.check; ++k) // masks of the head are not those of all rounds
        if (s.body[k].form == Form::declare && s.body[k].variable != rounds.lanes)
          possible &= !reads_of(inner, s.body[k].variable);
      tile::for_each_statement(inner, [&](const Statement &deep) {
        if (deep.form == Form::declare || (deep.form == Form::loop && deep.variable >= 0))
          declared.insert(deep.variable);
        possible &= !repeats_.count(&deep);
        const int variable = rebound_by(deep);
        if (variable < 0 || declared.count(variable))
          return;
        const Kind kind = program_.variables[size_t(variable)].type.kind;
        possible &= kind == Kind::tile_float || kind == Kind::tile_int || kind == Kind::tile_wide;
        if (std::ranges::find(rounds.carried, variable) == rounds.carried.end())
          rounds.carried.push_back(variable);
      });
    }
    if (!possible)
      continue;
    rounds_[&s] = std::move(rounds);
    found = true;
  }
  return found;
}

const LaneRounds *PythonFacts::rounds(const Statement &loop) const {
  auto found = rounds_.find(&loop);
  return found == rounds_.end() ? nullptr : &found->second;
}

} // namespace neuronify::emit
