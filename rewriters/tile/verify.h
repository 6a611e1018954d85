// Rules that every tile program keeps, checked after every pass.
#pragma once

#include "tile/program.h"

#include <string>
#include <vector>

namespace neuronify::tile {

/// What is wrong with `program`: one sentence each; empty where nothing is.
/// Variables are declared before they are read, in a block that encloses the use; operations are
/// known and their operands are of the kinds they take; values fit the variables they are set to;
/// `leave` is inside a loop.
std::vector<std::string> verify(const Program &program);

} // namespace neuronify::tile
