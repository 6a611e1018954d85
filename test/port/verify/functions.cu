// Device functions: templates, overloads, references, lambdas, functors, operators, default
// arguments, several results, early returns, methods and functions that call each other.
#include "upload.h"

#include <vector>

__device__ int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
__device__ float clamp(float v, float low, float high) { return fminf(fmaxf(v, low), high); }

template <typename T> __device__ T square(T v) { return v * v; }

template <int N> __device__ int power(int v) { return v * power<N - 1>(v); }
template <> __device__ int power<0>(int) { return 1; }

__device__ void order(int &a, int &b) {
  if (a > b) {
    const int t = a;
    a = b;
    b = t;
  }
}

__device__ bool split(int v, int *quotient, int *rest) {
  if (v < 0)
    return false;
  *quotient = v / 7;
  *rest = v % 7;
  return true;
}

__device__ __noinline__ float poly(float x, float c0 = 1.0f, float c1 = -0.5f) {
  return c0 + x * (c1 + x * 0.25f);
}

struct Complex {
  float re, im;
  __device__ Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __device__ Complex &operator+=(const Complex &o) {
    re += o.re;
    im += o.im;
    return *this;
  }
  __device__ float norm() const { return square(re) + square(im); }
};

struct Affine {
  float scale, shift;
  __host__ __device__ float operator()(float x) const { return scale * x + shift; }
};

template <typename F, typename G> __device__ float compose(F f, G g, float x) { return f(g(x)); }

template <typename T, int Rounds, typename F>
__global__ void apply(const T *in, T *out, F function, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T v = in[i];
  for (int r = 0; r < Rounds; ++r)
    v = function(v);
  out[i] = v;
}

__global__ void integers(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int low = a[i], high = clamp(i, -10, 500), quotient = -1, rest = -2;
  order(low, high);
  const bool positive = split(low, &quotient, &rest);
  auto mix = [&](int k) { return positive ? quotient * k + rest : low - k; };
  out[i] = mix(3) * 2 + power<3>(high % 100) + square(low % 50);
  const auto add = [=](int k) mutable {
    low += k;
    return low;
  };
  out[n + i] = clamp(i * 3 - 40, 0, 99) + [](auto f, int k) { return f(k) - f(1); }(add, 5);
}

__global__ void floats(const float *x, float *y, Affine f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Complex z{x[i], 0.5f};
  const Complex c{-0.25f, x[n - 1 - i]};
  for (int k = 0; k < 3; ++k) {
    z = z * z;
    z += c;
  }
  y[0 * n + i] = clamp(z.norm(), 0.0f, 100.0f);
  y[1 * n + i] = compose(f, [](float v) { return v * v - 1.0f; }, x[i]);
  y[2 * n + i] = poly(x[i]) - poly(x[i], 2.0f) * poly(x[i], f.scale, f.shift);
}

struct Hash {
  unsigned seed;
  __host__ __device__ unsigned operator()(unsigned v) const { return (v ^ seed) * 16777619u; }
};

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  std::vector<unsigned> u(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    u[i] = unsigned(i) * 2654435761u;
    x[i] = float((i * 37) % 101) / 64.0f - 0.75f;
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(2 * size, 9));
  unsigned *d_u = upload(u), *d_v = upload(std::vector<unsigned>(size));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(3 * size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    integers<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    floats<<<c.blocks, c.threads>>>(d_x, d_y, Affine{1.5f, -0.25f}, c.n);
    apply<float, 3><<<c.blocks, c.threads>>>(d_x, d_y, Affine{0.5f, 2.0f}, c.n);
    apply<unsigned, 5><<<c.blocks, c.threads>>>(d_u, d_v, Hash{2166136261u}, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
