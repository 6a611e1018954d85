#include "emit/python.h"

#include "emit/python_arguments.h"
#include "emit/python_counters.h"
#include "emit/python_expression.h"
#include "emit/python_in_place.h"
#include "emit/python_operations.h"
#include "emit/python_ranges.h"
#include "emit/python_tidy.h"
#include "tile/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Program;
using tile::Statement;

namespace {

class KernelPrinter {
public:
  KernelPrinter(const Program &program, const PythonFacts &facts)
      : program_(program), facts_(facts), print_(program, facts),
        arguments_(program, facts, print_), out_(4) {}

  std::string run() {
    out_.open();
    block(program_.body);
    out_.close();
    return head() + out_.text() + tail();
  }

  std::string description() const { return arguments_.description(); }

  std::optional<NoPython> problem() const {
    if (problem_)
      return problem_;
    if (!print_.unknown().empty())
      return NoPython{"NFY6001", print_.unknown() + " has no form in NKI Python", last_line_};
    return {};
  }

private:
  /// Does the kernel print, so that waves have an order that people see?
  bool prints() const {
    bool found = false;
    tile::for_each_statement(program_.body, [&](const Statement &s) {
      found |= s.form == Statement::Form::issue &&
               (s.operation == "print" || s.operation == "assert_fail" || s.operation == "trap");
    });
    return found;
  }

  /// Decorator, signature, and what comes before the waves.
  std::string head() {
    PyWriter writer;
    writer.line("@nki.jit");
    writer.line("def ", PyNode::call(print_.function_name(), arguments_.signature()), ":");
    writer.open();
    arguments_.document(writer);
    writer.line("launch = ", PyNode::call("lanes.Launch", {PyNode("grid_dim"), PyNode("block_dim"),
                                                           PyNode("dynamic_shared_bytes"),
                                                           PyNode("precise_math")}));
    const std::string &memory = print_.memory();
    if (facts_.uses_addresses())
      writer.line(memory + " = ", PyNode::call("lanes.whole_memory",
                                               {PyNode(memory), PyNode(arguments_.stretches())}));
    for (const tile::Input &input : program_.inputs)
      if (arguments_.is_address(input))
        writer.line(print_.name(input.variable) + " = ",
                    PyNode::call("lanes.at_address",
                                 {PyNode(memory), PyNode(print_.name(input.variable))}));
      else if (facts_.is_texture(input.variable))
        writer.line(print_.name(input.variable) + " = ",
                    PyNode::call("lanes.texture", {PyNode(print_.name(input.variable)),
                                                   PyNode(arguments_.modes(input))}));
      else if (arguments_.is_data_scalar(input))
        writer.line(print_.name(input.variable) + " = ",
                    PyNode::call("lanes.scalar", {PyNode(print_.name(input.variable))}));
    const std::string mapping = program_.block_per_partition ? "block_per_partition"
                                : program_.warps             ? "warps"
                                                             : "flat";
    constexpr int64_t kUsual = 160; // what waves() assumes where nothing is said
    std::vector<PyNode> arguments{PyNode("launch"), PyNode(python_string(mapping))};
    if (const int64_t bytes = tile::lane_bytes(program_); bytes > kUsual)
      arguments.push_back(PyNode(std::to_string(bytes)));
    if (program_.sequential && arguments.size() > 2) // cut into parts, perhaps
      arguments.push_back(PyNode("True").as("in_order"));
    if (program_.waves_together)
      arguments.push_back(PyNode("True").as("together"));
    if (program_.sequential || program_.one_core || program_.waves_together || prints())
      arguments.push_back(PyNode("True").as("one_core"));
    writer.line("for w in ", PyNode::call("lanes.waves", std::move(arguments)), ":");
    if (program_.body.empty()) {
      writer.open();
      writer.line("pass");
    }
    return writer.text();
  }

  /// What the kernel wrote to.
  std::string tail() const {
    std::string list;
    for (const std::string &name : arguments_.results())
      list += (list.empty() ? "" : ", ") + name;
    return list.empty() ? "" : "    return " + list + "\n";
  }

  void stop(const Statement &s, const std::string &what) {
    if (!problem_)
      problem_ =
          NoPython{"NFY6001", what + " has no form in NKI Python", s.line ? s.line : program_.line};
  }

