// Elementary functions of the engines, one element at a time, in fp32.
#pragma once

#include <cmath>

namespace nki::chip::math {

inline float power(float a, float b) { return float(std::pow(double(a), double(b))); }
inline float rsqrt(float a) { return float(1.0 / std::sqrt(double(a))); }

} // namespace nki::chip::math
