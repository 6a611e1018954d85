// The operations that statements issue, with the kinds of their operands, as data.
#pragma once

#include "tile/program.h"

#include <string_view>

namespace neuronify::tile {

/// Signature letters, the first is what the operation writes:
///   f float tile, i int tile, l 64-bit tile, L the same or host int, t tile of any type, F float
///   tile or host float, I int tile or host int, T tile of any type or host scalar, m mask or host
///   truth value, p place, x launch-known or host integer, X the same or an int tile, n host
///   integer, v any variable, V value for it; `*` stands for any number of tiles, host scalars and
///   launch-known integers
struct OperationRow {
  std::string_view name, signature;
};

/// The first row of `name`, or null. An operation may have several, for tiles of different types.
const OperationRow *find_operation(std::string_view name);
/// The row of `name` that the operands fit, or null.
const OperationRow *find_operation(std::string_view name, const std::vector<Expr> &operands);
/// Can an operation of this row have `count` operands?
bool takes(const OperationRow &row, size_t count);
/// The letter of operand `operand` of `count`.
char letter_of(const OperationRow &row, size_t operand, size_t count);
/// Does `e` fit signature letter `letter`?
bool fits(char letter, const Expr &e);

} // namespace neuronify::tile
