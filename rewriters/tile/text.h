// Tile programs as text, and back. docs/design.md shows an example.
#pragma once

#include "tile/program.h"

#include <optional>
#include <string>
#include <string_view>

namespace neuronify::tile {

/// Prints everything that a program is.
std::string print(const Program &program);
std::string print(const Program &program, const Expr &expression);
std::string print(const Type &type);

/// `text` as a C++ string literal, as programs are printed with.
std::string quoted(const std::string &text);

/// Reads what print() wrote: print(parse(print(p))) == print(p). On failure nothing, and `error`
/// says line and reason.
std::optional<Program> parse(std::string_view text, std::string &error);

} // namespace neuronify::tile
