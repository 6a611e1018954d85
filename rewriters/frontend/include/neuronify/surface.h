// Surface reads and writes: bytes x, row y, slice or layer z. All of them end in functions of our
// own without a body, each of which moves one piece of an element: 1, 2 or 4 bytes at `offset`.
#pragma once

#include "../driver_types.h"
#include "texture_reference.h"
#include "vector_elements.h"

#define NEURONIFY_ACCESS(kind, ...)                                                                \
  __device__ __attribute__((pure, nothrow)) int __neuronify_surface_read_##kind(                   \
      cudaSurfaceObject_t surface, __VA_ARGS__, int size, int offset, int bytes, int mode);        \
  __device__ __attribute__((nothrow)) void __neuronify_surface_write_##kind(                       \
      cudaSurfaceObject_t surface, int value, __VA_ARGS__, int size, int offset, int bytes,        \
      int mode)
extern "C" {
NEURONIFY_ACCESS(1d, int x);
NEURONIFY_ACCESS(2d, int x, int y);
NEURONIFY_ACCESS(3d, int x, int y, int z);
}
#undef NEURONIFY_ACCESS

namespace neuronify_headers {

template <int size> struct Words {
  int word[size / 4];
};
template <> struct Words<1> {
  unsigned char word[1];
};
template <> struct Words<2> {
  unsigned short word[1];
};

} // namespace neuronify_headers

#define NEURONIFY_READ(kind, index, arguments)                                                     \
  if (index < sizeof(words.word) / sizeof(words.word[0]))                                          \
  words.word[index] = __neuronify_surface_read_##kind(                                             \
      surface, NEURONIFY_UNWRAP arguments, sizeof(T), index * 4, sizeof(words.word[0]), mode)
#define NEURONIFY_WRITE(kind, index, arguments)                                                    \
  if (index < sizeof(words.word) / sizeof(words.word[0]))                                          \
  __neuronify_surface_write_##kind(surface, words.word[index], NEURONIFY_UNWRAP arguments,         \
                                   sizeof(T), index * 4, sizeof(words.word[0]), mode)

#define NEURONIFY_SURFACE(name, kind, dimensions, parameters, arguments, bound)                    \
  template <class T>                                                                               \
  static __device__ __forceinline__ T name##read(                                                  \
      cudaSurfaceObject_t surface, NEURONIFY_UNWRAP parameters,                                    \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    neuronify_headers::Words<sizeof(T)> words;                                                     \
    NEURONIFY_READ(kind, 0, arguments);                                                            \
    NEURONIFY_READ(kind, 1, arguments);                                                            \
    NEURONIFY_READ(kind, 2, arguments);                                                            \
    NEURONIFY_READ(kind, 3, arguments);                                                            \
    T value;                                                                                       \
    __builtin_memcpy(&value, &words, sizeof(T));                                                   \
    return value;                                                                                  \
  }                                                                                                \
  template <class T>                                                                               \
  static __device__ __forceinline__ void name##read(                                               \
      T *value, cudaSurfaceObject_t surface, NEURONIFY_UNWRAP parameters,                          \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    *value = name##read<T>(surface, NEURONIFY_UNWRAP bound, mode);                                 \
  }                                                                                                \
  template <class T>                                                                               \
  static __device__ __forceinline__ void name##write(                                              \
      T value, cudaSurfaceObject_t surface, NEURONIFY_UNWRAP parameters,                           \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    neuronify_headers::Words<sizeof(T)> words;                                                     \
    __builtin_memcpy(&words, &value, sizeof(T));                                                   \
    NEURONIFY_WRITE(kind, 0, arguments);                                                           \
    NEURONIFY_WRITE(kind, 1, arguments);                                                           \
    NEURONIFY_WRITE(kind, 2, arguments);                                                           \
    NEURONIFY_WRITE(kind, 3, arguments);                                                           \
  }                                                                                                \
  template <class T, class U>                                                                      \
  static __device__ __forceinline__ T name##read(                                                  \
      const surface<U, dimensions> &reference, NEURONIFY_UNWRAP parameters,                        \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    return name##read<T>(__neuronify_texture_handle(&reference), NEURONIFY_UNWRAP bound, mode);    \
  }                                                                                                \
  template <class T, class U>                                                                      \
  static __device__ __forceinline__ void name##read(                                               \
      T *value, const surface<U, dimensions> &reference, NEURONIFY_UNWRAP parameters,              \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    *value = name##read<T>(__neuronify_texture_handle(&reference), NEURONIFY_UNWRAP bound, mode);  \
  }                                                                                                \
  template <class T, class U>                                                                      \
  static __device__ __forceinline__ void name##write(                                              \
      T value, const surface<U, dimensions> &reference, NEURONIFY_UNWRAP parameters,               \
      enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    name##write<T>(value, __neuronify_texture_handle(&reference), NEURONIFY_UNWRAP bound, mode);   \
  }

NEURONIFY_SURFACE(surf1D, 1d, cudaSurfaceType1D, (int x), (x), (x))
NEURONIFY_SURFACE(surf2D, 2d, cudaSurfaceType2D, (int x, int y), (x, y), (x, y))
NEURONIFY_SURFACE(surf3D, 3d, cudaSurfaceType3D, (int x, int y, int z), (x, y, z), (x, y, z))
NEURONIFY_SURFACE(surf1DLayered, 3d, cudaSurfaceType1DLayered, (int x, int layer), (x, 0, layer),
                  (x, layer))
NEURONIFY_SURFACE(surf2DLayered, 3d, cudaSurfaceType2DLayered, (int x, int y, int layer),
                  (x, y, layer), (x, y, layer))

#undef NEURONIFY_SURFACE
#undef NEURONIFY_READ
#undef NEURONIFY_WRITE
