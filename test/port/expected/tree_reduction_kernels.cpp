// Kernels of tree_reduction.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines
// of tree_reduction.cu.
#include "tree_reduction_kernels.h"

#include "neuronify_kernel.h"

namespace tree_reduction_kernels {
namespace port {

// tree_reduction.cu:2  block_sum
// block -> partition, thread -> free axis
void block_sum(nki::Launch &launch, nki::hbm<const float> x, nki::hbm<float> sums, int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::block_per_partition)) {
    nki::Place s = nki::shared_array(w, 1024, "s");                  // :2
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :4
    nki::Mask m0 = nki::slt(i, n);                                   // :5
    nki::Tensor t0 = w.tile(nl::float32);
    nki::load(t0, x[i], 4, m0);
    nki::Tensor t1 = w.tile(nl::float32);
    nki::select(t1, !m0, 0.0f, t0);
    nki::Index i0 = nki::sext(w.threadIdx.x, 64);
    nki::store(s.at(i0, 4), t1, 4, w.all());
    for (int k = launch.blockDim.x / 2u; k > 0; k >>= 1) { // :7
      nki::Mask m1 = nki::ult(w.threadIdx.x, k);           // :8
      nki::Tensor t2 = w.tile(nl::float32);                // :9
      nki::load(t2, s.at(w.threadIdx.x + k, 4), 4, m1);
      nki::Tensor t3 = w.tile(nl::float32);
      nki::load(t3, s.at(i0, 4), 4, m1);
      nki::Tensor t4 = w.tile(nl::float32);
      nisa::tensor_tensor(t4, t3, t2, nl::add);
      nki::store(s.at(i0, 4), t4, 4, m1);
    }
    nki::Mask m2 = nki::eq(w.threadIdx.x, 0); // :12
    nki::Tensor t5 = w.tile(nl::float32);     // :13
    nki::load(t5, s, 4, m2);
    nki::store(sums[w.blockIdx.x], t5, 4, m2);
  }
}

} // namespace port

const neuronify::Kernel block_sum{"block_sum",
                                  "_Z9block_sumPKfPfi",
                                  "tree_reduction.cu",
                                  2,
                                  [](nki::Launch &launch) {
                                    port::block_sum(launch, launch.pointer<const float>(0),
                                                    launch.pointer<float>(1),
                                                    launch.argument<int>(2));
                                  },
                                  "block -> partition, thread -> free axis",
                                  nullptr,
                                  "f32,f32",
                                  1024};

} // namespace tree_reduction_kernels
