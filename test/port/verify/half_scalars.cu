// 16-bit floats that the launch knows: arguments, and what is computed from them on the host, alone
// and next to lanes; constant memory, device variables and tables of halves; built-in types.
#include "upload.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

__constant__ __half weights[5];
__constant__ __nv_bfloat162 pairs[3];
__device__ __half bias = __half(0.1f);

template <class T> __global__ void of_host(T a, T b, T c, int k, float f, T *y, int *flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T sum = a + b, product = a * b;
  if (a < b)
    sum = sum - c;
  T root = hsqrt(__habs(c));
  for (int j = 0; j < k; ++j)
    product = __hfma(product, a, c) / b;
  const T most = __hmax(a, __hmin(b, c));
  y[i] = sum;
  y[n + i] = product + root;
  y[2 * n + i] = most * y[3 * n + i];
  y[3 * n + i] = T(k) * T(f) + T(i);
  y[4 * n + i] = i % 3 ? a : -b;
  flags[i] = int(a) + (b == c) + 2 * (a != c) + 4 * __hisnan(root) + 8 * bool(sum) + int(sum) * 16;
}

__global__ void of_memory(const __half *x, __half *y, __nv_bfloat162 *z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  static constexpr float table[4] = {1.0f, 0.5f, 0.25f, 3.0f};
  __half sum = bias;
  for (int j = 0; j < 5; ++j)
    sum = __hfma(x[(i + j) % n], weights[j], sum);
  y[i] = sum + weights[i % 5] * __half(table[i & 3]);
  z[i] = __hadd2(pairs[i % 3], pairs[1]);
}

__global__ void built_in(const _Float16 *x, const __bf16 *b, _Float16 *y, __bf16 *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  _Float16 h = x[i];
  h = h * h + (_Float16)1;
  y[i] = h > (_Float16)2 ? h : -h;
  c[i] = (__bf16)((float)b[i] + (float)h);
}

template <class T> void test(int n) {
  T *y = upload(std::vector<T>(5 * n, T(0.75f)));
  int *flags = upload(std::vector<int>(n));
  const float values[][3] = {{1.5f, 2.25f, 0.1f},
                             {-3.0f, 0.3f, 7.0f},
                             {6e-8f, 1e-5f, -2e-7f},
                             {1.0f / 3, 1.1f, 0.9f},
                             {300.0f, 0.01f, 0.0f}};
  for (const auto &v : values)
    for (int k : {0, 1, 7})
      of_host<<<(n + 99) / 100, 100>>>(T(v[0]), T(v[1]), T(v[2]), k, 0.7f, y, flags, n);
}

int main() {
  test<__half>(333);
  test<__nv_bfloat16>(129);
  const int n = 1000;
  std::vector<__half> x(n), w(5);
  std::vector<__nv_bfloat162> p(3);
  for (int i = 0; i < n; ++i)
    x[i] = __float2half(float(i * 37 % 101) / 16.0f - 3.0f);
  for (int i = 0; i < 5; ++i)
    w[i] = __half(1) / __half(i + 3);
  for (int i = 0; i < 3; ++i)
    p[i] = __floats2bfloat162_rn(0.1f * float(i), -1.0f);
  cudaMemcpyToSymbol(weights, w.data(), 5 * sizeof(__half));
  cudaMemcpyToSymbol(pairs, p.data(), 3 * sizeof(__nv_bfloat162));
  __half *dx = upload(x), *dy = upload(x);
  auto *dz = upload(std::vector<__nv_bfloat162>(n));
  of_memory<<<9, 120>>>(dx, dy, dz, n);
  const __half other = __float2half(-0.4f);
  cudaMemcpyToSymbol(bias, &other, sizeof other);
  of_memory<<<5, 33>>>(dx, dy, dz, 161);
  built_in<<<8, 128>>>((_Float16 *)dx, (__bf16 *)dz, (_Float16 *)dy, (__bf16 *)dz, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
