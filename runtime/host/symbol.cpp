#include "host/symbol.h"

#include "host/memory.h"
#include "host/runtime.h"

namespace neuronify::by_address {

namespace {

/// The device copy of a variable, `count` bytes of it from `offset` on.
Error_t locate(const volatile void *shadow, size_t count, size_t offset, char *&address,
               size_t &size) {
  return api([&](Runtime &runtime) {
    Unit::Variable *variable = runtime.registry.find_shadow(shadow).variable;
    if (!variable)
      return ErrorInvalidSymbol;
    if (!runtime.registry.materialize(runtime.memory))
      return ErrorMemoryAllocation;
    size = variable->symbol.size;
    if (offset > size || count > size - offset)
      return ErrorInvalidValue;
    address = variable->memory->start + offset;
    return Success;
  });
}

Error_t wrong_direction() {
  return api([](Runtime &) { return ErrorInvalidMemcpyDirection; });
}

} // namespace

Error_t memcpyToSymbol(const volatile void *shadow, const void *src, size_t count, size_t offset,
                       MemcpyKind kind, Stream_t stream) {
  char *address;
  size_t size;
  if (Error_t error = locate(shadow, count, offset, address, size); error != Success)
    return error;
  if (kind != MemcpyHostToDevice && kind != MemcpyDeviceToDevice && kind != MemcpyDefault)
    return wrong_direction();
  return memcpyAsync(address, src, count, kind, stream);
}

Error_t memcpyFromSymbol(void *dst, const volatile void *shadow, size_t count, size_t offset,
                         MemcpyKind kind, Stream_t stream) {
  char *address;
  size_t size;
  if (Error_t error = locate(shadow, count, offset, address, size); error != Success)
    return error;
  if (kind != MemcpyDeviceToHost && kind != MemcpyDeviceToDevice && kind != MemcpyDefault)
    return wrong_direction();
  return memcpyAsync(dst, address, count, kind, stream);
}

Error_t getSymbolAddress(void **address, const volatile void *shadow) {
  char *start;
  size_t size;
  if (!address)
    return api([](Runtime &) { return ErrorInvalidValue; });
  Error_t error = locate(shadow, 0, 0, start, size);
  if (error == Success)
    *address = start;
  return error;
}

Error_t getSymbolSize(size_t *size, const volatile void *shadow) {
  char *start;
  if (!size)
    return api([](Runtime &) { return ErrorInvalidValue; });
  return locate(shadow, 0, 0, start, *size);
}

} // namespace neuronify::by_address
