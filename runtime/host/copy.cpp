// Copies and fills: one strided routine checks, copies and charges for all of them.
#include "host/copy_check.h"
#include "host/memory.h"
#include "host/runtime.h"

#include <cstring>

namespace neuronify {

namespace {

/// `rows` rows of `width` bytes on each side, `depth` times.
struct Shape {
  size_t width = 0, rows = 1, depth = 1;
  size_t dst_pitch = 0, src_pitch = 0; ///< bytes from row to row
  size_t dst_slice = 0, src_slice = 0; ///< bytes from slice to slice
  size_t bytes() const { return width * rows * depth; }
};

/// What one side spans, or false where it is not a size.
bool span_of(const Shape &shape, size_t pitch, size_t slice, size_t &bytes) {
  size_t one;
  if (!extent_of_rows(pitch, shape.width, shape.rows, one))
    return false;
  return extent_of_rows(slice, one, shape.depth, bytes);
}

double cost(Runtime &runtime, const void *dst, const void *src, size_t bytes) {
  return stays_on_device(runtime.memory, dst, src) ? runtime.copy_costs.on_device(bytes)
                                                   : runtime.copy_costs.to_host(bytes);
}

Error_t copy(void *dst, const void *src, const Shape &shape, MemcpyKind kind, Stream_t stream) {
  return api([&](Runtime &runtime) {
    StreamState *state = runtime.clock.find(stream);
    if (!state)
      return ErrorInvalidResourceHandle;
    if (shape.rows > 1 && (shape.dst_pitch < shape.width || shape.src_pitch < shape.width))
      return ErrorInvalidPitchValue;
    size_t dst_bytes, src_bytes;
    if (!span_of(shape, shape.dst_pitch, shape.dst_slice, dst_bytes) ||
        !span_of(shape, shape.src_pitch, shape.src_slice, src_bytes))
      return ErrorInvalidValue;
    if (Error_t error = check_copy(runtime.memory, dst, dst_bytes, src, src_bytes, kind);
        error != Success)
      return error;
    if (dst_bytes == 0)
      return Success;
    for (size_t z = 0; z < shape.depth; ++z)
      for (size_t y = 0; y < shape.rows; ++y)
        std::memmove(static_cast<char *>(dst) + z * shape.dst_slice + y * shape.dst_pitch,
                     static_cast<const char *>(src) + z * shape.src_slice + y * shape.src_pitch,
                     shape.width);
    bool inside = stays_on_device(runtime.memory, dst, src);
    runtime.clock.submit(*state, cost(runtime, dst, src, shape.bytes()),
                         inside ? Resource::chip : Resource::link);
    return Success;
  });
}

Error_t fill(void *pointer, size_t pitch, int value, size_t width, size_t height, Stream_t stream) {
  return api([&](Runtime &runtime) {
    StreamState *state = runtime.clock.find(stream);
    if (!state)
      return ErrorInvalidResourceHandle;
    size_t bytes;
    if ((height > 1 && pitch < width) || !extent_of_rows(pitch, width, height, bytes))
      return ErrorInvalidValue;
    if (bytes == 0)
      return Success;
    if (Error_t error = check_side(runtime.memory, pointer, bytes, true); error != Success)
      return error;
    for (size_t y = 0; y < height; ++y)
      std::memset(static_cast<char *>(pointer) + y * pitch, value, width);
    runtime.clock.submit(*state, runtime.copy_costs.fill(width * height), Resource::chip);
    return Success;
  });
}

} // namespace

Error_t memcpyAsync(void *dst, const void *src, size_t count, MemcpyKind kind, Stream_t stream) {
  return copy(dst, src, {count, 1, 1, count, count, 0, 0}, kind, stream);
}

Error_t memcpy(void *dst, const void *src, size_t count, MemcpyKind kind) {
  return memcpyAsync(dst, src, count, kind, 0);
}

Error_t memcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                      size_t height, MemcpyKind kind, Stream_t stream) {
  return copy(dst, src, {width, height, 1, dst_pitch, src_pitch, 0, 0}, kind, stream);
}

Error_t memcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                 size_t height, MemcpyKind kind) {
  return memcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, 0);
}

Error_t copy_slices(void *dst, size_t dst_pitch, size_t dst_slice, const void *src,
                    size_t src_pitch, size_t src_slice, Extent extent, MemcpyKind kind,
                    Stream_t stream) {
  return copy(
      dst, src,
      {extent.width, extent.height, extent.depth, dst_pitch, src_pitch, dst_slice, src_slice}, kind,
      stream);
}

Error_t memcpy3D(const Memcpy3DParms *parms) { return memcpy3DAsync(parms, 0); }

Error_t memcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t count,
                        Stream_t stream) {
  if (dst_device != 0 || src_device != 0)
    return api([](Runtime &) { return ErrorInvalidDevice; });
  return memcpyAsync(dst, src, count, MemcpyDeviceToDevice, stream);
}

Error_t memcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t count) {
  return memcpyPeerAsync(dst, dst_device, src, src_device, count, 0);
}

Error_t memsetAsync(void *pointer, int value, size_t count, Stream_t stream) {
  return fill(pointer, count, value, count, 1, stream);
}
Error_t memset(void *pointer, int value, size_t count) {
  return memsetAsync(pointer, value, count, 0);
}
Error_t memset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                      Stream_t stream) {
  return fill(pointer, pitch, value, width, height, stream);
}
Error_t memset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill(pointer, pitch, value, width, height, 0);
}

} // namespace neuronify
