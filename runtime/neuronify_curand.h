// What ported host code includes in place of curand_kernel.h: the states, of which programs
// allocate arrays. The functions exist in kernels only.
#pragma once

#include "neuronify.h"

#include "host/random/states.inc"
