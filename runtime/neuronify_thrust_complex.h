// What ported host code includes in place of thrust/complex.h.
#pragma once

#include "neuronify.h"

#include <cmath>
#include <complex>
#include <ostream>
#include <type_traits>

#define NEURONIFY_FN static inline
#define NEURONIFY_METHOD inline
namespace thrust {
#include "host/complex/complex.inc"
} // namespace thrust
#undef NEURONIFY_FN
#undef NEURONIFY_METHOD
