#include "neuronify.h"
#include "shared_functions_kernels.h"
#include <vector>

// Used on both sides.
struct Complex {
  float re, im;
  constexpr Complex(float re = 0, float im = 0) : re(re), im(im) {}
  Complex operator+(const Complex &o) const { return {re + o.re, im + o.im}; }
  friend Complex operator*(const Complex &a, const Complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  template <typename F> Complex map(F f) const { return {f(re), f(im)}; }
  virtual ~Complex() = default;
};

struct Square {
  float operator()(float x) const { return x * x; }
};
struct OnlyOnDevice {
};

namespace detail {
} // namespace detail

inline int index_of(int x, int y) {
#ifdef __CUDA_ARCH__
  return x + y * blockDim.x;
#else
  return x + y * 32;
#endif
}

constexpr int rounded(int n, int by) { return (n + by - 1) / by * by; }

extern "C" {
}

// Ported as shared_functions_kernels::apply_Square, apply_OnlyOnDevice.
template <typename F> void apply(Complex * /*c*/, F /*f*/, int /*n*/) {
  neuronify::kernel_stub("apply");
}

int main() {
  std::vector<Complex> host(64, Complex(1, 2));
  Complex *c = nullptr;
  neuronify::launch(apply<::Square>, 1, rounded(50, 32), 0, nullptr, c, Square(), 50);
  neuronify::launch(apply<::OnlyOnDevice>, 1, 64, 0, nullptr, c, OnlyOnDevice{}, index_of(3, 1));
  return (host[0] * host[1] + host[2]).map(Square()).re > 0;
}

// Ties the kernels to their ports in shared_functions_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "shared_functions.bc",
    {neuronify::KernelStub(apply<Square>, shared_functions_kernels::apply_Square),
     neuronify::KernelStub(apply<OnlyOnDevice>, shared_functions_kernels::apply_OnlyOnDevice)});
} // namespace
