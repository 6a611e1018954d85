// How often variables are read and set: what passes ask before they move something.
#pragma once

#include "tile/program.h"

#include <vector>

namespace neuronify::tile {

/// Reads of `variable` in `statement` and what is nested in it.
int reads_of(const Statement &statement, int variable);
/// The variable that `statement` itself sets after its declaration, or -1.
int set_by(const Statement &statement);
/// Settings of `variable` in `statement` and what is nested in it.
int sets_of(const Statement &statement, int variable);
/// Does `statement` set any variable that `expression` reads?
bool disturbs(const Statement &statement, const Expr &expression);

/// How often each variable is read and set in the whole program.
struct Counts {
  explicit Counts(const Program &program);
  std::vector<int> reads, sets;

private:
  void count(const Expr &expression);
};

} // namespace neuronify::tile
