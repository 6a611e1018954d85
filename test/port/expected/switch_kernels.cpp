// Kernels of switch.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// switch.cu.
#include "switch_kernels.h"

#include "neuronify_kernel.h"

namespace switch_kernels {
namespace port {

// switch.cu:2  apply
// blocks -> partitions, k blocks x thread -> free axis
void apply(nki::Launch &launch, nki::hbm<const int> operation, nki::hbm<float> x, int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Mask m0 = nki::slt(i, n);                                   // :4
    nki::Index i0 = nki::sext(i, 64);                                // :6
    nki::Tensor t0 = w.tile(nl::float32);
    nki::load(t0, x[i0], 4, m0);
    nki::Tensor t1 = w.tile(nl::int32); // :7
    nki::load(t1, operation[i0], 4, m0);
    nki::Mask m1 = nki::slt(w, t1, 1);
    nki::Mask m2 = m0 & m1;
    nki::Mask m3 = nki::andnot(nki::andnot(m0, m1), nki::slt(w, t1, 2));
    nki::Mask m4 = nki::eq(w, t1, 2);
    nki::Tensor t2 = w.tile(nl::float32); // :12
    nisa::tensor_scalar(t2, t0, nl::add, 1.0f);
    nki::Tensor value = w.tile(nl::float32);
    nki::select(value, m3 & m4, t0, t2);
    nki::Tensor t3 = w.tile(nl::float32); // :15
    nisa::tensor_tensor(t3, value, value, nl::multiply);
    nki::Mask m5 = nki::eq(w, t1, 0);
    nki::Tensor t4 = w.tile(nl::float32); // :9
    nki::fneg(t4, t0);
    nki::Tensor value_1 = w.tile(nl::float32);
    nisa::tensor_copy(value_1, t3);
    nki::assign(value_1, t4, m2 & m5);
    nki::assign(value_1, 0.0f, nki::andnot(m3, m4));
    nki::assign(value_1, 0.0f, nki::andnot(m2, m5));
    nki::store(x[i0], value_1, 4, m0); // :20
  }
}

} // namespace port

const neuronify::Kernel apply{"apply",
                              "_Z5applyPKiPfi",
                              "switch.cu",
                              2,
                              [](nki::Launch &launch) {
                                port::apply(launch, launch.pointer<const int>(0),
                                            launch.pointer<float>(1), launch.argument<int>(2));
                              },
                              "blocks -> partitions, k blocks x thread -> free axis",
                              nullptr,
                              "i32,f32"};

} // namespace switch_kernels
