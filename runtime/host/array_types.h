// Types of arrays, textures and surfaces: CUDA's names without the prefix `cuda`.
#pragma once

#include "host/types.h"

#include <cstddef>

/// See types.h on the inner namespace.
namespace neuronify::types {

struct Array;
using Array_t = Array *;
using Array_const_t = const Array *;
using TextureObject_t = unsigned long long;
using SurfaceObject_t = unsigned long long;

inline constexpr unsigned ArrayDefault = 0x00;
inline constexpr unsigned ArrayLayered = 0x01;
inline constexpr unsigned ArraySurfaceLoadStore = 0x02;
inline constexpr unsigned ArrayTextureGather = 0x08;
inline constexpr int TextureType1D = 0x01;
inline constexpr int TextureType2D = 0x02;
inline constexpr int TextureType3D = 0x03;
inline constexpr int TextureType1DLayered = 0xF1;
inline constexpr int TextureType2DLayered = 0xF2;
inline constexpr int SurfaceType1D = 0x01;
inline constexpr int SurfaceType2D = 0x02;
inline constexpr int SurfaceType3D = 0x03;
inline constexpr int SurfaceType1DLayered = 0xF1;
inline constexpr int SurfaceType2DLayered = 0xF2;

enum ChannelFormatKind {
  ChannelFormatKindSigned = 0,
  ChannelFormatKindUnsigned = 1,
  ChannelFormatKindFloat = 2,
  ChannelFormatKindNone = 3,
};
/// Bits of each component of a texel; zero for those that it does not have.
struct ChannelFormatDesc {
  int x, y, z, w;
  ChannelFormatKind f;
};

enum TextureAddressMode {
  AddressModeWrap = 0,
  AddressModeClamp = 1,
  AddressModeMirror = 2,
  AddressModeBorder = 3,
};
enum TextureFilterMode { FilterModePoint = 0, FilterModeLinear = 1 };
enum TextureReadMode { ReadModeElementType = 0, ReadModeNormalizedFloat = 1 };
enum SurfaceBoundaryMode { BoundaryModeZero = 0, BoundaryModeClamp = 1, BoundaryModeTrap = 2 };
enum ResourceType {
  ResourceTypeArray = 0,
  ResourceTypeLinear = 2,
  ResourceTypePitch2D = 3,
};

struct ResourceDesc {
  ResourceType resType;
  union {
    struct {
      Array_t array;
    } array;
    struct {
      void *devPtr;
      ChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      ChannelFormatDesc desc;
      size_t width, height, pitchInBytes; ///< texels, rows, bytes
    } pitch2D;
  } res;
};
struct TextureDesc {
  TextureAddressMode addressMode[3];
  TextureFilterMode filterMode;
  TextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  TextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};
/// Views that differ from their array are not part of this runtime.
struct ResourceViewDesc {
  int format;
  size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

/// A texture reference: what host code sets before it binds memory. The first member is what
/// kernels see: the handle of the texture that is bound, zero where none is.
struct textureReference {
  unsigned long long handle = 0;
  int normalized = 0;
  TextureFilterMode filterMode = FilterModePoint;
  TextureAddressMode addressMode[3] = {AddressModeClamp, AddressModeClamp, AddressModeClamp};
  ChannelFormatDesc channelDesc = {};
  int sRGB = 0;
  unsigned maxAnisotropy = 0;
  TextureFilterMode mipmapFilterMode = FilterModePoint;
  float mipmapLevelBias = 0, minMipmapLevelClamp = 0, maxMipmapLevelClamp = 0;
  TextureReadMode readMode = ReadModeElementType; ///< as the reference's type says
};
struct surfaceReference {
  unsigned long long handle = 0;
  ChannelFormatDesc channelDesc = {};
};

} // namespace neuronify::types

namespace neuronify {

/// The format of a type: `createChannelDesc<uchar4>()`.
template <class T> ChannelFormatDesc createChannelDesc();
#define NEURONIFY_CHANNELS(name, type, kind)                                                       \
  template <> inline ChannelFormatDesc createChannelDesc<type>() {                                 \
    return {8 * int(sizeof(type)), 0, 0, 0, kind};                                                 \
  }                                                                                                \
  template <> inline ChannelFormatDesc createChannelDesc<name##1>() {                              \
    return {8 * int(sizeof(type)), 0, 0, 0, kind};                                                 \
  }                                                                                                \
  template <> inline ChannelFormatDesc createChannelDesc<name##2>() {                              \
    return {8 * int(sizeof(type)), 8 * int(sizeof(type)), 0, 0, kind};                             \
  }                                                                                                \
  template <> inline ChannelFormatDesc createChannelDesc<name##4>() {                              \
    return {8 * int(sizeof(type)), 8 * int(sizeof(type)), 8 * int(sizeof(type)),                   \
            8 * int(sizeof(type)), kind};                                                          \
  }
NEURONIFY_CHANNELS(char, signed char, ChannelFormatKindSigned)
NEURONIFY_CHANNELS(uchar, unsigned char, ChannelFormatKindUnsigned)
NEURONIFY_CHANNELS(short, short, ChannelFormatKindSigned)
NEURONIFY_CHANNELS(ushort, unsigned short, ChannelFormatKindUnsigned)
NEURONIFY_CHANNELS(int, int, ChannelFormatKindSigned)
NEURONIFY_CHANNELS(uint, unsigned int, ChannelFormatKindUnsigned)
NEURONIFY_CHANNELS(float, float, ChannelFormatKindFloat)
#undef NEURONIFY_CHANNELS
template <> inline ChannelFormatDesc createChannelDesc<char>() {
  return createChannelDesc<signed char>();
}

template <class T, int dimensions = TextureType1D, TextureReadMode mode = ReadModeElementType>
struct texture : textureReference {
  texture(int is_normalized = 0, TextureFilterMode filter = FilterModePoint,
          TextureAddressMode address = AddressModeClamp)
      : texture(is_normalized, filter, address, createChannelDesc<T>()) {}
  texture(int is_normalized, TextureFilterMode filter, TextureAddressMode address,
          ChannelFormatDesc desc) {
    normalized = is_normalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
    readMode = mode;
  }
};
template <class T, int dimensions = SurfaceType1D> struct surface : surfaceReference {};

} // namespace neuronify
