// Python source as `ruff format` would write it: 88 columns, calls split at their brackets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace neuronify::emit {

/// How tightly an expression holds together, loosest first, in Python's order.
enum class PyBinding : uint8_t {
  conditional,
  logical_or,
  logical_and,
  logical_not,
  comparison,
  bit_or,
  bit_xor,
  bit_and,
  shift,
  sum,
  product,
  unary,
  primary,
};

/// A Python expression: text, or a call (`text` is then what is called) with its arguments, or a
/// list.
struct PyNode {
  std::string text;
  PyBinding binding = PyBinding::primary;
  bool is_call = false;
  char open = '(', close = ')';
  std::vector<PyNode> arguments = {};
  std::string keyword = {}; ///< of an argument: its name
  /// Operands of operators that hold alike, where lines may break; each but the first has its sign.
  std::vector<PyNode> parts = {};
  std::string sign = {};

  PyNode(std::string text = {}, PyBinding binding = PyBinding::primary)
      : text(std::move(text)), binding(binding) {}
  static PyNode call(std::string callee, std::vector<PyNode> arguments);
  static PyNode list(std::vector<PyNode> elements);
  /// The same as an argument by name.
  PyNode as(std::string name) const;
  /// `a sign b`.
  static PyNode infix(const PyNode &a, const std::string &sign, const PyNode &b, PyBinding binding);
  /// On one line.
  std::string flat() const;
  /// On one line, in parentheses where it holds together less than `least`.
  std::string flat(PyBinding least) const;
};

/// Lines of a function body, indented.
class PyWriter {
public:
  explicit PyWriter(int indent = 0) : indent_(indent) {}
  /// `prefix` + node + `suffix`, split where it does not fit: ("x = ", call, "").
  void line(const std::string &prefix, const PyNode &node, const std::string &suffix = "");
  void line(const std::string &text) { line(text, PyNode()); }
  void comment(const std::string &text);
  void blank() { text_ += '\n'; }
  void open() { indent_ += 4; }
  void close() { indent_ -= 4; }
  const std::string &text() const { return text_; }
  size_t size() const { return text_.size(); }

private:
  void put(int indent, const std::string &text);
  void split(int indent, const std::string &prefix, const PyNode &node, const std::string &suffix);
  void split_parts(int indent, const PyNode &node, const std::string &suffix);
  bool split_last_call(int indent, const std::string &prefix, const PyNode &node,
                       const std::string &suffix);
  std::string text_;
  int indent_;
};

/// A string literal of Python.
std::string python_string(const std::string &text);

} // namespace neuronify::emit
