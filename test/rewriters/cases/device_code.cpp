// The licence of this file
// stays.
#include "neuronify.h"
#include "device_code_kernels.h"

constexpr int TILE = 16;
static const int HOST_TOO = 4;

/* Both sides
   use this. */
inline float cube(float x) { return x * x * x; }

[[maybe_unused]] static constexpr int tiles(int n) { return n / TILE; }

struct alignas(16) Vec {
  float x, y;
  Vec(float x, float y) : x(x), y(y) {}

  float sum() const { return x + y; }
};

// Ported as device_code_kernels::use_all.
void use_all(Vec * /*v*/, float * /*out*/) {
  neuronify::kernel_stub("use_all");
}

int main() {
  Vec v(1, 2);
  neuronify::launch(use_all, 1, 32, HOST_TOO * sizeof(float), nullptr, nullptr, nullptr);
  return cube(v.sum()) > 3;
}

// Ties the kernels to their ports in device_code_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "device_code.bc",
                 {neuronify::KernelStub(use_all, device_code_kernels::use_all)});
} // namespace
