// Textures and surfaces in NKI Python: which arguments are their handles.
#include "emit/python_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Statement;

namespace {

void variables_of(const Expr &e, std::set<int> &variables) {
  if (!e)
    return;
  if (e->form == Expression::Form::variable)
    variables.insert(e->variable);
  for (const Expr &operand : e->operands)
    variables_of(operand, variables);
}

} // namespace

Expr texture_handle(const Statement &s) {
  if (s.form != Statement::Form::issue)
    return nullptr;
  if (s.operation.starts_with("surface_write_"))
    return s.operands[0];
  const bool reads = s.operation.starts_with("texture_") || s.operation.starts_with("surface_");
  return reads ? s.operands[1] : nullptr;
}

/// Arguments that are handles and nothing else, and variables that are other names of them.
void PythonFacts::find_textures() {
  std::set<int> numbers, known;
  tile::for_each_statement(program_.body,
                           [&](const Statement &s) { variables_of(texture_handle(s), textures_); });
  if (textures_.empty())
    return;
  auto names = [&](const Statement &s) {
    return s.form == Statement::Form::declare && s.value && textures_.count(s.variable);
  };
  for (size_t before = 0; before != textures_.size();) {
    before = textures_.size();
    tile::for_each_statement(program_.body, [&](const Statement &s) {
      if (names(s))
        variables_of(s.value, textures_);
    });
  }
  for (const tile::Input &input : program_.inputs)
    known.insert(input.variable);
  tile::for_each_statement(program_.body, [&](const Statement &s) {
    const Expr handle = names(s) ? s.value : texture_handle(s);
    if (names(s))
      known.insert(s.variable);
    tile::for_each_expression(s, [&](const Expr &e) {
      if (e != handle)
        variables_of(e, numbers);
    });
    if (s.form == Statement::Form::set)
      numbers.insert(s.variable);
  });
  for (int variable : textures_)
    if (numbers.count(variable) || !known.count(variable))
      fail(
          "NFY6001", 0,
          fmt::format("'{}', a texture whose handle the kernel computes, has no form in NKI Python",
                      program_.variables[size_t(variable)].name));
}

} // namespace neuronify::emit
