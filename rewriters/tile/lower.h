// From an analysed kernel to a tile program, by partial linearisation (docs/design.md, "Control
// flow").
#pragma once

#include "frontend/frontend.h"
#include "kernel/analysis.h"
#include "tile/program.h"

#include <optional>

namespace neuronify::tile {

/// Lowers one kernel. Nothing and at least one error diagnostic where that is not possible.
std::optional<Program> lower(const frontend::Kernel &kernel, kernel::Analysis &analysis,
                             std::vector<Diagnostic> &diagnostics);

} // namespace neuronify::tile
