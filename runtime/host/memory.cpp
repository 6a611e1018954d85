#include "host/memory.h"

#include "host/runtime.h"

#include <cstdlib>
#include <cstring>

namespace neuronify {

namespace {

constexpr size_t kPitch = 512; // as CUDA's mallocPitch on current devices

Error_t allocate(void **pointer, size_t size, MemoryKind kind, unsigned flags = 0) {
  return api([&](Runtime &runtime) {
    if (!pointer)
      return ErrorInvalidValue;
    *pointer = nullptr;
    if (size == 0)
      return Success;
    const DeviceAllocation *allocation = runtime.memory.allocate(size, kind);
    if (!allocation)
      return ErrorMemoryAllocation;
    runtime.memory.set_flags(allocation->start, flags);
    *pointer = allocation->start;
    return Success;
  });
}

/// free() takes what malloc() and mallocManaged() gave.
Error_t release(void *pointer, std::initializer_list<MemoryKind> kinds) {
  return api([&](Runtime &runtime) {
    if (!pointer)
      return Success;
    const DeviceAllocation *allocation = runtime.memory.find(pointer);
    if (allocation && !allocation->name.empty()) // a variable
      return ErrorInvalidValue;
    for (MemoryKind kind : kinds)
      if (runtime.memory.release(pointer, kind))
        return Success;
    return ErrorInvalidValue;
  });
}

Error_t with_stream(Stream_t stream, auto &&body) {
  return api([&](Runtime &runtime) {
    StreamState *state = runtime.clock.find(stream);
    return state ? body(runtime, *state) : ErrorInvalidResourceHandle;
  });
}

} // namespace

Error_t malloc(void **pointer, size_t size) { return allocate(pointer, size, MemoryKind::device); }
Error_t free(void *pointer) { return release(pointer, {MemoryKind::device, MemoryKind::managed}); }

Error_t mallocAsync(void **pointer, size_t size, Stream_t stream) {
  Error_t error = with_stream(stream, [](Runtime &, StreamState &) { return Success; });
  return error != Success ? error : malloc(pointer, size);
}

Error_t freeAsync(void *pointer, Stream_t stream) {
  Error_t error = with_stream(stream, [](Runtime &, StreamState &) { return Success; });
  return error != Success ? error : free(pointer);
}

Error_t mallocManaged(void **pointer, size_t size, unsigned flags) {
  if ((flags != MemAttachGlobal && flags != MemAttachHost) || size == 0)
    return api([](Runtime &) { return ErrorInvalidValue; });
  return allocate(pointer, size, MemoryKind::managed);
}

Error_t mallocHost(void **pointer, size_t size, unsigned flags) {
  return hostAlloc(pointer, size, flags);
}

Error_t hostAlloc(void **pointer, size_t size, unsigned flags) {
  if (flags & ~(HostAllocPortable | HostAllocMapped | HostAllocWriteCombined))
    return api([](Runtime &) { return ErrorInvalidValue; });
  return allocate(pointer, size, MemoryKind::host, flags);
}

Error_t freeHost(void *pointer) { return release(pointer, {MemoryKind::host}); }

Error_t hostRegister(void *pointer, size_t size, unsigned) {
  return api([&](Runtime &runtime) {
    if (!pointer || size == 0)
      return ErrorInvalidValue;
    if (runtime.memory.find(pointer))
      return ErrorHostMemoryAlreadyRegistered;
    return runtime.registered.emplace(pointer, size).second ? Success
                                                            : ErrorHostMemoryAlreadyRegistered;
  });
}

Error_t hostUnregister(void *pointer) {
  return api([&](Runtime &runtime) {
    return runtime.registered.erase(pointer) ? Success : ErrorHostMemoryNotRegistered;
  });
}

Error_t hostGetDevicePointer(void **device, void *host, unsigned flags) {
  return api([&](Runtime &runtime) {
    if (!device || flags != 0)
      return ErrorInvalidValue;
    const DeviceAllocation *allocation = runtime.memory.find(host);
    if (!allocation)
      return runtime.registered.count(host) ? ErrorNotSupported : ErrorInvalidValue;
    if (allocation->kind == MemoryKind::device)
      return ErrorInvalidValue;
    *device = host;
    return Success;
  });
}

Error_t hostGetFlags(unsigned *flags, void *host) {
  return api([&](Runtime &runtime) {
    const DeviceAllocation *allocation = runtime.memory.find(host);
    if (!flags || !allocation || allocation->kind != MemoryKind::host)
      return ErrorInvalidValue;
    *flags = allocation->flags | HostAllocMapped; // pinned memory is always mapped here
    return Success;
  });
}

Error_t mallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  size_t rounded, bytes;
  if (!pitch || !pointer)
    return api([](Runtime &) { return ErrorInvalidValue; });
  if (__builtin_add_overflow(width, kPitch - 1, &rounded) ||
      __builtin_mul_overflow(rounded / kPitch * kPitch, height, &bytes))
    return api([](Runtime &) { return ErrorMemoryAllocation; });
  Error_t error = malloc(pointer, bytes);
  if (error == Success)
    *pitch = rounded / kPitch * kPitch;
  return error;
}

Error_t malloc3D(PitchedPtr *pointer, Extent extent) {
  size_t rows;
  if (!pointer)
    return api([](Runtime &) { return ErrorInvalidValue; });
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
    return api([](Runtime &) { return ErrorMemoryAllocation; });
  *pointer = {nullptr, 0, extent.width, extent.height};
  return mallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

Error_t memGetInfo(size_t *free, size_t *total) {
  return api([&](Runtime &runtime) {
    if (!free || !total)
      return ErrorInvalidValue;
    *total = runtime.memory.capacity();
    *free = *total - runtime.memory.used();
    return Success;
  });
}

Error_t memPrefetchAsync(const void *pointer, size_t count, int device, Stream_t stream) {
  return with_stream(stream, [&](Runtime &runtime, StreamState &) {
    if (device != 0 && device != CpuDeviceId)
      return ErrorInvalidDevice;
    const DeviceAllocation *allocation = runtime.memory.find(pointer);
    bool managed = allocation && allocation->kind == MemoryKind::managed && count > 0;
    return managed ? check_side(runtime.memory, pointer, count, true) : ErrorInvalidValue;
  });
}

Error_t memAdvise(const void *pointer, size_t count, MemoryAdvise, int device) {
  return memPrefetchAsync(pointer, count, device, 0);
}

Error_t pointerGetAttributes(PointerAttributes *attributes, const void *pointer) {
  return api([&](Runtime &runtime) {
    if (!attributes)
      return ErrorInvalidValue;
    void *address = const_cast<void *>(pointer);
    const DeviceAllocation *allocation = runtime.memory.find(pointer);
    *attributes = {MemoryTypeUnregistered, CpuDeviceId, nullptr, address};
    if (!allocation)
      return Success;
    switch (allocation->kind) {
    case MemoryKind::device:
    case MemoryKind::symbol:
      *attributes = {MemoryTypeDevice, 0, address, nullptr};
      break;
    case MemoryKind::managed:
      *attributes = {MemoryTypeManaged, 0, address, address};
      break;
    case MemoryKind::host:
      *attributes = {MemoryTypeHost, 0, address, address};
      break;
    }
    return Success;
  });
}

} // namespace neuronify
