// The library of kernels, one translation unit: see definitions.h.
#include "packed.h"
#include "rounding.h"
