// Doubles in memory, floats on the chip: no engine knows 64-bit floats.
//
// A double of memory is a pair of int32 tiles (lanes/wide.h) with its bits. Both conversions are
// exact integer arithmetic and hold for all values: zeros keep their sign, NaN stays NaN with the
// upper bits of its payload.
#pragma once

#include "lanes/wide.h"

namespace nki {

/// The nearest float, ties to even: infinite beyond its range, with its subnormals and zeros below.
void double_to_float(const Tensor &dst, const Wide &a);
/// The same number, subnormals too.
void float_to_double(const Wide &dst, const Tensor &a);
/// The same number.
void int_to_double(const Wide &dst, const Tensor &a);
void uint_to_double(const Wide &dst, const Tensor &a);

} // namespace nki
