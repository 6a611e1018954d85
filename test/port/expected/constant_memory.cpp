// A table in constant memory and a variable of the device.
#include "neuronify.h"
#include "constant_memory_kernels.h"

float weights[3] = {0.25f, 0.5f, 0.25f};
int calls;

// Ported as constant_memory_kernels::smooth.
void smooth(const float * /*x*/, float * /*y*/, int /*n*/) { neuronify::kernel_stub("smooth"); }

int run(const float *x, float *y, int n, const float *other) {
  neuronify::memcpyToSymbol(weights, other, sizeof(weights));
  neuronify::launch(smooth, (n + 127) / 128, 128, 0, nullptr, x, y, n);
  int count;
  neuronify::memcpyFromSymbol(&count, calls, sizeof(count));
  return count;
}

// Ties the kernels to their ports in constant_memory_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "constant_memory.bc",
    {neuronify::KernelStub(smooth, constant_memory_kernels::smooth)},
    {{&weights, "weights", sizeof(weights), "f32"}, {&calls, "calls", sizeof(calls), "i32"}});
} // namespace
