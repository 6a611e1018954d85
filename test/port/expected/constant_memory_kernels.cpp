// Kernels of constant_memory.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines
// of constant_memory.cu.
#include "constant_memory_kernels.h"

#include "neuronify_kernel.h"

namespace constant_memory_kernels {
namespace port {

// constant_memory.cu:7  smooth
// blocks -> partitions, k blocks x thread -> free axis
void smooth(nki::Launch &launch, nki::hbm<const float> x, nki::hbm<float> y, int n) {
  const nki::hbm<float> weights = launch.symbol<float>("weights");
  const nki::hbm<int> calls = launch.symbol<int>("calls");
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :8
    nki::Index i0 = i + 1;                                           // :9
    nki::Mask m0 = nki::sgt(i, 0) & nki::slt(i0, n);
    nki::Tensor t0 = w.tile(nl::float32); // :10
    nki::load(t0, weights[0], 4, m0);
    nki::Tensor t1 = w.tile(nl::float32);
    nki::load(t1, x[i - 1], 4, m0);
    nki::Tensor t2 = w.tile(nl::float32);
    nisa::tensor_tensor(t2, t0, t1, nl::multiply);
    nki::Tensor t3 = w.tile(nl::float32);
    nki::load(t3, weights[1], 4, m0);
    nki::Index i1 = nki::sext(i, 64);
    nki::Tensor t4 = w.tile(nl::float32);
    nki::load(t4, x[i1], 4, m0);
    nki::Tensor t5 = w.tile(nl::float32);
    nisa::tensor_tensor(t5, t3, t4, nl::multiply);
    nki::Tensor t6 = w.tile(nl::float32);
    nisa::tensor_tensor(t6, t2, t5, nl::add);
    nki::Tensor t7 = w.tile(nl::float32);
    nki::load(t7, weights[2], 4, m0);
    nki::Tensor t8 = w.tile(nl::float32);
    nki::load(t8, x[i0], 4, m0);
    nki::Tensor t9 = w.tile(nl::float32);
    nisa::tensor_tensor(t9, t7, t8, nl::multiply);
    nki::Tensor t10 = w.tile(nl::float32);
    nisa::tensor_tensor(t10, t6, t9, nl::add);
    nki::store(y[i1], t10, 4, m0);
    nki::Mask m1 = nki::eq(i, 0);        // :11
    nki::Tensor t11 = w.tile(nl::int32); // :12
    nki::load(t11, calls[0], 4, m1);
    nki::Tensor t12 = w.tile(nl::int32);
    nki::iadd(t12, t11, 1);
    nki::store(calls[0], t12, 4, m1);
  }
}

} // namespace port

const neuronify::Kernel smooth{"smooth",
                               "_Z6smoothPKfPfi",
                               "constant_memory.cu",
                               7,
                               [](nki::Launch &launch) {
                                 port::smooth(launch, launch.pointer<const float>(0),
                                              launch.pointer<float>(1), launch.argument<int>(2));
                               },
                               "blocks -> partitions, k blocks x thread -> free axis",
                               nullptr,
                               "f32,f32"};

} // namespace constant_memory_kernels
