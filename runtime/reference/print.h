// printf in kernels.
#pragma once

namespace neuronify::reference {

/// Writes to standard output what device printf would. `arguments` is the buffer that CUDA's
/// vprintf takes: each argument promoted as for printf, at its natural alignment. Returns the
/// number of arguments printed.
int print(const char *format, const void *arguments);

} // namespace neuronify::reference
