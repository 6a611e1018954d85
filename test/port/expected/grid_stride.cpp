// A loop over the grid's stride.
#include "neuronify.h"
#include "grid_stride_kernels.h"

// Ported as grid_stride_kernels::saxpy.
void saxpy(int /*n*/, float /*a*/, const float * /*x*/, float * /*y*/) { neuronify::kernel_stub("saxpy"); }

void run(int n, const float *x, float *y) { neuronify::launch(saxpy, 80, 256, 0, nullptr, n, 2.0f, x, y); }

// Ties the kernels to their ports in grid_stride_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "grid_stride.bc",
                 {neuronify::KernelStub(saxpy, grid_stride_kernels::saxpy)});
} // namespace
