// Texture fetches. All of them end in functions of our own without a body, each of which fetches
// one component (0 to 3) of one texel: the reference computes them, the translator makes one tile
// operation of each. They are constant: CUDA forbids to write what the kernel reads as a texture.
#pragma once

#include "../driver_types.h"
#include "texture_reference.h"
#include "vector_elements.h"

#define NEURONIFY_FETCH(name, ...)                                                                 \
  __device__ __attribute__((const, nothrow)) float __neuronify_texture_##name##_float(             \
      cudaTextureObject_t texture, int component, __VA_ARGS__);                                    \
  __device__ __attribute__((const, nothrow)) int __neuronify_texture_##name##_int(                 \
      cudaTextureObject_t texture, int component, __VA_ARGS__)
extern "C" {
__device__ __attribute__((const, nothrow)) cudaTextureObject_t
__neuronify_texture_handle(const void *reference);
NEURONIFY_FETCH(element, int x); // of linear memory, without filter
NEURONIFY_FETCH(1d, float x);
NEURONIFY_FETCH(2d, float x, float y);
NEURONIFY_FETCH(3d, float x, float y, float z);
NEURONIFY_FETCH(1d_layered, float x, int layer);
NEURONIFY_FETCH(2d_layered, float x, float y, int layer);
// What has no counterpart; declared so that only the kernels stop that use it.
NEURONIFY_FETCH(cubemap, float x, float y, float z);
NEURONIFY_FETCH(cubemap_layered, float x, float y, float z, int layer);
NEURONIFY_FETCH(gather, float x, float y, int which);
}
#undef NEURONIFY_FETCH

namespace neuronify_headers {

/// The type of a fetch: the texture's own, or floats of as many components.
template <class T, cudaTextureReadMode mode> struct Fetched {
  typedef T type;
};
template <class T> struct Fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename Floats<T>::type type;
};

} // namespace neuronify_headers

#define NEURONIFY_COMPONENT(kind, c, arguments)                                                    \
  E(texel_##kind(W(), texture, c, NEURONIFY_UNWRAP arguments))

// How to fetch a T of one, two or four components: kind is the name of our function.
#define NEURONIFY_TEXEL(kind, parameters, arguments)                                               \
  namespace neuronify_headers {                                                                    \
  static __device__ __forceinline__ float texel_##kind(float, cudaTextureObject_t texture, int c,  \
                                                       NEURONIFY_UNWRAP parameters) {              \
    return __neuronify_texture_##kind##_float(texture, c, NEURONIFY_UNWRAP arguments);             \
  }                                                                                                \
  static __device__ __forceinline__ int texel_##kind(int, cudaTextureObject_t texture, int c,      \
                                                     NEURONIFY_UNWRAP parameters) {                \
    return __neuronify_texture_##kind##_int(texture, c, NEURONIFY_UNWRAP arguments);               \
  }                                                                                                \
  template <class T, class E, class W>                                                             \
  static __device__ __forceinline__ T fetch_##kind(Count<1>, cudaTextureObject_t texture,          \
                                                   NEURONIFY_UNWRAP parameters) {                  \
    return T{NEURONIFY_COMPONENT(kind, 0, arguments)};                                             \
  }                                                                                                \
  template <class T, class E, class W>                                                             \
  static __device__ __forceinline__ T fetch_##kind(Count<2>, cudaTextureObject_t texture,          \
                                                   NEURONIFY_UNWRAP parameters) {                  \
    return T{NEURONIFY_COMPONENT(kind, 0, arguments), NEURONIFY_COMPONENT(kind, 1, arguments)};    \
  }                                                                                                \
  template <class T, class E, class W>                                                             \
  static __device__ __forceinline__ T fetch_##kind(Count<4>, cudaTextureObject_t texture,          \
                                                   NEURONIFY_UNWRAP parameters) {                  \
    return T{NEURONIFY_COMPONENT(kind, 0, arguments), NEURONIFY_COMPONENT(kind, 1, arguments),     \
             NEURONIFY_COMPONENT(kind, 2, arguments), NEURONIFY_COMPONENT(kind, 3, arguments)};    \
  }                                                                                                \
  }

// CUDA's functions: from an object, with the result returned or written, and from a reference.
#define NEURONIFY_TEXTURE(name, kind, dimensions, parameters, arguments)                           \
  NEURONIFY_TEXEL(kind, parameters, arguments)                                                     \
  NEURONIFY_FORMS(name, kind, dimensions, parameters, arguments, arguments)
