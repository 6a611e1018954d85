// Kernels of host_api.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// host_api.cu.
#include "host_api_kernels.h"

#include "neuronify_kernel.h"

namespace host_api_kernels {
namespace port {

// host_api.cu:15  fill
// blocks -> partitions, k blocks x thread -> free axis
void fill(nki::Launch &launch, nki::hbm<float> x, float value, int n) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x;     // :16
    nki::store(x[i], std::bit_cast<uint32_t>(value), 4, nki::slt(i, n)); // :18
  }
}

} // namespace port

const neuronify::Kernel fill{"fill",
                             "_Z4fillPffi",
                             "host_api.cu",
                             15,
                             [](nki::Launch &launch) {
                               port::fill(launch, launch.pointer<float>(0),
                                          launch.argument<float>(1), launch.argument<int>(2));
                             },
                             "blocks -> partitions, k blocks x thread -> free axis",
                             nullptr,
                             "f32"};

} // namespace host_api_kernels
