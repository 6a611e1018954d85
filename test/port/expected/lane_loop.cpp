// A loop that each thread leaves when it likes.
#include "neuronify.h"
#include "lane_loop_kernels.h"

// Ported as lane_loop_kernels::collatz.
void collatz(const unsigned * /*start*/, int * /*steps*/, int /*n*/) {
  neuronify::kernel_stub("collatz");
}

void run(const unsigned *start, int *steps, int n) {
  neuronify::launch(collatz, (n + 63) / 64, 64, 0, nullptr, start, steps, n);
}

// Ties the kernels to their ports in lane_loop_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "lane_loop.bc",
                 {neuronify::KernelStub(collatz, lane_loop_kernels::collatz)});
} // namespace
