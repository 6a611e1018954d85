#include <cstdio>
#include "neuronify.h"
#include <vector>

template <typename T> T *allocate(size_t n) {
  T *p = nullptr;
  if (neuronify::malloc(&p, n * sizeof(T)) != neuronify::Success)
    return nullptr;
  return p;
}

static void check(neuronify::Error_t error) {
  if (error == neuronify::ErrorInvalidValue)
    printf("cudaErrorInvalidValue: %s\n", neuronify::getErrorString(error));
}

int main() {
  neuronify::DeviceProp prop;
  std::vector<neuronify::Stream_t> streams(2);
  neuronify::MemcpyKind kind = neuronify::MemcpyHostToDevice;
  check(::neuronify::getDeviceProperties(&prop, 0));
  neuronify::streamCreateWithFlags(&streams[0], neuronify::StreamNonBlocking);
  neuronify::StreamState *raw = streams[0];
  neuronify::streamSynchronize(raw);
  float4 v = make_float4(1, 2, 3, 4);
  float4 *p = allocate<float4>(1);
  check(neuronify::memcpyAsync(p, &v, sizeof v, kind, streams[0]));
  auto copy = &neuronify::memcpy;
  copy(&v, p, sizeof v, neuronify::MemcpyDeviceToHost);
  using Error = neuronify::Error_t;
  Error last = static_cast<neuronify::Error_t>(neuronify::getLastError());
  check(last);
#ifdef NEURONIFY
  printf("compiled for the device\n");
#endif
}
