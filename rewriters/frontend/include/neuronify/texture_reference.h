// Texture and surface references: global variables that host code binds to memory. In device code
// Clang makes each of them a number of 64 bits: the handle of what is bound to it.
#pragma once

#include "../texture_types.h"

template <class T, int dimensions = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp);
  __host__ texture(int normalized, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address, struct cudaChannelFormatDesc desc);
};

template <class T, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface();
};
template <int dimensions>
struct __attribute__((device_builtin_surface_type))
surface<void, dimensions> : public surfaceReference {
  __host__ surface();
};
