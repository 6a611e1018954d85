// The table of a side-by-side run.
#pragma once

#include <string>
#include <vector>

namespace neuronify::tool {

/// Rows of cells under a heading, each column as wide as its widest cell.
class Table {
public:
  /// Columns whose name begins with '>' are aligned to the right.
  explicit Table(std::vector<std::string> columns);
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string str() const;

private:
  std::vector<std::string> columns_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

/// "12.3 us": three digits and a unit.
std::string print_seconds(double seconds);

/// "0" or "3.1e-07".
std::string print_relative(double value);

} // namespace neuronify::tool
