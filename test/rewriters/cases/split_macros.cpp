// Macros that hold parts of kernels and launches, or launch several kernels by one text.
#include "neuronify.h"
#include "split_macros_kernels.h"

#define CONFIGURATION <<<2, 64>>>
#define CONFIGURED(grid, block) <<<grid, block>>>
#define OPEN <<<
#define CLOSE >>>
#define ARGUMENTS (d, 100)
#define KERNEL(name) void name(float * /*x*/, int /*n*/)
#define BEGIN {
#define KERNEL_OPEN(name) void name(float *x, int n) {
#define END }
#define PASTE(a, b) a##b
#define CALL(name, grid, block) PASTE(name, _kernel)<<<grid, block>>>
#define FILL(value) do { neuronify::launch(2, 64, 0, nullptr, [&] { fill(value, d); }); } while (0)
#define APPLY(value) neuronify::launch(2, 64, 0, nullptr, [&] { apply(neuronify::lambda<"split_macros.cu:44">([](float v) { return v * value; }), d, 100); })

// Ported as split_macros_kernels::first.
KERNEL(first) { neuronify::kernel_stub("first"); }
// Ported as split_macros_kernels::second.
void second(float * /*x*/, int /*n*/) { neuronify::kernel_stub("second"); }
// Ported as split_macros_kernels::third.
KERNEL(third) { neuronify::kernel_stub("third"); }
// Ported as split_macros_kernels::copy_kernel.
void copy_kernel(float * /*x*/) { neuronify::kernel_stub("copy_kernel"); }
// Ported as split_macros_kernels::fill_int, fill_float.
template <typename T> void fill(T v, float *x, int n = 100) {
  neuronify::kernel_call<T>("split_macros_kernels::fill", v, x, n);
}
// Ported as split_macros_kernels::apply_lambda_44, apply_lambda_45.
template <typename F> void apply(F f, float *x, int n) {
  neuronify::kernel_call<F>("split_macros_kernels::apply", f, x, n);
}

// Names that the port needs for itself.
// Ported as split_macros_kernels::nki.
void nki_(float * /*x*/) { neuronify::kernel_stub("nki"); }
struct neuronify_ { int nki_; };
namespace split_macros_kernels_ {
// Ported as split_macros_kernels::split_macros_kernels_own.
void own(float * /*x*/) { neuronify::kernel_stub("split_macros_kernels::own"); }
} // namespace split_macros_kernels

int main() {
  float *d;
  neuronify::malloc(&d, 404);
  neuronify::launch(first, 2, 64, 0, nullptr, d, 100);
  neuronify::launch(second, 2, 64, 0, nullptr, d, 100);
  neuronify::launch(third,  2, 64, 0, nullptr, d, 100);
  neuronify::launch(third, 2, 64, 0, nullptr, d, 100);
  neuronify::launch(copy_kernel, 1, 32, 0, nullptr, d);
  FILL(1);
  FILL(2.0f);
  APPLY(2);
  neuronify::launch(2, 64, 0, nullptr, [&] {
    apply(neuronify::lambda<"split_macros.cu:45">([](float v) { return v * 3.0f; }), d, 100);
  });
  neuronify::launch(nki_, 1, 1, 0, nullptr, d);
  neuronify::launch(split_macros_kernels_::own, 1, 1, 0, nullptr, d);
  neuronify_ one = {2};
  return neuronify::free(d) == neuronify::Success ? one.nki_ - 2 : 1;
}

// Ties the kernels to their ports in split_macros_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "split_macros.bc",
    {neuronify::KernelStub(first, split_macros_kernels::first),
     neuronify::KernelStub(second, split_macros_kernels::second),
     neuronify::KernelStub(third, split_macros_kernels::third),
     neuronify::KernelStub(copy_kernel, split_macros_kernels::copy_kernel),
     neuronify::KernelStub(fill<int>, split_macros_kernels::fill_int,
                           neuronify::kernel_key<int>("split_macros_kernels::fill")),
     neuronify::KernelStub(fill<float>, split_macros_kernels::fill_float,
                           neuronify::kernel_key<float>("split_macros_kernels::fill")),
     neuronify::KernelStub(neuronify::kernel_key<neuronify::LambdaAt<"split_macros.cu:44", 1>>(
                               "split_macros_kernels::apply"),
                           split_macros_kernels::apply_lambda_44),
     neuronify::KernelStub(neuronify::kernel_key<neuronify::LambdaAt<"split_macros.cu:45", 1>>(
                               "split_macros_kernels::apply"),
                           split_macros_kernels::apply_lambda_45),
     neuronify::KernelStub(nki_, split_macros_kernels::nki),
     neuronify::KernelStub(split_macros_kernels_::own,
                           split_macros_kernels::split_macros_kernels_own)});
} // namespace
