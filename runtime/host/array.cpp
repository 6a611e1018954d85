// Arrays: allocation, and copies, which are those of linear memory once the place is known.
#include "host/arrays.h"
#include "host/element_type.h"
#include "host/memory.h"
#include "host/runtime.h"
#include "host/texture.h"

namespace neuronify {

bool read_format(const ChannelFormatDesc &desc, TexelFormat &format) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  format = {0, desc.x};
  while (format.components < 4 && bits[format.components] != 0)
    ++format.components;
  for (int i = 0; i < 4; ++i)
    if (bits[i] != (i < format.components ? desc.x : 0))
      return false;
  const bool width = desc.x == 8 || desc.x == 16 || desc.x == 32;
  const bool is_float = desc.f == ChannelFormatKindFloat;
  return width && format.components != 0 && format.components != 3 &&
         desc.f != ChannelFormatKindNone && !(is_float && desc.x == 8);
}

namespace {

/// What the comparison takes an array for.
Layout layout_of(const ChannelFormatDesc &desc, const TexelFormat &format) {
  using enum ElementType;
  const ElementType types[3][3] = {{i8, i16, i32}, {u8, u16, u32}, {bytes, f16, f32}};
  const int width = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  return {{types[desc.f][width]}};
}

size_t rows_of(const Array &array) {
  return std::max<size_t>(array.extent.height, 1) * std::max<size_t>(array.extent.depth, 1);
}
size_t row_bytes(const Array &array) {
  TexelFormat format;
  read_format(array.desc, format);
  return array.extent.width * format.bytes();
}

/// Where `count` bytes (`rows` rows of them) from byte x of row y lie; null past the end.
char *place_in(Runtime &runtime, const Array *array, size_t x, size_t y, size_t width,
               size_t rows) {
  if (!runtime.arrays.arrays.count(array))
    return nullptr;
  const size_t row = row_bytes(*array);
  if (x > row || width > row - x || y > rows_of(*array) || rows > rows_of(*array) - y)
    return nullptr;
  return array->data + y * row + x;
}

/// The same for bytes that run on from row to row.
char *place_of_bytes(Runtime &runtime, const Array *array, size_t x, size_t y, size_t count) {
  if (!runtime.arrays.arrays.count(array))
    return nullptr;
  const size_t row = row_bytes(*array), all = row * rows_of(*array), first = y * row + x;
  return x > row || y > rows_of(*array) || first > all || count > all - first ? nullptr
                                                                              : array->data + first;
}

/// Finds the place with `find`, which takes the runtime, and copies.
template <class Find, class Copy> Error_t copy_with(Find &&find, Copy &&copy) {
  char *place = nullptr;
  Error_t error = api([&](Runtime &runtime) {
    place = find(runtime);
    return place ? Success : ErrorInvalidValue;
  });
  return error != Success ? error : copy(place);
}

} // namespace

Error_t malloc3DArray(Array_t *array, const ChannelFormatDesc *desc, Extent extent,
                      unsigned flags) {
  return api([&](Runtime &runtime) {
    constexpr unsigned kKnown = ArrayLayered | ArraySurfaceLoadStore | ArrayTextureGather;
    constexpr size_t kMost = size_t(1) << 31; // components, which are counted in 32 bits
    TexelFormat format;
    if (!array || !desc || extent.width == 0)
      return ErrorInvalidValue;
    if (!read_format(*desc, format))
      return ErrorInvalidChannelDescriptor;
    if (flags & ~kKnown)
      return ErrorNotSupported;
    auto state = std::make_unique<Array>(Array{nullptr, extent, *desc, flags});
    size_t texels, components;
    if (__builtin_mul_overflow(extent.width, rows_of(*state), &texels) ||
        __builtin_mul_overflow(texels, size_t(format.components), &components) ||
        components >= kMost)
      return ErrorInvalidValue;
    const DeviceAllocation *memory =
        runtime.memory.allocate(texels * format.bytes(), MemoryKind::device);
    if (!memory)
      return ErrorMemoryAllocation;
    runtime.buffer_types.note(runtime.memory, *memory, layout_of(*desc, format));
    state->data = memory->start;
    *array = state.get();
    runtime.arrays.arrays[*array] = std::move(state);
    return Success;
  });
}

Error_t mallocArray(Array_t *array, const ChannelFormatDesc *desc, size_t width, size_t height,
                    unsigned flags) {
  return malloc3DArray(array, desc, {width, height, 0}, flags);
}

Error_t freeArray(Array_t array) {
  return api([&](Runtime &runtime) {
    if (!array)
      return Success;
    auto found = runtime.arrays.arrays.find(array);
    if (found == runtime.arrays.arrays.end())
      return ErrorInvalidValue;
    runtime.memory.release(found->second->data, MemoryKind::device);
    runtime.arrays.arrays.erase(found);
    return Success;
  });
}

Error_t arrayGetInfo(ChannelFormatDesc *desc, Extent *extent, unsigned *flags, Array_t array) {
  return api([&](Runtime &runtime) {
    if (!runtime.arrays.arrays.count(array))
      return ErrorInvalidResourceHandle;
    if (desc)
      *desc = array->desc;
    if (extent)
      *extent = array->extent;
    if (flags)
      *flags = array->flags;
    return Success;
  });
}

Error_t getChannelDesc(ChannelFormatDesc *desc, Array_const_t array) {
  return arrayGetInfo(desc, nullptr, nullptr, const_cast<Array_t>(array));
}

