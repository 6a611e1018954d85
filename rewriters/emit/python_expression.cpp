#include "emit/python_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <set>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Type;

namespace {

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
  function_name_ = program.identifier;
  if (kReserved.count(function_name_))
    function_name_ += "_kernel";
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
  memory_ = fresh_name("memory");
}

std::string PythonExpressions::fresh_name(std::string name) const {
  while (std::ranges::find(names_, name) != names_.end())
    name += '_';
  return name;
}

std::string PythonExpressions::dtype(const Type &type) {
  return type.kind == Kind::tile_float ? "nl.float32" : "nl.int32";
}

PyNode PythonExpressions::fail(const std::string &what) const {
  if (unknown_.empty())
    unknown_ = what;
  return PyNode("None");
}

// ---- pieces -----------------------------------------------------------------------------------

PyNode PythonExpressions::infix(const PyNode &a, const std::string &sign, const PyNode &b,
                                PyBinding binding) const {
  if (binding != PyBinding::comparison)
    return PyNode::infix(a, sign, b, binding);
  // Comparisons would chain.
  const PyBinding tighter = PyBinding(int(binding) + 1);
  return {a.flat(tighter) + " " + sign + " " + b.flat(tighter), binding};
}

PyNode PythonExpressions::wrapped(const PyNode &value, const Type &type) const {
  return PyNode::call(fmt::format("lanes.{}{}", type.is_signed ? "i" : "u", type.bits), {value});
}

static PyNode double_literal(double value) {
  if (std::isnan(value))
    return {"lanes.NAN"};
  const std::string text = number_text(value);
  return {text, text[0] == '-' ? PyBinding::unary : PyBinding::primary};
}

PyNode PythonExpressions::literal(const Expr &e) const {
  switch (e->type.kind) {
  case Kind::host_bool:
  case Kind::mask:
    return {e->integer ? "True" : "False"};
  case Kind::host_float: {
    if (e->type.bits == 64)
      return double_literal(std::bit_cast<double>(e->integer));
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

/// A NaN whose bits no number of Python has.
static bool is_nan_with_payload(const Expr &e) {
  return is_literal(e) && e->type.kind == Kind::host_float && e->type.bits == 32 &&
         e->integer != 0x7fc00000 && std::isnan(std::bit_cast<float>(uint32_t(e->integer)));
}

static PyNode nan_column(const Expr &e) {
  return PyNode::call("lanes.float_column", {PyNode(fmt::format("{}", int32_t(e->integer)))});
}

PyNode PythonExpressions::operand(const Expr &e) const {
  if (is_nan_with_payload(e))
    return PyNode::call("lanes.data", {PyNode("w"), nan_column(e)});
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
  return is_literal(e) ? literal(e) : print(e); // an instruction rounds it
}

PyNode PythonExpressions::instruction_operand(const Expr &e) const {
  if (e->type.kind == Kind::host_float && facts_.is_column(e))
    return is_operation(e) ? PyNode::call("lanes.column", {PyNode("w"), column(e)})
                           : PyNode(column(e).flat() + "[0 : w.P, :]");
  if (is_nan_with_payload(e))
    return PyNode::call("lanes.column", {PyNode("w"), nan_column(e)});
  return operand(e);
}

PyNode PythonExpressions::texture(const Expr &handle) const {
  if (is_operation(handle) && handle->operation == "texture_handle")
    return print(handle->operands[0]);
  return is_operation(handle) || is_literal(handle) ? fail("a texture whose handle is computed")
                                                    : print(handle);
}

PyNode PythonExpressions::wide_operand(const Expr &e) const {
  return e->type.kind == Kind::host_int ? as_signed(e, true) : print(e);
}

/// The host computes with Python's numbers, of which "0.7" is another than the float.
static bool is_float_between_doubles(const Expr &e) {
  if (!is_literal(e) || e->type.kind != Kind::host_float || e->type.bits != 32)
    return false;
  const float value = std::bit_cast<float>(uint32_t(e->integer));
  return std::isfinite(value) && std::strtod(float_text(value).c_str(), nullptr) != double(value);
}

PyNode PythonExpressions::print(const Expr &e) const {
  if (is_float_between_doubles(e))
    return PyNode::call("lanes.f32", {literal(e)});
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
  case Kind::pointer:
    return place(e);
  default:
    return fail(e->operation);
  }
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
  if (name == "field")
    return PyNode::call("lanes.field_of_lanes",
                        {PyNode(words_of(e)),
                         PyNode(python_string(fmt::format("int{}", int(e->type.bits)))),
                         PyNode(std::to_string(int(e->type.bits) / 8)), print(args[2])});
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
  if (name == "field") // a pointer in a struct that is an argument
    return PyNode::call("lanes.at_address", {PyNode(memory_), field(e, "uint64")});
  if (name == "at_address")
    return PyNode::call("lanes.at_address", {PyNode(memory_), wide_operand(args[0])});
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
