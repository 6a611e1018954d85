// Kernels chosen by enable_if, whose parameters have no names, launched from templates.
#include "upload.h"

#include <type_traits>

template <typename T, typename std::enable_if<std::is_same<T, int>::value, int>::type = 0>
__global__ void stamp(T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = i * 3;
}

template <typename T, typename std::enable_if<!std::is_same<T, int>::value, int>::type = 0>
__global__ void stamp(T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = i * T(0.5f);
}

template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>, int>
__global__ void later(T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += T(1);
}

template <class F, int = 4> __global__ void apply(float *x, int n, F f, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = f(x[i]);
}

template <typename T> void run(T *x, int n) {
  stamp<T><<<(n + 31) / 32, 32>>>(x, n);
  stamp<T><<<(n + 99) / 100, 100>>>(x, n / 2);
  later<T, void, 7><<<(n + 31) / 32, 32>>>(x, n);
}

int main() {
  int *d_i = upload(std::vector<int>(1000));
  float *d_f = upload(std::vector<float>(1000));
  for (int n : {1, 33, 1000}) {
    run(d_i, n);
    run(d_f, n);
    const float by = 1.5f + n;
    apply<<<(n + 63) / 64, 64>>>(d_f, n, [by] __device__(float x) { return x * by; }, 3);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
