// What ported host code includes in place of mma.h: the 16-bit floats, and the names by which it
// chooses kernels. Fragments themselves are for kernels.
#pragma once

#include "neuronify_bf16.h"
#include "neuronify_fp16.h"

#include "host/narrow/fragment_names.inc"
