// Names that a tile program has for C++'s sake and Python does not need.
#pragma once

#include "tile/program.h"

namespace neuronify::emit {

/// The same program with fewer variables: widened integers, of which Python has one kind, stand
/// under their own name; what becomes a variable is made under the variable's name; a variable
/// that takes another one's place in a loop and gives it back is that one.
tile::Program tidied_for_python(const tile::Program &program);

} // namespace neuronify::emit
