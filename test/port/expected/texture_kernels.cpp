// Kernels of texture.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines of
// texture.cu.
#include "texture_kernels.h"

#include "neuronify_kernel.h"

namespace texture_kernels {
namespace port {

// texture.cu:2  brighten
// blocks -> partitions, k blocks x thread -> free axis
void brighten(nki::Launch &launch, int64_t image, int64_t out, float gain, int width, int height) {
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index x = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :4
    nki::Index y = w.blockIdx.y * launch.blockDim.y + w.threadIdx.y; // :5
    nki::Mask m0 = nki::slt(x, width) & nki::slt(y, height);         // :6
    nki::Tensor t0 = w.tile(nl::int32);                              // :7
    nki::materialize(t0, x);
    nki::Tensor t1 = w.tile(nl::float32);
    nki::int_to_float(t1, t0);
    nki::Tensor t2 = w.tile(nl::float32);
    nisa::tensor_scalar(t2, t1, nl::add, 0.5f);
    nki::materialize(t0, y);
    nki::int_to_float(t1, t0);
    nki::Tensor t3 = w.tile(nl::float32);
    nisa::tensor_scalar(t3, t1, nl::add, 0.5f);
    nki::Tensor pixel = w.tile(nl::float32);
    nki::texture_2d(w, pixel, image, 0, t2, t3, m0);
    nki::Tensor pixel_1 = w.tile(nl::float32);
    nki::texture_2d(w, pixel_1, image, 1, t2, t3, m0);
    nisa::tensor_scalar(t1, pixel, nl::multiply, gain); // :8
    nki::Index i0 = x * 8;
    nki::surface_write_2d(w, out, t1.view(nl::int32), i0, y, 8, 0, 4, 2, m0);
    nki::surface_write_2d(w, out, pixel_1.view(nl::int32), i0, y, 8, 4, 4, 2, m0);
  }
}

} // namespace port

const neuronify::Kernel brighten{
    "brighten",
    "_Z8brightenyyfii",
    "texture.cu",
    2,
    [](nki::Launch &launch) {
      port::brighten(launch, launch.argument<int64_t>(0), launch.argument<int64_t>(1),
                     launch.argument<float>(2), launch.argument<int>(3), launch.argument<int>(4));
    },
    "blocks -> partitions, k blocks x thread -> free axis",
    nullptr};

} // namespace texture_kernels
