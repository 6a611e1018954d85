// Numbers that the launch decides, as Python: integers that keep their C type's range, floats.
#include "emit/python_expression.h"

#include <fmt/format.h>

#include <algorithm>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Type;

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

/// May it be a factor without more than 128 bits?
bool PythonExpressions::is_small(const Range &range) {
  constexpr __int128 kLimit = __int128(1) << 62;
  return range.low >= -kLimit && range.high <= kLimit;
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
  else if (name == "mul" && is_small(a) && is_small(b)) {
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

/// A double argument that is an integer.
PyNode PythonExpressions::as_bits(const Expr &argument, const Type &type) const {
  const PyNode bits(name(argument->variable)); // signed
  return type.is_signed ? bits : wrapped(bits, type);
}

const std::string &PythonExpressions::words_of(const Expr &field) const {
  const int argument = int(field->operands[0]->integer);
  auto found = words_.find(argument);
  if (found == words_.end()) {
    std::string name = fresh_name(fmt::format("argument_{}", argument));
    found = words_.emplace(argument, Words{name, field->operands[1]->integer}).first;
  }
  return found->second.name;
}

PyNode PythonExpressions::field(const Expr &e, const std::string &element) const {
  return PyNode::call("lanes.field",
                      {PyNode(words_of(e)), PyNode(python_string(element)), print(e->operands[2])});
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
  if (name == "address")
    return PyNode::call("lanes.address_of", {PyNode(memory_), print(args[0])});
  if (name == "field")
    return field(e, fmt::format("{}int{}", e->type.is_signed ? "" : "u", int(e->type.bits)));
  if (name == "bitcast" && args[0]->type.kind == Kind::host_float && args[0]->type.bits == 64 &&
      !is_operation(args[0]) && !is_literal(args[0]) && facts_.is_bits(args[0]->variable))
    return as_bits(args[0], e->type);
  const bool of_float =
      args[0]->type.kind == Kind::host_float && args[0]->type.bits == 32 && args.size() == 1;
  if (of_float && (name == "fptosi" || name == "fptoui"))
    return wrapped(PyNode::call("lanes.truncated",
                                {print(args[0]), PyNode(name == "fptosi" ? "True" : "False")}),
                   e->type);
  if (of_float && name == "bitcast" && e->type.bits == 32) {
    const PyNode word = PyNode::call("lanes.bits_of_float", {print(args[0])});
    return e->type.is_signed ? wrapped(word, e->type) : word;
  }
  if (of_float && (name == "float_to_half" || name == "float_to_bfloat"))
    return wrapped(PyNode::call(name == "float_to_half" ? "lanes.half_bits" : "lanes.bfloat_bits",
                                {print(args[0])}),
                   e->type);
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
    return infix(print(args[0]), found->second, print(args[1]), PyBinding::comparison);
  const bool equal = name == "eq" || name == "ne";
  const bool is_signed = equal ? args[0]->type.is_signed : name[0] == 's';
  return infix(as_signed(args[0], is_signed), found->second, as_signed(args[1], is_signed),
               PyBinding::comparison);
}

PyNode PythonExpressions::host_float(const Expr &e) const {
  const std::string &name = e->operation;
  const auto &args = e->operands;
  const bool is_double = e->type.bits == 64;
  static const std::map<std::string, std::pair<const char *, PyBinding>> signs{
      {"fadd", {"+", PyBinding::sum}},
      {"fsub", {"-", PyBinding::sum}},
      {"fmul", {"*", PyBinding::product}}};
  if (auto found = signs.find(name); found != signs.end()) {
    const PyNode result =
        infix(print(args[0]), found->second.first, print(args[1]), found->second.second);
    return is_double ? result : PyNode::call("lanes.f32", {result});
  }
  if (name == "fpext")
    return print(args[0]);
  if (name == "fptrunc" && !is_double)
    return PyNode::call("lanes.f32", {print(args[0])});
  if (is_double && name == "fdiv")
    return PyNode::call("lanes.divide_doubles", {print(args[0]), print(args[1])});
  if (is_double && (name == "sitofp" || name == "uitofp"))
    return PyNode::call("lanes.double_of", {as_signed(args[0], name[0] == 's')});
  static const std::set<std::string> of_doubles{"neg", "fabs", "select"};
  if (is_double && !of_doubles.count(name))
    return fail("'" + name + "' of a double that the host knows");
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
  if (name == "field")
    return field(e, "float32");
  if (name == "half_to_float" || name == "bfloat_to_float")
    return PyNode::call(name[0] == 'h' ? "lanes.half_number" : "lanes.bfloat_number",
                        {print(args[0])});
  if (name == "bitcast" && args[0]->type.kind == Kind::host_int)
    return PyNode::call("lanes.float_of_bits", {print(args[0])});
  if ((name == "round_half" || name == "round_bfloat") && args[0]->type.bits == 32) {
    const std::string format = name == "round_half" ? "half" : "bfloat";
    return PyNode::call("lanes." + format + "_number",
                        {PyNode::call("lanes." + format + "_bits", {print(args[0])})});
  }
  if (name == "int_to_float_odd" || name == "uint_to_float_odd")
    return PyNode::call("lanes.float_to_odd", {as_signed(args[0], name[0] == 'i')});
  if (name == "fma_half" || name == "fma_bfloat")
    return PyNode::call(name == "fma_half" ? "lanes.fma_of_halves" : "lanes.fma_of_bfloats",
                        {print(args[0]), print(args[1]), print(args[2])});
  if (name == "sqrt" || name == "sqrt_exact")
    return PyNode::call("lanes.square_root", {print(args[0])});
  return fail("'" + name + "' of a float that the host knows");
}

PyNode PythonExpressions::column(const Expr &e) const {
  if (facts_.is_narrowed(e))
    return print(e->operands[0]);
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

} // namespace neuronify::emit
