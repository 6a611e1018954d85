// Element type and number of elements of the types that textures hold.
#pragma once

#include "../vector_types.h"

#define NEURONIFY_UNWRAP(...) __VA_ARGS__

namespace neuronify_headers {

template <int count> struct Count {};

template <class T> struct VectorElements;

#define NEURONIFY_ELEMENTS(vector, element, number, word)                                          \
  template <> struct VectorElements<vector> {                                                      \
    typedef element type;                                                                          \
    typedef word word_type;                                                                        \
    typedef Count<number> count;                                                                   \
  }
#define NEURONIFY_VECTORS(name, element, word)                                                     \
  NEURONIFY_ELEMENTS(element, element, 1, word);                                                   \
  NEURONIFY_ELEMENTS(name##1, element, 1, word);                                                   \
  NEURONIFY_ELEMENTS(name##2, element, 2, word);                                                   \
  NEURONIFY_ELEMENTS(name##4, element, 4, word)
NEURONIFY_ELEMENTS(char, signed char, 1, int);
NEURONIFY_VECTORS(char, signed char, int);
NEURONIFY_VECTORS(uchar, unsigned char, int);
NEURONIFY_VECTORS(short, short, int);
NEURONIFY_VECTORS(ushort, unsigned short, int);
NEURONIFY_VECTORS(int, int, int);
NEURONIFY_VECTORS(uint, unsigned int, int);
NEURONIFY_VECTORS(float, float, float);
#undef NEURONIFY_VECTORS
#undef NEURONIFY_ELEMENTS

/// The floats of a normalised fetch from a texture of T: as many as T has elements.
template <class T, class Number = typename VectorElements<T>::count> struct Floats;
template <class T> struct Floats<T, Count<1>> {
  typedef float type;
};
template <class T> struct Floats<T, Count<2>> {
  typedef float2 type;
};
template <class T> struct Floats<T, Count<4>> {
  typedef float4 type;
};

} // namespace neuronify_headers
