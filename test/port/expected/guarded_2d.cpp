// Two dimensions, each with a guard.
#include "neuronify.h"
#include "guarded_2d_kernels.h"

// Ported as guarded_2d_kernels::add.
void add(const float * /*a*/, const float * /*b*/, float * /*out*/, int /*rows*/, int /*columns*/) {
  neuronify::kernel_stub("add");
}

void run(const float *a, const float *b, float *out, int rows, int columns) {
  dim3 block(32, 8);
  dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  neuronify::launch(add, grid, block, 0, nullptr, a, b, out, rows, columns);
}

// Ties the kernels to their ports in guarded_2d_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "guarded_2d.bc",
                 {neuronify::KernelStub(add, guarded_2d_kernels::add)});
} // namespace
