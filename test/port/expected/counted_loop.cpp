// A loop whose counter moves addresses and nothing else.
#include "neuronify.h"
#include "counted_loop_kernels.h"

// Ported as counted_loop_kernels::matrix_vector.
void matrix_vector(const float * /*matrix*/, const float * /*x*/, float * /*y*/, int /*rows*/, int /*columns*/) {
  neuronify::kernel_stub("matrix_vector");
}

// Ties the kernels to their ports in counted_loop_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "counted_loop.bc",
                 {neuronify::KernelStub(matrix_vector, counted_loop_kernels::matrix_vector)});
} // namespace
