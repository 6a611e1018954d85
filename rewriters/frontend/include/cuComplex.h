// Complex numbers of the CUDA toolkit.
#pragma once
#ifndef CU_COMPLEX_H_ // NVIDIA's guard: a toolkit's copy of this header, beside another of its
#define CU_COMPLEX_H_ // headers that was asked for, and this one exclude each other

#include "cuda_runtime.h"
#include "neuronify/begin_library.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define NEURONIFY_COMPLEX(type, real, make, f, absolute)                                           \
  static __host__ __device__ __forceinline__ type make(real x, real y) { return {x, y}; }          \
  static __host__ __device__ __forceinline__ real cuCreal##f(type a) { return a.x; }               \
  static __host__ __device__ __forceinline__ real cuCimag##f(type a) { return a.y; }               \
  static __host__ __device__ __forceinline__ type cuConj##f(type a) { return {a.x, -a.y}; }        \
  static __host__ __device__ __forceinline__ type cuCadd##f(type a, type b) {                      \
    return {a.x + b.x, a.y + b.y};                                                                 \
  }                                                                                                \
  static __host__ __device__ __forceinline__ type cuCsub##f(type a, type b) {                      \
    return {a.x - b.x, a.y - b.y};                                                                 \
  }                                                                                                \
  static __host__ __device__ __forceinline__ type cuCmul##f(type a, type b) {                      \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                         \
  }                                                                                                \
  /* Scaled by the divisor's size, so that squares do not overflow. */                             \
  static __host__ __device__ __forceinline__ type cuCdiv##f(type a, type b) {                      \
    const real s = 1 / (absolute(b.x) + absolute(b.y));                                            \
    const type as = {a.x * s, a.y * s}, bs = {b.x * s, b.y * s};                                   \
    const real n = 1 / (bs.x * bs.x + bs.y * bs.y);                                                \
    return {(as.x * bs.x + as.y * bs.y) * n, (as.y * bs.x - as.x * bs.y) * n};                     \
  }                                                                                                \
  static __host__ __device__ __forceinline__ real cuCabs##f(type a) { return hypot##f(a.x, a.y); } \
  static __host__ __device__ __forceinline__ type cuCfma##f(type a, type b, type c) {              \
    return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                             \
  }

NEURONIFY_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, fabsf)
NEURONIFY_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , fabs)
#undef NEURONIFY_COMPLEX

static __host__ __device__ __forceinline__ cuComplex make_cuComplex(float x, float y) {
  return {x, y};
}
static __host__ __device__ __forceinline__ cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex a) {
  return {a.x, a.y};
}
static __host__ __device__ __forceinline__ cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {(float)a.x, (float)a.y};
}

#include "neuronify/end_library.h"
#endif
