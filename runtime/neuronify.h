// What ported host code includes in place of CUDA's runtime headers.
//
// The runtime API is in namespace neuronify under CUDA's names without the prefix `cuda`. What CUDA
// puts into the global namespace without a prefix (dim3, vector types and their makers, min, max,
// the markers such as __host__) is there as well, and so are the C headers that CUDA's header
// brings along, so that host text which names nothing of CUDA keeps compiling.
#pragma once

extern "C++" { // some programs include their headers inside of extern "C" { }

#include "host/array_types.h"
#include "host/cuda_keywords.h"
#include "host/device.h"
#include "host/error.h"
#include "host/host_math.h"
#include "host/kernel_call.h"
#include "host/kernel_stub.h"
#include "host/launch.h"
#include "host/memory.h"
#include "host/registry.h"
#include "host/stream.h"
#include "host/symbol.h"
#include "host/texture.h"
#include "host/types.h"
#include "host/vector_types.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

using neuronify::dim3;

#define NEURONIFY_USE_VECTORS(name, type, align2, align4)                                          \
  using neuronify::name##1;                                                                        \
  using neuronify::name##2;                                                                        \
  using neuronify::name##3;                                                                        \
  using neuronify::name##4;                                                                        \
  using neuronify::make_##name##1;                                                                 \
  using neuronify::make_##name##2;                                                                 \
  using neuronify::make_##name##3;                                                                 \
  using neuronify::make_##name##4;
NEURONIFY_VECTOR_TYPES(NEURONIFY_USE_VECTORS)
#undef NEURONIFY_USE_VECTORS

} // extern "C++"
