// A lambda as an argument of a kernel.
#include "neuronify.h"
#include "lambda_kernels.h"

// Ported as lambda_kernels::for_each_lambda_9.
template <class F> void for_each(int n, F f) {
  neuronify::kernel_call<F>("lambda_kernels::for_each", n, f);
}

void scale(float *x, float by, int n) {
  neuronify::launch((n + 255) / 256, 256, 0, nullptr, [&] {
    for_each(n, neuronify::lambda<"lambda.cu:9">([x, by](int i) { x[i] *= by; }));
  });
}

// Ties the kernels to their ports in lambda_kernels.cpp, before constructors of global objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "lambda.bc",
    {neuronify::KernelStub(
        neuronify::kernel_key<neuronify::LambdaAt<"lambda.cu:9", 16>>("lambda_kernels::for_each"),
        lambda_kernels::for_each_lambda_9)});
} // namespace
