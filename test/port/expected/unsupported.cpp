// A kernel that cannot be ported stands beside one that can.
#include "neuronify.h"
#include "unsupported_kernels.h"

// Not ported: NFY4006: kernel 'half_sum' cannot be ported: call of 'llvm.nvvm.isspacep.global'
void half_sum(const double * /*x*/, double * /*y*/, int /*n*/) { neuronify::kernel_stub("half_sum"); }

// Ported as unsupported_kernels::increment.
void increment(int * /*x*/, int /*n*/) { neuronify::kernel_stub("increment"); }

void run(const double *x, double *y, int *counts, int n) {
  neuronify::launch(half_sum, (n + 255) / 256, 256, 0, nullptr, x, y, n);
  neuronify::launch(increment, (n + 255) / 256, 256, 0, nullptr, counts, n);
}

// Ties the kernels to their ports in unsupported_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "unsupported.bc",
                 {neuronify::KernelStub(half_sum, unsupported_kernels::half_sum),
                  neuronify::KernelStub(increment, unsupported_kernels::increment)});
} // namespace
