// How an operand reads in a message.
#pragma once

#include "nki/tensor.h"

#include <string>

namespace nki {

/// For example "x float32[128,512] in sbuf", or "no tensor".
std::string describe(const Tensor &tensor);

} // namespace nki
