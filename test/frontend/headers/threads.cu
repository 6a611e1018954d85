#include <cassert>
#include <cstdio>

__device__ unsigned counter;

__global__ void warps(int *x, float *f, double *d, long long *l, unsigned *u) {
  const int i = threadIdx.x;
  x[i] = __shfl_sync(0xffffffff, x[i], 0) + __shfl_up_sync(~0u, x[i], 1) +
         __shfl_down_sync(~0u, x[i], 1, 16) + __shfl_xor_sync(~0u, x[i], 1) + __shfl_down(x[i], 1);
  f[i] = __shfl_sync(~0u, f[i], 3, 8) + __shfl_xor(f[i], 1);
  d[i] = __shfl_down_sync(~0u, d[i], 1);
  l[i] = __shfl_up_sync(~0u, l[i], 1);
  u[i] = __shfl_xor_sync(~0u, u[i], 1) + __ballot_sync(~0u, i > 3) + __activemask();
  x[i] += __any_sync(~0u, i) + __all_sync(~0u, i) + __syncthreads_count(i) + __syncthreads_or(i) +
          __syncthreads_and(i) + (int)__match_any_sync(~0u, i) + (int)__reduce_add_sync(~0u, u[i]);
  __syncwarp();
  __syncthreads();
  __threadfence();
  __threadfence_block();
  f[i] += __ldg(&f[i + 1]) + __ldcs(&f[i]) + __ldcg(&f[i]);
  __stcs(&f[i], 1.0f);
  const float4 v = __ldg((const float4 *)f);
  f[i] += v.x + (float)clock() + (float)clock64();
}

__global__ void atomics(int *x, unsigned *u, unsigned long long *l, float *f, double *d) {
  atomicAdd(x, 1);
  atomicSub(x, 1);
  atomicMax(x, 1);
  atomicMin(x, 1);
  atomicAnd(x, 1);
  atomicOr(x, 1);
  atomicXor(x, 1);
  atomicExch(x, 1);
  atomicCAS(x, 1, 2);
  atomicAdd(u, 1u);
  atomicInc(&counter, gridDim.x);
  atomicDec(u, 5u);
  atomicAdd(l, 1ull);
  atomicMax(l, 1ull);
  atomicCAS(l, 1ull, 2ull);
  atomicAdd(f, 1.f);
  atomicExch(f, 1.f);
  atomicAdd(d, 1.0);
  atomicAdd_block(x, 1);
  atomicAdd_system(x, 1);
  x[1] = __nv_atomic_load_n(x, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(x, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void __launch_bounds__(256, 2) prints(const int *__restrict__ x, dim3 shape, uint3 at) {
  extern __shared__ int dynamic[];
  const dim3 block = blockDim;
  const uint3 thread = threadIdx;
  dynamic[thread.x] = x[0] + (int)(block.x + shape.y + at.z) + warpSize;
  assert(x[0] > 0);
  printf("%d %f\n", dynamic[0], 1.0);
  int *p = (int *)malloc(4);
  free(p);
}

int main() {
  warps<<<dim3(1), dim3(32)>>>(nullptr, nullptr, nullptr, nullptr, nullptr);
  atomics<<<1, 1>>>(nullptr, nullptr, nullptr, nullptr, nullptr);
  prints<<<1, 1, 64>>>(nullptr, dim3(1, 2), make_uint3(1, 2, 3));
}
