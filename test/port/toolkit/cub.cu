// CUB of a real toolkit: reductions, scans, sorting, loads and stores, histograms.
#include "../verify/upload.h"

#include <cub/cub.cuh>

#include <vector>
__global__ void block_sum(const int *x, const float *f, int *sums, float *fs, int n) {
  using Reduce = cub::BlockReduce<int, 128>;
  using FReduce = cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ typename FReduce::TempStorage ftemp;
  const int i = blockIdx.x * 128 + threadIdx.x;
  int v = i < n ? x[i] : 0;
  int sum = Reduce(temp).Sum(v);
  float fv = i < n ? f[i] : 0.0f;
  float fsum = FReduce(ftemp).Sum(fv);
  __syncthreads();
  int mx = Reduce(temp).Reduce(v, cuda::maximum<>{}, min(128, n - int(blockIdx.x) * 128));
  if (threadIdx.x == 0) {
    sums[blockIdx.x * 2] = sum;
    sums[blockIdx.x * 2 + 1] = mx;
    fs[blockIdx.x] = fsum;
  }
}
__global__ void warp_ops(const int *x, int *out, float *f) {
  using W = cub::WarpReduce<int>;
  using S = cub::WarpScan<int>;
  using F = cub::WarpScan<float, 16>;
  __shared__ typename W::TempStorage tw[4];
  __shared__ typename S::TempStorage ts[4];
  __shared__ typename F::TempStorage tf[8];
  int t = threadIdx.x, w = t / 32, i = blockIdx.x * blockDim.x + t;
  int v = x[i];
  int s = W(tw[w]).Sum(v);
  int e;
  S(ts[w]).ExclusiveSum(v, e);
  int inc;
  S(ts[w]).InclusiveSum(v, inc);
  int m;
  S(ts[w]).InclusiveScan(v, m, cuda::maximum<>{});
  float fv = f[i], fo;
  F(tf[t / 16]).InclusiveSum(fv, fo);
  out[4 * i] = s * (t % 32 == 0);
  out[4 * i + 1] = e;
  out[4 * i + 2] = inc;
  out[4 * i + 3] = m;
  f[i] = fo;
}
template <int A> __global__ void scan(const int *x, int *out, int n) {
  using S = cub::BlockScan<int, 96, cub::BlockScanAlgorithm(A)>;
  __shared__ typename S::TempStorage temp;
  int v[3];
  for (int k = 0; k < 3; ++k) {
    int i = (blockIdx.x * 96 + threadIdx.x) * 3 + k;
    v[k] = i < n ? x[i] : 0;
  }
  int total;
  S(temp).ExclusiveSum(v, v, total);
  for (int k = 0; k < 3; ++k) {
    int i = (blockIdx.x * 96 + threadIdx.x) * 3 + k;
    if (i < n)
      out[i] = v[k] + total;
  }
}
__global__ void sort(unsigned *keys, int *values) {
  using L = cub::BlockLoad<unsigned, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using St = cub::BlockStore<unsigned, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using R = cub::BlockRadixSort<unsigned, 64, 4, int>;
  __shared__ union {
    typename L::TempStorage l;
    typename St::TempStorage s;
    typename R::TempStorage r;
  } t;
  unsigned k[4];
  int v[4];
  L(t.l).Load(keys + blockIdx.x * 256, k);
  for (int i = 0; i < 4; ++i)
    v[i] = threadIdx.x * 4 + i;
  __syncthreads();
  R(t.r).Sort(k, v);
  __syncthreads();
  St(t.s).Store(keys + blockIdx.x * 256, k);
  for (int i = 0; i < 4; ++i)
    values[blockIdx.x * 256 + threadIdx.x * 4 + i] = v[i];
}
__global__ void loads(const int *x, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = cub::ThreadLoad<cub::LOAD_CA>(x + i) + cub::ThreadLoad<cub::LOAD_LDG>(x + i) * 3 +
            cub::ThreadLoad<cub::LOAD_CG>(x + i) * 5;
    cub::ThreadStore<cub::STORE_CS>(out + i, v);
  }
}
__global__ void hist(const unsigned char *x, int *out) {
  using H = cub::BlockHistogram<unsigned char, 64, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename H::TempStorage t;
  __shared__ int h[256];
  unsigned char v[4];
  cub::LoadDirectStriped<64>(threadIdx.x, x + blockIdx.x * 256, v);
  H(t).Histogram(v, h);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 64)
    out[blockIdx.x * 256 + i] = h[i];
}
int main() {
  std::vector<int> x(4096);
  std::vector<float> f(4096);
  for (int i = 0; i < 4096; ++i)
    x[i] = i * 7919 % 1009 - 500, f[i] = (i * 37 % 101) / 64.0f;
  int *dx = upload(x), *out = upload(std::vector<int>(16384));
  float *df = upload(f), *fs = upload(f);
  block_sum<<<8, 128>>>(dx, df, out, fs, 1000);
  warp_ops<<<3, 128>>>(dx, out, df);
  scan<0><<<4, 96>>>(dx, out, 1000);
  scan<2><<<4, 96>>>(dx, out, 1000);
  loads<<<9, 64>>>(dx, out, 555);
  sort<<<3, 64>>>((unsigned *)dx, out);
  hist<<<3, 64>>>((unsigned char *)df, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
