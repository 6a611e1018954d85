// The library of kernels, one translation unit: see definitions.h.
#include "bessel.h"
#include "packed.h"
#include "pair_functions.h"
#include "pairs.h"
#include "rounding.h"
#include "special.h"
