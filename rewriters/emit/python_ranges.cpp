#include "emit/python_ranges.h"

#include "tile/uses.h"

#include <algorithm>
#include <limits>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Statement;
using Form = tile::Statement::Form;

namespace {

bool is_literal(const Expr &e) { return e->form == Expression::Form::literal; }

/// What a round adds to the counter; 0 where it does something else.
int64_t step_of(const Expr &step, int counter) {
  if (step->operands.size() != 2 || !is_variable(step->operands[0], counter) ||
      !is_literal(step->operands[1]))
    return 0;
  const int64_t by = step->operands[1]->integer;
  if (std::abs(by) > std::numeric_limits<int32_t>::max())
    return 0;
  return step->operation == "add" ? by : step->operation == "sub" ? -by : 0;
}

bool reads_any_set_in(const Expr &e, const std::vector<Statement> &body) {
  return std::ranges::any_of(body, [&](const Statement &s) { return tile::disturbs(s, e); });
}

/// Integers that are the same whenever they are asked for, as far as the loop is concerned.
bool is_plain(const Expr &e) {
  return e->type.kind == Kind::host_int && std::ranges::all_of(e->operands, is_plain);
}

} // namespace

std::optional<CountedRange> counted_range(const Statement &loop) {
  const Expr &condition = loop.value;
  if (loop.variable < 0 || !condition || condition->operands.size() != 2 ||
      !is_variable(condition->operands[0], loop.variable))
    return {};
  const Expr &counter = condition->operands[0], &end = condition->operands[1];
  const std::string &test = condition->operation;
  if (counter->type.kind != Kind::host_int || !is_plain(end) || !is_plain(loop.start) ||
      (test[0] != 's' && test[0] != 'u') || test.size() != 3)
    return {};
  const bool is_signed = test[0] == 's', up = test[1] == 'l', reaches = test[2] == 'e';
  if ((test[1] != 'l' && test[1] != 'g') || counter->type.is_signed != is_signed)
    return {};
  // Numbers below 0 are other numbers where they are unsigned.
  for (const Expr *e : {&end, &loop.start})
    if (is_literal(*e) ? !is_signed && (*e)->integer < 0 : (*e)->type.is_signed != is_signed)
      return {};
  CountedRange result;
  result.end = end;
  result.step = step_of(loop.step, loop.variable);
  if (up ? result.step <= 0 : result.step >= 0)
    return {};
  result.beyond = reaches ? (up ? 1 : -1) : 0;
  tile::Expr own = counter; // the counter itself counts as set
  if (tile::reads(end, loop.variable) || reads_any_set_in(end, loop.body) ||
      reads_any_set_in(own, loop.body))
    return {};
  const int bits = std::min<int>(counter->type.bits, 63);
  const int64_t least = is_signed ? -(int64_t(1) << (bits - 1)) : 0;
  const int64_t most = is_signed ? (int64_t(1) << (bits - 1)) - 1 : (int64_t(1) << bits) - 1;
  result.lowest = least;
  result.highest = most;
  if (up) {
    result.lowest = is_literal(loop.start) ? loop.start->integer : least;
    result.highest = (is_literal(end) ? end->integer : most) - (reaches ? 0 : 1);
    result.highest = std::max(result.highest, result.lowest);
  } else {
    result.highest = is_literal(loop.start) ? loop.start->integer : most;
    result.lowest = (is_literal(end) ? end->integer : least) + (reaches ? 0 : 1);
    result.lowest = std::min(result.highest, result.lowest);
  }
  return result;
}

} // namespace neuronify::emit
