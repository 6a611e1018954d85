// Kernels of guarded_2d.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// guarded_2d.cu.
#include "guarded_2d_kernels.h"

#include "neuronify_kernel.h"

namespace guarded_2d_kernels {
namespace port {

// guarded_2d.cu:2  add
// blocks -> partitions, k blocks x thread -> free axis
void add(nki::Launch &launch, nki::hbm<const float> a, nki::hbm<const float> b, nki::hbm<float> out,
         int rows, int columns) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index column = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Index row = w.blockIdx.y * launch.blockDim.y + w.threadIdx.y;    // :4
    nki::Mask m0 = nki::slt(row, rows) & nki::slt(column, columns);       // :5
    nki::Index i0 = nki::sext(row * columns + column, 64);                // :6
    nki::Tensor t0 = w.tile(nl::float32);
    nki::load(t0, a[i0], 4, m0);
    nki::Tensor t1 = w.tile(nl::float32);
    nki::load(t1, b[i0], 4, m0);
    nki::Tensor t2 = w.tile(nl::float32);
    nisa::tensor_tensor(t2, t0, t1, nl::add);
    nki::store(out[i0], t2, 4, m0);
  }
}

} // namespace port

const neuronify::Kernel add{"add",
                            "_Z3addPKfS0_Pfii",
                            "guarded_2d.cu",
                            2,
                            [](nki::Launch &launch) {
                              port::add(launch, launch.pointer<const float>(0),
                                        launch.pointer<const float>(1), launch.pointer<float>(2),
                                        launch.argument<int>(3), launch.argument<int>(4));
                            },
                            "blocks -> partitions, k blocks x thread -> free axis",
                            nullptr,
                            "f32,f32,f32"};

} // namespace guarded_2d_kernels
