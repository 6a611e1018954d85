// Which loops may run on the chip because their counter moves addresses and nothing else.
#include "emit/python_facts.h"
#include "tile/uses.h"

#include <algorithm>
#include <functional>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Statement;

namespace {

bool reads_any(const Expr &e, const std::set<int> &variables) {
  if (!e)
    return false;
  if (e->form == Expression::Form::variable)
    return variables.count(e->variable) != 0;
  return std::ranges::any_of(e->operands,
                             [&](const Expr &operand) { return reads_any(operand, variables); });
}

/// Variables that the body sets, or assigns anything but tiles to.
void sets_in(const std::vector<Statement> &body, std::set<int> &variables) {
  tile::for_each_statement(body, [&](const Statement &s) {
    if (s.form == Statement::Form::set || (s.form == Statement::Form::loop && s.variable >= 0))
      variables.insert(s.variable);
    if (s.form == Statement::Form::issue && s.operation == "assign")
      variables.insert(s.operands[0]->variable);
  });
}

void declares_in(const std::vector<Statement> &body, std::set<int> &variables) {
  tile::for_each_statement(body, [&](const Statement &s) {
    if (s.form == Statement::Form::declare || (s.form == Statement::Form::loop && s.variable >= 0))
      variables.insert(s.variable);
  });
}

/// How much the loop adds to its counter in a round; 0 where that is no positive number.
int64_t step_of(const Expr &value, int counter) {
  if (!is_operation(value, "add") || !is_variable(value->operands[0], counter) ||
      value->operands[1]->form != Expression::Form::literal)
    return 0;
  return std::max<int64_t>(value->operands[1]->integer, 0);
}

/// Is it known to have few rounds?
bool is_short(const Repeat &repeat) {
  constexpr int64_t kUnrolled = 16; // as in neuronify_lanes
  return repeat.start && repeat.start->form == Expression::Form::literal &&
         repeat.end->form == Expression::Form::literal &&
         repeat.end->integer - repeat.start->integer <= kUnrolled * repeat.step;
}

} // namespace

bool PythonFacts::find_counter(const Statement &loop, Repeat &repeat) const {
  const Expr &condition = loop.value;
  if (!condition || condition->form != Expression::Form::operation ||
      condition->operands.size() != 2)
    return false;
  const std::string &test = condition->operation;
  if (test != "slt" && test != "ult" && test != "sle" && test != "ule")
    return false;
  repeat.inclusive = test.ends_with("e");
  const Expr &counter = condition->operands[0];
  if (counter->form != Expression::Form::variable || counter->type.kind != Kind::host_int ||
      counter->type.bits != 32)
    return false;
  repeat.counter = counter->variable;
  repeat.end = condition->operands[1];
  if (loop.variable >= 0) {
    if (loop.variable != repeat.counter)
      return false;
    repeat.start = loop.start;
    repeat.step = step_of(loop.step, repeat.counter);
    return repeat.step > 0;
  }
  // A statement among the last ones steps it, perhaps through a variable.
  for (const Statement &s : loop.body)
    if (s.form == Statement::Form::set && s.variable == repeat.counter) {
      if (repeat.stepping)
        return false;
      repeat.stepping = &s;
    } else if (repeat.stepping && reads_of(s, repeat.counter)) {
      return false; // who comes after the step sees another number
    }
  if (!repeat.stepping)
    return false;
  Expr value = repeat.stepping->value;
  for (const Statement &s : loop.body)
    if (s.form == Statement::Form::declare && is_variable(value, s.variable))
      value = s.value;
  repeat.step = step_of(value, repeat.counter);
  return repeat.step > 0;
}

bool PythonFacts::is_affine(const Expr &e, const Repeat &repeat) const {
  if (!reads_any(e, repeat.moving))
    return true;
  if (e->type.kind != Kind::host_int && e->type.kind != Kind::index)
    return false;
  if (e->form == Expression::Form::variable)
    return true;
  const std::string &name = e->operation;
  if (name == "sext" || name == "zext")
    return is_affine(e->operands[0], repeat);
  const bool second = e->operands.size() == 2 && reads_any(e->operands[1], repeat.moving);
  if (name == "add")
    return is_affine(e->operands[0], repeat) && is_affine(e->operands[1], repeat);
  if (name == "sub" || name == "shl")
    return !second && is_affine(e->operands[0], repeat) &&
           (name == "sub" || e->operands[1]->form == Expression::Form::literal);
  if (name == "mul") { // by what is the same for all lanes
    const Expr &factor = second ? e->operands[0] : e->operands[1];
    return !reads_any(factor, repeat.moving) && factor->type.kind == Kind::host_int &&
           is_affine(second ? e->operands[1] : e->operands[0], repeat);
  }
  return false;
}

