#include "emit/cpp_expression.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Type;

std::string ExpressionPrinter::type_name(const Type &type) {
  switch (type.kind) {
  case Kind::host_bool:
    return "bool";
  case Kind::host_float:
    return type.bits == 64 ? "double" : "float";
  case Kind::host_int:
    switch (type.bits) {
    case 32:
      return type.is_signed ? "int" : "unsigned";
    case 64:
      return type.is_signed ? "int64_t" : "uint64_t";
    case 16:
      return type.is_signed ? "int16_t" : "uint16_t";
    case 8:
      return type.is_signed ? "int8_t" : "uint8_t";
    default:
      return "int64_t";
    }
  case Kind::index:
    return "nki::Index";
  case Kind::mask:
    return "nki::Mask";
  case Kind::tile_float:
  case Kind::tile_int:
    return "nki::Tensor";
  case Kind::tile_wide:
    return "nki::Wide";
  case Kind::place:
    return "nki::Place";
  case Kind::pointer:
    return "nki::hbm<" + type.element + ">";
  case Kind::none:
    break;
  }
  return "auto";
}

static std::string float_text(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  if (std::isinf(value))
    return value > 0 ? "INFINITY" : "-INFINITY";
  if (std::isnan(value))
    return fmt::format("std::bit_cast<float>(0x{:08x}u)", bits);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + "f";
}

