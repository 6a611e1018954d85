// 64-bit integers: pairs of tiles where both words are wanted, the low word elsewhere.
#include "neuronify.h"
#include "hash64_kernels.h"

// Ported as hash64_kernels::splitmix.
void splitmix(const unsigned long long * /*seeds*/, const int * /*where*/, unsigned * /*out*/, int /*n*/) {
  neuronify::kernel_stub("splitmix");
}

void run(const unsigned long long *seeds, const int *where, unsigned *out, int n) {
  neuronify::launch(splitmix, (n + 127) / 128, 128, 0, nullptr, seeds, where, out, n);
}

// Ties the kernels to their ports in hash64_kernels.cpp, before constructors of global objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "hash64.bc",
                 {neuronify::KernelStub(splitmix, hash64_kernels::splitmix)});
} // namespace