bool PythonFacts::is_affine_place(const Expr &e, const Repeat &repeat) const {
  if (!reads_any(e, repeat.moving))
    return true;
  if (pointer_of(e) < 0) // device memory only
    return false;
  if (e->form == Expression::Form::variable)
    return true;
  return e->operation == "element" && is_affine_place(e->operands[0], repeat) &&
         is_affine(e->operands[1], repeat);
}

bool PythonFacts::moves_addresses_only(const std::vector<Statement> &body, Repeat &repeat) const {
  return std::ranges::all_of(body,
                             [&](const Statement &s) { return moves_addresses_only(s, repeat); });
}

bool PythonFacts::moves_addresses_only(const Statement &s, Repeat &repeat) const {
  if (&s == repeat.stepping)
    return true;
  if (loops_.count(&s))
    return false; // a loop that the chip ends stays outside of those that it counts
  if (Repeat inner; s.form == Statement::Form::loop && find_counter(s, inner) && !is_short(inner))
    return false; // an address has one register: the inner loop gets it
  const bool moves = reads_any(s.value, repeat.moving);
  if (s.form == Statement::Form::declare && moves) {
    const bool place = s.value->type.kind == Kind::place;
    if (place ? !is_affine_place(s.value, repeat) : !is_affine(s.value, repeat))
      return false;
    repeat.moving.insert(s.variable);
    return true;
  }
  if (moves || reads_any(s.start, repeat.moving) || reads_any(s.step, repeat.moving))
    return false;
  for (const Expr &operand : s.operands)
    if (reads_any(operand, repeat.moving) &&
        ((s.operation != "load" && s.operation != "store") || operand->type.kind != Kind::place ||
         !is_affine_place(operand, repeat)))
      return false;
  return moves_addresses_only(s.body, repeat) && moves_addresses_only(s.otherwise, repeat);
}

void PythonFacts::study_counted(const Statement &loop) {
  Repeat repeat;
  if (!find_counter(loop, repeat) || leaves(loop.body))
    return;
  if (is_short(repeat))
    return;
  std::set<int> set, declared;
  sets_in(loop.body, set);
  declares_in(loop.body, declared);
  if (reads_any(repeat.end, set) || reads_any(repeat.end, declared))
    return;
  for (int variable : set) {
    if (declared.count(variable) || variable == repeat.counter)
      continue;
    const Kind kind = program_.variables[size_t(variable)].type.kind;
    if (kind != Kind::tile_float && kind != Kind::tile_int && kind != Kind::tile_wide)
      return;
    if (std::ranges::any_of(loop.body, [&](const Statement &s) {
          bool sets = false;
          tile::for_each_statement(s, [&](const Statement &inner) {
            sets |= inner.form == Statement::Form::set && inner.variable == variable;
          });
          return sets;
        }))
      repeat.carried.push_back(variable);
  }
  // Nobody else looks at the counter.
  int inside = 0;
  tile::for_each_statement(loop, [&](const Statement &s) {
    tile::for_each_expression(s, [&](const Expr &e) { inside += tile::reads(e, repeat.counter); });
  });
  auto reads = [&](int variable) {
    auto found = reads_.find(variable);
    return found == reads_.end() ? 0 : found->second;
  };
  if (reads(repeat.counter) != inside)
    return;
  repeat.moving.insert(repeat.counter);
  if (repeat.stepping)
    for (const Statement &s : loop.body) // the value that it becomes
      if (s.form == Statement::Form::declare && is_variable(repeat.stepping->value, s.variable)) {
        repeat.moving.insert(s.variable);
        repeat.next = reads(s.variable) == 1 ? s.variable : -1;
      }
  if (moves_addresses_only(loop.body, repeat))
    repeats_[&loop] = std::move(repeat);
}

const Repeat *PythonFacts::repeat(const Statement &loop) const {
  auto found = repeats_.find(&loop);
  return found == repeats_.end() ? nullptr : &found->second;
}

} // namespace neuronify::emit
