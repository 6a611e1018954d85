// Functions of 16-bit floats that are computed in fp32 and rounded, for every bit pattern.
#include "upload.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

template <class T> __global__ void near_functions(const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const T h = x[i];
  y[i] = hexp(h);
  y[n + i] = hlog(h);
  y[2 * n + i] = hrsqrt(h);
  y[3 * n + i] = hsin(h);
  y[4 * n + i] = hcos(h);
  y[5 * n + i] = hexp2(h);
  y[6 * n + i] = hlog2(h);
  y[7 * n + i] = htanh(h);
}

template <class T> __global__ void decimal_functions(const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = hexp10(x[i]);
  y[n + i] = hlog10(x[i]);
}

template <class T, class Raw> bool test() {
  const int all = 65536;
  std::vector<T> x(all);
  for (int i = 0; i < all; ++i) {
    Raw raw;
    raw.x = (unsigned short)i;
    x[i] = raw;
  }
  T *dx = upload(x), *dy = upload(std::vector<T>(8 * all, T(0.5f)));
  near_functions<<<256, 256>>>(dx, dy, all);
  near_functions<<<129, 5>>>(dx, dy, 641);
  decimal_functions<<<300, 220>>>(dx, dy, all);
  return cudaDeviceSynchronize() == cudaSuccess;
}

int main() {
  return test<__half, __half_raw>() && test<__nv_bfloat16, __nv_bfloat16_raw>() ? 0 : 1;
}
