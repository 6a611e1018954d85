#include <cuda_runtime.h>

namespace ns {
template <typename T, int N = 4>
__global__ void fill(T *out, T value) {
  for (int i = 0; i < N; ++i)
    out[i] = value;
}

template <typename T> struct Pair {
  T first, second;
};

template <typename T> __global__ void pair(Pair<T> p, T *out) { out[0] = p.first + p.second; }

template <typename T> struct Runner {
  static __global__ void step(T *p) { p[0] = 0; }
  void run(T *p) { step<<<1, 1>>>(p); }
};
} // namespace ns

// Arguments that depend on a template parameter of the host function.
template <typename T> void fill_all(T *out, T value, cudaStream_t stream) {
  ns::fill<<<1, 1>>>(out, value);
  ns::fill<T><<<1, 1, 0, stream>>>(out, value);
  ns::fill<T, 8><<<dim3(1, 2), 1, 0, stream>>>(out, value);
  ns::Pair<T> both{value, value};
  ns::pair<<<1, 1>>>(both, out);
  ns::pair<<<1, 1>>>(both, &out[1]);
}

int main() {
  float *x = nullptr;
  cudaMalloc(&x, 16);
  ns::fill<<<1, 1>>>(x, 1.0f);
  ns::fill<float><<<1, 1>>>(x, 1);
  ns::fill<float, 8><<<1, 1>>>(x, 1);
  fill_all<int>(nullptr, 3, 0);
  ns::Runner<int>().run(nullptr);
  auto kernel = ns::fill<double, 2>;
  kernel<<<1, 1>>>(nullptr, 2.0);
  void (*other)(unsigned *, unsigned) = ns::fill;
  (*other)<<<1, 1>>>(nullptr, 2u);
}