  void line(const Statement &s, const std::string &prefix, const PyNode &node,
            const std::string &suffix = "") {
    if (!print_.unknown().empty() && !problem_)
      stop(s, print_.unknown());
    if (s.line && s.line != line_) {
      out_.comment(fmt::format(":{}", s.line));
      line_ = s.line;
    }
    out_.line(prefix, node, suffix);
  }

  void block(const std::vector<Statement> &body) {
    const size_t before = out_.size();
    for (size_t i = 0; i < body.size(); ++i) {
      next_ = i + 1 < body.size() ? &body[i + 1] : nullptr;
      print(body[i]);
    }
    if (out_.size() == before)
      out_.line("pass");
  }

  void print(const Statement &s) {
    if (s.line)
      last_line_ = s.line;
    switch (s.form) {
    case Statement::Form::declare:
      return declare(s);
    case Statement::Form::set:
      return set(s);
    case Statement::Form::issue:
      return issue(s);
    case Statement::Form::leave:
      return line(s, "break", PyNode());
    case Statement::Form::branch:
      return branch(s);
    case Statement::Form::loop:
      if (const ChipLoop *loop = facts_.chip_loop(s))
        return chip_loop(s, *loop);
      if (const Repeat *loop = facts_.repeat(s))
        return repeat(s, *loop);
      if (const LaneRounds *loop = facts_.rounds(s))
        return lane_rounds(s, *loop);
      return loop(s);
    }
  }

  /// A value as the variable's type holds it.
  PyNode value(const Expr &e, const tile::Type &type) const {
    if (type.kind == Kind::index && e->type.kind == Kind::host_int) {
      Expr known = e;
      return print_.wide_operand(known);
    }
    if (type.kind == Kind::host_int && e->type.kind == Kind::host_int &&
        e->type.is_signed != type.is_signed && e->form != Expression::Form::literal)
      return PyNode::call(fmt::format("lanes.{}{}", type.is_signed ? "i" : "u", int(type.bits)),
                          {print_.print(e)});
    if (type.kind == Kind::host_int && e->form == Expression::Form::literal)
      return print_.print(tile::literal(type, e->integer));
    return print_.print(e);
  }

  void declare(const Statement &s) {
    const tile::Type &type = program_.variables[size_t(s.variable)].type;
    const std::string name = print_.name(s.variable);
    if (facts_.is_texture(s.variable) && s.value)
      return line(s, name + " = ", print_.texture(s.value));
    const bool filled = next_ && next_->form == Statement::Form::issue &&
                        next_->operation == "fill" && next_->operands[0]->variable == s.variable;
    const bool zeros = facts_.is_assigned(s.variable) && !filled;
    const bool fresh =
        type.is_tile() && (!s.value || (s.value->form == Expression::Form::operation &&
                                        s.value->operation == "tile"));
    if (fresh && type.kind == Kind::tile_wide)
      return line(s, name + " = ",
                  PyNode::call(zeros ? "lanes.zero_pair" : "lanes.pair", {PyNode("w")}));
    if (fresh)
      return line(s, name + " = ",
                  PyNode::call(zeros ? "lanes.zeros" : "lanes.tile",
                               {PyNode("w"), PyNode(PythonExpressions::dtype(type))}));
    if (s.value && (type.is_tile() || type.kind == Kind::mask) && names_carried(s.value))
      return line(s, name + " = ", own(type, value(s.value, type)));
    if (s.value)
      return line(s, name + " = ", value(s.value, type));
    const char *empty = type.kind == Kind::mask || type.kind == Kind::host_bool ? "False"
                        : type.kind == Kind::host_float                         ? "0.0"
                                                                                : "0";
    line(s, name + " = ", PyNode(empty));
  }

  /// Does a loop that is traced once carry the variable?
  bool is_carried(int variable) const {
    for (const std::vector<int> *list : carried_)
      if (std::ranges::find(*list, variable) != list->end())
        return true;
    return false;
  }

  /// Is the value another name of a variable whose contents a later round replaces?
  bool names_carried(const Expr &e) const {
    if (e->form == Expression::Form::variable)
      return is_carried(e->variable);
    const bool view = e->operation == "int_as_float" || e->operation == "float_as_int";
    return view && names_carried(e->operands[0]);
  }

  static PyNode own(const tile::Type &type, const PyNode &value) {
    if (type.kind == Kind::mask)
      return PyNode::call("lanes.own_mask", {PyNode("w"), value});
    return PyNode::call(type.kind == Kind::tile_wide ? "lanes.own_pair" : "lanes.own", {value});
  }

