// Kernels of lane_loop.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// lane_loop.cu.
#include "lane_loop_kernels.h"

#include "neuronify_kernel.h"

namespace lane_loop_kernels {
namespace port {

// lane_loop.cu:2  collatz
// blocks -> partitions, k blocks x thread -> free axis
void collatz(nki::Launch &launch, nki::hbm<const unsigned int> start, nki::hbm<int> steps, int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Mask m0 = nki::slt(i, n);                                   // :4
    nki::Index i0 = nki::sext(i, 64);                                // :6
    nki::Tensor t0 = w.tile(nl::int32);
    nki::load(t0, start[i0], 4, m0);
    nki::Tensor count = w.tile(nl::int32);
    nki::fill(count, 0);
    nki::Tensor x = t0;
    int count_1 = 0;
    nki::Mask active0 = m0;
    while (true) {
      nki::Mask m1 = nki::ult(w, 1, x) & nki::Mask(count_1 < 1000); // :8
      nki::assign(count, count_1, nki::andnot(active0, m1));
      nki::Mask m2 = active0 & m1;
      if (!m2.any())
        break;
      nki::Tensor t1 = w.tile(nl::int32); // :9
      nki::urem(t1, x, 2);
      nki::Tensor t2 = w.tile(nl::int32);
      nki::udiv(t2, x, 2);
      nki::Tensor t3 = w.tile(nl::int32);
      nki::imul(t3, 3, x);
      nki::Tensor t4 = w.tile(nl::int32);
      nki::iadd(t4, t3, 1);
      nki::Tensor x_1 = w.tile(nl::int32);
      nki::select(x_1, nki::andnot(m2, nki::ne(w, t1, 0)), t2, t4);
      active0 = m2; // :10
      x = x_1;
      ++count_1;
    }
    nki::store(steps[i0], count, 4, m0); // :12
  }
}

} // namespace port

const neuronify::Kernel collatz{"collatz",
                                "_Z7collatzPKjPii",
                                "lane_loop.cu",
                                2,
                                [](nki::Launch &launch) {
                                  port::collatz(launch, launch.pointer<const unsigned int>(0),
                                                launch.pointer<int>(1), launch.argument<int>(2));
                                },
                                "blocks -> partitions, k blocks x thread -> free axis",
                                nullptr,
                                "u32,i32"};

} // namespace lane_loop_kernels
