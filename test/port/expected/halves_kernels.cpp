// Kernels of halves.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// halves.cu.
#include "halves_kernels.h"

#include "neuronify_kernel.h"

namespace halves_kernels {
namespace port {

// halves.cu:4  dot_rows
// blocks -> partitions, k blocks x thread -> free axis
void dot_rows(nki::Launch &launch, nki::hbm<const nki::float16> a, nki::hbm<const nki::float16> b,
              nki::hbm<nki::float16> out, nki::hbm<nki::float16> first, int n, int width) {
  const int16_t scale = launch.argument<int16_t>(4);
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index row = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :6
    nki::Mask m0 = nki::slt(row, n);                                   // :7
    nki::Index i0 = row * width;
    nki::Tensor t0 = w.tile(nl::float32);
    nki::fill(t0, 0.0f);
    nki::Tensor acc = t0;
    nki::Tensor acc_1 = t0;
    for (int k = 0; k < width; ++k) {        // :10
      nki::Index i1 = nki::sext(i0 + k, 64); // :11
      nki::Tensor t1 = w.tile(nl::int32);
      nki::load(t1, a[i1 * 2L], 2, m0);
      nki::Tensor t2 = w.tile(nl::float32);
      nki::half_to_float(t2, t1);
      nki::Tensor t3 = w.tile(nl::int32);
      nki::load(t3, a[i1 * 2L + 1L], 2, m0);
      nki::Tensor t4 = w.tile(nl::float32);
      nki::half_to_float(t4, t3);
      int64_t k0 = int64_t(k);
      nki::Tensor t5 = w.tile(nl::int32);
      nki::load(t5, b[k0 * 2], 2, m0);
      nki::Tensor t6 = w.tile(nl::float32);
      nki::half_to_float(t6, t5);
      nki::Tensor t7 = w.tile(nl::int32);
      nki::load(t7, b[k0 * 2 + 1], 2, m0);
      nki::Tensor t8 = w.tile(nl::float32);
      nki::half_to_float(t8, t7);
      nki::Tensor t9 = w.tile(nl::float32);
      nki::fma_half(t9, t2, t6, acc);
      nki::Tensor t10 = w.tile(nl::float32);
      nki::fma_half(t10, t4, t8, acc_1);
      acc = t9; // :10
      acc_1 = t10;
    }
    nki::Tensor t11 = w.tile(nl::float32); // :12
    nisa::tensor_tensor(t11, acc, acc_1, nl::add);
    nki::Tensor t12 = w.tile(nl::float32);
    nki::round_half(t12, t11);
    nki::Tensor t13 = w.tile(nl::float32);
    nisa::tensor_scalar(t13, t12, nl::multiply, nki::half_to_float(scale));
    nki::Index i2 = nki::sext(row, 64);
    nki::Tensor t14 = w.tile(nl::int32);
    nki::float_to_half(t14, t13);
    nki::store(out[i2], t14, 2, m0);
    nki::Tensor t15 = w.tile(nl::int32); // :13
    nki::load(t15, a[nki::sext(row * width, 64) * 2L], 2, m0);
    nki::store(first[i2], t15, 2, m0);
  }
}

} // namespace port

const neuronify::Kernel dot_rows{"dot_rows",
                                 "_Z8dot_rowsPK7__half2S1_P6__halfS3_S2_ii",
                                 "halves.cu",
                                 4,
                                 [](nki::Launch &launch) {
                                   port::dot_rows(launch, launch.pointer<const nki::float16>(0),
                                                  launch.pointer<const nki::float16>(1),
                                                  launch.pointer<nki::float16>(2),
                                                  launch.pointer<nki::float16>(3),
                                                  launch.argument<int>(5), launch.argument<int>(6));
                                 },
                                 "blocks -> partitions, k blocks x thread -> free axis",
                                 nullptr,
                                 "f16,f16,f16,f16"};

} // namespace halves_kernels
