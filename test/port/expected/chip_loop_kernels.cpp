// Kernels of chip_loop.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// chip_loop.cu.
#include "chip_loop_kernels.h"

#include "neuronify_kernel.h"

namespace chip_loop_kernels {
namespace port {

// chip_loop.cu:2  halve
// blocks -> partitions, k blocks x thread -> free axis
void halve(nki::Launch &launch, nki::hbm<const float> start, nki::hbm<float> below, float limit,
           int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Mask m0 = nki::slt(i, n);                                   // :4
    nki::Index i0 = nki::sext(i, 64);                                // :6
    nki::Tensor t0 = w.tile(nl::float32);
    nki::load(t0, start[i0], 4, m0);
    nki::Tensor value = w.tile(nl::float32);
    nki::fill(value, 0.0f);
    nki::Tensor value_1 = t0;
    nki::Mask active0 = m0;
    while (true) {
      nki::Mask m1 = nki::compare(w, nki::FloatCompare::ogt, value_1, limit); // :7
      nki::assign(value, value_1, nki::andnot(active0, m1));
      nki::Mask m2 = active0 & m1;
      if (!m2.any())
        break;
      nki::Tensor t1 = w.tile(nl::float32); // :8
      nisa::tensor_scalar(t1, value_1, nl::multiply, 0.5f);
      active0 = m2;
      value_1 = t1;
    }
    nki::store(below[i0], value, 4, m0); // :9
  }
}

} // namespace port

const neuronify::Kernel halve{"halve",
                              "_Z5halvePKfPffi",
                              "chip_loop.cu",
                              2,
                              [](nki::Launch &launch) {
                                port::halve(launch, launch.pointer<const float>(0),
                                            launch.pointer<float>(1), launch.argument<float>(2),
                                            launch.argument<int>(3));
                              },
                              "blocks -> partitions, k blocks x thread -> free axis",
                              nullptr,
                              "f32,f32"};

} // namespace chip_loop_kernels
