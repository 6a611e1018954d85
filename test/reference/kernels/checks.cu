#include "device.h"

extern "C" {

// Each kernel has a twin that differs by what makes it wrong.

__global__ void race_missing_barrier(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x]; // race
}
__global__ void race_with_barrier(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// A scan that reads and writes in one step: a write after another thread's read.
__global__ void race_scan(int *out) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = 1;
  __syncthreads();
  for (int k = 1; k < 64; k *= 2) {
    int add = i >= k ? s[i - k] : 0;
    s[i] += add; // race
    __syncthreads();
  }
  out[i] = s[i];
}
__global__ void race_free_scan(int *out) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = 1;
  __syncthreads();
  for (int k = 1; k < 64; k *= 2) {
    int add = i >= k ? s[i - k] : 0;
    __syncthreads();
    s[i] += add;
    __syncthreads();
  }
  out[i] = s[i];
}

__global__ void race_in_warp(int *out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;
  out[i] = s[i ^ 1]; // race
}
__global__ void race_free_warp(int *out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;
  __nvvm_bar_warp_sync(0xffffffff);
  out[i] = s[i ^ 1];
}
// Half a warp meets; the other half has not.
__global__ void race_across_halves(int *out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;
  __nvvm_bar_warp_sync(i < 16 ? 0x0000ffff : 0xffff0000);
  out[i] = s[i ^ 16]; // race
}
__global__ void race_free_halves(int *out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;
  __nvvm_bar_warp_sync(i < 16 ? 0x0000ffff : 0xffff0000);
  out[i] = s[i ^ 8];
}
// A warp's own barrier orders nothing between warps.
__global__ void race_across_warps(int *out) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  __nvvm_bar_warp_sync(0xffffffff);
  out[i] = s[i ^ 32]; // race
}

__global__ void race_bytes(char *out, int shift) {
  __shared__ char s[64];
  int i = threadIdx.x;
  s[i] = (char)i;
  out[i] = s[(i + shift) & 63];
}

__global__ void same_value(int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0)
    flag = 1;
  __syncthreads();
  out[threadIdx.x] = flag;
}
__global__ void different_values(int *out) {
  __shared__ int flag;
  if (threadIdx.x % 3 == 0)
    flag = threadIdx.x; // race
  __syncthreads();
  out[threadIdx.x] = flag;
}

__global__ void atomic_histogram(int *out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4)
    bins[threadIdx.x] = 0;
  __syncthreads();
  __nvvm_atom_add_gen_i(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4)
    out[threadIdx.x] = bins[threadIdx.x];
}
__global__ void plain_histogram(int *out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4)
    bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x % 4] += 1; // race
  __syncthreads();
  if (threadIdx.x < 4)
    out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void reads_unwritten(int *out, int n) {
  __shared__ int s[64];
  if (threadIdx.x < n)
    s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x]; // uninitialized
}
extern __shared__ int dynamic[];
__global__ void reads_unwritten_dynamic(int *out, int n) {
  if (threadIdx.x < n)
    dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = dynamic[63 - threadIdx.x];
}

struct Padded {
  char a;
  int b;
};
__global__ void copies_padding(Padded *out) {
  __shared__ Padded s[64];
  int i = threadIdx.x;
  s[i].a = (char)i;
  s[i].b = i;
  __syncthreads();
  out[i] = s[63 - i];
}

__global__ void out_of_bounds_read(const float *x, float *y, int n) {
  int i = globalThread();
  y[i < n ? i : 0] = x[i]; // out of bounds
}
__global__ void out_of_bounds_write(float *y, int offset) {
  y[(int)globalThread() + offset] = 7.f; // out of bounds
}
__global__ void null_pointer(float *y, const float *nothing) {
  y[threadIdx.x] = nothing[threadIdx.x] + 1; // out of bounds
}
__global__ void wild_atomic(int *y) {
  __nvvm_atom_add_gen_i(y + ((long)threadIdx.x << 40), 1); // out of bounds
}
__global__ void copies_block(int *to, const int *from) {
  __builtin_memcpy(to, from, 64 * sizeof(int)); // out of bounds
}
__constant__ int weights[4];
// Locals, constants, strings, by-value parameters and shared memory are no global memory.
struct Values {
  int v[8];
};
__global__ void everything_in_bounds(int *out, Values values) {
  __shared__ int s[64];
  int local[8];
  int i = threadIdx.x;
  for (int k = 0; k < 8; ++k)
    local[k] = values.v[(k + i) & 7];
  int *escaped = i % 2 ? local : values.v;
  s[i] = escaped[i & 7];
  __syncthreads();
  static const int primes[4] = {2, 3, 5, 7};
  out[i] = s[63 - i] + weights[i & 3] + primes[i & 3] + "abcd"[i & 3];
}
}
