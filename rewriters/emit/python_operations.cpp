#include "emit/python_operations.h"

#include <map>
#include <set>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Statement;

namespace {

/// Operations with a function of the same form in the package: dst, then operands.
const std::set<std::string> kPlain{"select",
                                   "materialize",
                                   "from_mask",
                                   "iadd",
                                   "isub",
                                   "imul",
                                   "iand",
                                   "ior",
                                   "ixor",
                                   "shl",
                                   "lshr",
                                   "ashr",
                                   "sdiv",
                                   "udiv",
                                   "srem",
                                   "urem",
                                   "smulhi",
                                   "umulhi",
                                   "smin",
                                   "smax",
                                   "umin",
                                   "umax",
                                   "fshl",
                                   "fshr",
                                   "iabs",
                                   "popc",
                                   "clz",
                                   "brev",
                                   "ffs",
                                   "ctz",
                                   "sext",
                                   "zext",
                                   "int_to_float",
                                   "uint_to_float",
                                   "float_to_int",
                                   "float_to_uint",
                                   "float_to_int_rn",
                                   "float_to_uint_rn",
                                   "float_to_int_rd",
                                   "float_to_int_ru",
                                   "half_to_float",
                                   "float_to_half",
                                   "round_half",
                                   "fma_half",
                                   "bfloat_to_float",
                                   "float_to_bfloat",
                                   "round_bfloat",
                                   "fma_bfloat",
                                   "int_to_float_odd",
                                   "uint_to_float_odd",
                                   "fmod",
                                   "pow",
                                   "atan2",
                                   "hypot",
                                   "fmax",
                                   "fmin",
                                   "copysign",
                                   "fneg",
                                   "fabs",
                                   "rsqrt",
                                   "exp",
                                   "exp2",
                                   "exp10",
                                   "expm1",
                                   "log",
                                   "log2",
                                   "log10",
                                   "log1p",
                                   "sin",
                                   "cos",
                                   "tan",
                                   "tanh",
                                   "asin",
                                   "acos",
                                   "atan",
                                   "sinh",
                                   "cosh",
                                   "asinh",
                                   "acosh",
                                   "atanh",
                                   "erf",
                                   "erfc",
                                   "cbrt",
                                   "floor",
                                   "ceil",
                                   "rint",
                                   "round",
                                   "saturate",
                                   "fns"};

/// Operations on 64-bit integers, in the package's module for them.
const std::set<std::string> kWide{"words",
                                  "iadd",
                                  "isub",
                                  "imul",
                                  "smul_wide",
                                  "umul_wide",
                                  "iand",
                                  "ior",
                                  "ixor",
                                  "shl",
                                  "lshr",
                                  "ashr",
                                  "sdiv",
                                  "udiv",
                                  "srem",
                                  "urem",
                                  "smulhi",
                                  "umulhi",
                                  "smin",
                                  "smax",
                                  "umin",
                                  "umax",
                                  "fshl",
                                  "fshr",
                                  "iabs",
                                  "popc",
                                  "clz",
                                  "brev",
                                  "ffs",
                                  "ctz",
                                  "sext",
                                  "zext",
                                  "int_to_float",
                                  "uint_to_float",
                                  "double_to_float",
                                  "float_to_double",
                                  "int_to_double",
                                  "uint_to_double",
                                  "float_to_int",
                                  "float_to_uint",
                                  "float_to_int_rn",
                                  "float_to_uint_rn",
                                  "float_to_int_rd",
                                  "float_to_int_ru",
                                  "copy",
                                  "fill"};

/// Operations of the lanes of a warp or a block together: the wave, dst, then operands.
bool is_together(const std::string &name) {
  static const std::set<std::string> names{"ballot",      "activemask",  "match_any",  "match_all",
                                           "match_any64", "match_all64", "block_count"};
  return names.count(name) || name.starts_with("reduce_");
}

bool is_atomic(const std::string &name) {
  return name.starts_with("atomic_") || name.starts_with("fetch_");
}

} // namespace

bool on_pairs(const Statement &s) {
  for (const Expr &e : s.operands)
    if (e->type.kind == Kind::tile_wide)
      return true;
  return false;
}

/// dst, then operands.
PyNode PythonOperations::call(const std::string &function, const Statement &s,
                              std::vector<PyNode> last) const {
  std::vector<PyNode> list;
  for (const Expr &e : s.operands)
    list.push_back(e->type.kind == Kind::mask || e->type.kind == Kind::host_bool
                       ? print_.print(e)
                       : print_.operand(e));
  list.insert(list.end(), last.begin(), last.end());
  return PyNode::call(function, std::move(list));
}

/// The wave, dst, then operands.
PyNode PythonOperations::of_wave(const std::string &function, const Statement &s) const {
  PyNode node = call(function, s);
  node.arguments.insert(node.arguments.begin(), PyNode("w"));
  return node;
}

/// Element-wise float arithmetic is one instruction.
PyNode PythonOperations::arithmetic(const Statement &s, const char *op) const {
  const Expr &a = s.operands[1], &b = s.operands[2];
  const PyNode dst = print_.print(s.operands[0]).as("dst"), name(std::string("nl.") + op);
  if (a->type.is_tile() && b->type.is_tile())
    return PyNode::call("nisa.tensor_tensor", {dst, print_.print(a).as("data1"),
                                               print_.print(b).as("data2"), name.as("op")});
  if (a->type.is_tile())
    return PyNode::call("nisa.tensor_scalar", {dst, print_.print(a).as("data"), name.as("op0"),
                                               print_.instruction_operand(b).as("operand0")});
  return PyNode::call("nisa.tensor_scalar", {dst, print_.print(b).as("data"), name.as("op0"),
                                             print_.instruction_operand(a).as("operand0"),
                                             PyNode("True").as("reverse0")});
}

