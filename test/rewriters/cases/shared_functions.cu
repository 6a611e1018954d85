#include <cuda_runtime.h>
#include <vector>

// Used on both sides.
struct Complex {
  float re, im;
  __host__ __device__ constexpr Complex(float re = 0, float im = 0) : re(re), im(im) {}
  __host__ __device__ Complex operator+(const Complex &o) const { return {re + o.re, im + o.im}; }
  friend __host__ __device__ Complex operator*(const Complex &a, const Complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend __device__ float device_norm(const Complex &c) { return c.re * c.re + c.im * c.im; }
  template <typename F> __host__ __device__ Complex map(F f) const { return {f(re), f(im)}; }
  __device__ void atomic_add_to(Complex *target) const;
  virtual __host__ __device__ ~Complex() = default;
};

__device__ void Complex::atomic_add_to(Complex *target) const {
  atomicAdd(&target->re, re);
  atomicAdd(&target->im, im);
}

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct OnlyOnDevice {
  __device__ float operator()(float x) const { return __expf(x); }
};

namespace detail {
__device__ inline int lane() { return threadIdx.x & 31; }
template <typename T> __device__ T reduce(T x) {
  for (int k = 16; k > 0; k /= 2)
    x += __shfl_down_sync(~0u, x, k);
  return x;
}
} // namespace detail
using detail::lane;
using detail::reduce;

inline __host__ __device__ int index_of(int x, int y) {
#ifdef __CUDA_ARCH__
  return x + y * blockDim.x;
#else
  return x + y * 32;
#endif
}

constexpr __host__ __device__ int rounded(int n, int by) { return (n + by - 1) / by * by; }

extern "C" __device__ int c_helper(int x) { return x + 1; }
extern "C" {
__device__ int other_c_helper(int x);
}
__device__ int other_c_helper(int x) { return c_helper(x); }

__device__ __noinline__ int slow(int x) { return other_c_helper(x); }

template <typename F> __global__ void apply(Complex *c, F f, int n) {
  int i = index_of(threadIdx.x, 0);
  if (i < rounded(n, 4))
    c[i] = c[i].map(f) * Complex(device_norm(c[i]), reduce(1.0f) + lane() + slow(i));
}

int main() {
  std::vector<Complex> host(64, Complex(1, 2));
  Complex *c = nullptr;
  apply<<<1, rounded(50, 32)>>>(c, Square(), 50);
  apply<<<1, 64>>>(c, OnlyOnDevice{}, index_of(3, 1));
  return (host[0] * host[1] + host[2]).map(Square()).re > 0;
}
