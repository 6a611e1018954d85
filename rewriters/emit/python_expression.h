// Expressions of tile programs as Python.
#pragma once

#include "emit/python_facts.h"
#include "emit/python_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace neuronify::emit {

inline bool is_literal(const tile::Expr &e) { return e->form == tile::Expression::Form::literal; }
inline bool is_operation(const tile::Expr &e) {
  return e->form == tile::Expression::Form::operation;
}
/// "threadIdx.x" as a name of Python's.
inline std::string with_underscores(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

/// Prints expressions. `lanes` is the support package, `ix` its arithmetic on launch-known
/// integers.
class PythonExpressions {
public:
  PythonExpressions(const tile::Program &program, const PythonFacts &facts);

  /// As a value of its own type: host integers are Python ints in their C type's range,
  /// launch-known ones signed, masks `True`, `False` or objects of the package.
  PyNode print(const tile::Expr &e) const;
  /// As an operand of a tile operation: host integers as signed 32-bit numbers, data scalars
  /// wrapped.
  PyNode operand(const tile::Expr &e) const;
  /// As an operand of an instruction: data scalars as columns of the wave's partitions.
  PyNode instruction_operand(const tile::Expr &e) const;
  /// The handle of a texture or surface, which Python has as an object.
  PyNode texture(const tile::Expr &handle) const;
  /// As an operand of an operation on 64-bit tiles.
  PyNode wide_operand(const tile::Expr &e) const;
  /// A condition that Python decides.
  PyNode condition(const tile::Expr &e) const { return print(e); }
  const std::string &function_name() const { return function_name_; }
  const std::string &name(int variable) const { return names_[size_t(variable)]; }
  /// The memory that addresses are of.
  const std::string &memory() const { return memory_; }
  /// The name, with underscores where a variable has it.
  std::string fresh_name(std::string name) const;
  /// An operation that has no Python form, the first that was met; empty if there was none.
  const std::string &unknown() const { return unknown_; }
  /// `nl.float32` and the like of a tile.
  static std::string dtype(const tile::Type &type);
  /// The range of a counter inside of its loop, which makes wrapping it unnecessary.
  void set_range(int variable, int64_t low, int64_t high) { ranges_[variable] = {low, high}; }
  /// A struct argument whose numbers the host reads: the parameter that has its words.
  struct Words {
    std::string name;
    int64_t bytes;
  };
  /// Those that have been printed so far, by argument.
  const std::map<int, Words> &words() const { return words_; }

  /// Variables that move with the counter of a loop on the chip: the package computes with them.
  void add_moving(const std::set<int> &variables) {
    moving_.insert(variables.begin(), variables.end());
  }

private:
  bool moves(const tile::Expr &e) const;
  struct Range {
    __int128 low, high;
  };
  PyNode fail(const std::string &what) const;
  PyNode literal(const tile::Expr &e) const;
  const std::string &words_of(const tile::Expr &field) const;
  PyNode as_bits(const tile::Expr &argument, const tile::Type &type) const;
  PyNode field(const tile::Expr &e, const std::string &element) const;
  PyNode host_int(const tile::Expr &e) const;
  PyNode host_bool(const tile::Expr &e) const;
  PyNode host_float(const tile::Expr &e) const;
  PyNode column(const tile::Expr &e) const;
  PyNode known(const tile::Expr &e) const;
  PyNode mask(const tile::Expr &e) const;
  PyNode place(const tile::Expr &e) const;
  /// Sums and products without wrapping in between, which is the same modulo 2^bits.
  PyNode ring(const tile::Expr &e) const;
  PyNode as_signed(const tile::Expr &e, bool is_signed) const;
  PyNode infix(const PyNode &a, const std::string &sign, const PyNode &b, PyBinding binding) const;
  PyNode wrapped(const PyNode &value, const tile::Type &type) const;
  PyNode known_call(const std::string &function, const tile::Expr &e) const;
  PyNode index_operand(const tile::Expr &e) const;
  Range range(const tile::Expr &e) const;
  static Range range(const tile::Type &type);
  static bool is_small(const Range &range);
  static bool fits(const Range &range, const tile::Type &type);

  const PythonFacts &facts_;
  std::string function_name_, memory_;
  std::vector<std::string> names_;
  std::map<int, Range> ranges_;
  std::set<int> moving_;
  mutable std::string unknown_;
  mutable std::map<int, Words> words_;
};

} // namespace neuronify::emit
