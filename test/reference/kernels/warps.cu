#include "device.h"

extern "C" {

// For each lane and width: the value that each kind of shuffle delivers.
__global__ void shuffles(int *out, int width, int by) {
  int i = threadIdx.x, n = blockDim.x, value = 100 + i;
  out[i] = __nvvm_shfl_sync_down_i32(0xffffffff, value, by, clampOf(width, 0x1f));
  out[n + i] = __nvvm_shfl_sync_up_i32(0xffffffff, value, by, clampOf(width, 0));
  out[2 * n + i] = __nvvm_shfl_sync_bfly_i32(0xffffffff, value, by, clampOf(width, 0x1f));
  out[3 * n + i] = __nvvm_shfl_sync_idx_i32(0xffffffff, value, by, clampOf(width, 0x1f));
  out[4 * n + i] =
      (int)__nvvm_shfl_sync_down_f32(0xffffffff, 0.5f + value, by, clampOf(width, 0x1f));
}

__global__ void warp_sum(const float *x, float *out, int n) {
  int i = globalThread();
  float v = i < n ? x[i] : 0.f;
  for (int k = 16; k > 0; k /= 2)
    v += __nvvm_shfl_sync_down_f32(0xffffffff, v, k, DOWN);
  if (threadIdx.x % 32 == 0)
    out[i / 32] = v;
}

// Lanes that left early take no part.
__global__ void after_return(int *out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  out[i] = __nvvm_vote_ballot_sync(0xffffffff, i % 3 == 0);
}

// Two halves of a warp, in different code, with masks of their own.
__global__ void two_halves(int *out) {
  int i = threadIdx.x;
  if (i % 32 < 16)
    out[i] = __nvvm_shfl_sync_bfly_i32(0x0000ffff, i, 1, DOWN);
  else
    out[i] = __nvvm_shfl_sync_bfly_i32(0xffff0000, 1000 + i, 2, DOWN);
}

__global__ void votes(int *out, int threshold) {
  int i = threadIdx.x, n = blockDim.x;
  bool p = i < threshold;
  out[i] = __nvvm_vote_all_sync(0xffffffff, p);
  out[n + i] = __nvvm_vote_any_sync(0xffffffff, p);
  out[2 * n + i] = __nvvm_vote_uni_sync(0xffffffff, p);
  out[3 * n + i] = __nvvm_vote_ballot_sync(0xffffffff, p);
  out[4 * n + i] = __nvvm_match_any_sync_i32(0xffffffff, i / 4);
  int all = 7;
  out[5 * n + i] = __nvvm_match_all_sync_i32p(0xffffffff, i / 32, &all);
  out[6 * n + i] = all;
  out[7 * n + i] = __nvvm_redux_sync_add(i, 0xffffffff);
  out[8 * n + i] = __nvvm_redux_sync_min(-i, 0xffffffff);
}

__global__ void active(unsigned *out) {
  int i = threadIdx.x;
  out[i] = __nvvm_activemask();
  if (i % 4 == 1)
    out[i] = __nvvm_activemask();
  else if (i % 4 == 2)
    out[i] = __nvvm_activemask();
}

__global__ void counting_barriers(int *out, int threshold) {
  int i = threadIdx.x, n = blockDim.x;
  out[i] = __nvvm_bar0_popc(i < threshold);
  out[n + i] = __nvvm_bar0_and(i < threshold);
  out[2 * n + i] = __nvvm_bar0_or(i < threshold);
}

// Warp 0 fills, the other warps wait at a barrier of their own number.
__global__ void named_barrier(int *out) {
  __shared__ int box;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0)
      box = 42;
    __nvvm_barrier_sync_cnt(1, 64);
  } else if (threadIdx.x < 64) {
    __nvvm_barrier_sync_cnt(1, 64);
    out[threadIdx.x - 32] = box;
  }
}

__global__ void leaves_early(int *out, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  if (i >= n)
    return;
  s[i] = i;
  __syncthreads();
  out[i] = s[n - 1 - i];
}

__global__ void two_barriers(int *out) {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void half_at_barrier(int *out) {
  if (threadIdx.x < 32)
    __nvvm_barrier_sync_cnt(2, 64);
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void mask_names_absent(int *out) {
  int i = threadIdx.x;
  if (i < 16)
    out[i] = __nvvm_shfl_sync_down_i32(0xffffffff, i, 1, DOWN);
  __syncthreads();
}

__global__ void leaves_by_exit(int *out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x % 2)
    asm volatile("exit;");
  __syncthreads();
  out[threadIdx.x] = 2;
}

// As reductions were written before __syncwarp: no barrier inside a warp, but volatile.
__global__ void warp_synchronous(int *out) {
  __shared__ int data[64];
  int i = threadIdx.x;
  data[i] = i + 1;
  __syncthreads();
  if (i < 32) {
    volatile int *s = data;
    s[i] += s[i + 32];
    s[i] += s[i + 16];
    s[i] += s[i + 8];
    s[i] += s[i + 4];
    s[i] += s[i + 2];
    s[i] += s[i + 1];
  }
  __syncthreads();
  out[i] = data[i];
}

// Without any barrier: each warp turns its 32 x 32 numbers around, then shifts a row.
__global__ void warp_transposed(int *out) {
  __shared__ int data[2][32 * 33], row[64];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 32; ++i)
    data[warp][i * 33 + lane] = 1000 * warp + 32 * i + lane;
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += (i + 1) * data[warp][lane * 33 + i];
  row[threadIdx.x] = sum;
  int before = row[warp * 32 + (lane + 31) % 32];
  row[threadIdx.x] = before - sum;
  out[threadIdx.x] = row[warp * 32 + (lane + 1) % 32];
}
}