  void set(const Statement &s) {
    const tile::Type &type = program_.variables[size_t(s.variable)].type;
    const std::string name = print_.name(s.variable);
    if (!is_carried(s.variable))
      return line(s, name + " = ", value(s.value, type));
    // The chip runs this statement again and again: the value goes where the variable lies.
    if (type.kind == Kind::mask)
      return line(s, "", PyNode::call("lanes.set_mask", {PyNode(name), print_.print(s.value)}));
    if (alive_.empty())
      return line(s, "",
                  PyNode::call(type.kind == Kind::tile_wide ? "lanes.wide.copy" : "lanes.copy",
                               {PyNode(name), print_.print(s.value)}));
    line(s, "",
         PyNode::call(type.kind == Kind::tile_wide ? "lanes.assign_pair" : "lanes.assign",
                      {PyNode(name), print_.print(s.value), PyNode(alive_)}));
  }

  void branch(const Statement &s) {
    if (facts_.saves_rounds(s))
      return;
    if (facts_.on_chip(s.value) &&
        !(s.body.size() == 1 && s.body[0].form == Statement::Form::leave)) {
      // Masks make the body harmless where no lane wants it.
      return block(s.body);
    }
    line(s, "if ", print_.condition(s.value), ":");
    indented(s.body);
    if (s.otherwise.empty())
      return;
    out_.line("else:");
    indented(s.otherwise);
  }

  void indented(const std::vector<Statement> &body) {
    out_.open();
    block(body);
    out_.close();
  }

  /// `for k in range(start, end, step)` where that is what the loop does.
  bool counted(const Statement &s) {
    const std::optional<CountedRange> range = counted_range(s);
    if (!range)
      return false;
    const tile::Type &type = program_.variables[size_t(s.variable)].type;
    print_.set_range(s.variable, range->lowest, range->highest);
    PyNode end = print_.print(range->end);
    if (is_literal(range->end))
      end = PyNode(std::to_string(range->end->integer + range->beyond));
    else if (range->beyond)
      end = {end.flat(PyBinding::sum) + (range->beyond > 0 ? " + 1" : " - 1"), PyBinding::sum};
    std::vector<PyNode> arguments;
    if (!is_literal(s.start) || s.start->integer != 0 || range->step != 1)
      arguments.push_back(value(s.start, type));
    arguments.push_back(end);
    if (range->step != 1)
      arguments.push_back(PyNode(std::to_string(range->step)));
    line(s, "for " + print_.name(s.variable) + " in ", PyNode::call("range", std::move(arguments)),
         ":");
    return true;
  }

  /// Rounds of a loop that the original leaves earlier, as a rule.
  std::string count_rounds(const Statement &s) {
    if (!facts_.may_end_early(s))
      return "";
    const std::string name = "traced_" + std::to_string(++loops_printed_);
    line(s, name + " = ", PyNode("0"));
    return name;
  }

  /// A loop that each lane counts by itself, of which the chip may run rounds of the same lanes.
  void lane_rounds(const Statement &s, const LaneRounds &loop) {
    const std::string number = std::to_string(++loops_printed_);
    const std::string counter = print_.name(loop.counter), lanes = print_.name(loop.lanes);
    for (int variable : loop.carried) {
      const std::string name = print_.name(variable);
      line(s, name + " = ", own(program_.variables[size_t(variable)].type, PyNode(name)));
    }
    const std::vector<Statement> head(s.body.begin(),
                                      s.body.begin() + std::ptrdiff_t(loop.check) + 1);
    out_.blank();
    out_.line("def round_" + number + "(" + counter + ", " + lanes + "):");
    out_.open();
    carried_.push_back(&loop.carried);
    const std::string outer = std::exchange(alive_, "");
    std::vector<const Statement *> steps;
    for (size_t i = loop.check + 1; i < s.body.size(); ++i) {
      const Statement &inner = s.body[i];
      const bool is_step = inner.form == Statement::Form::set &&
                           (inner.variable == loop.counter || inner.variable == loop.active);
      next_ = i + 1 < s.body.size() ? &s.body[i + 1] : nullptr;
      is_step ? steps.push_back(&inner) : print(inner);
    }
    alive_ = outer;
    carried_.pop_back();
    out_.close();
    out_.blank();
    line(s, "while ", PyNode("True"), ":");
    out_.open();
    block(head);
    PyNode end = print_.wide_operand(loop.end);
    if (loop.inclusive)
      end = {end.flat(PyBinding::sum) + " + 1", PyBinding::sum};
    out_.line(counter + " = ",
              PyNode::call("lanes.rounds", {PyNode(counter), print_.wide_operand(loop.step), end,
                                            PyNode(lanes), PyNode("round_" + number)}));
    for (const Statement *step : steps)
      print(*step);
    out_.close();
  }

