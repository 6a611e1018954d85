// Kernels of counted_loop.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// counted_loop.cu.
#include "counted_loop_kernels.h"

#include "neuronify_kernel.h"

namespace counted_loop_kernels {
namespace port {

// counted_loop.cu:2  matrix_vector
// blocks -> partitions, k blocks x thread -> free axis
void matrix_vector(nki::Launch &launch, nki::hbm<const float> matrix, nki::hbm<const float> x,
                   nki::hbm<float> y, int rows, int columns) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index row = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Mask m0 = nki::slt(row, rows);                                // :4
    nki::Index i0 = row * columns;
    nki::Tensor t0 = w.tile(nl::float32);
    nki::fill(t0, 0.0f);
    nki::Tensor sum = t0;
    for (int column = 0; column < columns; ++column) { // :7
      nki::Tensor t1 = w.tile(nl::float32);            // :8
      nki::load(t1, matrix[i0 + column], 4, m0);
      nki::Tensor t2 = w.tile(nl::float32);
      nki::load(t2, x[column], 4, m0);
      nki::Tensor t3 = w.tile(nl::float32);
      nisa::tensor_tensor(t3, t1, t2, nl::multiply);
      nki::Tensor t4 = w.tile(nl::float32);
      nisa::tensor_tensor(t4, sum, t3, nl::add);
      sum = t4; // :7
    }
    nki::store(y[row], sum, 4, m0); // :9
  }
}

} // namespace port

const neuronify::Kernel matrix_vector{
    "matrix_vector",
    "_Z13matrix_vectorPKfS0_Pfii",
    "counted_loop.cu",
    2,
    [](nki::Launch &launch) {
      port::matrix_vector(launch, launch.pointer<const float>(0), launch.pointer<const float>(1),
                          launch.pointer<float>(2), launch.argument<int>(3),
                          launch.argument<int>(4));
    },
    "blocks -> partitions, k blocks x thread -> free axis",
    nullptr,
    "f32,f32,f32"};

} // namespace counted_loop_kernels
