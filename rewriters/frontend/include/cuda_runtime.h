// CUDA's language and runtime for Clang, without a CUDA toolkit. Included before every CUDA file,
// as nvcc does; written from NVIDIA's public documentation. Device mathematics comes from Clang's
// own wrappers of libdevice, so that the IR is the same as with a toolkit.
#pragma once
#define __CUDA_RUNTIME_H__ // NVIDIA's guard, so that a toolkit's copy of this header adds nothing

#ifndef __CUDA__
#error "neuronify's CUDA headers are for CUDA code compiled by Clang"
#endif

// Device overloads of <cmath> must be known before <cmath> is.
#include <__clang_cuda_math_forward_declares.h>

// libstdc++ avoids __float128 where it sees nvcc.
#define __CUDACC__ 1
#include <assert.h>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <library_types.h> // by its place in the search path, for #include_next
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limits>
#include <new>
#include <utility>

#include "cuda_version.h"
#include "driver_types.h"
#include "host_defines.h"
#include "neuronify/begin_library.h"
#include "vector_functions.h"
#include "vector_types.h"

#include "cuda_runtime_api.h"

// Clang's wrappers declare every device function in the host pass too, where the architecture is
// not set; taking the newest shows them all.
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif
// clang-format off
#include <__clang_cuda_builtin_vars.h>
// As functions of libdevice; for later toolkits Clang writes the ones of packed integers in PTX.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include <__clang_cuda_math.h>
#include "neuronify/builtin_variables.h"
#include "neuronify/device_memory.h"
#include "neuronify/math.h"
#include "neuronify/warp.h"
#include "neuronify/loads.h"
#include "neuronify/atomics.h"
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
// clang-format on
#pragma pop_macro("__CUDA_ARCH__")

#include "neuronify/dot_products.h"
#include "neuronify/dpx.h"
#include "neuronify/launches.h"
#include "neuronify/nv_atomics.h"
#include "neuronify/runtime_templates.h"
#include "neuronify/surface.h"
#include "neuronify/texture.h"

#include "neuronify/end_library.h"

// Programs ask for the compiler they were written for; standard headers, above, must not see it.
#define __NVCC__ 1
