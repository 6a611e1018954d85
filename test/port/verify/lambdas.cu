// Lambdas and function objects as kernel arguments, kernels found by overload, launches in
// templates.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <class F> __global__ void for_each(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}

template <int Unroll, class F> __global__ void transform(float *x, int n, F f) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * Unroll;
  for (int k = 0; k < Unroll; ++k)
    if (first + k < n)
      x[first + k] = f(x[first + k]);
}

template <class F, class... Rest> __global__ void apply_all(float *x, int n, F f, Rest... rest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = f(x[i]);
    ((x[i] = rest(x[i])), ...);
  }
}

__global__ void fill(float *x, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value + i;
}
__global__ void fill(int *x, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value - i;
}

__device__ float twice(float x) { return 2 * x; }
__device__ float half(float x) { return 0.5f * x; }

struct Affine {
  float by, plus;
  __host__ __device__ float operator()(float x) const { return x * by + plus; }
};

template <class F, class G> struct Compose {
  F f;
  G g;
  __host__ __device__ float operator()(float x) const { return g(f(x)); }
};
template <class F, class G> Compose<F, G> compose(F f, G g) { return {f, g}; }

const int threads = 96;
int blocks(int n) { return (n + threads - 1) / threads; }

template <class F> void parallel_for(int n, F f) { for_each<<<blocks(n), threads>>>(n, f); }
template <class T> void fill_any(T *x, int n, T value) {
  fill<<<blocks(n), threads>>>(x, n, value);
}
template <class T> void add(T *x, T value, int n) {
  parallel_for(n, [=] __device__(int i) { x[i] += value; });
}
template <int Times, class T> struct Repeat {
  T *x;
  void run(int n) const {
    T *to = x;
    parallel_for(n, [to] __device__(int i) {
      for (int k = 0; k < Times; ++k)
        to[i] += T(k);
    });
  }
};

class Shift {
public:
  Shift(float by) : by(by) {}
  void run(float *x, int n) {
    transform<1><<<blocks(n), threads>>>(x, n, Add{by});
    transform<1><<<blocks(n), threads>>>(x, n, [*this] __device__(float v) { return v - by; });
  }

private:
  struct Add {
    float by;
    __device__ float operator()(float v) const { return v + by; }
  };
  float by;
};

#define FOR_EACH(i, n, body) for_each<<<blocks(n), threads>>>(n, [=] __device__(int i) body)

static auto negate = [] __device__(float v) { return -v; };

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1013;
  float *x;
  int *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(int));
  fill_any(x, n, 0.25f);
  fill_any(y, n, 7);

  // Several lambdas in one function, named and not, for one kernel and for two of its instances.
  float a = 3;
  auto scale = [=] __device__(float v) { return v * a; };
  transform<4><<<blocks(n), threads>>>(x, n, scale);
  transform<2><<<blocks(n), threads>>>(x, n, scale);
  transform<2><<<blocks(n), threads>>>(x, n, [] __device__(float v) { return twice(v) + 1; });
  transform<2><<<blocks(n), threads>>>(x, n, [] __device__(auto v) { return half(v) - 1; });
  for_each<<<blocks(n), threads>>>(n, [=] __device__(int i) { y[i] ^= i; });
  for (int k = 0; k < 2; ++k)
    for_each<<<blocks(n), threads>>>(n, [=, c = a * 2] __device__(int i) mutable {
      c += k;
      x[i] += c * (y[i] & 15);
    });
  // Two on one line; one in the other's arguments; in templates, for more than one type.
  auto up = [=] __device__(float v) { return v + a; }, down = up;
  apply_all<<<blocks(n), threads>>>(x, n, up, [] __device__(float v) { return v * v; }, down);
  transform<1><<<blocks(n), threads>>>(x, n, compose(up, Affine{0.5f, 1}));
  transform<1><<<blocks(n), threads>>>(x, n, compose(Affine{2, 0}, Affine{0.5f, 1}));
  transform<1><<<blocks(n), threads>>>(x, n, negate);
  add(x, 0.5f, n);
  add(y, 3, n);
  Repeat<2, float>{x}.run(n);
  Repeat<3, float>{x}.run(n);
  Repeat<3, int>{y}.run(n);
  Shift(2.5f).run(x, n);
  FOR_EACH(i, n, { y[i] -= 5; });

  // For both sides: the host calls it too.
  struct Square {
    __host__ __device__ float operator()(float v) const { return v * v; }
  };
  transform<1><<<blocks(n), threads>>>(x, n, Square());
  auto cube = [a] __host__ __device__(float v) { return v * v * v + a; };
  transform<1><<<blocks(n), threads>>>(x, n, cube);

  float first = 0;
  cudaMemcpy(&first, x, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g %g\n", first, cube(2), Square()(3));
  cudaFree(x);
  cudaFree(y);
  return cudaGetLastError() != cudaSuccess;
}
