#include "host/copy_check.h"

namespace neuronify {

namespace {

bool device_only(const DeviceAllocation *allocation) {
  return allocation &&
         (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::symbol);
}

} // namespace

bool extent_of_rows(size_t pitch, size_t width, size_t rows, size_t &bytes) {
  bytes = 0;
  if (rows == 0 || width == 0)
    return true;
  return !__builtin_mul_overflow(pitch, rows - 1, &bytes) &&
         !__builtin_add_overflow(bytes, width, &bytes);
}

Error_t check_side(const DeviceMemory &memory, const void *pointer, size_t bytes, bool device) {
  if (!pointer)
    return ErrorInvalidValue;
  const DeviceAllocation *allocation = memory.find(pointer);
  if (!allocation)
    return device ? ErrorInvalidValue : Success;
  if (!device && device_only(allocation))
    return ErrorInvalidValue;
  size_t offset = size_t(static_cast<const char *>(pointer) - allocation->start);
  return bytes <= allocation->size - offset ? Success : ErrorInvalidValue;
}

Error_t check_copy(const DeviceMemory &memory, const void *dst, size_t dst_bytes, const void *src,
                   size_t src_bytes, MemcpyKind kind) {
  bool to_device, from_device;
  switch (kind) {
  case MemcpyHostToHost:
  case MemcpyHostToDevice:
  case MemcpyDeviceToHost:
  case MemcpyDeviceToDevice:
    to_device = kind == MemcpyHostToDevice || kind == MemcpyDeviceToDevice;
    from_device = kind == MemcpyDeviceToHost || kind == MemcpyDeviceToDevice;
    break;
  case MemcpyDefault:
    to_device = memory.find(dst) != nullptr;
    from_device = memory.find(src) != nullptr;
    break;
  default:
    return ErrorInvalidMemcpyDirection;
  }
  if (dst_bytes == 0 && src_bytes == 0)
    return Success;
  Error_t error = check_side(memory, dst, dst_bytes, to_device);
  return error != Success ? error : check_side(memory, src, src_bytes, from_device);
}

bool stays_on_device(const DeviceMemory &memory, const void *dst, const void *src) {
  return device_only(memory.find(dst)) && device_only(memory.find(src));
}

} // namespace neuronify
