// Argument reduction of trigonometric functions. Private to runtime/lanes/math*.cpp.
#pragma once

#include "lanes/math_tiles.h"

namespace nki::math {

/// What an angle is reduced by.
enum class Period : uint8_t {
  pi,           ///< x = turns * pi + rest, rest in [-pi/2, pi/2]
  pi_from_half, ///< x = (turns + 1/2) * pi + rest, rest in [-pi/2, pi/2]
  half_pi,      ///< x = turns * pi/2 + rest, rest in [-pi/4, pi/4]
};

struct Reduced {
  Tensor turns; ///< int32; the lowest bit is right, the others only for |x| < 6000
  Tensor rest;  ///< to about one unit in its last place; NaN for infinities and NaN
};

/// All floats. Lanes with |x| up to 12,864 (6,432 for half_pi) take nine instructions; the long
/// sequence for larger ones runs only if there are any.
Reduced reduce(const Tensor &x, Period period);

} // namespace nki::math
