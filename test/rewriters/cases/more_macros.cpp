#include "neuronify.h"
#include "more_macros_kernels.h"
#include <cstdio>

#if defined(NEURONIFY) && !defined(NOT_SET)
#define DEVICE
#else
#define DEVICE
#endif
#define KERNEL void
#define BOUNDED(n)
#define GRID(n) (n) / THREADS + 1, THREADS
#define THREADS 128
#define CONFIG(n) dim3((n) / THREADS + 1), dim3(THREADS), 0, stream
#define CALL(f, ...) f(__VA_ARGS__)
#define STEP(k)                                                                                    \
  neuronify::launch(k, GRID(n), 0, nullptr, x, n);                                                 \
  if (neuronify::getLastError() != neuronify::Success)                                             \
  return 1
#define TIMES_TWO(what)                                                                            \
  do {                                                                                             \
    what;                                                                                          \
    what;                                                                                          \
  } while (0)

// Ported as more_macros_kernels::first.
KERNEL first(float * /*x*/, int /*n*/) { neuronify::kernel_stub("first"); }
// Ported as more_macros_kernels::second.
BOUNDED(128) void second(float * /*x*/, int /*n*/) { neuronify::kernel_stub("second"); }

#ifdef NEURONIFY
static int compiled_as_cuda() { return 1; }
#endif

int run(float *x, int n, neuronify::Stream_t stream) {
  STEP(first);
  STEP(second);
  neuronify::launch(first, GRID(n), 0, nullptr, x, n);
  neuronify::launch(second, CONFIG(n), x, n);
  TIMES_TWO((neuronify::launch(first, 1, THREADS, 0, nullptr, x, n)));
  TIMES_TWO(neuronify::deviceSynchronize(); neuronify::getLastError());
  return CALL(printf, "%s\n", neuronify::getErrorString(CALL(neuronify::getLastError))) + compiled_as_cuda();
}

// Ties the kernels to their ports in more_macros_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "more_macros.bc",
                 {neuronify::KernelStub(first, more_macros_kernels::first),
                  neuronify::KernelStub(second, more_macros_kernels::second)});
} // namespace
