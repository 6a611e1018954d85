#include "emit/python_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Type;

namespace {

bool is_literal(const Expr &e) { return e->form == Expression::Form::literal; }
bool is_operation(const Expr &e) { return e->form == Expression::Form::operation; }

std::string with_underscores(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

/// Names of the original that Python, or the emitted code, uses otherwise.
const std::set<std::string> kReserved{"False",
                                      "None",
                                      "True",
                                      "and",
                                      "as",
                                      "assert",
                                      "async",
                                      "await",
                                      "break",
                                      "class",
                                      "continue",
                                      "def",
                                      "del",
                                      "elif",
                                      "else",
                                      "except",
                                      "finally",
                                      "for",
                                      "from",
                                      "global",
                                      "if",
                                      "import",
                                      "in",
                                      "is",
                                      "lambda",
                                      "nonlocal",
                                      "not",
                                      "or",
                                      "pass",
                                      "raise",
                                      "return",
                                      "try",
                                      "while",
                                      "with",
                                      "yield",
                                      "match",
                                      "nki",
                                      "nl",
                                      "nisa",
                                      "lanes",
                                      "ix",
                                      "w",
                                      "launch",
                                      "range",
                                      "float",
                                      "int",
                                      "bool",
                                      "min",
                                      "max",
                                      "abs",
                                      "grid_dim",
                                      "block_dim",
                                      "dynamic_shared_bytes",
                                      "precise_math"};

/// As Python's formatters write the digits: 1.0, 3e38.
std::string as_python(std::string digits) {
  if (const size_t plus = digits.find("e+"); plus != std::string::npos)
    digits.erase(plus + 1, 1);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string number_text(double value) {
  if (std::isinf(value))
    return value > 0 ? "lanes.INFINITY" : "-lanes.INFINITY";
  return as_python(fmt::format("{}", value));
}

/// The shortest text that Python reads as a number which rounds to `value`.
std::string float_text(float value) {
  if (std::isinf(value))
    return number_text(value);
  std::string text = fmt::format("{}", value);
  if (float(std::strtod(text.c_str(), nullptr)) != value)
    return number_text(value);
  return as_python(text);
}

} // namespace

PythonExpressions::PythonExpressions(const tile::Program &program, const PythonFacts &facts)
    : facts_(facts) {
  std::set<std::string> taken;
  for (const tile::Variable &variable : program.variables)
    taken.insert(variable.name);
  for (const tile::Variable &variable : program.variables) {
    std::string name = variable.name;
    while (kReserved.count(name) || (name != variable.name && taken.count(name)))
      name += '_';
    taken.insert(name);
    names_.push_back(name);
  }
}

std::string PythonExpressions::dtype(const Type &type) {
  return type.kind == Kind::tile_float ? "nl.float32" : "nl.int32";
}

PyNode PythonExpressions::fail(const std::string &what) const {
  if (unknown_.empty())
    unknown_ = what;
  return PyNode("None");
}

// ---- ranges ---------------------------------------------------------------------------------

PythonExpressions::Range PythonExpressions::range(const Type &type) {
  const int bits = std::max<int>(type.bits, 1);
  return type.is_signed ? Range{-(__int128(1) << (bits - 1)), (__int128(1) << (bits - 1)) - 1}
                        : Range{0, (__int128(1) << bits) - 1};
}

bool PythonExpressions::fits(const Range &range, const Type &type) {
  const Range all = PythonExpressions::range(type);
  return range.low >= all.low && range.high <= all.high;
}

PythonExpressions::Range PythonExpressions::range(const Expr &e) const {
  const Range all = range(e->type);
  if (is_literal(e)) {
    const __int128 value = !e->type.is_signed && e->integer < 0
                               ? e->integer + (__int128(1) << e->type.bits)
                               : __int128(e->integer);
    return {value, value};
  }
  if (!is_operation(e)) {
    auto found = ranges_.find(e->variable);
    return found == ranges_.end() ? all : found->second;
  }
  const std::string &name = e->operation;
  if (name.starts_with("blockDim."))
    return {1, 1024};
  if (name.starts_with("gridDim."))
    return {1, 0x7fffffff};
  if (e->operands.size() == 1 && (name == "sext" || name == "zext")) {
    const Range inner = range(e->operands[0]);
    return fits(inner, e->type) && (name == "sext" || inner.low >= 0) ? inner : all;
  }
  if (e->operands.size() != 2 || e->operands[0]->type.kind != Kind::host_int ||
      e->operands[1]->type.kind != Kind::host_int)
    return all;
  const Range a = range(e->operands[0]), b = range(e->operands[1]);
  Range result = all;
  if (name == "add")
    result = {a.low + b.low, a.high + b.high};
  else if (name == "sub")
    result = {a.low - b.high, a.high - b.low};
  else if (name == "mul" && e->type.bits <= 32) {
    const __int128 corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    result = {*std::ranges::min_element(corners), *std::ranges::max_element(corners)};
  } else if ((name == "udiv" || name == "sdiv") && a.low >= 0 && b.low > 0)
    result = {a.low / b.high, a.high / b.low};
  else if ((name == "lshr" || name == "ashr") && a.low >= 0)
    result = {0, a.high};
  else if (name == "urem" && b.low > 0)
    result = {0, b.high - 1};
  else if (name == "and" && b.low >= 0)
    result = {0, b.high};
  return fits(result, e->type) ? result : all;
}

// ---- pieces -----------------------------------------------------------------------------------

PyNode PythonExpressions::infix(const PyNode &a, const std::string &sign, const PyNode &b,
                                PyBinding binding) const {
  // Comparisons would chain.
  const PyBinding tighter = PyBinding(int(binding) + 1);
  const PyBinding left = binding == PyBinding::comparison ? tighter : binding;
  return {a.flat(left) + " " + sign + " " + b.flat(tighter), binding};
}

PyNode PythonExpressions::wrapped(const PyNode &value, const Type &type) const {
  return PyNode::call(fmt::format("lanes.{}{}", type.is_signed ? "i" : "u", type.bits), {value});
}

PyNode PythonExpressions::literal(const Expr &e) const {
  switch (e->type.kind) {
  case Kind::host_bool:
  case Kind::mask:
    return {e->integer ? "True" : "False"};
  case Kind::host_float: {
    if (e->type.bits == 64)
      return fail("a double that the host computes");
    const float value = std::bit_cast<float>(uint32_t(e->integer));
    if (std::isnan(value))
      return {e->integer == 0x7fc00000 ? "lanes.NAN" : fail("a NaN with a payload").text};
    const std::string text = float_text(value);
    return {text, text[0] == '-' ? PyBinding::unary : PyBinding::primary};
  }
  default: {
    const std::string text =
        e->type.is_signed || e->integer >= 0 ? fmt::format("{}", e->integer)
        : e->type.bits == 64
            ? fmt::format("{}", uint64_t(e->integer))
            : fmt::format("{}", uint64_t(e->integer) & ((uint64_t(1) << e->type.bits) - 1));
    return {text, text[0] == '-' ? PyBinding::unary : PyBinding::primary};
  }
  }
}

bool PythonExpressions::moves(const Expr &e) const {
  if (e->form == Expression::Form::variable)
    return moving_.count(e->variable) != 0;
  return std::ranges::any_of(e->operands, [this](const Expr &operand) { return moves(operand); });
}

PyNode PythonExpressions::as_signed(const Expr &e, bool is_signed) const {
  if (!moving_.empty() && moves(e))
    return print(e);
  if (e->type.kind != Kind::host_int || e->type.is_signed == is_signed)
    return print(e);
  Type wanted = e->type;
  wanted.is_signed = is_signed;
  if (is_literal(e))
    return literal(tile::literal(
        wanted, is_signed && e->type.bits < 64
                    ? int64_t(uint64_t(e->integer) << (64 - e->type.bits)) >> (64 - e->type.bits)
                    : e->integer));
  if (fits(range(e), wanted))
    return print(e);
  return wrapped(ring(e), wanted);
}

PyNode PythonExpressions::operand(const Expr &e) const {
  if (e->form == Expression::Form::variable && facts_.is_int_data(e->variable))
    return PyNode::call("lanes.data_tile", {PyNode("w"), PyNode(name(e->variable))});
  if (e->type.kind == Kind::host_int) {
    if (is_literal(e)) {
      const std::string text = fmt::format("{}", int32_t(e->integer));
      return {text, text[0] == '-' ? PyBinding::unary : PyBinding::primary};
    }
    if (e->type.bits == 32)
      return as_signed(e, true);
    return fits(range(e), {Kind::host_int, 32, true})
               ? print(e)
               : wrapped(ring(e), {Kind::host_int, 32, true});
  }
  if (e->type.kind == Kind::host_bool)
    return PyNode::call("int", {print(e)});
  if (e->type.kind == Kind::host_float && facts_.is_column(e))
    return PyNode::call("lanes.data", {PyNode("w"), column(e)});
  return print(e);
}

PyNode PythonExpressions::instruction_operand(const Expr &e) const {
  if (e->type.kind == Kind::host_float && facts_.is_column(e))
    return {column(e).flat(PyBinding::primary) + "[0 : w.P, :]"};
  return operand(e);
}

PyNode PythonExpressions::wide_operand(const Expr &e) const {
  return e->type.kind == Kind::host_int ? as_signed(e, true) : print(e);
}

PyNode PythonExpressions::print(const Expr &e) const {
  if (is_literal(e))
    return literal(e);
  if (!is_operation(e))
    return {name(e->variable)};
  if (e->operation == "tile")
    return e->type.kind == Kind::tile_wide
               ? PyNode::call("lanes.pair", {PyNode("w")})
               : PyNode::call("lanes.tile", {PyNode("w"), PyNode(dtype(e->type))});
  if (e->operation == "low_word" || e->operation == "high_word")
    return {print(e->operands[0]).flat(PyBinding::primary) +
            (e->operation[0] == 'l' ? ".low" : ".high")};
  if (e->operation == "int_as_float" || e->operation == "float_as_int")
    return {
        fmt::format("{}.view({})", print(e->operands[0]).flat(PyBinding::primary), dtype(e->type))};
  switch (e->type.kind) {
  case Kind::host_bool:
    return host_bool(e);
  case Kind::host_int:
    if (!moving_.empty() && moves(e))
      return known(e);
    return host_int(e);
  case Kind::host_float:
    return facts_.is_column(e) ? column(e) : host_float(e);
  case Kind::index:
    return known(e);
  case Kind::mask:
    return mask(e);
  case Kind::place:
    return place(e);
  default:
    return fail(e->operation);
  }
}

// ---- host scalars -----------------------------------------------------------------------------

PyNode PythonExpressions::ring(const Expr &e) const {
  static const std::map<std::string, std::pair<const char *, PyBinding>> signs{
      {"add", {"+", PyBinding::sum}},
      {"sub", {"-", PyBinding::sum}},
      {"mul", {"*", PyBinding::product}}};
  if (!is_operation(e) || e->type.kind != Kind::host_int)
    return print(e);
  if (auto found = signs.find(e->operation); found != signs.end())
    return infix(ring(e->operands[0]), found->second.first, ring(e->operands[1]),
                 found->second.second);
  if (e->operation == "shl" && is_literal(e->operands[1]))
    return infix(ring(e->operands[0]), "<<", print(e->operands[1]), PyBinding::shift);
  if (e->operation == "neg")
    return {"-" + ring(e->operands[0]).flat(PyBinding::unary), PyBinding::unary};
  return print(e);
}

PyNode PythonExpressions::host_int(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (args.empty())
    return {"launch." + with_underscores(name)};
  if (name == "select")
    return {fmt::format("{} if {} else {}",
                        as_signed(args[1], e->type.is_signed).flat(PyBinding::logical_or),
                        print(args[0]).flat(PyBinding::logical_or),
                        as_signed(args[2], e->type.is_signed).flat(PyBinding::logical_or)),
            PyBinding::conditional};
  if (name == "add" || name == "sub" || name == "mul" || name == "shl" || name == "neg") {
    if (name == "shl" && !is_literal(args[1]))
      return wrapped(infix(ring(args[0]), "<<",
                           infix(print(args[1]), "&", PyNode(std::to_string(e->type.bits - 1)),
                                 PyBinding::bit_and),
                           PyBinding::shift),
                     e->type);
    const Range whole = range(e), all = range(e->type);
    // A range that is not the whole type's was derived without overflow.
    const bool safe = whole.low != all.low || whole.high != all.high;
    bool same_sign = true;
    for (const Expr &a : args)
      same_sign &= is_literal(a) || a->type.is_signed == e->type.is_signed || range(a).low >= 0;
    return safe && same_sign ? ring(e) : wrapped(ring(e), e->type);
  }
  if (name == "sdiv" || name == "udiv" || name == "srem" || name == "urem") {
    const bool is_signed = name[0] == 's', divides = name.ends_with("div");
    const PyNode a = as_signed(args[0], is_signed), b = as_signed(args[1], is_signed);
    Type type = e->type;
    if (range(args[1]).low > 0 && (!is_signed || range(args[0]).low >= 0))
      return infix(a, divides ? "//" : "%", b, PyBinding::product);
    return wrapped(PyNode::call(divides ? "lanes.c_quotient" : "lanes.c_remainder", {a, b}), type);
  }
  if (name == "lshr" || name == "ashr") {
    const PyNode count = is_literal(args[1])
                             ? print(args[1])
                             : infix(print(args[1]), "&", PyNode(std::to_string(e->type.bits - 1)),
                                     PyBinding::bit_and);
    const PyNode shifted = infix(as_signed(args[0], name[0] == 'a'), ">>", count, PyBinding::shift);
    return e->type.is_signed == (name[0] == 'a') || range(args[0]).low >= 0
               ? shifted
               : wrapped(shifted, e->type);
  }
  static const std::map<std::string, std::pair<const char *, PyBinding>> bits{
      {"and", {"&", PyBinding::bit_and}},
      {"or", {"|", PyBinding::bit_or}},
      {"xor", {"^", PyBinding::bit_xor}}};
  if (auto found = bits.find(name); found != bits.end())
    return infix(as_signed(args[0], e->type.is_signed), found->second.first,
                 as_signed(args[1], e->type.is_signed), found->second.second);
  if (name == "smin" || name == "smax" || name == "umin" || name == "umax") {
    const PyNode call = PyNode::call(
        name.substr(1), {as_signed(args[0], name[0] == 's'), as_signed(args[1], name[0] == 's')});
    return e->type.is_signed == (name[0] == 's') ? call : wrapped(call, e->type);
  }
  if (name == "sext" || name == "zext") {
    const PyNode value = args[0]->type.kind == Kind::host_bool
                             ? PyNode::call("int", {print(args[0])})
                             : as_signed(args[0], name == "sext");
    Type inner = args[0]->type;
    inner.is_signed = name == "sext";
    return args[0]->type.kind == Kind::host_bool || fits(range(inner), e->type) ||
                   fits(range(args[0]), e->type)
               ? value
               : wrapped(value, e->type);
  }
  if (name == "trunc")
    return fits(range(args[0]), e->type) ? print(args[0]) : wrapped(ring(args[0]), e->type);
  if (name == "iabs")
    return wrapped(PyNode::call("abs", {as_signed(args[0], true)}), e->type);
  return fail("'" + name + "' of a number that the host knows");
}

PyNode PythonExpressions::host_bool(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (name == "not")
    return {"not " + print(args[0]).flat(PyBinding::logical_not), PyBinding::logical_not};
  if ((name == "any" || name == "maybe_any") && args[0]->type.kind == Kind::host_bool)
    return print(args[0]);
  if (name == "any" || name == "maybe_any")
    return PyNode::call(name == "any" ? "lanes.any_known" : "lanes.maybe_any", {print(args[0])});
  if (name == "and" || name == "or") {
    const PyBinding binding = name == "and" ? PyBinding::logical_and : PyBinding::logical_or;
    return {print(args[0]).flat(binding) + " " + name + " " +
                print(args[1]).flat(PyBinding(int(binding) + 1)),
            binding};
  }
  if (name == "xor")
    return infix(print(args[0]), "!=", print(args[1]), PyBinding::comparison);
  if (name == "select")
    return {fmt::format("{} if {} else {}", print(args[1]).flat(PyBinding::logical_or),
                        print(args[0]).flat(PyBinding::logical_or),
                        print(args[2]).flat(PyBinding::logical_or)),
            PyBinding::conditional};
  if (name == "eq_pointer" || name == "ne_pointer") {
    for (const Expr &a : args)
      if (!is_literal(a) && a->form != Expression::Form::variable)
        return fail("a comparison of addresses");
    if (!is_literal(args[0]) && !is_literal(args[1]))
      return fail("a comparison of addresses");
    const Expr &pointer = is_literal(args[0]) ? args[1] : args[0];
    return infix(print(pointer), name[0] == 'e' ? "==" : "!=", PyNode("None"),
                 PyBinding::comparison);
  }
  static const std::map<std::string, const char *> comparisons{
      {"eq", "=="}, {"ne", "!="},  {"slt", "<"}, {"sle", "<="}, {"sgt", ">"},  {"sge", ">="},
      {"ult", "<"}, {"ule", "<="}, {"ugt", ">"}, {"uge", ">="}, {"oeq", "=="}, {"une", "!="},
      {"olt", "<"}, {"ole", "<="}, {"ogt", ">"}, {"oge", ">="}};
  auto found = comparisons.find(name);
  if (found == comparisons.end())
    return fail("'" + name + "' of numbers that the host knows");
  if (args[0]->type.kind == Kind::host_float)
    return args[0]->type.bits == 64
               ? fail("a double that the host computes")
               : infix(print(args[0]), found->second, print(args[1]), PyBinding::comparison);
  const bool equal = name == "eq" || name == "ne";
  const bool is_signed = equal ? args[0]->type.is_signed : name[0] == 's';
  return infix(as_signed(args[0], is_signed), found->second, as_signed(args[1], is_signed),
               PyBinding::comparison);
}

PyNode PythonExpressions::host_float(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (e->type.bits == 64)
    return fail("a double that the host computes");
  static const std::map<std::string, std::pair<const char *, PyBinding>> signs{
      {"fadd", {"+", PyBinding::sum}},
      {"fsub", {"-", PyBinding::sum}},
      {"fmul", {"*", PyBinding::product}}};
  if (auto found = signs.find(name); found != signs.end())
    return PyNode::call("lanes.f32", {infix(print(args[0]), found->second.first, print(args[1]),
                                            found->second.second)});
  if (name == "fdiv" || name == "div_exact")
    return PyNode::call("lanes.divide_numbers", {print(args[0]), print(args[1])});
  if (name == "neg")
    return {"-" + print(args[0]).flat(PyBinding::unary), PyBinding::unary};
  if (name == "fabs")
    return PyNode::call("abs", {print(args[0])});
  if (name == "sitofp" || name == "uitofp")
    return PyNode::call("lanes.f32", {as_signed(args[0], name[0] == 's')});
  if (name == "select")
    return {fmt::format("{} if {} else {}", print(args[1]).flat(PyBinding::logical_or),
                        print(args[0]).flat(PyBinding::logical_or),
                        print(args[2]).flat(PyBinding::logical_or)),
            PyBinding::conditional};
  return fail("'" + name + "' of a float that the host knows");
}

PyNode PythonExpressions::column(const Expr &e) const {
  if (!is_operation(e))
    return print(e);
  if (!is_column_operation(e->operation))
    return fail("'" + e->operation + "' of a data scalar");
  static const std::map<std::string, const char *> names{
      {"neg", "fneg"}, {"div_exact", "fdiv"}, {"sqrt_exact", "sqrt"}};
  auto found = names.find(e->operation);
  std::vector<PyNode> list{
      PyNode(python_string(found == names.end() ? e->operation : found->second))};
  for (const Expr &a : e->operands)
    list.push_back(print(a));
  return PyNode::call("lanes.scalar_op", std::move(list));
}

// ---- launch-known integers, masks, places -------------------------------------------------------

PyNode PythonExpressions::index_operand(const Expr &e) const {
  return e->type.kind == Kind::host_int ? as_signed(e, true) : print(e);
}

PyNode PythonExpressions::known_call(const std::string &function, const Expr &e) const {
  std::vector<PyNode> list;
  int bits = e->type.bits;
  if (e->type.kind != Kind::index) // a comparison of what?
    bits = e->operands[0]->type.kind == Kind::index ? e->operands[0]->type.bits
                                                    : e->operands[1]->type.bits;
  for (const Expr &a : e->operands)
    list.push_back(index_operand(a));
  if (bits != 32)
    list.push_back(PyNode(std::to_string(bits)));
  return PyNode::call(function, std::move(list));
}

PyNode PythonExpressions::known(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  static const std::set<std::string> binary{"add",  "sub",  "mul",  "and",  "or",   "xor",
                                            "shl",  "lshr", "ashr", "sdiv", "udiv", "srem",
                                            "urem", "smin", "smax", "umin", "umax"};
  static const std::map<std::string, const char *> registers{
      {"laneId", "lane_id"},          {"warpId", "warp_id"},
      {"laneMaskEq", "lane_mask_eq"}, {"laneMaskLt", "lane_mask_lt"},
      {"laneMaskLe", "lane_mask_le"}, {"laneMaskGt", "lane_mask_gt"},
      {"laneMaskGe", "lane_mask_ge"}};
  if (auto found = registers.find(name); found != registers.end())
    return PyNode::call(std::string("lanes.") + found->second, {PyNode("w")});
  if (args.empty()) {
    if (!name.starts_with("threadIdx.") && !name.starts_with("blockIdx."))
      return fail("the register '" + name + "'");
    return {"w." + with_underscores(name)};
  }
  if (name == "and" || name == "or") // words of the language
    return known_call("ix.bit_" + name, e);
  if (binary.count(name))
    return known_call("ix." + name, e);
  if (name == "iabs")
    return known_call("ix.iabs", e);
  if (name == "sext")
    return args[0]->type.kind == Kind::host_int ? as_signed(args[0], true) : print(args[0]);
  if (name == "zext" || name == "trunc") {
    std::vector<PyNode> list{index_operand(args[0])};
    if (name == "zext")
      list.push_back(PyNode(std::to_string(int(args[0]->type.bits))));
    list.push_back(PyNode(std::to_string(int(e->type.bits))));
    return PyNode::call("ix." + name, std::move(list));
  }
  if (name == "select" && !facts_.on_chip(args[0]))
    return PyNode::call("lanes.choose_known",
                        {print(args[0]), index_operand(args[1]), index_operand(args[2])});
  return fail("'" + name + "' of numbers that are known at launch");
}

PyNode PythonExpressions::mask(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  auto call = [&](const char *function) {
    std::vector<PyNode> list;
    for (const Expr &a : args)
      list.push_back(print(a));
    return PyNode::call(function, std::move(list));
  };
  static const std::map<std::string, const char *> algebra{{"not", "lanes.invert"},
                                                           {"and", "lanes.both"},
                                                           {"or", "lanes.either"},
                                                           {"xor", "lanes.differ"},
                                                           {"andnot", "lanes.andnot"},
                                                           {"select", "lanes.choose"},
                                                           {"launch_part", "lanes.launch_part"}};
  if (name == "all")
    return {"True"};
  if (name == "none")
    return {"False"};
  if (auto found = algebra.find(name); found != algebra.end())
    return call(found->second);
  if (name == "test_bit")
    return PyNode::call("lanes.test_bit", {PyNode("w"), print(args[0]), operand(args[1])});
  if (name.starts_with("vote_") || name.starts_with("block_")) {
    std::vector<PyNode> list{PyNode("w")};
    for (const Expr &a : args) // masks, then the members
      list.push_back(a->type.kind == Kind::mask || a->type.kind == Kind::host_bool ? print(a)
                                                                                   : operand(a));
    return PyNode::call("lanes." + name, std::move(list));
  }
  if (name.starts_with("tile_")) {
    std::string predicate = name.substr(5);
    const bool is_float =
        args[0]->type.kind == Kind::tile_float || args[0]->type.kind == Kind::host_float;
    if (auto at = predicate.find("_float"); at != std::string::npos)
      predicate.resize(at);
    const bool wide =
        args[0]->type.kind == Kind::tile_wide || args[1]->type.kind == Kind::tile_wide;
    auto side = [&](const Expr &a) { return wide ? wide_operand(a) : operand(a); };
    return PyNode::call(
        is_float ? "lanes.compare"
        : wide   ? "lanes.compare_wide"
                 : "lanes.compare_integers",
        {PyNode("w"), PyNode(python_string(predicate)), side(args[0]), side(args[1])});
  }
  return known_call("lanes." + name, e);
}

PyNode PythonExpressions::place(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (name == "shared_array" || name == "local_array")
    return PyNode::call("lanes." + name, {PyNode("w"), print(args[0])});
  if (name == "dynamic_shared")
    return PyNode::call("lanes.shared_array", {PyNode("w"), PyNode("launch.dynamic_shared_bytes")});
  if (name == "select")
    return {fmt::format("{} if {} else {}", print(args[1]).flat(PyBinding::logical_or),
                        print(args[0]).flat(PyBinding::logical_or),
                        print(args[2]).flat(PyBinding::logical_or)),
            PyBinding::conditional};
  if (name == "element") {
    if (is_literal(args[1]) && args[1]->integer == 0)
      return print(args[0]);
    return PyNode::call("lanes.element", {print(args[0]), index_operand(args[1]), print(args[2])});
  }
  if (name == "plus")
    return PyNode::call("lanes.element", {print(args[0]), print(args[1]), print(args[2])});
  return fail("an address by '" + name + "'");
}

} // namespace neuronify::emit
