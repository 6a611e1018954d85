// Kernels of shuffle.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// shuffle.cu.
#include "shuffle_kernels.h"

#include "neuronify_kernel.h"

namespace shuffle_kernels {
namespace port {

// shuffle.cu:2  warp_sum
// blocks -> partitions, k blocks x warps -> free axis
void warp_sum(nki::Launch &launch, nki::hbm<const int> x, nki::hbm<int> sums) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::warps)) {
    nki::Index i0 = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Tensor t0 = w.tile(nl::int32);
    nki::load(t0, x[nki::zext(i0, 64)], 4, w.all());
    nki::Tensor value = t0;
    for (int offset = 16; offset > 0; offset /= 2) { // :4
      nki::Tensor t1 = w.tile(nl::int32);            // :5
      nki::shfl_down(w, t1, value, offset, 32);
      nki::Tensor t2 = w.tile(nl::int32);
      nki::iadd(t2, value, t1);
      value = t2; // :4
    }
    nki::store(sums[nki::udiv(i0, 32)], value, 4, nki::eq(nki::urem(w.threadIdx.x, 32), 0)); // :7
  }
}

} // namespace port

const neuronify::Kernel warp_sum{"warp_sum",
                                 "_Z8warp_sumPKiPi",
                                 "shuffle.cu",
                                 2,
                                 [](nki::Launch &launch) {
                                   port::warp_sum(launch, launch.pointer<const int>(0),
                                                  launch.pointer<int>(1));
                                 },
                                 "blocks -> partitions, k blocks x warps -> free axis",
                                 nullptr,
                                 "i32,i32"};

} // namespace shuffle_kernels
