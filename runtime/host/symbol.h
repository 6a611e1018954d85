// Host API: `__device__` and `__constant__` variables, named by their host shadow.
#pragma once

#include "host/error.h"
#include "host/types.h"

#include <cstddef>

namespace neuronify {

// By address of the shadow. ErrorInvalidSymbol where no registration knows it, ErrorInvalidValue
// where offset + count reaches past its end, ErrorInvalidMemcpyDirection for the wrong kind.
namespace by_address {
Error_t memcpyToSymbol(const volatile void *shadow, const void *src, size_t count, size_t offset,
                       MemcpyKind kind, Stream_t stream);
Error_t memcpyFromSymbol(void *dst, const volatile void *shadow, size_t count, size_t offset,
                         MemcpyKind kind, Stream_t stream);
Error_t getSymbolAddress(void **address, const volatile void *shadow);
Error_t getSymbolSize(size_t *size, const volatile void *shadow);
} // namespace by_address

template <class T>
Error_t memcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                       MemcpyKind kind = MemcpyHostToDevice) {
  return by_address::memcpyToSymbol(__builtin_addressof(symbol), src, count, offset, kind, 0);
}
template <class T>
Error_t memcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset,
                            MemcpyKind kind, Stream_t stream = 0) {
  return by_address::memcpyToSymbol(__builtin_addressof(symbol), src, count, offset, kind, stream);
}
template <class T>
Error_t memcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                         MemcpyKind kind = MemcpyDeviceToHost) {
  return by_address::memcpyFromSymbol(dst, __builtin_addressof(symbol), count, offset, kind, 0);
}
template <class T>
Error_t memcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset,
                              MemcpyKind kind, Stream_t stream = 0) {
  return by_address::memcpyFromSymbol(dst, __builtin_addressof(symbol), count, offset, kind,
                                      stream);
}
template <class P, class T> Error_t getSymbolAddress(P **address, const T &symbol) {
  return by_address::getSymbolAddress(reinterpret_cast<void **>(address),
                                      __builtin_addressof(symbol));
}
template <class T> Error_t getSymbolSize(size_t *size, const T &symbol) {
  return by_address::getSymbolSize(size, __builtin_addressof(symbol));
}

} // namespace neuronify
