// make_char1 … make_double4.
#pragma once
#define __VECTOR_FUNCTIONS_H__ // NVIDIA's guard, so that a toolkit's copy of this header adds
                               // nothing

#include "vector_types.h"

#define NEURONIFY_MAKE(name, type)                                                                 \
  static __host__ __device__ __forceinline__ constexpr name##1 make_##name##1(type x) {            \
    return {x};                                                                                    \
  }                                                                                                \
  static __host__ __device__ __forceinline__ constexpr name##2 make_##name##2(type x, type y) {    \
    return {x, y};                                                                                 \
  }                                                                                                \
  static __host__ __device__ __forceinline__ constexpr name##3 make_##name##3(type x, type y,      \
                                                                              type z) {            \
    return {x, y, z};                                                                              \
  }                                                                                                \
  static __host__ __device__ __forceinline__ constexpr name##4 make_##name##4(type x, type y,      \
                                                                              type z, type w) {    \
    return {x, y, z, w};                                                                           \
  }

NEURONIFY_MAKE(char, signed char)
NEURONIFY_MAKE(uchar, unsigned char)
NEURONIFY_MAKE(short, short)
NEURONIFY_MAKE(ushort, unsigned short)
NEURONIFY_MAKE(int, int)
NEURONIFY_MAKE(uint, unsigned int)
NEURONIFY_MAKE(long, long)
NEURONIFY_MAKE(ulong, unsigned long)
NEURONIFY_MAKE(longlong, long long)
NEURONIFY_MAKE(ulonglong, unsigned long long)
NEURONIFY_MAKE(float, float)
NEURONIFY_MAKE(double, double)

#undef NEURONIFY_MAKE
