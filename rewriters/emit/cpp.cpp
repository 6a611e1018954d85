#include "emit/cpp.h"

#include "emit/cpp_expression.h"
#include "tile/operations.h"
#include "tile/space.h"
#include "tile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace neuronify::emit {

using tile::Expr;
using tile::Kind;
using tile::Program;
using tile::quoted;
using tile::Statement;

std::string base_name(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

namespace {

/// What runtime/lanes assumes where nothing is said.
constexpr int64_t kUsualLaneBytes = 160;

class FunctionPrinter {
public:
  explicit FunctionPrinter(const Program &program) : program_(program), print_(program) {}

  std::string run() {
    std::string parameters = "nki::Launch &launch";
    for (const tile::Input &input : program_.inputs)
      if (input.is_parameter)
        parameters += ", " + declaration(input.variable);
    out_ += fmt::format("// {}:{}  {}\n// {}\n", base_name(program_.file), program_.line,
                        program_.name, program_.mapping);
    out_ += fmt::format("void {}({}) {{\n", program_.identifier, parameters);
    for (const tile::Input &input : program_.inputs)
      if (input.memory_bytes)
        out_ += fmt::format("const nki::ArgumentMemory<{}> {}(launch, {}, {});\n",
                            program_.variables[input.variable].type.element,
                            program_.variables[input.variable].name, input.argument,
                            input.memory_bytes);
      else if (!input.is_parameter)
        out_ += fmt::format("const {} = {};\n", declaration(input.variable), read(input));
    if (program_.body.empty()) // nothing that reaches memory
      return out_ + "(void)launch;\n}\n";
    std::string head = std::move(out_);
    out_.clear();
    block(program_.body);
    const bool uses_wave =
        out_.find("w.") != std::string::npos || out_.find("(w") != std::string::npos;
    const char *unused = uses_wave ? "" : "[[maybe_unused]] ";
    head +=
        program_.waves_together
            ? fmt::format("nki::run_together(launch.waves({}), [&]({}const nki::Wave &w) {{\n",
                          waves(), unused)
            : fmt::format("for ({}const nki::Wave &w : launch.waves({})) {{\n", unused, waves());
    out_ = head + out_ + (program_.waves_together ? "});\n}\n" : "}\n}\n");
    return out_;
  }

  std::string read(const tile::Input &input) const {
    const tile::Type &type = program_.variables[input.variable].type;
    if (input.argument < 0)
      return fmt::format("launch.symbol<{}>({})", type.element, quoted(input.symbol));
    std::string where = std::to_string(input.argument);
    if (input.offset)
      where += fmt::format(", {}", input.offset);
    if (type.kind == Kind::pointer)
      return fmt::format("launch.pointer<{}>({})", type.element, where);
    return fmt::format("launch.argument<{}>({})", ExpressionPrinter::type_name(type), where);
  }

private:
  /// How the launch is cut into waves.
  std::string waves() const {
    std::string text =
        std::string("nki::Mapping::") + (program_.block_per_partition ? "block_per_partition"
                                         : program_.warps             ? "warps"
                                                                      : "flat");
    if (program_.sequential)
      text += ", nki::Order::sequential";
    else if (program_.one_core)
      text += ", nki::Order::one_core";
    const int64_t bytes = tile::lane_bytes(program_);
    if (bytes > kUsualLaneBytes)
      text += fmt::format(", nki::LaneBytes{{{}}}", bytes);
    return text;
  }

  std::string declaration(int variable) const {
    const tile::Variable &v = program_.variables[variable];
    return ExpressionPrinter::type_name(v.type) + " " + v.name;
  }

  void line(const Statement &statement, const std::string &text) {
    out_ += text;
    if (statement.line && statement.line != line_) {
      out_ += fmt::format(" // :{}", statement.line);
      line_ = statement.line;
    }
    out_ += '\n';
  }

  void block(const std::vector<Statement> &body) {
    for (const Statement &statement : body)
      print(statement);
  }

  void print(const Statement &statement) {
    using Form = Statement::Form;
    switch (statement.form) {
    case Form::declare:
      return line(statement, declare(statement));
    case Form::set:
      if (program_.variables[statement.variable].type.kind == Kind::host_int)
        return line(statement, step(statement.variable, statement.value) + ";");
      return line(statement,
                  fmt::format("{} = {};", program_.variables[statement.variable].name,
                              value(statement, program_.variables[statement.variable].type)));
    case Form::issue:
      return line(statement, issue(statement));
    case Form::leave:
      return line(statement, "break;");
    case Form::branch:
      if (statement.otherwise.empty() && statement.body.size() == 1 &&
          statement.body[0].form == Form::leave)
        return line(statement, fmt::format("if ({}) break;", print_.print(statement.value)));
      line(statement, fmt::format("if ({}) {{", print_.print(statement.value)));
      block(statement.body);
      if (!statement.otherwise.empty()) {
        out_ += "} else {\n";
        block(statement.otherwise);
      }
      out_ += "}\n";
      return;
    case Form::loop:
      if (statement.variable >= 0)
        line(statement, fmt::format("for ({} = {}; {}; {}) {{", declaration(statement.variable),
                                    print_.print(statement.start), print_.print(statement.value),
                                    step(statement.variable, statement.step)));
      else
        line(statement, statement.value
                            ? fmt::format("while ({}) {{", print_.print(statement.value))
                            : "while (true) {");
      block(statement.body);
      out_ += "}\n";
      return;
    }
  }

  /// `k += 16` for k = k + 16, and the like.
  std::string step(int variable, const Expr &e) const {
    const std::string &name = program_.variables[variable].name;
    static const std::map<std::string, const char *> compound{
        {"add", "+="},  {"sub", "-="},   {"mul", "*="},   {"sdiv", "/="},
        {"udiv", "/="}, {"ashr", ">>="}, {"lshr", ">>="}, {"shl", "<<="}};
    if (e->form == tile::Expression::Form::operation && e->operands.size() == 2 &&
        e->operands[0]->form == tile::Expression::Form::variable &&
        e->operands[0]->variable == variable) {
      const bool literal = e->operands[1]->form == tile::Expression::Form::literal;
      const bool same_type = e->type.is_signed == program_.variables[variable].type.is_signed;
      auto found = compound.find(e->operation);
      if (e->operation == "add" && literal && e->operands[1]->integer == 1 && same_type)
        return "++" + name;
      if (found != compound.end() && same_type &&
          (literal || e->operation == "add" || e->operation == "sub"))
        return fmt::format("{} {} {}", name, found->second, print_.print(e->operands[1]));
    }
    return fmt::format("{} = {}", name, print_.print(e));
  }

  std::string value(const Statement &statement, const tile::Type &type) const {
    std::string text = print_.print(statement.value);
    if (type.kind == Kind::mask && statement.value->type.kind == Kind::host_bool)
      return "nki::Mask(" + text + ")";
    if (type.kind == Kind::index && statement.value->type.kind == Kind::host_int &&
        (statement.value->form == tile::Expression::Form::literal || type.bits < 32) &&
        type.bits != 32)
      return fmt::format("nki::Index({}, {})", text, type.bits);
    return text;
  }

  static bool makes_array(const tile::Expression &e) {
    return e.form == tile::Expression::Form::operation &&
           (e.operation == "shared_array" || e.operation == "local_array" ||
            e.operation == "dynamic_shared");
  }

  std::string declare(const Statement &statement) const {
    const tile::Variable &variable = program_.variables[statement.variable];
    if (!statement.value && variable.type.kind == Kind::index && variable.type.bits != 32)
      return fmt::format("nki::Index {} = nki::Index(0, {});", variable.name, variable.type.bits);
    if (!statement.value)
      return fmt::format("{} {}{};", ExpressionPrinter::type_name(variable.type), variable.name,
                         variable.type.is_host() ? "{}" : "");
    std::string text = value(statement, variable.type);
    if (makes_array(*statement.value)) // messages call it as the original does
      text.insert(text.size() - 1, ", " + quoted(variable.name));
    return fmt::format("{} {} = {};", ExpressionPrinter::type_name(variable.type), variable.name,
                       text);
  }

  std::string list(const std::vector<Expr> &operands, size_t first = 0) const {
    std::string text;
    for (size_t i = first; i < operands.size(); ++i)
      text += (i == first ? "" : ", ") + print_.print_operand(operands[i]);
    return text;
  }

  /// The operands of a statement; numbers of 64-bit operations as 64-bit numbers.
  std::string operands(const Statement &statement) const {
    const auto &args = statement.operands;
    const tile::OperationRow *row = tile::find_operation(statement.operation, args);
    if (!row || !on_pairs(statement))
      return list(args);
    std::string text;
    for (size_t i = 0; i < args.size(); ++i) {
      const char letter = row->signature[i];
      text += i ? ", " : "";
      text += letter == 'L' || letter == 'T' || letter == 'V' ? print_.print_wide(args[i])
                                                              : print_.print_operand(args[i]);
    }
    return text;
  }

  static bool on_pairs(const Statement &statement) {
    return std::any_of(statement.operands.begin(), statement.operands.end(),
                       [](const Expr &e) { return e->type.kind == Kind::tile_wide; });
  }

  /// Element-wise float arithmetic is one instruction.
  std::string arithmetic(const Statement &statement, const char *op) const {
    const Expr &a = statement.operands[1], &b = statement.operands[2];
    const std::string dst = print_.print(statement.operands[0]);
    if (a->type.is_tile() && b->type.is_tile())
      return fmt::format("nisa::tensor_tensor({}, {}, {}, nl::{});", dst, print_.print(a),
                         print_.print(b), op);
    if (a->type.is_tile())
      return fmt::format("nisa::tensor_scalar({}, {}, nl::{}, {});", dst, print_.print(a), op,
                         print_.print(b));
    return fmt::format("nisa::tensor_scalar({}, {}, nl::{}, {}, true);", dst, print_.print(b), op,
                       print_.print(a));
  }

  /// `nki::print(w, "format", {values}, mask)`; a string is the number of one among some.
  std::string print_statement(const std::vector<Expr> &args) const {
    const tile::PrintedText &text = program_.texts[size_t(args[0]->integer)];
    std::string values;
    for (size_t i = 1; i + 1 < args.size(); ++i) {
      const std::vector<std::string> &strings = text.choices[i - 1];
      values += i > 1 ? ", " : "";
      if (strings.size() == 1) {
        values += quoted(strings[0]);
        continue;
      }
      if (strings.empty()) {
        values += print_.print_wide(args[i]);
        continue;
      }
      values += fmt::format("{{{}, {{", print_.print(args[i]));
      for (size_t k = 0; k < strings.size(); ++k)
        values += (k ? ", " : "") + quoted(strings[k]);
      values += "}}";
    }
    return fmt::format("nki::print(w, {}, {{{}}}, {});", quoted(text.format), values,
                       print_.print_operand(args.back()));
  }

  std::string issue(const Statement &statement) const {
    const std::string &name = statement.operation;
    const auto &args = statement.operands;
    static const std::map<std::string, const char *> instructions{
        {"fadd", "add"}, {"fsub", "subtract"}, {"fmul", "multiply"}};
    if (auto found = instructions.find(name);
        found != instructions.end() && (args[1]->type.is_tile() || args[2]->type.is_tile()))
      return arithmetic(statement, found->second);
    if (name == "assign" && args[0]->type.kind == Kind::index)
      return fmt::format("nki::assign({}, {}, {});", print_.print(args[0]),
                         print_.print_wide(args[1]), print_.print(args[2]));
    if (name == "copy" && on_pairs(statement))
      return fmt::format("nki::copy({});", list(args));
    if (name == "copy")
      return fmt::format("nisa::tensor_copy({});", list(args));
    if (name == "store" && !args[1]->type.is_tile() && args[2]->integer == 8)
      return fmt::format("nki::store({}, nki::WideOperand({}), {});", print_.print(args[0]),
                         print_.print_wide(args[1]), list(args, 2));
    if (name == "store" && !args[1]->type.is_tile()) {
      const std::string bits =
          args[1]->type.kind == Kind::host_float // a double is stored as its 64 bits
              ? fmt::format("std::bit_cast<uint32_t>({})", print_.print(args[1]))
              : fmt::format("uint32_t({})", print_.print(args[1]));
      return fmt::format("nki::store({}, {}, {});", print_.print(args[0]), bits, list(args, 2));
    }
    static const std::set<std::string> of_lanes{"ballot", "activemask", "match_any", "match_all",
                                                "block_count"};
    if ((name.starts_with("atomic_") || name.starts_with("fetch_")) && name.ends_with("64")) {
      const size_t first = name[0] == 'f' ? 2 : 1; // behind the old value and the place
      std::string text = fmt::format("nki::{}(w", name);
      for (size_t i = 0; i < args.size(); ++i)
        text += ", " + (i >= first && i + 1 < args.size() ? print_.print_wide(args[i])
                                                          : print_.print_operand(args[i]));
      return text + ");";
    }
    if (name == "match_any64" || name == "match_all64")
      return fmt::format("nki::{}(w, {}, {}, {});", name, print_.print(args[0]),
                         print_.print_wide(args[1]), list(args, 2));
    if (name.starts_with("atomic_") || name.starts_with("fetch_") || name.starts_with("reduce_") ||
        of_lanes.count(name))
      return fmt::format("nki::{}(w, {});", name, list(args));
    if (name == "print")
      return print_statement(args);
    if (name == "assert_fail") {
      const tile::PrintedText &text = program_.texts[size_t(args[0]->integer)];
      return fmt::format("nki::assert_fail(w, {}, {}, {}, {}, {});", quoted(text.format),
                         quoted(text.choices[0][0]), print_.print(args[1]),
                         quoted(text.choices[1][0]), print_.print_operand(args[2]));
    }
    if (name == "trap" || name == "grid_sync")
      return fmt::format("nki::{}(w, {});", name, print_.print_operand(args[0]));
    if (name.starts_with("texture_") || name.starts_with("surface_")) { // a handle has 64 bits
      std::string text = fmt::format("nki::{}(w", name);
      for (size_t i = 0; i < args.size(); ++i)
        text += ", " + (args[i]->type.kind == Kind::host_int && args[i]->type.bits == 64
                            ? print_.print(args[i])
                            : print_.print_operand(args[i]));
      return text + ");";
    }
    if (name.starts_with("shfl")) // which lane: launch-known or a tile
      return fmt::format("nki::{}(w, {}, {}, {}, {});", name, print_.print(args[0]),
                         print_.print(args[1]), print_.print(args[2]), print_.print(args[3]));
    static const std::set<std::string> by_mode{"fdiv", "fma", "sqrt", "reciprocal"};
    static const std::map<std::string, const char *> names{
        {"trunc_float", "trunc"}, {"div_exact", "fdiv"}, {"sqrt_exact", "sqrt"}};
    auto renamed = names.find(name);
    std::string function = renamed == names.end() ? name : renamed->second;
    if (name == "materialize" || name == "from_mask")
      return fmt::format("nki::{}({}, {});", function, print_.print(args[0]),
                         print_.print(args[1]));
    std::string text = fmt::format("nki::{}({}", function, operands(statement));
    if (by_mode.count(name))
      text += ", launch.precise_math";
    if (name.ends_with("_exact"))
      text += ", true";
    return text + ");";
  }

  const Program &program_;
  ExpressionPrinter print_;
  std::string out_;
  unsigned line_ = 0;
};

} // namespace

std::string function(const Program &program) { return FunctionPrinter(program).run(); }

std::string kernel_object(const Program &program) {
  FunctionPrinter printer(program);
  std::string arguments = "launch";
  for (const tile::Input &input : program.inputs)
    if (input.is_parameter)
      arguments += ", " + printer.read(input);
  // The last members have defaults, which are left out.
  std::string rest;
  const bool flags =
      program.precise_math || program.demoted || program.waves_together || program.paired;
  if (!program.pointer_types.empty() || program.static_shared_bytes || flags)
    rest = ", " + quoted(program.pointer_types);
  if (program.static_shared_bytes || flags)
    rest += fmt::format(", {}", program.static_shared_bytes);
  if (flags)
    rest += fmt::format(", /*precise_math=*/{}", program.precise_math);
  const int64_t together =
      program.waves_together ? std::max(tile::lane_bytes(program), int64_t(1)) : 0;
  if (program.demoted || together || program.paired)
    rest += fmt::format(", /*demoted=*/{}", program.demoted);
  if (together || program.paired)
    rest += fmt::format(", /*together_lane_bytes=*/{}", together);
  if (program.paired)
    rest += ", /*paired=*/true";
  return fmt::format("const neuronify::Kernel {0}{{{1}, {2}, {3}, {4}, [](nki::Launch &launch) {{ "
                     "port::{0}({5}); }}, {6}, nullptr{7}}};\n",
                     program.identifier, quoted(program.name), quoted(program.mangled),
                     quoted(program.file), program.line, arguments, quoted(program.mapping), rest);
}

std::string missing_kernel_object(const std::string &name, const std::string &identifier,
                                  const std::string &mangled, const std::string &file,
                                  unsigned line, const std::string &diagnostic) {
  return fmt::format("const neuronify::Kernel {}{{{}, {}, {}, {}, nullptr, \"\", {}}};\n",
                     identifier, quoted(name), quoted(mangled), quoted(file), line,
                     quoted(diagnostic));
}

} // namespace neuronify::emit