#define NEURONIFY_FORMS(name, kind, dimensions, parameters, arguments, used)                       \
  template <class T>                                                                               \
  static __device__ __forceinline__ T name(cudaTextureObject_t texture,                            \
                                           NEURONIFY_UNWRAP parameters) {                          \
    typedef neuronify_headers::VectorElements<T> V;                                                \
    return neuronify_headers::fetch_##kind<T, typename V::type, typename V::word_type>(            \
        typename V::count(), texture, NEURONIFY_UNWRAP used);                                      \
  }                                                                                                \
  template <class T>                                                                               \
  static __device__ __forceinline__ void name(T *value, cudaTextureObject_t texture,               \
                                              NEURONIFY_UNWRAP parameters) {                       \
    *value = name<T>(texture, NEURONIFY_UNWRAP arguments);                                         \
  }                                                                                                \
  template <class T, cudaTextureReadMode mode>                                                     \
  static __device__ __forceinline__ typename neuronify_headers::Fetched<T, mode>::type name(       \
      const texture<T, dimensions, mode> &reference, NEURONIFY_UNWRAP parameters) {                \
    return name<typename neuronify_headers::Fetched<T, mode>::type>(                               \
        __neuronify_texture_handle(&reference), NEURONIFY_UNWRAP arguments);                       \
  }

NEURONIFY_TEXTURE(tex1Dfetch, element, cudaTextureType1D, (int x), (x))
NEURONIFY_TEXTURE(tex1D, 1d, cudaTextureType1D, (float x), (x))
NEURONIFY_TEXTURE(tex2D, 2d, cudaTextureType2D, (float x, float y), (x, y))
NEURONIFY_TEXTURE(tex3D, 3d, cudaTextureType3D, (float x, float y, float z), (x, y, z))
NEURONIFY_TEXTURE(tex1DLayered, 1d_layered, cudaTextureType1DLayered, (float x, int layer),
                  (x, layer))
NEURONIFY_TEXTURE(tex2DLayered, 2d_layered, cudaTextureType2DLayered, (float x, float y, int layer),
                  (x, y, layer))
NEURONIFY_TEXTURE(texCubemap, cubemap, cudaTextureTypeCubemap, (float x, float y, float z),
                  (x, y, z))
NEURONIFY_TEXTURE(texCubemapLayered, cubemap_layered, cudaTextureTypeCubemapLayered,
                  (float x, float y, float z, int layer), (x, y, z, layer))
NEURONIFY_TEXTURE(tex2Dgather, gather, cudaTextureType2D, (float x, float y, int which = 0),
                  (x, y, which))

// There are no mipmaps (cudaMallocMipmappedArray has no counterpart), so every level is the first.
NEURONIFY_FORMS(tex1DLod, 1d, cudaTextureType1D, (float x, float level), (x, level), (x))
NEURONIFY_FORMS(tex2DLod, 2d, cudaTextureType2D, (float x, float y, float level), (x, y, level),
                (x, y))
NEURONIFY_FORMS(tex3DLod, 3d, cudaTextureType3D, (float x, float y, float z, float level),
                (x, y, z, level), (x, y, z))
NEURONIFY_FORMS(tex1DLayeredLod, 1d_layered, cudaTextureType1DLayered,
                (float x, int layer, float level), (x, layer, level), (x, layer))
NEURONIFY_FORMS(tex2DLayeredLod, 2d_layered, cudaTextureType2DLayered,
                (float x, float y, int layer, float level), (x, y, layer, level), (x, y, layer))
NEURONIFY_FORMS(texCubemapLod, cubemap, cudaTextureTypeCubemap,
                (float x, float y, float z, float level), (x, y, z, level), (x, y, z))
NEURONIFY_FORMS(tex1DGrad, 1d, cudaTextureType1D, (float x, float dx, float dy), (x, dx, dy), (x))
NEURONIFY_FORMS(tex2DGrad, 2d, cudaTextureType2D, (float x, float y, float2 dx, float2 dy),
                (x, y, dx, dy), (x, y))
NEURONIFY_FORMS(tex3DGrad, 3d, cudaTextureType3D, (float x, float y, float z, float4 dx, float4 dy),
                (x, y, z, dx, dy), (x, y, z))

#undef NEURONIFY_FORMS
#undef NEURONIFY_TEXTURE
#undef NEURONIFY_TEXEL
#undef NEURONIFY_COMPONENT
