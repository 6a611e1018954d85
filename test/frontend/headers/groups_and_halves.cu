#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__global__ void halves(half *x, __half2 *y, __nv_bfloat16 *b, __nv_bfloat162 *b2, int *n) {
  const int i = threadIdx.x;
  x[i] = __hfma(x[i], __float2half(2.f), hexp(x[i])) + __half(1);
  x[i] += __int2half_rn(n[i]);
  y[i] = __hadd2(y[i], __half2half2(x[i])) * __floats2half2_rn(1.f, 2.f);
  if (__hgt(x[i], x[0]) && x[i] >= __half(0.5f))
    n[i] = __half2int_rn(__hmax(x[i], __low2half(y[i])));
  b[i] = b[i] * __float2bfloat16(3.0f);
  b2[i] = __hfma2(b2[i], b2[i], __bfloat162bfloat162(b[i]));
  atomicAdd(x, __shfl_down_sync(~0u, x[i], 1));
  const float2 f = __half22float2(y[i]);
  n[0] = (int)(f.x + __bfloat162float(b[i]) + (float)x[i]);
}

__global__ void groups(float *f, cuComplex *c) {
  const int i = threadIdx.x;
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<16>(block);
  f[i] = cg::reduce(tile, f[i], cg::plus<float>()) + warp.shfl_down(f[i], 1);
  if (tile.thread_rank() == 0 && warp.any(i))
    f[i] += (float)cg::coalesced_threads().size() + (float)block.size();
  block.sync();
  cg::sync(tile);
  c[i] = cuCmulf(c[i], make_cuComplex(1.f, cuCabsf(c[i])));
}

int main() {
  halves<<<1, 32>>>(nullptr, nullptr, nullptr, nullptr, nullptr);
  groups<<<1, 32>>>(nullptr, nullptr);
  return __half2float(__float2half(1.f)) > 0 ? 0 : 1;
}
