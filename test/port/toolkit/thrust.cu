// Thrust and libcu++ of a real toolkit in kernels: values, and algorithms of one thread.
#include "../verify/upload.h"

#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <thrust/complex.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <vector>
__global__ void complexes(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  thrust::complex<float> a(x[i], x[(i + 1) % n]), b(x[(i + 2) % n], 0.5f);
  thrust::complex<float> c = a * b + thrust::conj(a);
  y[2 * i] = c.real();
  y[2 * i + 1] = thrust::abs(c);
}
__global__ void tuples(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  auto t = thrust::make_tuple(x[i], i, 3);
  thrust::pair<int, int> p = thrust::make_pair(thrust::get<0>(t), thrust::get<1>(t));
  cuda::std::array<int, 3> a{p.first, p.second, thrust::get<2>(t)};
  thrust::swap(a[0], a[1]);
  cuda::std::optional<int> o;
  if (x[i] > 0)
    o = x[i];
  y[i] = a[0] * 3 + a[1] - a[2] + o.value_or(cuda::std::numeric_limits<int>::max() >> 20);
}
__global__ void seqs(int *x, int *out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *p = x + i * m;
  out[4 * i] = thrust::reduce(thrust::seq, p, p + m);
  out[4 * i + 1] = thrust::reduce(thrust::seq, p, p + m, -1000000, thrust::maximum<int>());
  thrust::inclusive_scan(thrust::seq, p, p + m, p);
  out[4 * i + 2] = thrust::find(thrust::seq, p, p + m, 7) - p;
}
int main() {
  std::vector<int> x(4096);
  std::vector<float> f(4096);
  for (int i = 0; i < 4096; ++i)
    x[i] = i * 7919 % 1009 - 500, f[i] = (i * 37 % 101) / 64.0f;
  int *dx = upload(x), *out = upload(std::vector<int>(16384));
  float *df = upload(f), *fs = upload(std::vector<float>(8192));
  complexes<<<8, 100>>>(df, fs, 777);
  tuples<<<8, 100>>>(dx, out, 777);
  seqs<<<2, 33>>>(dx, out, 11, 61);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
