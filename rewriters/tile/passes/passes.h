// The passes over tile programs. pipeline.cpp says in which order they run.
#pragma once

#include "tile/program.h"

#include <functional>
#include <string_view>

namespace neuronify::tile {

/// `launch_part(m)` becomes m where nothing that only the chip knows is ever in m.
void settle_masks(Program &program);
/// Removes what nobody reads: variables, operations on tiles, empty branches.
void remove_dead_code(Program &program);
/// Writes expressions where they are used, if they are used once and nothing changes in between,
/// and literals and copies of variables everywhere.
void fold_expressions(Program &program);
/// `loop { if (!c) break; … }` becomes `while (c) { … }`.
void form_while_loops(Program &program);
/// `!(k >= n)` of integers becomes `k < n`.
void settle_negations(Program &program);
/// `next = k + 1; …; k = next;` becomes `k = k + 1; …` where nobody reads the old value in between,
/// and `first = a; …; k = first;` becomes `k = a; …` where nobody reads `first` afterwards: two
/// versions of one variable of the original are one again.
void join_versions(Program &program);
/// `k = a; while (k < n) { …; k = k + 1; }` becomes `for (k = a; k < n; k = k + 1) { … }` where the
/// counter is not wanted elsewhere.
void form_for_loops(Program &program);
/// A tile that nobody reads any more gives its place to the next one of the same block.
void reuse_tiles(Program &program);
/// Every variable gets a C++ identifier of its own, close to the original's name.
void name_variables(Program &program);

/// Runs all passes in order. `after` is called with each pass's name and the program it left.
void run_passes(Program &program,
                const std::function<void(std::string_view, const Program &)> &after = {});

} // namespace neuronify::tile
