// Kernels of template.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// template.cu.
#include "template_kernels.h"

#include "neuronify_kernel.h"

namespace template_kernels {
namespace port {

// template.cu:4  powers<float, 2>
// blocks -> partitions, k blocks x thread -> free axis
void powers_float_2(nki::Launch &launch, nki::hbm<float> out, nki::hbm<const float> x) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :5
    nki::Tensor t0 = w.tile(nl::float32);                            // :6
    nki::load(t0, x[i], 4, w.all());
    nki::Index i0 = i * 2;
    nki::Tensor value = t0;
    for (int k = 0; k < 2; ++k) {           // :7
      nki::Tensor t1 = w.tile(nl::float32); // :2
      nisa::tensor_tensor(t1, value, value, nl::multiply);
      nki::store(out[i0 + k], t1, 4, w.all()); // :8
      value = t1;                              // :7
    }
  }
}

// template.cu:4  powers<int, 3>
// blocks -> partitions, k blocks x thread -> free axis
void powers_int_3(nki::Launch &launch, nki::hbm<int> out, nki::hbm<const int> x) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :5
    nki::Tensor t0 = w.tile(nl::int32);                              // :6
    nki::load(t0, x[i], 4, w.all());
    nki::Index i0 = i * 3;
    nki::Tensor value = t0;
    for (int k = 0; k < 3; ++k) {         // :7
      nki::Tensor t1 = w.tile(nl::int32); // :2
      nki::imul(t1, value, value);
      nki::store(out[i0 + k], t1, 4, w.all()); // :8
      value = t1;                              // :7
    }
  }
}

} // namespace port

const neuronify::Kernel powers_float_2{"powers<float, 2>",
                                       "_Z6powersIfLi2EEvPT_PKS0_",
                                       "template.cu",
                                       4,
                                       [](nki::Launch &launch) {
                                         port::powers_float_2(launch, launch.pointer<float>(0),
                                                              launch.pointer<const float>(1));
                                       },
                                       "blocks -> partitions, k blocks x thread -> free axis",
                                       nullptr,
                                       "f32,f32"};
const neuronify::Kernel powers_int_3{"powers<int, 3>",
                                     "_Z6powersIiLi3EEvPT_PKS0_",
                                     "template.cu",
                                     4,
                                     [](nki::Launch &launch) {
                                       port::powers_int_3(launch, launch.pointer<int>(0),
                                                          launch.pointer<const int>(1));
                                     },
                                     "blocks -> partitions, k blocks x thread -> free axis",
                                     nullptr,
                                     "i32,i32"};

} // namespace template_kernels