PyNode PythonOperations::atomic(const Statement &s) const {
  const bool fetches = s.operation.starts_with("fetch_"), wide = s.operation.ends_with("64");
  std::vector<PyNode> list{PyNode("w")};
  for (size_t i = fetches; i < s.operands.size(); ++i) {
    const Expr &e = s.operands[i];
    const bool is_mask = e->type.kind == Kind::mask || e->type.kind == Kind::host_bool;
    list.push_back(is_mask && i + 1 == s.operands.size() ? print_.print(e)
                   : wide                                ? print_.wide_operand(e)
                                                         : print_.operand(e));
  }
  if (fetches)
    list.push_back(print_.print(s.operands[0]).as("old"));
  return PyNode::call("lanes.atomic" + s.operation.substr(s.operation.find('_')), std::move(list));
}

/// Operations with a 64-bit operand or result.
std::optional<PyNode> PythonOperations::print_wide(const Statement &s) const {
  const std::string &name = s.operation;
  std::vector<PyNode> list;
  for (const Expr &e : s.operands)
    list.push_back(print_.wide_operand(e));
  if (name == "load") // dst, place, size, mask
    return (PyNode::call("lanes.load_pair", {list[0], list[1], list[3]}));
  if (name == "store")
    return (PyNode::call("lanes.store_pair", {PyNode("w"), list[0], list[1], list[3]}));
  const bool moves = name == "assign" || name == "select" || name == "materialize";
  if (name.starts_with("shfl") || is_together(name))
    list.insert(list.begin(), PyNode("w"));
  if (is_together(name))
    return (PyNode::call("lanes." + name, std::move(list)));
  if (moves || name.starts_with("shfl"))
    return (PyNode::call("lanes." + name + "_pair", std::move(list)));
  if (!kWide.count(name))
    return {};
  return PyNode::call("lanes.wide." + name, std::move(list));
}

/// The wave, then operands: a handle is an object of the package.
PyNode PythonOperations::of_texture(const Statement &s) const {
  const Expr handle = texture_handle(s);
  std::vector<PyNode> list{PyNode("w")};
  for (const Expr &e : s.operands) {
    const bool known = e->type.kind == Kind::index || e->type.kind == Kind::mask ||
                       e->type.kind == Kind::host_bool;
    list.push_back(e == handle ? print_.texture(e) : known ? print_.print(e) : print_.operand(e));
  }
  return PyNode::call("lanes." + s.operation, std::move(list));
}

std::optional<PyNode> PythonOperations::print(const Statement &s) const {
  const std::string &name = s.operation;
  const auto &args = s.operands;
  static const std::map<std::string, const char *> instructions{
      {"fadd", "add"}, {"fsub", "subtract"}, {"fmul", "multiply"}};
  if (is_atomic(name))
    return atomic(s);
  if (texture_handle(s))
    return of_texture(s);
  if (on_pairs(s))
    return print_wide(s);
  if (auto found = instructions.find(name); found != instructions.end()) {
    if (args[1]->type.is_tile() || args[2]->type.is_tile())
      return (arithmetic(s, found->second));
    return (call("lanes." + name, s));
  }
  if (name == "load")
    return (call("lanes.load", s));
  if (name == "store") {
    if (args[1]->type.is_tile())
      return (call("lanes.store", s));
    if (args[2]->integer == 8)
      return (
          PyNode::call("lanes.store_pair", {PyNode("w"), print_.print(args[0]),
                                            print_.wide_operand(args[1]), print_.print(args[3])}));
    if (args[1]->form == Expression::Form::variable && facts_.is_int_data(args[1]->variable))
      return (call("lanes.store", s));
    const char *dtype = args[1]->type.kind == Kind::host_float ? "nl.float32" : "nl.int32";
    return (PyNode::call("lanes.store_number",
                         {PyNode("w"), print_.print(args[0]), print_.operand(args[1]),
                          PyNode(dtype), print_.operand(args[2]), print_.print(args[3])}));
  }
  if (name == "assign" || name == "fill" || name == "copy")
    return (call("lanes." + name, s));
  if (name.starts_with("shfl")) {
    std::vector<PyNode> list{PyNode("w")};
    for (size_t i = 0; i < args.size(); ++i)
      list.push_back(args[i]->type.kind == Kind::index ? print_.print(args[i])
                                                       : print_.operand(args[i]));
    return (PyNode::call("lanes." + name, std::move(list)));
  }
  if (is_together(name))
    return (of_wave("lanes." + name, s));
  static const std::set<std::string> by_mode{"fdiv", "fma", "sqrt", "reciprocal"};
  if (by_mode.count(name))
    return (call("lanes." + name, s, {PyNode("launch.precise_math")}));
  if (name == "div_exact" || name == "sqrt_exact")
    return (call(name[0] == 'd' ? "lanes.fdiv" : "lanes.sqrt", s, {PyNode("True")}));
  if (name == "trunc_float")
    return (call("lanes.trunc", s));
  if (kPlain.count(name))
    return (call("lanes." + name, s));
  return {};
}

} // namespace neuronify::emit
