// Kernels of grid_stride.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// grid_stride.cu.
#include "grid_stride_kernels.h"

#include "neuronify_kernel.h"

namespace grid_stride_kernels {
namespace port {

// grid_stride.cu:2  saxpy
// blocks -> partitions, k blocks x thread -> free axis
void saxpy(nki::Launch &launch, int n, float a, nki::hbm<const float> x, nki::hbm<float> y) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    unsigned k0 = launch.gridDim.x * launch.blockDim.x; // :3
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x;
    nki::Mask active0 = w.all();
    while (true) {
      nki::Mask m0 = active0 & nki::slt(i, n);
      if (!m0.any())
        break;
      nki::Index i0 = nki::sext(i, 64); // :4
      nki::Tensor t0 = w.tile(nl::float32);
      nki::load(t0, x[i0], 4, m0);
      nki::Tensor t1 = w.tile(nl::float32);
      nisa::tensor_scalar(t1, t0, nl::multiply, a, true);
      nki::Tensor t2 = w.tile(nl::float32);
      nki::load(t2, y[i0], 4, m0);
      nki::Tensor t3 = w.tile(nl::float32);
      nisa::tensor_tensor(t3, t1, t2, nl::add);
      nki::store(y[i0], t3, 4, m0);
      active0 = m0; // :3
      i = i + k0;
    }
  }
}

} // namespace port

const neuronify::Kernel saxpy{"saxpy",
                              "_Z5saxpyifPKfPf",
                              "grid_stride.cu",
                              2,
                              [](nki::Launch &launch) {
                                port::saxpy(
                                    launch, launch.argument<int>(0), launch.argument<float>(1),
                                    launch.pointer<const float>(2), launch.pointer<float>(3));
                              },
                              "blocks -> partitions, k blocks x thread -> free axis",
                              nullptr,
                              "-,-,f32,f32"};

} // namespace grid_stride_kernels
