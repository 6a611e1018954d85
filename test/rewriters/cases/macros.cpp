#include "neuronify.h"
#include "macros_kernels.h"
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    neuronify::Error_t error = call;                                                               \
    if (error != neuronify::Success) {                                                             \
      fprintf(stderr, "%s\n", neuronify::getErrorString(error));                                   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)
#define LAUNCH(kernel, n, ...) neuronify::launch(kernel, ((n) + BLOCK - 1) / BLOCK, BLOCK, 0, nullptr __VA_OPT__(,) __VA_ARGS__)
#define BLOCK 64
#define RUN(statement) statement; CHECK(neuronify::getLastError())
#define UNUSED_HERE(p, n) neuronify::memset(p, 0, n)
#define HD
#define DEVICE_ONLY inline

HD inline float half(float x) { return x / 2; }

// Ported as macros_kernels::double_all.
void double_all(float * /*x*/, int /*n*/) { neuronify::kernel_stub("double_all"); }
// Ported as macros_kernels::copy_float_float.
template <typename T, typename U> void copy(T * /*x*/, U * /*y*/) {
  neuronify::kernel_stub("copy");
}
// Ported as macros_kernels::nothing.
void nothing() { neuronify::kernel_stub("nothing"); }

#define DEFINE_KERNEL(name, op)                                                                    \
  void name(float * /*x*/, int /*n*/) { neuronify::kernel_stub(__func__); }
DEFINE_KERNEL(add_two, +)
DEFINE_KERNEL(times_two, *)

int main() {
  float *x, *y;
  CHECK(neuronify::malloc(&x, 4 * BLOCK));
  CHECK(neuronify::malloc(&y, sizeof(float) * BLOCK));
  LAUNCH(double_all, BLOCK, x, BLOCK);
  LAUNCH((copy<float, float>), 1, x, y);
  LAUNCH(nothing, 1);
  RUN((neuronify::launch(double_all, 1, BLOCK, 0, nullptr, x, BLOCK)));
  RUN((neuronify::launch(add_two, 1, BLOCK, 0, nullptr, x, 3)));
  neuronify::launch(times_two, 1, BLOCK, 0, nullptr, x, int(half(3)));
  CHECK(neuronify::deviceSynchronize());
}

// Ties the kernels to their ports in macros_kernels.cpp, before constructors of global objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "macros.bc",
                 {neuronify::KernelStub(double_all, macros_kernels::double_all),
                  neuronify::KernelStub(copy<float, float>, macros_kernels::copy_float_float),
                  neuronify::KernelStub(nothing, macros_kernels::nothing),
                  neuronify::KernelStub(add_two, macros_kernels::add_two),
                  neuronify::KernelStub(times_two, macros_kernels::times_two)});
} // namespace
