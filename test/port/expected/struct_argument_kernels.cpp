// Kernels of struct_argument.cu, ported to AWS Trainium3 by neuronify. Numbers after // : are lines
// of struct_argument.cu.
#include "struct_argument_kernels.h"

#include "neuronify_kernel.h"

namespace struct_argument_kernels {
namespace port {

// struct_argument.cu:7  move
// blocks -> partitions, k blocks x thread -> free axis
void move(nki::Launch &launch, float dt) {
  const nki::hbm<float> particles_position = launch.pointer<float>(0);
  const nki::hbm<float> particles_velocity = launch.pointer<float>(0, 8);
  const int particles_count = launch.argument<int>(0, 16);
  for (const nki::Wave &w : launch.waves(nki::Mapping::flat)) {
    nki::Index i = w.blockIdx.x * launch.blockDim.x + w.threadIdx.x; // :8
    nki::Mask m0 = nki::slt(i, particles_count);                     // :9
    nki::Index i0 = nki::sext(i, 64);                                // :10
    nki::Tensor t0 = w.tile(nl::float32);
    nki::load(t0, particles_velocity[i0], 4, m0);
    nki::Tensor t1 = w.tile(nl::float32);
    nisa::tensor_scalar(t1, t0, nl::multiply, dt, true);
    nki::Tensor t2 = w.tile(nl::float32);
    nki::load(t2, particles_position[i0], 4, m0);
    nki::Tensor t3 = w.tile(nl::float32);
    nisa::tensor_tensor(t3, t2, t1, nl::add);
    nki::store(particles_position[i0], t3, 4, m0);
  }
}

} // namespace port

const neuronify::Kernel move{
    "move",
    "_Z4move9Particlesf",
    "struct_argument.cu",
    7,
    [](nki::Launch &launch) { port::move(launch, launch.argument<float>(1)); },
    "blocks -> partitions, k blocks x thread -> free axis",
    nullptr,
    "0=f32,0+8=f32"};

} // namespace struct_argument_kernels
