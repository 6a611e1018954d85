// Stands in for the runtime: just enough to see that rewritten host code compiles.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#define NEURONIFY 1
#define NEURONIFY_DEVICE_IR_FOLDER "."

struct float4 {
  float x, y, z, w;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace neuronify {
enum Error { Success, ErrorInvalidValue };
using Error_t = Error;
enum MemcpyKind { MemcpyHostToDevice = 1, MemcpyDeviceToHost };
using Stream_t = struct StreamState *;
using Event_t = struct EventState *;
struct DeviceProp {
  char name[256];
};
inline constexpr unsigned StreamNonBlocking = 1;
Error_t malloc(void **, size_t);
template <class T> Error_t malloc(T **p, size_t n) { return malloc((void **)(void *)p, n); }
Error_t free(void *);
Error_t memcpy(void *, const void *, size_t, MemcpyKind);
Error_t memcpyAsync(void *, const void *, size_t, MemcpyKind, Stream_t = nullptr);
template <class T> Error_t memcpyToSymbol(const T &, const void *, size_t) { return Success; }
Error_t getDeviceProperties(DeviceProp *, int);
Error_t deviceSynchronize();
Error_t getLastError();
const char *getErrorString(Error_t);
Error_t streamCreate(Stream_t *);
Error_t streamSynchronize(Stream_t);
Error_t streamCreateWithFlags(Stream_t *, unsigned);
Error_t eventElapsedTime(float *, Event_t, Event_t);
Error_t launchKernel(const void *, dim3, dim3, void **, size_t, Stream_t);
[[noreturn]] void kernel_stub(const char *name);
template <class... T> [[noreturn]] void device_lambda(const T &...) { kernel_stub(""); }
template <class Call> Error_t launch(dim3, dim3, size_t, Stream_t, Call &&call) {
  call();
  return Success;
}
template <class... A, class... T> void kernel_call(const char *, T &...) {}
template <size_t N> struct Text {
  char characters[N];
  consteval Text(const char (&)[N]) : characters() {}
};
template <Text place, class L, class... Around> struct Lambda : L {};
template <Text place, class... Around, class L> Lambda<place, L, Around...> lambda(L closure) {
  return {closure};
}
template <Text place, size_t bytes, class... Around> struct LambdaAt;
template <Text mangled> struct LocalType;
template <auto value> struct Value;
struct Key {};
template <class... A> Key kernel_key(const char *) { return {}; }
template <class... P>
void launch(void (*)(P...), dim3, dim3, size_t = 0, Stream_t = nullptr,
            std::type_identity_t<P>...) {}

struct Kernel {};
struct KernelStub {
  template <class... P> KernelStub(void (*)(P...), const Kernel &, Key = {}) {}
  KernelStub(Key, const Kernel &) {}
};
struct DeviceSymbol {
  const void *shadow;
  const char *mangled;
  size_t size;
  const char *type = nullptr;
};
struct Registration {
  Registration(const char *, const char *, std::initializer_list<KernelStub>,
               std::initializer_list<DeviceSymbol> = {}) {}
  ~Registration() {}
};
} // namespace neuronify
