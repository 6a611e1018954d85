// SAXPY.
#include "neuronify.h"
#include "saxpy_kernels.h"
#include <cstdio>

/// y = a x + y
// Ported as saxpy_kernels::saxpy.
void saxpy(int /*n*/, float /*a*/, const float * /*x*/, float *__restrict__ /*y*/) {
  neuronify::kernel_stub("saxpy");
}

int main() {
  float *x, *y;
  if (neuronify::malloc(&x, 400) != neuronify::Success)
    return 1;
  neuronify::malloc((void **)&y, 400);
  neuronify::launch(saxpy, (100 + 31) / 32, 32, 0, nullptr, 100, 2.0f, x, y);
  neuronify::deviceSynchronize();
  printf("%s\n", neuronify::getErrorString(neuronify::getLastError()));
  neuronify::free(x);
}

// Ties the kernels to their ports in saxpy_kernels.cpp, before constructors of global objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "saxpy.bc",
                 {neuronify::KernelStub(saxpy, saxpy_kernels::saxpy)});
} // namespace
