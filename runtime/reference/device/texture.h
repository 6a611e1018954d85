// Texture fetches and surface accesses, as the CUDA programming guide describes them ("Texture
// Fetching"); what it leaves open is as docs/numerics.md says.
#pragma once
#include "threads.h"

/// What a handle points to; made by runtime/host/texture.cpp.
struct Texture {
  uint64_t mark;
  char *data;
  int64_t rowBytes, sliceBytes;
  int32_t size[3];
  int32_t components, bits, kind; // kind: 0 signed, 1 unsigned, 2 floating
  int32_t address[3];             // 0 wrap, 1 clamp, 2 mirror, 3 border
  int32_t linear, normalized, toFloat;
  float border[4];
};

/// A component as memory holds it: its bits, sign-extended where it is signed.
static inline int componentBits(const Texture &t, const char *texel, int c) {
  if (c >= t.components)
    return 0;
  const char *at = texel + c * (t.bits / 8);
  if (t.bits == 8)
    return t.kind == 0 ? *(const int8_t *)at : *(const uint8_t *)at;
  if (t.bits == 16)
    return t.kind == 0 ? *(const int16_t *)at : *(const uint16_t *)at;
  return *(const int *)at;
}

static inline float componentValue(const Texture &t, const char *texel, int c) {
  int raw = componentBits(t, texel, c);
  if (t.bits == 32)
    return bits<float>(raw);
  if (t.kind == 2)
    return (float)bits<_Float16>((uint16_t)raw);
  if (!t.toFloat)
    return (float)raw;
  float largest = (float)((1 << (t.kind == 0 ? t.bits - 1 : t.bits)) - 1);
  float value = (float)raw * (1.0f / largest);
  return value < -1.0f ? -1.0f : value;
}

/// The coordinate x along an axis, in texels.
static inline float inTexels(const Texture &t, int axis, float x) {
  if (!t.normalized)
    return x;
  float size = (float)t.size[axis];
  float whole = __builtin_floorf(x);
  if (t.address[axis] == 0)
    return (x - whole) * size;
  if (t.address[axis] == 2) {
    bool odd = __builtin_floorf(whole * 0.5f) != whole * 0.5f;
    return (odd ? 1.0f - (x - whole) : x - whole) * size;
  }
  return x * size;
}

/// The first texel number of a coordinate, and the weight of the one after it.
static inline int firstTexel(const Texture &t, int axis, float x, float &weight) {
  float u = inTexels(t, axis, x);
  if (t.linear)
    u -= 0.5f;
  if (!(u > -2.0f)) // NaN, too
    u = -2.0f;
  float limit = (float)t.size[axis] + 1.0f;
  if (u > limit)
    u = limit;
  float whole = __builtin_floorf(u);
  weight = t.linear ? __builtin_floorf((u - whole) * 256.0f + 0.5f) / 256.0f : 0.0f;
  return (int)whole;
}

/// Moves a texel number into the texture; false where it is the border.
static inline bool moveInside(const Texture &t, int axis, int &number) {
  int size = t.size[axis];
  if (t.address[axis] == 0 && t.normalized) {
    if (number < 0)
      number += size;
    if (number >= size)
      number -= size;
  } else if (t.address[axis] == 3 && (number < 0 || number >= size)) {
    return false;
  }
  number = number < 0 ? 0 : number >= size ? size - 1 : number;
  return true;
}

static inline int layerOf(const Texture &t, int layer) {
  return layer < 0 ? 0 : layer >= t.size[2] ? t.size[2] - 1 : layer;
}

/// A texel along x, and y and z where there are so many dimensions; null for the border.
static inline const char *texelAt(const Texture &t, int dimensions, int x, int y, int z,
                                  int layer) {
  if (!moveInside(t, 0, x))
    return nullptr;
  if (dimensions > 1 && !moveInside(t, 1, y))
    return nullptr;
  if (dimensions > 2 && !moveInside(t, 2, z))
    return nullptr;
  return t.data + (dimensions > 2 ? z : layer) * t.sliceBytes +
         (dimensions > 1 ? y : 0) * t.rowBytes + x * (int64_t)(t.components * t.bits / 8);
}

static inline float fetchFloat(uint64_t handle, int c, int dimensions, float x, float y, float z,
                               int layer) {
  const Texture &t = *(const Texture *)handle;
  float weights[3] = {};
  int first[3] = {firstTexel(t, 0, x, weights[0]),
                  dimensions > 1 ? firstTexel(t, 1, y, weights[1]) : 0,
                  dimensions > 2 ? firstTexel(t, 2, z, weights[2]) : 0};
  layer = layerOf(t, layer);
  auto valueAt = [&](int i, int j, int k) {
    const char *texel = texelAt(t, dimensions, first[0] + i, first[1] + j, first[2] + k, layer);
    return texel ? componentValue(t, texel, c) : c < t.components ? t.border[c] : 0.0f;
  };
  if (!t.linear)
    return valueAt(0, 0, 0);
  float sum = 0;
  for (int k = 0; k < (dimensions > 2 ? 2 : 1); ++k)
    for (int j = 0; j < (dimensions > 1 ? 2 : 1); ++j)
      for (int i = 0; i < 2; ++i) {
        float weight = i ? weights[0] : 1.0f - weights[0];
        if (dimensions > 1)
          weight *= j ? weights[1] : 1.0f - weights[1];
        if (dimensions > 2)
          weight *= k ? weights[2] : 1.0f - weights[2];
        float part = valueAt(i, j, k) * weight;
        sum = i + j + k ? sum + part : part;
      }
  return sum;
}

