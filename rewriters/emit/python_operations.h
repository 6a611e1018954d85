// Operations on tiles as Python: one instruction, or one call of the package.
#pragma once

#include "emit/python_expression.h"

#include <optional>

namespace neuronify::emit {

/// Is one of the operands a 64-bit tile?
bool on_pairs(const tile::Statement &statement);

class PythonOperations {
public:
  PythonOperations(const PythonFacts &facts, const PythonExpressions &print)
      : facts_(facts), print_(print) {}

  /// What `statement` issues; nothing where it has no form. Of `assign`, to tiles only.
  std::optional<PyNode> print(const tile::Statement &statement) const;

private:
  std::optional<PyNode> print_wide(const tile::Statement &s) const;
  PyNode call(const std::string &function, const tile::Statement &s,
              std::vector<PyNode> last = {}) const;
  PyNode of_texture(const tile::Statement &s) const;
  PyNode of_wave(const std::string &function, const tile::Statement &s) const;
  /// The wave, place, values and mask, and the tile of old values by name.
  PyNode atomic(const tile::Statement &s) const;
  PyNode arithmetic(const tile::Statement &s, const char *op) const;

  const PythonFacts &facts_;
  const PythonExpressions &print_;
};

} // namespace neuronify::emit
