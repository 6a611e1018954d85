// Generated C++ in LLVM style with lines of up to 100 columns.
#pragma once

#include <string>

namespace neuronify::emit {

/// Returns `code` formatted; unchanged where it cannot be parsed.
std::string format(const std::string &code);

} // namespace neuronify::emit