  void loop(const Statement &s) {
    const std::string rounds = count_rounds(s);
    auto body = [&] {
      if (!rounds.empty())
        out_.line(rounds + " = ", PyNode::call("lanes.one_more_round", {PyNode(rounds)}));
      block(s.body);
    };
    if (s.variable < 0) {
      line(s, "while ", s.value ? print_.condition(s.value) : PyNode("True"), ":");
      out_.open();
      body();
      return out_.close();
    }
    if (counted(s)) {
      out_.open();
      body();
      return out_.close();
    }
    const tile::Type &type = program_.variables[size_t(s.variable)].type;
    line(s, print_.name(s.variable) + " = ", value(s.start, type));
    line(s, "while ", s.value ? print_.condition(s.value) : PyNode("True"), ":");
    out_.open();
    body();
    out_.line(print_.name(s.variable) + " = ", value(s.step, type));
    out_.close();
  }

  /// A loop that the chip may count.
  void repeat(const Statement &s, const Repeat &loop) {
    const std::string number = std::to_string(++loops_printed_);
    const std::string counter = print_.name(loop.counter);
    const tile::Type &type = program_.variables[size_t(loop.counter)].type;
    for (int variable : loop.carried) {
      const std::string name = print_.name(variable);
      line(s, name + " = ", own(program_.variables[size_t(variable)].type, PyNode(name)));
    }
    const PyNode start = loop.start ? value(loop.start, type) : PyNode(counter);
    PyNode end = value(loop.end, type);
    if (loop.inclusive)
      end = {end.flat(PyBinding::sum) + " + 1", PyBinding::sum};
    const PyNode step(std::to_string(loop.step));
    line(s, "first_" + number + " = ", start);
    line(s, "end_" + number + " = ", end);
    out_.blank();
    out_.line("def round_" + number + "(" + counter + "):");
    out_.open();
    const PyNode first("first_" + number), last("end_" + number);
    out_.line(counter + " = ", PyNode::call("lanes.counter", {PyNode(counter), first, last, step}));
    carried_.push_back(&loop.carried);
    print_.add_moving(loop.moving);
    const std::string outer = std::exchange(alive_, "");
    for (const Statement &inner : s.body)
      if (!steps(inner, loop))
        print(inner);
    alive_ = outer;
    carried_.pop_back();
    out_.close();
    out_.blank();
    out_.line("", PyNode::call("lanes.repeat", {first, last, step, PyNode("round_" + number)}));
  }

  /// The statements that step the counter.
  static bool steps(const Statement &s, const Repeat &loop) {
    if (&s == loop.stepping)
      return true;
    return loop.stepping && s.form == Statement::Form::declare && s.variable == loop.next;
  }

  /// A loop that runs on the chip: its body is traced once, so what it carries has fixed places.
  void chip_loop(const Statement &s, const ChipLoop &loop) {
    for (int variable : loop.carried) {
      const std::string name = print_.name(variable);
      line(s, name + " = ", own(program_.variables[size_t(variable)].type, PyNode(name)));
    }
    const std::string number = std::to_string(++loops_printed_);
    const PyNode alive = print_.print(loop.alive);
    const bool at_top = loop.check == ChipLoop::kAtTop;
    const PyNode going = PyNode::call("lanes.any_lane", {PyNode("w"), alive});
    if (at_top)
      line(s, "going_" + number + " = ", going);
    out_.blank();
    out_.line("def round_" + number + "(going):");
    out_.open();
    const std::string outer = alive_;
    alive_ = at_top ? alive.flat() : "";
    carried_.push_back(&loop.carried);
    for (size_t i = 0; i < s.body.size(); ++i) {
      if (i != loop.check) {
        print(s.body[i]);
        continue;
      }
      // Where no lane is left the rest does nothing, and there is no next round.
      alive_ = alive.flat();
      if (loop.alive->form != Expression::Form::variable) {
        alive_ = "alive_" + number;
        line(s.body[i], alive_ + " = ", alive);
      }
    }
    out_.line("return ",
              at_top ? going : PyNode::call("lanes.any_lane", {PyNode("w"), PyNode(alive_)}));
    carried_.pop_back();
    alive_ = outer;
    out_.close();
    out_.blank();
    out_.line("", PyNode::call("nl.while_loop", {at_top ? PyNode("going_" + number)
                                                        : PyNode::call("lanes.first_round", {}),
                                                 PyNode("round_" + number)}));
  }

