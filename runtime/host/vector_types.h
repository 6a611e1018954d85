// CUDA's short vector types and dim3, with CUDA's sizes and alignments.
#pragma once

/// See types.h on the inner namespace.
namespace neuronify::types {

// One line per element type: the alignments of the vectors of two and of four.
// Source: CUDA C++ programming guide, table "Alignment Requirements of Built-in Vector Types".
#define NEURONIFY_VECTOR_TYPES(V)                                                                  \
  V(char, signed char, 2, 4)                                                                       \
  V(uchar, unsigned char, 2, 4)                                                                    \
  V(short, short, 4, 8)                                                                            \
  V(ushort, unsigned short, 4, 8)                                                                  \
  V(int, int, 8, 16)                                                                               \
  V(uint, unsigned int, 8, 16)                                                                     \
  V(long, long, 16, 16)                                                                            \
  V(ulong, unsigned long, 16, 16)                                                                  \
  V(longlong, long long, 16, 16)                                                                   \
  V(ulonglong, unsigned long long, 16, 16)                                                         \
  V(float, float, 8, 16)                                                                           \
  V(double, double, 16, 16)

#define NEURONIFY_DEFINE_VECTORS(name, type, align2, align4)                                       \
  struct name##1 { type x; };                                                                      \
  struct alignas(align2) name##2 { type x, y; };                                                   \
  struct name##3 { type x, y, z; };                                                                \
  struct alignas(align4) name##4 { type x, y, z, w; };                                             \
  constexpr name##1 make_##name##1(type x) { return {x}; }                                         \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }                              \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                   \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

NEURONIFY_VECTOR_TYPES(NEURONIFY_DEFINE_VECTORS)
#undef NEURONIFY_DEFINE_VECTORS

/// Extent of a grid or block; missing dimensions are 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

} // namespace neuronify::types

namespace neuronify {
using namespace types;
}
