// base^exponent in fp32, as nl.power defines it.
#pragma once

#include "chip/kernels/target.h"

namespace nki::chip {
inline namespace NEURONIFY_TARGET {
namespace math {

/// IEEE 754 pow, at most 1 ULP; exact where the power is a number of the format.
float power(float base, float exponent);

} // namespace math
} // namespace NEURONIFY_TARGET
} // namespace nki::chip
