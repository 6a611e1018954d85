// A switch on what was loaded, with a fall-through.
#include "neuronify.h"
#include "switch_kernels.h"

// Ported as switch_kernels::apply.
void apply(const int * /*operation*/, float * /*x*/, int /*n*/) { neuronify::kernel_stub("apply"); }

void run(const int *operation, float *x, int n) {
  neuronify::launch(apply, (n + 127) / 128, 128, 0, nullptr, operation, x, n);
}

// Ties the kernels to their ports in switch_kernels.cpp, before constructors of global objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "switch.bc",
                 {neuronify::KernelStub(apply, switch_kernels::apply)});
} // namespace
