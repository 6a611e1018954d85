// The tile program: what a kernel becomes before anyone prints it as C++ or NKI Python.
//
// It is a structured metaprogram over the lanes of one wave (docs/design.md). Expressions are pure
// and work on what is known at launch: host scalars, launch-known integers and masks, places in
// memory. Statements declare and set variables, issue operations on tiles, and branch or loop on
// host scalars. Statement operations are listed in operations.h with the kinds of their operands.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace neuronify::tile {

/// What a value is (docs/design.md, "Emitted kernels are metaprograms over lanes").
enum class Kind : uint8_t {
  none,
  host_bool,
  host_int,   ///< C integer of `bits` bits, `is_signed`
  host_float, ///< float, double where `bits` is 64
  index,      ///< launch-known integer per lane, `bits` bits
  mask,       ///< set of lanes
  tile_float, ///< float32 {P, F}
  tile_int,   ///< int32 {P, F}; bits above `bits` are unspecified
  tile_wide,  ///< a pair of int32 {P, F}; bits above `bits` (33 to 64) are unspecified
  place,      ///< memory place per lane
  pointer,    ///< a device pointer argument, nki::hbm<T>
};

struct Type {
  Kind kind = Kind::none;
  uint8_t bits = 32;
  bool is_signed = true;
  std::string element = {}; ///< pointer: element type as C++ writes it, for example "const float"
  bool operator==(const Type &) const = default;
  bool is_tile() const {
    return kind == Kind::tile_float || kind == Kind::tile_int || kind == Kind::tile_wide;
  }
  bool is_host() const {
    return kind == Kind::host_bool || kind == Kind::host_int || kind == Kind::host_float;
  }
};

struct Expression;
using Expr = std::shared_ptr<const Expression>;

/// A literal, a variable, or an operation on expressions.
struct Expression {
  enum class Form : uint8_t { literal, variable, operation };
  Form form = Form::literal;
  Type type;
  int64_t integer = 0;   ///< literal: value of an integer, 0 / 1 of a bool, bits of a float
  int variable = -1;     ///< variable: its number
  std::string operation; ///< operation: its name, for example "add"
  std::vector<Expr> operands;
};

Expr literal(const Type &type, int64_t value);
Expr float_literal(float value);
Expr variable(int number, const Type &type);
Expr operation(std::string name, const Type &type, std::vector<Expr> operands);
/// The opposite of a truth value or mask; undoes a negation rather than stack another.
Expr negate(const Expr &condition);
bool same(const Expr &a, const Expr &b);
/// Does `expression` read variable `number`?
bool reads(const Expr &expression, int number);

struct Variable {
  std::string name;
  Type type;
  bool named = false; ///< the name is the original's, not made up
};

struct Statement {
  enum class Form : uint8_t {
    declare, ///< a new variable; tiles without value are fresh and unwritten
    set,     ///< the variable becomes (tiles: becomes another name of) the value
    issue,   ///< operation `operation` on `operands`; the first operand is what it writes
    branch,  ///< if (condition) body else otherwise
    loop,  ///< while (condition) body; without condition: until leave. With a counter (`variable`):
           ///< for (counter = start; condition; counter = step) body
    leave, ///< ends the innermost loop
  };
  Form form = Form::issue;
  unsigned line = 0;     ///< of the original source; 0: none
  int variable = -1;     ///< declare, set
  std::string operation; ///< issue
  Expr value;            ///< declare, set; branch and loop: the condition
  Expr start, step;      ///< loop with a counter
  std::vector<Expr> operands;
  std::vector<Statement> body, otherwise;
};

/// A launch argument that the kernel reads, or a device variable.
struct Input {
  int variable = -1;
  int argument = -1;         ///< number of the kernel argument; -1: device variable
  uint64_t offset = 0;       ///< bytes inside the argument
  std::string symbol;        ///< device variable: mangled name
  bool is_parameter = false; ///< a whole scalar or pointer argument, printed as a C++ parameter
  uint64_t memory_bytes = 0; ///< the argument as a whole, this large, lies in device memory
};

/// What a statement prints: a format, and per value the strings it chooses from, if it is one.
struct PrintedText {
  std::string format;
  std::vector<std::vector<std::string>> choices;
};

struct Program {
  std::string name;       ///< as a person writes it: "saxpy<float>"
  std::string identifier; ///< C++ identifier
  std::string mangled, file;
  unsigned line = 0;
  bool block_per_partition = false; ///< threads of a block work together
  bool warps = false;               ///< threads of a warp work together, those of a block do not
  bool one_core = false;            ///< waves run on one core
  bool demoted = false;             ///< double precision is computed in single
  bool paired = false;              ///< double precision is computed with pairs of floats
  bool sequential = false;          ///< and all lanes in the original's order
  bool waves_together = false;      ///< waves wait for each other at barriers of the grid
  std::string mapping;              ///< for people and reports
  std::string pointer_types;        ///< comparison hints for the runtime, "f32,i32" per pointer
  bool precise_math = false;        ///< the kernel asks for exact sequences (docs/numerics.md)
  int64_t static_shared_bytes = 0;  ///< `__shared__` arrays of fixed size, for launch checks
  std::vector<Variable> variables;
  std::vector<Input> inputs;
  std::vector<PrintedText> texts; ///< by the first operand of `print` and `assert_fail`
  std::vector<Statement> body;    ///< of the loop over waves

  int add_variable(std::string name, const Type &type, bool named = false);
};

/// `expression` with `function` applied to each operand; the same one where that changes none.
template <class F> Expr with_operands(const Expr &expression, F &&function) {
  std::vector<Expr> operands;
  bool changed = false;
  for (const Expr &operand : expression->operands) {
    operands.push_back(function(operand));
    changed |= operands.back() != operand;
  }
  return changed ? operation(expression->operation, expression->type, std::move(operands))
                 : expression;
}

/// Calls `function` for every expression of `statement` itself, not of nested statements.
template <class F> void for_each_expression(const Statement &statement, F &&function) {
  for (const Expr *value : {&statement.value, &statement.start, &statement.step})
    if (*value)
      function(*value);
  for (const Expr &operand : statement.operands)
    function(operand);
}

/// Calls `function` for every statement, outer before inner.
template <class F> void for_each_statement(const std::vector<Statement> &body, F &&function);
/// The same for one statement and those in it.
template <class F> void for_each_statement(const Statement &statement, F &&function) {
  function(statement);
  for_each_statement(statement.body, function);
  for_each_statement(statement.otherwise, function);
}
template <class F> void for_each_statement(const std::vector<Statement> &body, F &&function) {
  for (const Statement &statement : body)
    for_each_statement(statement, function);
}

} // namespace neuronify::tile
