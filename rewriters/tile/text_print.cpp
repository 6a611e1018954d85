#include "tile/text.h"

#include <fmt/format.h>

namespace neuronify::tile {

std::string print(const Type &type) {
  switch (type.kind) {
  case Kind::none:
    return "none";
  case Kind::host_bool:
    return "bool";
  case Kind::host_int:
    return fmt::format("{}{}", type.is_signed ? "i" : "u", type.bits);
  case Kind::host_float:
    return type.bits == 64 ? "f64" : "f32";
  case Kind::index:
    return fmt::format("index{}", type.bits);
  case Kind::mask:
    return "mask";
  case Kind::tile_float:
    return "tile.f32";
  case Kind::tile_int:
  case Kind::tile_wide: // more than 32 bits
    return fmt::format("tile.i{}", type.bits);
  case Kind::place:
    return "place";
  case Kind::pointer:
    return fmt::format("pointer<{}>", type.element);
  }
  return "none";
}

std::string print(const Program &program, const Expr &e) {
  if (!e)
    return "missing";
  switch (e->form) {
  case Expression::Form::literal:
    return fmt::format("{}:{}", e->integer, print(e->type));
  case Expression::Form::variable:
    return fmt::format("%{}", e->variable);
  case Expression::Form::operation:
    break;
  }
  std::string list;
  for (const Expr &operand : e->operands)
    list += (list.empty() ? "" : ", ") + print(program, operand);
  return fmt::format("{}:{}({})", e->operation, print(e->type), list);
}

namespace {

void print(const Program &program, const std::vector<Statement> &body, int depth,
           std::string &out) {
  for (const Statement &statement : body) {
    std::string text;
    switch (statement.form) {
    case Statement::Form::declare:
      text = fmt::format("declare %{}", statement.variable);
      if (statement.value)
        text += " = " + print(program, statement.value);
      break;
    case Statement::Form::set:
      text = fmt::format("set %{} = {}", statement.variable, print(program, statement.value));
      break;
    case Statement::Form::issue:
      text = statement.operation + "(";
      for (size_t i = 0; i < statement.operands.size(); ++i)
        text += (i ? ", " : "") + print(program, statement.operands[i]);
      text += ")";
      break;
    case Statement::Form::branch:
      text = fmt::format("if {} {{", print(program, statement.value));
      break;
    case Statement::Form::loop:
      if (statement.variable >= 0)
        text = fmt::format("for %{} = {} while {} step {} {{", statement.variable,
                           print(program, statement.start), print(program, statement.value),
                           print(program, statement.step));
      else if (statement.value)
        text = fmt::format("while {} {{", print(program, statement.value));
      else
        text = "loop {";
      break;
    case Statement::Form::leave:
      text = "leave";
      break;
    }
    out += fmt::format("{:{}}{} @{}\n", "", depth * 2, text, statement.line);
    if (statement.form != Statement::Form::branch && statement.form != Statement::Form::loop)
      continue;
    print(program, statement.body, depth + 1, out);
    if (!statement.otherwise.empty()) {
      out += fmt::format("{:{}}}} else {{\n", "", depth * 2);
      print(program, statement.otherwise, depth + 1, out);
    }
    out += fmt::format("{:{}}}}\n", "", depth * 2);
  }
}

} // namespace

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < ' ')
      result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string print(const Program &program) {
  std::string out = fmt::format("kernel {} {} {} {} {} {} {}{} {}\n", quoted(program.name),
                                quoted(program.identifier), quoted(program.mangled),
                                quoted(program.file), program.line,
                                program.block_per_partition ? "block_per_partition"
                                : program.warps             ? "warps"
                                                            : "flat",
                                program.sequential ? "sequential"
                                : program.one_core ? "one_core"
                                                   : "any",
                                program.waves_together ? " together" : "", quoted(program.mapping));
  for (size_t i = 0; i < program.variables.size(); ++i)
    out += fmt::format("variable %{} {} {} {}\n", i, print(program.variables[i].type),
                       quoted(program.variables[i].name),
                       program.variables[i].named ? "named" : "made_up");
  for (const Input &input : program.inputs)
    out += fmt::format("input %{} {} {} {} {}\n", input.variable, input.argument, input.offset,
                       quoted(input.symbol),
                       input.is_parameter   ? "parameter"
                       : input.memory_bytes ? fmt::format("memory {}", input.memory_bytes)
                                            : "field");
  for (const PrintedText &text : program.texts) {
    out += fmt::format("text {} {}", quoted(text.format), text.choices.size());
    for (const std::vector<std::string> &strings : text.choices) {
      out += fmt::format(" {}", strings.size());
      for (const std::string &string : strings)
        out += " " + quoted(string);
    }
    out += '\n';
  }
  out += "body {\n";
  print(program, program.body, 1, out);
  return out + "}\n";
}

} // namespace neuronify::tile
