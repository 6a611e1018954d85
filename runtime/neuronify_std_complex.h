// What ported host code includes in place of cuda/std/complex.
#pragma once

#include "neuronify.h"

#include <cmath>
#include <complex>
#include <ostream>
#include <type_traits>

#define NEURONIFY_FN static inline
#define NEURONIFY_METHOD inline
namespace cuda::std {
#include "host/complex/complex.inc"
} // namespace cuda::std
#undef NEURONIFY_FN
#undef NEURONIFY_METHOD
