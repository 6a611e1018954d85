// Vector types: char1 … double4, dim3.
#pragma once
#define __VECTOR_TYPES_H__ // NVIDIA's guard, so that a toolkit's copy of this header adds nothing

#include "host_defines.h"

// Alignment is part of CUDA's ABI: a type of 2 or 4 elements is aligned to its size, up to 16
// bytes.
#define NEURONIFY_VECTOR(name, type, align2, align4)                                               \
  struct name##1 { type x; };                                                                      \
  struct __align__(align2) name##2 { type x, y; };                                                 \
  struct name##3 { type x, y, z; };                                                                \
  struct __align__(align4) name##4 { type x, y, z, w; };

NEURONIFY_VECTOR(char, signed char, 2, 4)
NEURONIFY_VECTOR(uchar, unsigned char, 2, 4)
NEURONIFY_VECTOR(short, short, 4, 8)
NEURONIFY_VECTOR(ushort, unsigned short, 4, 8)
NEURONIFY_VECTOR(int, int, 8, 16)
NEURONIFY_VECTOR(uint, unsigned int, 8, 16)
NEURONIFY_VECTOR(long, long, 16, 16)
NEURONIFY_VECTOR(ulong, unsigned long, 16, 16)
NEURONIFY_VECTOR(longlong, long long, 16, 16)
NEURONIFY_VECTOR(ulonglong, unsigned long long, 16, 16)
NEURONIFY_VECTOR(float, float, 8, 16)
NEURONIFY_VECTOR(double, double, 16, 16)

#undef NEURONIFY_VECTOR

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
