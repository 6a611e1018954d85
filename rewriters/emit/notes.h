// What people may want to know about a kernel that was ported.
#pragma once

#include "diagnostics/diagnostic.h"
#include "tile/program.h"

#include <vector>

namespace neuronify::emit {

/// NFY2001 for operations that are not exact unless `precise_math` asks for it, and NFY3001 for
/// accesses to device memory whose address comes from data: at most one note of each, which names
/// all lines.
std::vector<Diagnostic> notes_of(const tile::Program &program, bool precise_math);

} // namespace neuronify::emit
