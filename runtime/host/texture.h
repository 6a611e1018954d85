// Host API: arrays, texture and surface objects, texture and surface references.
//
// An array is device memory, row after row without gaps. An object is a description of memory and
// modes (lanes/texture.h) in device memory, its handle the address: kernels read the modes when
// they are launched. Mipmaps, cubemaps and views of other formats are not part of this runtime.
#pragma once

#include "host/array_types.h"
#include "host/error.h"

namespace neuronify {

/// `height` 0: one dimension. ErrorInvalidChannelDescriptor for texels that no texture has.
Error_t mallocArray(Array_t *array, const ChannelFormatDesc *desc, size_t width, size_t height = 0,
                    unsigned flags = 0);
/// Extents are in texels; with ArrayLayered the depth counts layers.
Error_t malloc3DArray(Array_t *array, const ChannelFormatDesc *desc, Extent extent,
                      unsigned flags = 0);
Error_t freeArray(Array_t array);
Error_t arrayGetInfo(ChannelFormatDesc *desc, Extent *extent, unsigned *flags, Array_t array);
Error_t getChannelDesc(ChannelFormatDesc *desc, Array_const_t array);
ChannelFormatDesc createChannelDesc(int x, int y, int z, int w, ChannelFormatKind kind);

// Copies: x and widths in bytes, y and heights in rows. ErrorInvalidValue past an array's end.
Error_t memcpyToArray(Array_t dst, size_t x, size_t y, const void *src, size_t count,
                      MemcpyKind kind);
Error_t memcpyToArrayAsync(Array_t dst, size_t x, size_t y, const void *src, size_t count,
                           MemcpyKind kind, Stream_t stream = 0);
Error_t memcpyFromArray(void *dst, Array_const_t src, size_t x, size_t y, size_t count,
                        MemcpyKind kind);
Error_t memcpyFromArrayAsync(void *dst, Array_const_t src, size_t x, size_t y, size_t count,
                             MemcpyKind kind, Stream_t stream = 0);
Error_t memcpy2DToArray(Array_t dst, size_t x, size_t y, const void *src, size_t pitch,
                        size_t width, size_t height, MemcpyKind kind);
Error_t memcpy2DToArrayAsync(Array_t dst, size_t x, size_t y, const void *src, size_t pitch,
                             size_t width, size_t height, MemcpyKind kind, Stream_t stream = 0);
Error_t memcpy2DFromArray(void *dst, size_t pitch, Array_const_t src, size_t x, size_t y,
                          size_t width, size_t height, MemcpyKind kind);
Error_t memcpy2DFromArrayAsync(void *dst, size_t pitch, Array_const_t src, size_t x, size_t y,
                               size_t width, size_t height, MemcpyKind kind, Stream_t stream = 0);
Error_t memcpyArrayToArray(Array_t dst, size_t dst_x, size_t dst_y, Array_const_t src, size_t x,
                           size_t y, size_t count, MemcpyKind kind = MemcpyDeviceToDevice);
Error_t memcpy2DArrayToArray(Array_t dst, size_t dst_x, size_t dst_y, Array_const_t src, size_t x,
                             size_t y, size_t width, size_t height,
                             MemcpyKind kind = MemcpyDeviceToDevice);

/// ErrorInvalidFilterSetting for a linear filter over integers, ErrorNotSupported for what this
/// runtime does not have.
Error_t createTextureObject(TextureObject_t *texture, const ResourceDesc *resource,
                            const TextureDesc *desc, const ResourceViewDesc *view);
Error_t destroyTextureObject(TextureObject_t texture);
Error_t getTextureObjectResourceDesc(ResourceDesc *resource, TextureObject_t texture);
Error_t getTextureObjectTextureDesc(TextureDesc *desc, TextureObject_t texture);
/// ErrorInvalidValue where the array was not made with ArraySurfaceLoadStore.
Error_t createSurfaceObject(SurfaceObject_t *surface, const ResourceDesc *resource);
Error_t destroySurfaceObject(SurfaceObject_t surface);

// References, by address of the variable. ErrorInvalidTexture where no registration knows it.
namespace by_address {
Error_t bindTexture(size_t *offset, textureReference *texture, const void *pointer,
                    const ChannelFormatDesc &desc, size_t size);
Error_t bindTexture2D(size_t *offset, textureReference *texture, const void *pointer,
                      const ChannelFormatDesc &desc, size_t width, size_t height, size_t pitch);
Error_t bindTextureToArray(textureReference *texture, Array_const_t array);
Error_t unbindTexture(textureReference *texture);
Error_t bindSurfaceToArray(surfaceReference *surface, Array_const_t array);
} // namespace by_address

inline Error_t bindTexture(size_t *offset, const textureReference &texture, const void *pointer,
                           const ChannelFormatDesc &desc, size_t size = 0xFFFFFFFF) {
  return by_address::bindTexture(offset, const_cast<textureReference *>(&texture), pointer, desc,
                                 size);
}
inline Error_t bindTexture(size_t *offset, const textureReference &texture, const void *pointer,
                           size_t size = 0xFFFFFFFF) {
  return bindTexture(offset, texture, pointer, texture.channelDesc, size);
}
inline Error_t bindTexture(size_t *offset, const textureReference *texture, const void *pointer,
                           const ChannelFormatDesc *desc, size_t size = 0xFFFFFFFF) {
  return bindTexture(offset, *texture, pointer, *desc, size);
}
inline Error_t bindTexture2D(size_t *offset, const textureReference &texture, const void *pointer,
                             const ChannelFormatDesc &desc, size_t width, size_t height,
                             size_t pitch) {
  return by_address::bindTexture2D(offset, const_cast<textureReference *>(&texture), pointer, desc,
                                   width, height, pitch);
}
inline Error_t bindTexture2D(size_t *offset, const textureReference &texture, const void *pointer,
                             size_t width, size_t height, size_t pitch) {
  return bindTexture2D(offset, texture, pointer, texture.channelDesc, width, height, pitch);
}
inline Error_t bindTextureToArray(const textureReference &texture, Array_const_t array) {
  return by_address::bindTextureToArray(const_cast<textureReference *>(&texture), array);
}
inline Error_t bindTextureToArray(const textureReference &texture, Array_const_t array,
                                  const ChannelFormatDesc &) {
  return bindTextureToArray(texture, array);
}
inline Error_t bindTextureToArray(const textureReference *texture, Array_const_t array,
                                  const ChannelFormatDesc *) {
  return bindTextureToArray(*texture, array);
}
inline Error_t unbindTexture(const textureReference &texture) {
  return by_address::unbindTexture(const_cast<textureReference *>(&texture));
}
inline Error_t unbindTexture(const textureReference *texture) { return unbindTexture(*texture); }
inline Error_t bindSurfaceToArray(const surfaceReference &surface, Array_const_t array) {
  return by_address::bindSurfaceToArray(const_cast<surfaceReference *>(&surface), array);
}
inline Error_t bindSurfaceToArray(const surfaceReference &surface, Array_const_t array,
                                  const ChannelFormatDesc &) {
  return bindSurfaceToArray(surface, array);
}

} // namespace neuronify
