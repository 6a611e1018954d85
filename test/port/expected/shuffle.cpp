// A sum over a warp by shuffles.
#include "neuronify.h"
#include "shuffle_kernels.h"

// Ported as shuffle_kernels::warp_sum.
void warp_sum(const int * /*x*/, int * /*sums*/) { neuronify::kernel_stub("warp_sum"); }

void run(const int *x, int *sums, int warps) { neuronify::launch(warp_sum, warps / 4, 128, 0, nullptr, x, sums); }

// Ties the kernels to their ports in shuffle_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "shuffle.bc",
                 {neuronify::KernelStub(warp_sum, shuffle_kernels::warp_sum)});
} // namespace
