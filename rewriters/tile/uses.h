// How variables are read and set: what passes and emitters ask before they move or drop something.
#pragma once

#include "tile/program.h"

#include <vector>

namespace neuronify::tile {

/// Is `expression` the variable `number`, or an operation of this name? Absent ones are neither.
bool is_variable(const Expr &expression, int number);
bool is_operation(const Expr &expression, const char *name);

/// Reads of `variable` in `statement`, or in `body`, and what is nested in it.
int reads_of(const Statement &statement, int variable);
int reads_of(const std::vector<Statement> &body, int variable);
/// The variable that `statement` itself sets after its declaration, or -1.
int set_by(const Statement &statement);
/// The same without tiles that are assigned to, which stay the tiles that they are.
int rebound_by(const Statement &statement);
/// Settings of `variable` in `statement` and what is nested in it.
int sets_of(const Statement &statement, int variable);
int rebindings_of(const Statement &statement, int variable);
int rebindings_of(const std::vector<Statement> &body, int variable);
/// Does `statement` set any variable that `expression` reads?
bool disturbs(const Statement &statement, const Expr &expression);
/// Writes `value` wherever `statement`, or what is nested in it, reads `variable`.
void replace_reads(Statement &statement, int variable, const Expr &value);
/// Does `statement` end the loop around it?
bool leaves_loop(const Statement &statement);

/// How often each variable is read and set in the whole program.
struct Counts {
  explicit Counts(const Program &program);
  std::vector<int> reads, sets;

private:
  void count(const Expr &expression);
};

} // namespace neuronify::tile
