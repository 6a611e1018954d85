// Texture and surface objects and references: from descriptions to what kernels read.
#include "host/texture.h"

#include "host/arrays.h"
#include "host/runtime.h"
#include "lanes/texture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace neuronify {

namespace {

using nki::Texture;

/// A texture over `width` x `height` x `depth` texels at `data`.
Error_t describe(Texture &texture, const void *data, const ChannelFormatDesc &desc, Extent extent,
                 size_t row_bytes) {
  TexelFormat format;
  if (!read_format(desc, format))
    return ErrorInvalidChannelDescriptor;
  const size_t rows = std::max<size_t>(extent.height, 1);
  const size_t slices = std::max<size_t>(extent.depth, 1);
  const size_t element = size_t(format.bits) / 8;
  if (row_bytes % element != 0 || row_bytes < extent.width * format.bytes() ||
      row_bytes / element * rows * slices >= size_t(1) << 31)
    return ErrorInvalidValue;
  texture.mark = Texture::kMark;
  texture.data = static_cast<char *>(const_cast<void *>(data));
  texture.row_bytes = int64_t(row_bytes);
  texture.slice_bytes = int64_t(row_bytes * rows);
  texture.size[0] = int32_t(extent.width);
  texture.size[1] = int32_t(rows);
  texture.size[2] = int32_t(slices);
  texture.components = format.components;
  texture.bits = format.bits;
  texture.kind = Texture::Kind(desc.f);
  return Success;
}

/// Is [pointer, pointer + bytes) in one allocation of device memory?
bool in_device_memory(Runtime &runtime, const void *pointer, size_t bytes) {
  const DeviceAllocation *allocation = runtime.memory.find(pointer);
  return allocation &&
         bytes <= allocation->size - size_t(static_cast<const char *>(pointer) - allocation->start);
}

Error_t describe_array(Runtime &runtime, Texture &texture, const Array *array) {
  if (!runtime.arrays.arrays.count(array))
    return ErrorInvalidResourceHandle;
  TexelFormat format;
  read_format(array->desc, format);
  return describe(texture, array->data, array->desc, array->extent,
                  array->extent.width * format.bytes());
}

Error_t describe_resource(Runtime &runtime, Texture &texture, const ResourceDesc &resource) {
  switch (resource.resType) {
  case ResourceTypeArray:
    return describe_array(runtime, texture, resource.res.array.array);
  case ResourceTypeLinear: {
    const auto &linear = resource.res.linear;
    TexelFormat format;
    if (!read_format(linear.desc, format))
      return ErrorInvalidChannelDescriptor;
    if (!in_device_memory(runtime, linear.devPtr, linear.sizeInBytes))
      return ErrorInvalidValue;
    const size_t width = linear.sizeInBytes / format.bytes();
    return describe(texture, linear.devPtr, linear.desc, {width, 0, 0}, width * format.bytes());
  }
  case ResourceTypePitch2D: {
    const auto &plane = resource.res.pitch2D;
    size_t bytes;
    if (__builtin_mul_overflow(plane.pitchInBytes, plane.height, &bytes) || plane.height == 0 ||
        !in_device_memory(runtime, plane.devPtr, bytes - plane.pitchInBytes + 1))
      return ErrorInvalidValue;
    return describe(texture, plane.devPtr, plane.desc, {plane.width, plane.height, 0},
                    plane.pitchInBytes);
  }
  default:
    return ErrorNotSupported; // mipmaps
  }
}

Error_t describe_modes(Texture &texture, const TextureDesc &desc) {
  const bool is_float = texture.kind == Texture::Kind::floating;
  texture.to_float = desc.readMode == ReadModeNormalizedFloat && !is_float && texture.bits < 32;
  texture.linear = desc.filterMode == FilterModeLinear;
  texture.normalized = desc.normalizedCoords != 0;
  if (desc.sRGB)
    return ErrorNotSupported;
  if (texture.linear && !texture.to_float && !is_float)
    return ErrorInvalidFilterSetting;
  for (int axis = 0; axis < 3; ++axis) {
    if (unsigned(desc.addressMode[axis]) > AddressModeBorder)
      return ErrorInvalidValue;
    texture.address[axis] = Texture::Address(desc.addressMode[axis]);
  }
  for (int i = 0; i < 4; ++i) { // integers are borders of integers
    const float border = desc.borderColor[i];
    const bool fits = std::abs(border) < 0x1p31f;
    texture.border[i] = is_float || texture.to_float || fits ? border : 0.0f;
  }
  return Success;
}

/// Gives a description its place in device memory; zero where there is no room.
unsigned long long place(Runtime &runtime, const Texture &texture) {
  const DeviceAllocation *memory =
      runtime.memory.allocate(sizeof texture, MemoryKind::symbol, "texture object");
  if (!memory)
    return 0;
  std::memcpy(memory->start, &texture, sizeof texture);
  return reinterpret_cast<unsigned long long>(memory->start);
}

Error_t destroy(unsigned long long handle, bool is_surface) {
  return api([&](Runtime &runtime) {
    if (handle == 0)
      return Success;
    auto found = runtime.arrays.objects.find(handle);
    if (found == runtime.arrays.objects.end() || found->second.is_surface != is_surface)
      return ErrorInvalidValue;
    runtime.memory.release(reinterpret_cast<void *>(handle), MemoryKind::symbol);
    runtime.arrays.objects.erase(found);
    return Success;
  });
}

/// The device's copy of a reference's handle, or null.
unsigned long long *device_handle(Runtime &runtime, const void *reference) {
  Unit::Variable *variable = runtime.registry.find_shadow(reference).variable;
  if (!variable || !runtime.registry.materialize(runtime.memory))
    return nullptr;
  return reinterpret_cast<unsigned long long *>(variable->memory->start);
}

/// Binds a description to a reference, or nothing where `texture` is null.
Error_t bind(Runtime &runtime, unsigned long long &handle, const Texture *texture) {
  unsigned long long *device = device_handle(runtime, &handle);
  if (!device)
    return ErrorInvalidTexture;
  if (handle)
    runtime.memory.release(reinterpret_cast<void *>(handle), MemoryKind::symbol);
  *device = handle = texture ? place(runtime, *texture) : 0;
  return !texture || handle ? Success : ErrorMemoryAllocation;
}

Error_t bind_texture(Runtime &runtime, textureReference &reference, Texture &texture) {
  TextureDesc desc = {};
  std::copy_n(reference.addressMode, 3, desc.addressMode);
  desc.filterMode = reference.filterMode;
  desc.readMode = reference.readMode;
  desc.sRGB = reference.sRGB;
  desc.normalizedCoords = reference.normalized;
  Error_t error = describe_modes(texture, desc);
  return error != Success ? error : bind(runtime, reference.handle, &texture);
}

} // namespace

