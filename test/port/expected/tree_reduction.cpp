// Shared memory, barriers and a halving loop.
#include "neuronify.h"
#include "tree_reduction_kernels.h"

// Ported as tree_reduction_kernels::block_sum.
void block_sum(const float * /*x*/, float * /*sums*/, int /*n*/) {
  neuronify::kernel_stub("block_sum");
}

void run(const float *x, float *sums, int n, neuronify::Stream_t stream) {
  neuronify::launch(block_sum, (n + 255) / 256, 256, 0, stream, x, sums, n);
}

// Ties the kernels to their ports in tree_reduction_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "tree_reduction.bc",
                 {neuronify::KernelStub(block_sum, tree_reduction_kernels::block_sum)});
} // namespace
