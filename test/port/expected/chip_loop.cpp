// A loop that each thread ends when its value says so.
#include "neuronify.h"
#include "chip_loop_kernels.h"

// Ported as chip_loop_kernels::halve.
void halve(const float * /*start*/, float * /*below*/, float /*limit*/, int /*n*/) {
  neuronify::kernel_stub("halve");
}

// Ties the kernels to their ports in chip_loop_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "chip_loop.bc",
                 {neuronify::KernelStub(halve, chip_loop_kernels::halve)});
} // namespace
