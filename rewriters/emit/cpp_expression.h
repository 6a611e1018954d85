// Expressions of a tile program as C++ text. Private to rewriters/emit.
#pragma once

#include "tile/program.h"

#include <string>

namespace neuronify::emit {

/// How tightly a piece of C++ text binds, as far as it matters here.
enum class Binding : int {
  conditional = 3,
  bit_or,
  bit_xor,
  bit_and,
  equality,
  relation,
  shift,
  sum,
  product,
  unary,
  primary
};

struct Text {
  std::string text;
  Binding binding = Binding::primary;
};

class ExpressionPrinter {
public:
  explicit ExpressionPrinter(const tile::Program &program) : program_(program) {}
  std::string print(const tile::Expr &expression) const { return text(expression).text; }
  /// As an operand of an operator that binds as tightly as `binding` or more.
  std::string print(const tile::Expr &expression, Binding binding) const;
  /// A host integer with the given signedness, cast where its C type has another.
  std::string print_as(const tile::Expr &expression, bool is_signed, Binding binding) const;
  /// As an argument of an operation on 32-bit tiles: a tile, a float, or an int32_t.
  std::string print_operand(const tile::Expr &expression) const;
  /// As an argument of an operation on 64-bit integers: a pair of tiles or a number.
  std::string print_wide(const tile::Expr &expression) const;
  static std::string type_name(const tile::Type &type);

private:
  Text text(const tile::Expr &e) const;
  Text literal(const tile::Expr &e) const;
  Text host(const tile::Expr &e) const;
  std::string field(const tile::Expr &e, const std::string &type) const;
  Text lanes(const tile::Expr &e) const;
  Text mask(const tile::Expr &e) const;
  Text place(const tile::Expr &e) const;
  /// An operand of an Index operation of `bits` bits.
  std::string index_operand(const tile::Expr &e, int bits, Binding binding) const;
  /// A mask, or a host truth value as all lanes or none.
  std::string truth(const tile::Expr &e, Binding binding = Binding::conditional) const;
  Text infix(const tile::Expr &e, const char *sign, Binding binding, bool is_signed) const;
  Text index_infix(const tile::Expr &e, const char *sign, Binding binding) const;

  const tile::Program &program_;
};

} // namespace neuronify::emit
