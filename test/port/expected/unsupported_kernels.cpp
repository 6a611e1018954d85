// Kernels of unsupported.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// unsupported.cu.
#include "unsupported_kernels.h"

#include "neuronify_kernel.h"

namespace unsupported_kernels {
namespace port {

// unsupported.cu:10  increment
// blocks -> partitions, k blocks x thread -> free axis
void increment(nki::Launch &launch, nki::hbm<int> x, int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :11
    nki::Mask m0 = nki::slt(i, n);                                   // :12
    nki::Index i0 = nki::sext(i, 64);                                // :13
    nki::Tensor t0 = w.tile(nl::int32);
    nki::load(t0, x[i0], 4, m0);
    nki::Tensor t1 = w.tile(nl::int32);
    nki::iadd(t1, t0, 1);
    nki::store(x[i0], t1, 4, m0);
  }
}

} // namespace port

const neuronify::Kernel half_sum{
    "half_sum",
    "_Z8half_sumPKdPdi",
    "unsupported.cu",
    2,
    nullptr,
    "",
    "NFY4006: kernel 'half_sum' cannot be ported: call of 'llvm.nvvm.isspacep.global'"};
const neuronify::Kernel increment{"increment",
                                  "_Z9incrementPii",
                                  "unsupported.cu",
                                  10,
                                  [](nki::Launch &launch) {
                                    port::increment(launch, launch.pointer<int>(0),
                                                    launch.argument<int>(1));
                                  },
                                  "blocks -> partitions, k blocks x thread -> free axis",
                                  nullptr,
                                  "i32"};

} // namespace unsupported_kernels
