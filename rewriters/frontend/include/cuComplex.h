// Complex numbers of the CUDA toolkit.
#pragma once
#ifndef CU_COMPLEX_H_ // NVIDIA's guard: a toolkit's copy of this header, beside another of its
#define CU_COMPLEX_H_ // headers that was asked for, and this one exclude each other

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"

#define NEURONIFY_FN static __host__ __device__ __forceinline__
#include "neuronify/complex/cu_complex.inc"
#undef NEURONIFY_FN

#include "neuronify/end_library.h"
#endif
