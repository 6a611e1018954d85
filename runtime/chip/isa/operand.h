// A scalar operand of an instruction: a constant, or one value per partition.
#pragma once

#include "chip/numbers.h"
#include "chip/view.h"

#include <optional>

namespace nki::chip {

class ScalarOperand {
public:
  ScalarOperand() = default;
  explicit ScalarOperand(double constant) : constant_(constant) {}
  explicit ScalarOperand(const View &column) : column_(column) {}

  bool is_constant() const { return !column_; }
  const std::optional<View> &column() const { return column_; }
  float as_float(int64_t partition) const {
    return column_ ? load_float(column_->type, column_->row(partition)) : float(constant_);
  }
  /// The bit pattern, zero-extended; constants are integers.
  uint32_t as_bits(int64_t partition) const {
    if (!column_)
      return uint32_t(int64_t(constant_));
    uint32_t bits = 0;
    __builtin_memcpy(&bits, column_->row(partition), size_of(column_->type));
    return bits;
  }

private:
  std::optional<View> column_;
  double constant_ = 0;
};

} // namespace nki::chip
