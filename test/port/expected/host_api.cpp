// Host code: macros around calls and launches, events, errors.
#include <cstdio>
#include "neuronify.h"
#include "host_api_kernels.h"

#define CHECK(call)                                                                                \
  do {                                                                                             \
    neuronify::Error_t error = (call);                                                             \
    if (error != neuronify::Success) {                                                             \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, neuronify::getErrorString(error));   \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)
#define LAUNCH(kernel, n, ...) neuronify::launch(kernel, ((n) + 255) / 256, 256, 0, nullptr __VA_OPT__(,) __VA_ARGS__)

// Ported as host_api_kernels::fill.
void fill(float * /*x*/, float /*value*/, int /*n*/) { neuronify::kernel_stub("fill"); }

int main() {
  const int n = 1000;
  float *x, host[n], milliseconds;
  neuronify::Event_t start, stop;
  CHECK(neuronify::malloc(&x, n * sizeof(float)));
  CHECK(neuronify::eventCreate(&start));
  CHECK(neuronify::eventCreate(&stop));
  CHECK(neuronify::eventRecord(start, 0));
  LAUNCH(fill, n, x, 1.0f, n);
  CHECK(neuronify::getLastError());
  CHECK(neuronify::eventRecord(stop, 0));
  CHECK(neuronify::eventSynchronize(stop));
  CHECK(neuronify::eventElapsedTime(&milliseconds, start, stop));
  CHECK(neuronify::memcpy(host, x, n * sizeof(float), neuronify::MemcpyDeviceToHost));
  std::printf("%g after %g ms\n", host[n - 1], milliseconds);
  CHECK(neuronify::free(x));
  return 0;
}

// Ties the kernels to their ports in host_api_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "host_api.bc",
                 {neuronify::KernelStub(fill, host_api_kernels::fill)});
} // namespace