ChannelFormatDesc createChannelDesc(int x, int y, int z, int w, ChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

Error_t memcpyToArrayAsync(Array_t dst, size_t x, size_t y, const void *src, size_t count,
                           MemcpyKind kind, Stream_t stream) {
  return copy_with([&](Runtime &runtime) { return place_of_bytes(runtime, dst, x, y, count); },
                   [&](char *place) { return memcpyAsync(place, src, count, kind, stream); });
}
Error_t memcpyToArray(Array_t dst, size_t x, size_t y, const void *src, size_t count,
                      MemcpyKind kind) {
  return memcpyToArrayAsync(dst, x, y, src, count, kind, 0);
}

Error_t memcpyFromArrayAsync(void *dst, Array_const_t src, size_t x, size_t y, size_t count,
                             MemcpyKind kind, Stream_t stream) {
  return copy_with([&](Runtime &runtime) { return place_of_bytes(runtime, src, x, y, count); },
                   [&](char *place) { return memcpyAsync(dst, place, count, kind, stream); });
}
Error_t memcpyFromArray(void *dst, Array_const_t src, size_t x, size_t y, size_t count,
                        MemcpyKind kind) {
  return memcpyFromArrayAsync(dst, src, x, y, count, kind, 0);
}

Error_t memcpy2DToArrayAsync(Array_t dst, size_t x, size_t y, const void *src, size_t pitch,
                             size_t width, size_t height, MemcpyKind kind, Stream_t stream) {
  return copy_with([&](Runtime &runtime) { return place_in(runtime, dst, x, y, width, height); },
                   [&](char *place) {
                     return memcpy2DAsync(place, row_bytes(*dst), src, pitch, width, height, kind,
                                          stream);
                   });
}
Error_t memcpy2DToArray(Array_t dst, size_t x, size_t y, const void *src, size_t pitch,
                        size_t width, size_t height, MemcpyKind kind) {
  return memcpy2DToArrayAsync(dst, x, y, src, pitch, width, height, kind, 0);
}

Error_t memcpy2DFromArrayAsync(void *dst, size_t pitch, Array_const_t src, size_t x, size_t y,
                               size_t width, size_t height, MemcpyKind kind, Stream_t stream) {
  return copy_with([&](Runtime &runtime) { return place_in(runtime, src, x, y, width, height); },
                   [&](char *place) {
                     return memcpy2DAsync(dst, pitch, place, row_bytes(*src), width, height, kind,
                                          stream);
                   });
}
Error_t memcpy2DFromArray(void *dst, size_t pitch, Array_const_t src, size_t x, size_t y,
                          size_t width, size_t height, MemcpyKind kind) {
  return memcpy2DFromArrayAsync(dst, pitch, src, x, y, width, height, kind, 0);
}

Error_t memcpyArrayToArray(Array_t dst, size_t dst_x, size_t dst_y, Array_const_t src, size_t x,
                           size_t y, size_t count, MemcpyKind kind) {
  return copy_with(
      [&](Runtime &runtime) { return place_of_bytes(runtime, src, x, y, count); },
      [&](char *place) { return memcpyToArray(dst, dst_x, dst_y, place, count, kind); });
}

Error_t memcpy2DArrayToArray(Array_t dst, size_t dst_x, size_t dst_y, Array_const_t src, size_t x,
                             size_t y, size_t width, size_t height, MemcpyKind kind) {
  return copy_with([&](Runtime &runtime) { return place_in(runtime, src, x, y, width, height); },
                   [&](char *place) {
                     return memcpy2DToArray(dst, dst_x, dst_y, place, row_bytes(*src), width,
                                            height, kind);
                   });
}

Error_t memcpy3DAsync(const Memcpy3DParms *parms, Stream_t stream) {
  if (!parms)
    return api([](Runtime &) { return ErrorInvalidValue; });
  // The place, the pitch and the rows per slice of one side, and the texel of an array.
  struct Side {
    char *start = nullptr;
    size_t pitch = 0, rows = 0, texel = 1;
  };
  auto side = [&](Array_t array, const PitchedPtr &pointer, const Pos &pos, Side &side) {
    if (!array) {
      side = {static_cast<char *>(pointer.ptr), pointer.pitch, pointer.ysize};
      if (side.start)
        side.start += (pos.z * side.rows + pos.y) * side.pitch + pos.x;
      return side.start ? Success : ErrorInvalidValue;
    }
    return api([&](Runtime &runtime) {
      if (!runtime.arrays.arrays.count(array))
        return ErrorInvalidValue;
      TexelFormat format;
      read_format(array->desc, format);
      const Extent &all = array->extent, &part = parms->extent;
      const size_t height = std::max<size_t>(all.height, 1), depth = std::max<size_t>(all.depth, 1);
      if (pos.x > all.width || part.width > all.width - pos.x || pos.y > height ||
          part.height > height - pos.y || pos.z > depth || part.depth > depth - pos.z)
        return ErrorInvalidValue;
      side = {array->data, row_bytes(*array), height, format.bytes()};
      side.start += (pos.z * side.rows + pos.y) * side.pitch + pos.x * side.texel;
      return Success;
    });
  };
  Side dst, src;
  for (Error_t error : {side(parms->dstArray, parms->dstPtr, parms->dstPos, dst),
                        side(parms->srcArray, parms->srcPtr, parms->srcPos, src)})
    if (error != Success)
      return error == ErrorInvalidValue ? api([](Runtime &) { return ErrorInvalidValue; }) : error;
  // With an array on a side, widths are in its texels.
  const size_t texel = std::max(dst.texel, src.texel);
  return copy_slices(dst.start, dst.pitch, dst.pitch * dst.rows, src.start, src.pitch,
                     src.pitch * src.rows,
                     {parms->extent.width * texel, parms->extent.height, parms->extent.depth},
                     parms->kind, stream);
}

} // namespace neuronify
