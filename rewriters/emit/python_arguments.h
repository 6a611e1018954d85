// The arguments of a kernel in NKI Python: its signature, what they are, how the runner makes them.
#pragma once

#include "emit/python_expression.h"
#include "emit/python_text.h"

#include <string>
#include <vector>

namespace neuronify::emit {

/// Prints what concerns the arguments of one kernel, once its body has been printed with `print`.
class PythonArguments {
public:
  PythonArguments(const tile::Program &program, const PythonFacts &facts,
                  const PythonExpressions &print)
      : program_(program), facts_(facts), print_(print) {}

  /// What the function is called with, in order; the last four are the launch's configuration.
  std::vector<PyNode> signature() const;
  /// The function's docstring: each argument with type, shape and use.
  void document(PyWriter &writer) const;
  /// The kernel's entry in the runner; `{module}` stands for its module.
  std::string description() const;
  /// What the kernel writes to, in order.
  std::vector<std::string> results() const;
  /// Is the argument a tensor of one element, which lanes compute with?
  bool is_data_scalar(const tile::Input &input) const;

  /// Is the argument a pointer that is a number?
  bool is_address(const tile::Input &input) const;
  /// The numbers that tell where the memory that addresses are of begins, an argument beside it.
  std::string stretches() const;
  /// The numbers that describe a texture, an argument beside its memory.
  std::string modes(const tile::Input &input) const;

private:
  const tile::Type &type(const tile::Input &input) const;
  std::string element(const tile::Input &input) const;
  std::string meaning(const tile::Input &input) const;
  std::string pointer_meaning(const tile::Input &input) const;
  std::string where(const tile::Input &input) const;
  std::string texture_parameter(const tile::Input &input, const std::string &name) const;
  std::string parameter(const tile::Input &input) const;

  const tile::Program &program_;
  const PythonFacts &facts_;
  const PythonExpressions &print_;
};

} // namespace neuronify::emit
