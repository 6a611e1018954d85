// Do two launches print the same?
#pragma once

#include "host/compare.h"

#include <string>
#include <string_view>

namespace neuronify {

/// Compares line by line; empty where both are alike, else "line 3: reference \"...\", port
/// \"...\"". Text and integers must be equal. Numbers with a point or an exponent may differ by
/// one in their last digit (of the one that shows fewer), or by the tolerance of f32 or, where the
/// kernel's doubles are doubles, f64; NaN and infinities are text.
std::string compare_output(std::string_view reference, std::string_view port,
                           const Tolerances &tolerances);

} // namespace neuronify
