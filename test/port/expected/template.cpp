// Two instantiations of one template, with a value and a device function.
#include "neuronify.h"
#include "template_kernels.h"

// Ported as template_kernels::powers_float_2, powers_int_3.
template <class T, int N> void powers(T * /*out*/, const T * /*x*/) {
  neuronify::kernel_stub("powers");
}

template <int N, class T> void run_any(T *out, const T *x, int blocks) {
  neuronify::launch(powers<T, N>, blocks, 64, 0, nullptr, out, x);
}

void run(float *out, const float *x, int *counts, const int *y) {
  run_any<2>(out, x, 10);
  run_any<3>(counts, y, 20);
}

// Ties the kernels to their ports in template_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "template.bc",
                 {neuronify::KernelStub(powers<float, 2>, template_kernels::powers_float_2),
                  neuronify::KernelStub(powers<int, 3>, template_kernels::powers_int_3)});
} // namespace