static inline int fetchInt(uint64_t handle, int c, int dimensions, float x, float y, float z,
                           int layer) {
  const Texture &t = *(const Texture *)handle;
  float weight;
  int first[3] = {firstTexel(t, 0, x, weight), dimensions > 1 ? firstTexel(t, 1, y, weight) : 0,
                  dimensions > 2 ? firstTexel(t, 2, z, weight) : 0};
  const char *texel = texelAt(t, dimensions, first[0], first[1], first[2], layerOf(t, layer));
  return texel ? componentBits(t, texel, c) : c < t.components ? (int)t.border[c] : 0;
}

DEVICE uint64_t __neuronify_texture_handle(const uint64_t *reference) { return *reference; }

#define FETCH(name, dimensions, parameters, x, y, z, layer)                                        \
  DEVICE float __neuronify_texture_##name##_float parameters {                                     \
    return fetchFloat(texture, c, dimensions, x, y, z, layer);                                     \
  }                                                                                                \
  DEVICE int __neuronify_texture_##name##_int parameters {                                         \
    return fetchInt(texture, c, dimensions, x, y, z, layer);                                       \
  }
FETCH(1d, 1, (uint64_t texture, int c, float x), x, 0, 0, 0)
FETCH(2d, 2, (uint64_t texture, int c, float x, float y), x, y, 0, 0)
FETCH(3d, 3, (uint64_t texture, int c, float x, float y, float z), x, y, z, 0)
FETCH(1d_layered, 1, (uint64_t texture, int c, float x, int layer), x, 0, 0, layer)
FETCH(2d_layered, 2, (uint64_t texture, int c, float x, float y, int layer), x, y, 0, layer)

DEVICE float __neuronify_texture_element_float(uint64_t handle, int c, int x) {
  const Texture &t = *(const Texture *)handle;
  return x < 0 || x >= t.size[0] || c >= t.components
             ? 0.0f
             : componentValue(t, t.data + x * (int64_t)(t.components * t.bits / 8), c);
}
DEVICE int __neuronify_texture_element_int(uint64_t handle, int c, int x) {
  const Texture &t = *(const Texture *)handle;
  return x < 0 || x >= t.size[0]
             ? 0
             : componentBits(t, t.data + x * (int64_t)(t.components * t.bits / 8), c);
}

/// The element of a surface; null where there is none. `mode`: 0 zero, 1 clamp, 2 trap.
static inline char *surfaceElement(uint64_t handle, int x, int y, int z, int size, int mode,
                                   CONTEXT) {
  const Texture &s = *(const Texture *)handle;
  int last[3] = {s.size[0] * s.components * s.bits / 8 - size, s.size[1] - 1, s.size[2] - 1};
  int at[3] = {x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    if (mode == 1) {
      at[axis] = at[axis] < 0 ? 0 : at[axis] > last[axis] ? last[axis] : at[axis];
    } else if (at[axis] < 0 || at[axis] > last[axis]) {
      if (mode == 2)
        neuronify_trap(CALLER);
      return nullptr;
    }
  }
  return s.data + at[2] * s.sliceBytes + at[1] * s.rowBytes + at[0];
}

static inline int readPiece(const char *element, int offset, int bytes) {
  if (!element)
    return 0;
  const char *piece = element + offset;
  return bytes == 1   ? *(const uint8_t *)piece
         : bytes == 2 ? *(const uint16_t *)piece
                      : *(const int *)piece;
}
static inline void writePiece(char *element, int value, int offset, int bytes) {
  if (element)
    __builtin_memcpy(element + offset, &value, (size_t)bytes);
}

#define SURFACE(name, coordinates, x, y, z)                                                        \
  DEVICE int __neuronify_surface_read_##name(uint64_t s, NAMES coordinates, int size, int offset,  \
                                             int bytes, int mode, CONTEXT) {                       \
    return readPiece(surfaceElement(s, x, y, z, size, mode, CALLER), offset, bytes);               \
  }                                                                                                \
  DEVICE void __neuronify_surface_write_##name(uint64_t s, int value, NAMES coordinates, int size, \
                                               int offset, int bytes, int mode, CONTEXT) {         \
    writePiece(surfaceElement(s, x, y, z, size, mode, CALLER), value, offset, bytes);              \
  }
#define NAMES(...) __VA_ARGS__
SURFACE(1d, (int x), x, 0, 0)
SURFACE(2d, (int x, int y), x, y, 0)
SURFACE(3d, (int x, int y, int z), x, y, z)
