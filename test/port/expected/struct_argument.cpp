// A struct by value, with pointers in it.
#include "neuronify.h"
#include "struct_argument_kernels.h"

struct Particles {
  float *position, *velocity;
  int count;
};

// Ported as struct_argument_kernels::move.
void move(Particles /*particles*/, float /*dt*/) { neuronify::kernel_stub("move"); }

void run(const Particles &particles, float dt) {
  neuronify::launch(move, (particles.count + 255) / 256, 256, 0, nullptr, particles, dt);
}

// Ties the kernels to their ports in struct_argument_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "struct_argument.bc",
                 {neuronify::KernelStub(move, struct_argument_kernels::move)});
} // namespace
