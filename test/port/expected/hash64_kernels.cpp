// Kernels of hash64.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// hash64.cu.
#include "hash64_kernels.h"

#include "neuronify_kernel.h"

namespace hash64_kernels {
namespace port {

// hash64.cu:2  splitmix
// blocks -> partitions, k blocks x thread -> free axis
void splitmix(nki::Launch &launch, nki::hbm<const unsigned long long> seeds,
              nki::hbm<const int> where, nki::hbm<unsigned int> out, int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Mask m0 = nki::slt(i, n);                                   // :4
    nki::Index i0 = nki::sext(i, 64);                                // :6
    nki::Tensor t0 = w.tile(nl::int32);
    nki::load(t0, where[i0], 4, m0);
    nki::Wide t1 = w.wide();
    nki::load(t1, seeds[t0], 8, m0);
    nki::Wide z = w.wide();
    nki::iadd(z, t1, -7046029254386353131L);
    nki::Wide t2 = w.wide(); // :7
    nki::lshr(t2, z, 30);
    nki::Wide t3 = w.wide();
    nki::ixor(t3, z, t2);
    nki::Wide z_1 = w.wide();
    nki::imul(z_1, t3, -4658895280553007687L);
    nki::Wide t4 = w.wide(); // :8
    nki::lshr(t4, z_1, 27);
    nki::Wide t5 = w.wide();
    nki::ixor(t5, z_1, t4);
    nki::Wide z_2 = w.wide();
    nki::imul(z_2, t5, -7723592293110705685L);
    nki::Wide t6 = w.wide(); // :9
    nki::lshr(t6, z_2, 31);
    nki::Wide t7 = w.wide();
    nki::ixor(t7, z_2, t6);
    nki::store(out[i0], t7.high, 4, m0);
  }
}

} // namespace port

const neuronify::Kernel splitmix{"splitmix",
                                 "_Z8splitmixPKyPKiPji",
                                 "hash64.cu",
                                 2,
                                 [](nki::Launch &launch) {
                                   port::splitmix(
                                       launch, launch.pointer<const unsigned long long>(0),
                                       launch.pointer<const int>(1),
                                       launch.pointer<unsigned int>(2), launch.argument<int>(3));
                                 },
                                 "blocks -> partitions, k blocks x thread -> free axis",
                                 nullptr,
                                 "u64,i32,u32"};

} // namespace hash64_kernels
