#include "neuronify.h"
#include "template_kernel_kernels.h"

namespace ns {
// Ported as template_kernel_kernels::ns_fill_float_4, ns_fill_float_8, ns_fill_int_4,
// ns_fill_int_8, ns_fill_double_2, ns_fill_unsigned_int_4.
template <typename T, int N = 4>
void fill(T * /*out*/, T /*value*/) { neuronify::kernel_stub("ns::fill"); }

template <typename T> struct Pair {
  T first, second;
};

// Ported as template_kernel_kernels::ns_pair_int.
template <typename T> void pair(Pair<T> /*p*/, T * /*out*/) {
  neuronify::kernel_stub("ns::pair");
}

template <typename T> struct Runner {
  // Ported as template_kernel_kernels::ns_Runner_int_step.
  static void step(T * /*p*/) { neuronify::kernel_stub("ns::Runner::step"); }
  void run(T *p) { neuronify::launch(step, 1, 1, 0, nullptr, p); }
};
} // namespace ns

// Arguments that depend on a template parameter of the host function.
template <typename T> void fill_all(T *out, T value, neuronify::Stream_t stream) {
  neuronify::launch(ns::fill<T>, 1, 1, 0, nullptr, out, value);
  neuronify::launch(ns::fill<T>, 1, 1, 0, stream, out, value);
  neuronify::launch(ns::fill<T, 8>, dim3(1, 2), 1, 0, stream, out, value);
  ns::Pair<T> both{value, value};
  neuronify::launch(ns::pair<T>, 1, 1, 0, nullptr, both, out);
  neuronify::launch(ns::pair<T>, 1, 1, 0, nullptr, both, &out[1]);
}

int main() {
  float *x = nullptr;
  neuronify::malloc(&x, 16);
  neuronify::launch(ns::fill<float, 4>, 1, 1, 0, nullptr, x, 1.0f);
  neuronify::launch(ns::fill<float, 4>, 1, 1, 0, nullptr, x, 1);
  neuronify::launch(ns::fill<float, 8>, 1, 1, 0, nullptr, x, 1);
  fill_all<int>(nullptr, 3, 0);
  ns::Runner<int>().run(nullptr);
  auto kernel = ns::fill<double, 2>;
  neuronify::launch(kernel, 1, 1, 0, nullptr, nullptr, 2.0);
  void (*other)(unsigned *, unsigned) = ns::fill;
  neuronify::launch((*other), 1, 1, 0, nullptr, nullptr, 2u);
}

// Ties the kernels to their ports in template_kernel_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "template_kernel.bc",
    {neuronify::KernelStub(ns::fill<float, 4>, template_kernel_kernels::ns_fill_float_4),
     neuronify::KernelStub(ns::fill<float, 8>, template_kernel_kernels::ns_fill_float_8),
     neuronify::KernelStub(ns::fill<int, 4>, template_kernel_kernels::ns_fill_int_4),
     neuronify::KernelStub(ns::fill<int, 8>, template_kernel_kernels::ns_fill_int_8),
     neuronify::KernelStub(ns::fill<double, 2>, template_kernel_kernels::ns_fill_double_2),
     neuronify::KernelStub(ns::fill<unsigned int, 4>,
                           template_kernel_kernels::ns_fill_unsigned_int_4),
     neuronify::KernelStub(ns::pair<int>, template_kernel_kernels::ns_pair_int),
     neuronify::KernelStub(ns::Runner<int>::step, template_kernel_kernels::ns_Runner_int_step)});
} // namespace
