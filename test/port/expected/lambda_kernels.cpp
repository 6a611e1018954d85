// Kernels of lambda.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// lambda.cu.
#include "lambda_kernels.h"

#include "neuronify_kernel.h"

namespace lambda_kernels {
namespace port {

// lambda.cu:2  for_each<(lambda:9)>
// blocks -> partitions, k blocks x thread -> free axis
void for_each_lambda_9(nki::Launch &launch, int n) {
  const nki::hbm<float> f_x = launch.pointer<float>(1);
  const float f_by = launch.argument<float>(1, 8);
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :3
    nki::Mask m0 = nki::slt(i, n);                                   // :4
    nki::Index i0 = nki::sext(i, 64);                                // :9
    nki::Tensor t0 = w.tile(nl::float32);
    nki::load(t0, f_x[i0], 4, m0);
    nki::Tensor t1 = w.tile(nl::float32);
    nisa::tensor_scalar(t1, t0, nl::multiply, f_by);
    nki::store(f_x[i0], t1, 4, m0);
  }
}

} // namespace port

const neuronify::Kernel for_each_lambda_9{
    "for_each<(lambda:9)>",
    "_Z8for_eachIZ5scalePffiEUliE_EviT_",
    "lambda.cu",
    2,
    [](nki::Launch &launch) { port::for_each_lambda_9(launch, launch.argument<int>(0)); },
    "blocks -> partitions, k blocks x thread -> free axis",
    nullptr,
    "1=f32"};

} // namespace lambda_kernels
