// A scalar operand of an instruction: a constant, or one value per partition.
#pragma once

#include "chip/numbers.h"
#include "chip/view.h"

#include <optional>
#include <vector>

namespace nki::chip {

class ScalarOperand {
public:
  ScalarOperand() = default;
  explicit ScalarOperand(double constant) : constant_(constant) {}
  explicit ScalarOperand(const View &column) : column_(column) {}

  bool is_constant() const { return !column_; }
  const std::optional<View> &column() const { return column_; }
  float as_float(int64_t partition) const {
    if (!column_)
      return float(constant_);
    if (column_->type == DType::float32) {
      float value;
      __builtin_memcpy(&value, column_->row(partition), 4);
      return value;
    }
    return load_float(column_->type, column_->row(partition));
  }
  /// The bit pattern, zero-extended; constants are integers.
  uint32_t as_bits(int64_t partition) const {
    if (!column_)
      return uint32_t(int64_t(constant_));
    uint32_t bits = 0;
    __builtin_memcpy(&bits, column_->row(partition), size_of(column_->type));
    return bits;
  }
  /// Keeps the values of now: the instruction is going to write over them.
  void freeze() {
    copy_.resize(size_t(column_->partitions) * 4);
    for (int64_t p = 0; p < column_->partitions; ++p)
      __builtin_memcpy(&copy_[size_t(p) * 4], column_->row(p), size_of(column_->type));
    column_->base = copy_.data();
    column_->pitch = 4;
  }
  ScalarOperand(const ScalarOperand &) = delete;
  ScalarOperand &operator=(const ScalarOperand &) = delete;
  ScalarOperand(ScalarOperand &&) = default;
  ScalarOperand &operator=(ScalarOperand &&) = default;

private:
  std::optional<View> column_;
  std::vector<uint8_t> copy_;
  double constant_ = 0;
};

} // namespace nki::chip