static std::string double_text(uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (std::isinf(value))
    return value > 0 ? "double(INFINITY)" : "-double(INFINITY)";
  if (std::isnan(value))
    return fmt::format("std::bit_cast<double>(uint64_t(0x{:016x}))", bits);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

Text ExpressionPrinter::literal(const Expr &e) const {
  switch (e->type.kind) {
  case Kind::host_bool:
    return {e->integer ? "true" : "false"};
  case Kind::host_float: {
    std::string text =
        e->type.bits == 64 ? double_text(uint64_t(e->integer)) : float_text(uint32_t(e->integer));
    return {text, text[0] == '-' ? Binding::unary : Binding::primary};
  }
  default: {
    int64_t value = e->integer;
    if (e->type.bits == 32 && value == INT32_MIN)
      return {"INT32_MIN"};
    if (value == INT64_MIN)
      return {"INT64_MIN"};
    std::string text = e->type.bits == 32 && !e->type.is_signed
                           ? fmt::format("{}u", uint32_t(value))
                           : fmt::format("{}", value);
    return {text, value < 0 ? Binding::unary : Binding::primary};
  }
  }
}

std::string ExpressionPrinter::print(const Expr &e, Binding binding) const {
  Text t = text(e);
  return t.binding < binding ? "(" + t.text + ")" : t.text;
}

std::string ExpressionPrinter::print_as(const Expr &e, bool is_signed, Binding binding) const {
  if (e->type.kind != Kind::host_int || e->form == Expression::Form::literal ||
      e->type.is_signed == is_signed) {
    if (e->form == Expression::Form::literal && !is_signed && e->type.kind == Kind::host_int &&
        (e->integer < 0 || e->type.bits == 32)) {
      if (e->type.bits == 32)
        return fmt::format("{}u", uint32_t(e->integer));
      if (e->type.bits < 32) // its own bits, no more
        return fmt::format("{}", uint64_t(e->integer) & ((uint64_t(1) << e->type.bits) - 1));
      return fmt::format("uint64_t({})", e->integer);
    }
    return print(e, binding);
  }
  Type wanted = e->type;
  wanted.is_signed = is_signed;
  return fmt::format("{}({})", type_name(wanted), print(e));
}

std::string ExpressionPrinter::print_wide(const Expr &e) const {
  if (e->form != Expression::Form::literal || (e->integer >= INT32_MIN && e->integer <= INT32_MAX))
    return print(e);
  return e->integer == INT64_MIN ? "INT64_MIN" : fmt::format("{}L", e->integer);
}

std::string ExpressionPrinter::print_operand(const Expr &e) const {
  if (e->type.kind == Kind::host_int && e->form != Expression::Form::literal &&
      !(e->type.is_signed && e->type.bits == 32))
    return fmt::format("int({})", print(e));
  if (e->type.kind == Kind::host_int && e->form == Expression::Form::literal &&
      e->integer != int32_t(e->integer))
    return fmt::format("int({})", int32_t(e->integer));
  if (e->type.kind == Kind::host_bool)
    return fmt::format("int({})", print(e));
  return print(e);
}

Text ExpressionPrinter::text(const Expr &e) const {
  switch (e->form) {
  case Expression::Form::literal:
    return literal(e);
  case Expression::Form::variable:
    return {program_.variables[e->variable].name};
  case Expression::Form::operation:
    break;
  }
  if (e->operation == "tile")
    return {e->type.kind == Kind::tile_float  ? "w.tile(nl::float32)"
            : e->type.kind == Kind::tile_wide ? "w.wide()"
                                              : "w.tile(nl::int32)"};
  if (e->operation == "low_word" || e->operation == "high_word")
    return {print(e->operands[0], Binding::primary) + (e->operation[0] == 'l' ? ".low" : ".high")};
  switch (e->type.kind) {
  case Kind::host_bool:
  case Kind::host_int:
  case Kind::host_float:
    return host(e);
  case Kind::index:
    return lanes(e);
  case Kind::mask:
    return mask(e);
  case Kind::place:
    return place(e);
  case Kind::pointer:
    if (e->operation == "field")
      return {fmt::format("{}{{{}}}", type_name(e->type), field(e, e->type.element + " *"))};
    break;
  default:
    break;
  }
  if (e->operation == "int_as_float")
    return {print(e->operands[0], Binding::primary) + ".view(nl::float32)"};
  if (e->operation == "float_as_int")
    return {print(e->operands[0], Binding::primary) + ".view(nl::int32)"};
  return {"/* " + e->operation + " */"};
}

Text ExpressionPrinter::infix(const Expr &e, const char *sign, Binding binding,
                              bool is_signed) const {
  const Binding tighter = Binding(int(binding) + 1);
  std::string text = fmt::format("{} {} {}", print_as(e->operands[0], is_signed, binding), sign,
                                 print_as(e->operands[1], is_signed, tighter));
  if (e->type.kind == Kind::host_int && e->type.bits < 32) // C computes in int
    return {fmt::format("{}({})", type_name(e->type), text)};
  return {text, binding};
}

namespace {
struct Operator {
  const char *sign;
  Binding binding;
};
const std::map<std::string, Operator> kArithmetic{
    {"add", {"+", Binding::sum}},      {"sub", {"-", Binding::sum}},
    {"mul", {"*", Binding::product}},  {"and", {"&", Binding::bit_and}},
    {"or", {"|", Binding::bit_or}},    {"xor", {"^", Binding::bit_xor}},
    {"fadd", {"+", Binding::sum}},     {"fsub", {"-", Binding::sum}},
    {"fmul", {"*", Binding::product}}, {"fdiv", {"/", Binding::product}}};
const std::map<std::string, Operator> kComparison{
    {"eq", {"==", Binding::equality}},  {"ne", {"!=", Binding::equality}},
    {"slt", {"<", Binding::relation}},  {"sle", {"<=", Binding::relation}},
    {"sgt", {">", Binding::relation}},  {"sge", {">=", Binding::relation}},
    {"ult", {"<", Binding::relation}},  {"ule", {"<=", Binding::relation}},
    {"ugt", {">", Binding::relation}},  {"uge", {">=", Binding::relation}},
    {"oeq", {"==", Binding::equality}}, {"une", {"!=", Binding::equality}},
    {"olt", {"<", Binding::relation}},  {"ole", {"<=", Binding::relation}},
    {"ogt", {">", Binding::relation}},  {"oge", {">=", Binding::relation}}};
// Unordered comparisons are the negations of ordered ones.
const std::map<std::string, Operator> kNegated{{"ult_float", {">=", Binding::relation}},
                                               {"ule_float", {">", Binding::relation}},
                                               {"ugt_float", {"<=", Binding::relation}},
                                               {"uge_float", {"<", Binding::relation}}};
bool starts_unsigned(const std::string &name) { return name[0] == 'u'; }
} // namespace

/// An element of an argument by value at a computed place.
std::string ExpressionPrinter::field(const Expr &e, const std::string &type) const {
  const auto &args = e->operands;
  return fmt::format("launch.field<{}>({}, {}, {})", type, args[0]->integer, args[1]->integer,
                     print(args[2]));
}

Text ExpressionPrinter::host(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (name == "field")
    return {field(e, type_name(e->type))};
  auto call = [&](const std::string &function, bool is_signed) {
    std::string list, type;
    for (const Expr &a : args) {
      list += (list.empty() ? "" : ", ") + print_as(a, is_signed, Binding::conditional);
      // A plain number is an int, which is not what the function's other argument is.
      if (args.size() > 1 && a->form == Expression::Form::literal &&
          e->type.kind == Kind::host_int && e->type.bits != 32)
        type = "<" + type_name({Kind::host_int, e->type.bits, is_signed}) + ">";
    }
    return Text{function + type + "(" + list + ")"};
  };
  if (name == "select")
    return {fmt::format("{} ? {} : {}", print(args[0], Binding::bit_or),
                        print_as(args[1], e->type.is_signed, Binding::conditional),
                        print_as(args[2], e->type.is_signed, Binding::conditional)),
            Binding::conditional};
  if (e->type.kind == Kind::host_bool) {
    if (name == "not")
      return {"!" + print(args[0], Binding::unary), Binding::unary};
    if ((name == "any" || name == "maybe_any") && args[0]->type.kind == Kind::host_bool)
      return {print(args[0])}; // all lanes or none
    if (name == "any" || name == "maybe_any")
      return {print(args[0], Binding::primary) + "." + name + "()"};
    if (name == "and" || name == "or" || name == "xor") {
      const char *sign = name == "and" ? "&&" : name == "or" ? "||" : "!=";
      return {fmt::format("{} {} {}", print(args[0], Binding::equality), sign,
                          print(args[1], Binding::equality)),
              name == "xor" ? Binding::equality : Binding::conditional};
    }
    if (args[0]->type.kind == Kind::host_float &&
        (name == "ord" || name == "uno" || name == "one" || name == "ueq"))
      return {fmt::format("nki::{}({}, {})", name, print(args[0]), print(args[1]))};
    if (name == "eq_pointer" || name == "ne_pointer") {
      auto address = [&](const Expr &a) {
        return a->form == Expression::Form::literal ? std::string("nullptr")
                                                    : print(a, Binding::primary) + ".pointer";
      };
      return {
          fmt::format("{} {} {}", address(args[0]), name[0] == 'e' ? "==" : "!=", address(args[1])),
          Binding::equality};
    }
    if (auto found = kNegated.find(name); found != kNegated.end())
      return {"!(" + infix(e, found->second.sign, found->second.binding, true).text + ")",
              Binding::unary};
    if (auto found = kComparison.find(name); found != kComparison.end()) {
      const bool equal = name == "eq" || name == "ne";
      const bool is_signed =
          equal ? args[0]->type.is_signed || args[0]->form == Expression::Form::literal
                : args[0]->type.kind == Kind::host_float || !starts_unsigned(name);
      return infix(e, found->second.sign, found->second.binding, is_signed);
    }
  }
  if (auto found = kArithmetic.find(name); found != kArithmetic.end())
    return infix(e, found->second.sign, found->second.binding, e->type.is_signed);
  const bool nonzero =
      args.size() == 2 && args[1]->form == Expression::Form::literal && args[1]->integer > 0;
  if (name == "sdiv" || name == "udiv" || name == "srem" || name == "urem") {
    const bool is_signed = name[0] == 's';
    if (nonzero)
      return infix(e, name.ends_with("div") ? "/" : "%", Binding::product, is_signed);
    return call("nki::" + name, is_signed);
  }
  if (name == "shl" || name == "lshr" || name == "ashr") {
    const bool literal_count = args[1]->form == Expression::Form::literal;
    if (literal_count)
      return infix(e, name == "shl" ? "<<" : ">>", Binding::shift,
                   name == "ashr" || (name == "shl" && e->type.is_signed));
    return call("nki::" + name, name == "ashr" || (name == "shl" && e->type.is_signed));
  }
  if (name == "neg")
    return {"-" + print(args[0], Binding::unary), Binding::unary};
  if (name == "sext" || name == "zext" || name == "trunc") {
    const bool from_signed = name != "zext";
    std::string inner = print_as(args[0], name == "trunc" ? args[0]->type.is_signed : from_signed,
                                 Binding::conditional);
    return {fmt::format("{}({})", type_name(e->type), inner)};
  }
  if (name == "sitofp" || name == "uitofp")
    return {fmt::format("{}({})", type_name(e->type),
                        print_as(args[0], name[0] == 's', Binding::conditional))};
  if (name == "fptrunc" || name == "fpext")
    return {fmt::format("{}({})", type_name(e->type), print(args[0]))};
  if (name == "fptosi" || name == "fptoui")
    return {fmt::format("{}(nki::{}({}))", type_name(e->type),
                        name == "fptosi" ? "float_to_int" : "float_to_uint", print(args[0]))};
  if (name == "bitcast")
    return {fmt::format("std::bit_cast<{}>({})", type_name(e->type), print(args[0]))};
  if (name == "fabs" || name == "sqrt")
    return {fmt::format("std::{}({})", name, print(args[0]))};
  if (name == "div_exact") // the host's own operations are
    return infix(e, "/", Binding::product, true);
  if (name == "sqrt_exact")
    return {fmt::format("std::sqrt({})", print(args[0]))};
  if (name == "int_to_float_odd" || name == "uint_to_float_odd")
    return {fmt::format("nki::to_float_odd({})",
                        print_as(args[0], name[0] == 'i', Binding::conditional))};
  if (name == "frem")
    return {fmt::format("std::fmod({}, {})", print(args[0]), print(args[1]))};
  if (args.empty()) // blockDim.x and the like
    return {"launch." + name};
  return call("nki::" + name, starts_unsigned(name) ? false : true);
}

std::string ExpressionPrinter::index_operand(const Expr &e, int bits, Binding binding) const {
  if (e->type.kind == Kind::index || (e->type.kind == Kind::host_int && e->type.bits == bits &&
                                      e->form != Expression::Form::literal && bits >= 32))
    return print(e, binding);
  if (e->form == Expression::Form::literal)
    return bits == 32   ? print(e, binding)
           : bits == 64 ? (e->integer < 0 ? fmt::format("({}L)", e->integer)
                                          : fmt::format("{}L", e->integer))
                        : fmt::format("nki::Index({}, {})", e->integer, bits);
  return fmt::format("nki::Index({}, {})", print(e), bits);
}

Text ExpressionPrinter::index_infix(const Expr &e, const char *sign, Binding binding) const {
  const Binding tighter = Binding(int(binding) + 1);
  std::string left = index_operand(e->operands[0], e->type.bits, binding);
  std::string right = index_operand(e->operands[1], e->type.bits, tighter);
  return {fmt::format("{} {} {}", left, sign, right), binding};
}

Text ExpressionPrinter::lanes(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  static const std::map<std::string, const char *> registers{
      {"laneId", "lane_id"},          {"warpId", "warp_id"},
      {"laneMaskEq", "lane_mask_eq"}, {"laneMaskLt", "lane_mask_lt"},
      {"laneMaskLe", "lane_mask_le"}, {"laneMaskGt", "lane_mask_gt"},
      {"laneMaskGe", "lane_mask_ge"}};
  if (auto found = registers.find(name); found != registers.end())
    return {fmt::format("nki::{}(w)", found->second)};
  if (args.empty())
    return {"w." + name};
  if (name == "field")
    return {fmt::format("launch.field<{}>({}, {}, {})", type_name({Kind::host_int, e->type.bits}),
                        args[0]->integer, args[1]->integer,
                        index_operand(args[2], 64, Binding::conditional))};
  if (name == "select") {
    // Two host scalars would also be two masks.
    auto side = [&](const Expr &a) {
      const std::string text = index_operand(a, e->type.bits, Binding::conditional);
      return a->type.kind == Kind::index || text.starts_with("nki::Index(")
                 ? text
                 : fmt::format("nki::Index({})", text);
    };
    return {fmt::format("nki::select({}, {}, {})", truth(args[0]), side(args[1]), side(args[2]))};
  }
  if (name == "sext" || name == "zext" || name == "trunc")
    return {fmt::format("nki::{}({}, {})", name, print(args[0]), e->type.bits)};
  if (auto found = kArithmetic.find(name); found != kArithmetic.end())
    return index_infix(e, found->second.sign, found->second.binding);
  if (name == "shl")
    return index_infix(e, "<<", Binding::shift);
  std::string list;
  for (const Expr &a : args)
    list += (list.empty() ? "" : ", ") + index_operand(a, e->type.bits, Binding::conditional);
  return {fmt::format("nki::{}({})", name == "iabs" ? "abs" : name, list)};
}

std::string ExpressionPrinter::truth(const Expr &e, Binding binding) const {
  return e->type.kind == Kind::host_bool ? "nki::Mask(" + print(e) + ")" : print(e, binding);
}

Text ExpressionPrinter::mask(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (name == "all")
    return {"w.all()"};
  if (name == "none")
    return {"nki::Mask()"};
  if (name == "not")
    return {"!" + print(args[0], Binding::unary), Binding::unary};
  if (name == "launch_part")
    return {print(args[0], Binding::primary) + ".launch_part()"};
  if (name.starts_with("vote_") || name.starts_with("block_")) {
    std::string list = "w";
    for (const Expr &a : args)
      list += ", " + (a->type.kind == Kind::mask        ? print(a)
                      : a->type.kind == Kind::host_bool ? truth(a)
                                                        : print_operand(a));
    return {fmt::format("nki::{}({})", name, list)};
  }
  if (name == "test_bit")
    return {fmt::format("nki::test_bit(w, {}, {})", print(args[0]), print(args[1]))};
  if (name == "andnot")
    return {fmt::format("nki::andnot({}, {})", truth(args[0], Binding::conditional),
                        truth(args[1], Binding::conditional))};
  if (name == "select")
    return {fmt::format("nki::select({}, {}, {})", truth(args[0], Binding::conditional),
                        truth(args[1], Binding::conditional),
                        truth(args[2], Binding::conditional))};
  if (name == "and" || name == "or" || name == "xor") {
    auto [sign, binding] = kArithmetic.at(name);
    const Binding tighter = Binding(int(binding) + 1);
    // Different bit operators side by side read better with parentheses, and compilers agree.
    return {fmt::format("{} {} {}", truth(args[0], tighter), sign, truth(args[1], tighter)),
            binding};
  }
  if (name.starts_with("tile_")) {
    std::string predicate = name.substr(5);
    const bool is_float =
        args[0]->type.kind == Kind::tile_float || args[0]->type.kind == Kind::host_float;
    if (is_float) {
      if (auto cut = predicate.find("_float"); cut != std::string::npos)
        predicate.resize(cut);
      return {fmt::format("nki::compare(w, nki::FloatCompare::{}, {}, {})", predicate,
                          print_operand(args[0]), print_operand(args[1]))};
    }
    const bool wide =
        args[0]->type.kind == Kind::tile_wide || args[1]->type.kind == Kind::tile_wide;
    auto operand = [&](const Expr &a) { return wide ? print_wide(a) : print_operand(a); };
    return {fmt::format("nki::{}(w, {}, {})", predicate, operand(args[0]), operand(args[1]))};
  }
  const int bits = args[0]->type.kind == Kind::index ? args[0]->type.bits : args[1]->type.bits;
  return {fmt::format("nki::{}({}, {})", name, index_operand(args[0], bits, Binding::conditional),
                      index_operand(args[1], bits, Binding::conditional))};
}

Text ExpressionPrinter::place(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  if (name == "shared_array" || name == "local_array")
    return {fmt::format("nki::{}(w, {})", name, print(args[0]))};
  if (name == "select")
    return {fmt::format("{} ? {} : {}", print(args[0], Binding::bit_or), print(args[1]),
                        print(args[2])),
            Binding::conditional};
  if (name == "at_address")
    return {fmt::format("nki::at_address({})", print(args[0]))};
  if (name == "dynamic_shared")
    return {"nki::shared_array(w, launch.dynamic_shared_bytes)"};
  auto offset_text = [&](const Expr &offset) {
    // A sign extension is what an index of fewer bits means anyway.
    if (offset->form == Expression::Form::operation && offset->operation == "sext")
      return print(offset->operands[0]);
    return offset->form == Expression::Form::literal ? fmt::format("{}", offset->integer)
                                                     : print(offset);
  };
  if (name == "element") {
    const Expr &base = args[0], &offset = args[1];
    const int64_t unit = args[2]->integer;
    const bool zero = offset->form == Expression::Form::literal && offset->integer == 0;
    if (base->type.kind == Kind::pointer) {
      const bool counts_elements = unit != 1 ||
                                   base->type.element.find("char") != std::string::npos ||
                                   base->type.element.find("8_t") != std::string::npos ||
                                   base->type.element.find("bool") != std::string::npos;
      const std::string start = print(base, Binding::primary) + (counts_elements ? "[" : ".byte(");
      return {start + offset_text(offset) + (counts_elements ? "]" : ")")};
    }
    if (zero)
      return {print(base, Binding::primary)};
    return {fmt::format("{}.at({}, {})", print(base, Binding::primary), offset_text(offset), unit)};
  }
  if (name == "plus") {
    const Expr &base = args[0];
    const bool plain = base->form == Expression::Form::operation && base->operation == "element" &&
                       base->operands[0]->type.kind == Kind::pointer &&
                       base->operands[1]->form == Expression::Form::literal &&
                       base->operands[1]->integer == 0 &&
                       base->operands[2]->integer == args[2]->integer && args[2]->integer != 1;
    if (plain)
      return {fmt::format("{}[{}]", print(base->operands[0], Binding::primary), print(args[1]))};
    return {fmt::format("{}.plus({}, {})", print(base, Binding::primary), print(args[1]),
                        args[2]->integer)};
  }
  return {"/* " + name + " */"};
}

} // namespace neuronify::emit
