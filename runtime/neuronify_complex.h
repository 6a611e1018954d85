// What ported host code includes in place of cuComplex.h.
#pragma once

#include "neuronify.h"

#include <cmath>

#define NEURONIFY_FN static inline
#include "host/complex/cu_complex.inc"
#undef NEURONIFY_FN
