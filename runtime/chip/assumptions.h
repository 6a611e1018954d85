// What the public documentation of the chip leaves open, as parameters of the model.
#pragma once

#include <cstdint>

namespace nki::chip {

/// What max and min give when one operand is NaN.
enum class NanRule : uint8_t {
  propagate, ///< NaN, as NumPy and therefore AWS's simulator
  number,    ///< the other operand, as IEEE 754 maxNum
};

/// What int32/uint32 add, subtract and multiply on GpSimdE give beyond 32 bits.
enum class OverflowRule : uint8_t { wrap, saturate };

/// What ScalarE's functions give for inputs outside of their documented valid range.
enum class OutsideRange : uint8_t {
  nan,          ///< NaN, so that a kernel that relies on it is seen
  mathematical, ///< the function's value, as AWS's simulator
};

/// Each member is one numbered entry of docs/chip-assumptions.md, which says why its default was
/// chosen. A port that must not depend on one of them is run with both settings.
struct ChipAssumptions {
  /// 1. Subnormal fp32 inputs and results of VectorE, ScalarE and GpSimdE count as zero.
  bool flush_denormals = false;
  /// 2. NaN in maximum, minimum, abs_max, abs_min and in reductions and scans with them.
  NanRule nan_in_min_max = NanRule::propagate;
  /// 3. GpSimdE integer overflow.
  OverflowRule integer_overflow = OverflowRule::wrap;
  /// 4. Shift counts of 32 and more (or of the type's width and more) give 0. Otherwise the count
  /// is taken modulo 32.
  bool large_shift_is_zero = true;
  /// 5. The first of two operations of one instruction rounds to fp32 before the second.
  bool round_between_operations = true;
  /// 6. log, sqrt, rsqrt, reciprocal and arctan of ScalarE outside their range. (The sine is
  /// documented: it goes on as a cubic.)
  OutsideRange outside_activation_range = OutsideRange::nan;
};

} // namespace nki::chip
