// printf in kernels.
#pragma once

#include <string>

namespace neuronify::reference {

/// Appends to `out` what device printf would write. `arguments` is the buffer that CUDA's
/// vprintf takes: each argument promoted as for printf, at its natural alignment. Returns the
/// number of arguments printed.
int print(std::string &out, const char *format, const void *arguments);

} // namespace neuronify::reference