  void issue(const Statement &s) {
    const auto &args = s.operands;
    if (s.operation == "assign" && !args[0]->type.is_tile())
      return assign(s);
    if (s.operation == "grid_sync") // its blocks are in one wave: every lane has got here
      return;
    if (s.operation == "print")
      return print_values(s);
    const std::optional<PyNode> node = PythonOperations(facts_, print_).print(s);
    if (!node)
      return stop(s, "'" + s.operation + (on_pairs(s) ? "' of 64-bit integers" : "'"));
    line(s, "", *node);
  }

  /// What printf prints becomes tensors, whose names say where.
  void print_values(const Statement &s) {
    const int text = int(s.operands[0]->integer);
    std::string name = fmt::format("{}_{}", print_.function_name(), s.line);
    while (printed_.emplace(name, text).first->second != text)
      name += '_';
    std::vector<PyNode> values;
    for (size_t i = 1; i + 1 < s.operands.size(); ++i) {
      const Expr &e = s.operands[i];
      const bool whole = e->type.kind == Kind::host_int || e->type.kind == Kind::index ||
                         e->type.kind == Kind::tile_wide;
      values.push_back(whole ? print_.wide_operand(e) : print_.operand(e));
    }
    out_.comment("printf " + python_string(program_.texts[size_t(text)].format));
    line(s, "",
         PyNode::call("lanes.print_values",
                      {PyNode("w"), PyNode(python_string(name)), PyNode::list(std::move(values)),
                       print_.print(s.operands.back())}));
  }

  /// Of what is known when tracing.
  void assign(const Statement &s) {
    const auto &args = s.operands;
    const std::string variable = print_.name(args[0]->variable);
    if (args[0]->type.kind == Kind::mask && is_carried(args[0]->variable))
      return line(
          s, "",
          PyNode::call("lanes.set_mask",
                       {PyNode(variable),
                        PyNode::call("lanes.choose", {print_.print(args[2]), print_.print(args[1]),
                                                      PyNode(variable)})}));
    const char *function = args[0]->type.kind == Kind::mask ? "lanes.choose" : "lanes.choose_known";
    return line(s, variable + " = ",
                PyNode::call(function, {print_.print(args[2]), value(args[1], args[0]->type),
                                        PyNode(variable)}));
  }

  const Program &program_;
  const PythonFacts &facts_;
  PythonExpressions print_;
  PythonArguments arguments_;
  PyWriter out_;
  std::optional<NoPython> problem_;
  std::vector<const std::vector<int> *> carried_; ///< by the loops around that are traced once
  std::string alive_; ///< in a loop on the chip, behind its check: the lanes that go on
  const Statement *next_ = nullptr; ///< behind the one that is printed, in its block
  unsigned line_ = 0, last_line_ = 0;
  int loops_printed_ = 0;
  std::map<std::string, int> printed_; ///< names of tensors, and the texts they belong to
};

} // namespace

namespace {

/// The program with the counters of loops on the chip as tiles, where that helps.
Program with_counters_on_chip(const Program &program) {
  constexpr int kMost = 16; // counters, of any kernel that people write
  Program moved = program;
  for (int i = 0; i < kMost; ++i) {
    const std::optional<NoPython> problem = PythonFacts(moved).problem();
    if (!problem)
      return moved;
    if (problem->counter < 0 || !move_to_chip(moved, problem->counter))
      break;
  }
  return program;
}

} // namespace

PythonKernel python_kernel(const Program &original) {
  PythonKernel result;
  Program program = with_counters_on_chip(tidied_for_python(original));
  {
    const PythonFacts loops(program);
    sum_in_place(program, [&](const Statement &loop) { return loops.chip_loop(loop) != nullptr; });
  }
  const PythonFacts facts(program);
  result.problem = facts.problem();
  if (result.problem)
    return result;
  KernelPrinter printer(program, facts);
  result.function = printer.run();
  result.problem = printer.problem();
  if (result.problem)
    result.function.clear();
  else
    result.description = printer.description();
  return result;
}

} // namespace neuronify::emit
