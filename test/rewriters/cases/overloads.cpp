#include "neuronify.h"
#include "overloads_kernels.h"

// Ported as overloads_kernels::scale.
void scale(float *x, float by, int n = 10) {
  neuronify::kernel_call("overloads_kernels::scale(float *, float, int)", x, by, n);
}
// Ported as overloads_kernels::scale_2.
void scale(double * /*x*/, double /*by*/) { neuronify::kernel_stub("scale"); }
// Ported as overloads_kernels::scale_int.
template <class T> void scale(T * /*x*/) { neuronify::kernel_stub("scale"); }

void run(float *x, double *y, int *z, neuronify::Stream_t stream) {
  neuronify::launch(1, 32, 0, nullptr, [&] { scale(x, 2.0f); });
  neuronify::launch(static_cast<void (*)(float *, float, int)>(scale), 1, 32, 16, nullptr, x, 2.0f, 3);
  neuronify::launch(static_cast<void (*)(double *, double)>(scale), 1, 32, 0, stream, y, 2.0);
  neuronify::launch(static_cast<void (*)(int *)>(scale<int>), 1, 32, 0, nullptr, z);
}

#define LAUNCH(kernel, ...) neuronify::launch(kernel, 1, 32, 0, nullptr __VA_OPT__(,) __VA_ARGS__)
void through_macro(float *x, double *y, int *z) {
  LAUNCH(static_cast<void (*)(float *, float, int)>(scale), x, 1.5f, 3);
  LAUNCH(static_cast<void (*)(double *, double)>(scale), y, 1.5);
  LAUNCH(static_cast<void (*)(int *)>(scale<int>), z);
}

// Ties the kernels to their ports in overloads_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "overloads.bc",
    {neuronify::KernelStub(static_cast<void (*)(float *, float, int)>(scale),
                           overloads_kernels::scale,
                           neuronify::kernel_key("overloads_kernels::scale(float *, float, int)")),
     neuronify::KernelStub(static_cast<void (*)(double *, double)>(scale),
                           overloads_kernels::scale_2),
     neuronify::KernelStub(static_cast<void (*)(int *)>(scale<int>),
                           overloads_kernels::scale_int)});
} // namespace
