// Complex numbers of Thrust.
#pragma once

#include "../cuda_runtime.h"

#include <cmath>
#include <complex>
#include <ostream>
#include <type_traits>

#include "../neuronify/begin_library.h"

#define NEURONIFY_FN static __host__ __device__ __forceinline__
#define NEURONIFY_METHOD __host__ __device__ __forceinline__
namespace thrust {
#include "../neuronify/complex/complex.inc"
} // namespace thrust
#undef NEURONIFY_FN
#undef NEURONIFY_METHOD

#include "../neuronify/end_library.h"