Error_t createTextureObject(TextureObject_t *texture, const ResourceDesc *resource,
                            const TextureDesc *desc, const ResourceViewDesc *view) {
  return api([&](Runtime &runtime) {
    if (!texture || !resource || !desc)
      return ErrorInvalidValue;
    if (view)
      return ErrorNotSupported;
    Texture made;
    if (Error_t error = describe_resource(runtime, made, *resource); error != Success)
      return error;
    if (Error_t error = describe_modes(made, *desc); error != Success)
      return error;
    *texture = place(runtime, made);
    if (!*texture)
      return ErrorMemoryAllocation;
    runtime.arrays.objects[*texture] = {*resource, *desc, false};
    return Success;
  });
}

Error_t destroyTextureObject(TextureObject_t texture) { return destroy(texture, false); }

Error_t getTextureObjectResourceDesc(ResourceDesc *resource, TextureObject_t texture) {
  return api([&](Runtime &runtime) {
    auto found = runtime.arrays.objects.find(texture);
    if (!resource || found == runtime.arrays.objects.end())
      return ErrorInvalidValue;
    *resource = found->second.resource;
    return Success;
  });
}

Error_t getTextureObjectTextureDesc(TextureDesc *desc, TextureObject_t texture) {
  return api([&](Runtime &runtime) {
    auto found = runtime.arrays.objects.find(texture);
    if (!desc || found == runtime.arrays.objects.end())
      return ErrorInvalidValue;
    *desc = found->second.desc;
    return Success;
  });
}

Error_t createSurfaceObject(SurfaceObject_t *surface, const ResourceDesc *resource) {
  return api([&](Runtime &runtime) {
    if (!surface || !resource || resource->resType != ResourceTypeArray)
      return ErrorInvalidValue;
    Texture made;
    const Array *array = resource->res.array.array;
    if (Error_t error = describe_array(runtime, made, array); error != Success)
      return error;
    if (!(array->flags & ArraySurfaceLoadStore))
      return ErrorInvalidValue;
    *surface = place(runtime, made);
    if (!*surface)
      return ErrorMemoryAllocation;
    runtime.arrays.objects[*surface] = {*resource, {}, true};
    return Success;
  });
}

Error_t destroySurfaceObject(SurfaceObject_t surface) { return destroy(surface, true); }

namespace by_address {

Error_t bindTexture(size_t *offset, textureReference *texture, const void *pointer,
                    const ChannelFormatDesc &desc, size_t size) {
  return api([&](Runtime &runtime) {
    TexelFormat format;
    const DeviceAllocation *allocation = runtime.memory.find(pointer);
    if (!allocation)
      return ErrorInvalidValue;
    if (!read_format(desc, format))
      return ErrorInvalidChannelDescriptor;
    const size_t rest =
        allocation->size - size_t(static_cast<const char *>(pointer) - allocation->start);
    const size_t width = std::min(size, rest) / format.bytes();
    Texture made;
    Error_t error = describe(made, pointer, desc, {width, 0, 0}, width * format.bytes());
    if (error == Success)
      error = bind_texture(runtime, *texture, made);
    if (error == Success && offset)
      *offset = 0;
    return error;
  });
}

Error_t bindTexture2D(size_t *offset, textureReference *texture, const void *pointer,
                      const ChannelFormatDesc &desc, size_t width, size_t height, size_t pitch) {
  return api([&](Runtime &runtime) {
    ResourceDesc resource = {};
    resource.resType = ResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void *>(pointer), desc, width, height, pitch};
    Texture made;
    Error_t error = describe_resource(runtime, made, resource);
    if (error == Success)
      error = bind_texture(runtime, *texture, made);
    if (error == Success && offset)
      *offset = 0;
    return error;
  });
}

Error_t bindTextureToArray(textureReference *texture, Array_const_t array) {
  return api([&](Runtime &runtime) {
    Texture made;
    Error_t error = describe_array(runtime, made, array);
    return error != Success ? error : bind_texture(runtime, *texture, made);
  });
}

Error_t unbindTexture(textureReference *texture) {
  return api([&](Runtime &runtime) { return bind(runtime, texture->handle, nullptr); });
}

Error_t bindSurfaceToArray(surfaceReference *surface, Array_const_t array) {
  return api([&](Runtime &runtime) {
    Texture made;
    if (Error_t error = describe_array(runtime, made, array); error != Success)
      return error;
    if (!(array->flags & ArraySurfaceLoadStore))
      return ErrorInvalidValue;
    return bind(runtime, surface->handle, &made);
  });
}

} // namespace by_address

} // namespace neuronify
