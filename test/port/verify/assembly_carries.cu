// Long integers in inline PTX whose carry goes from one statement to the next: in one function,
// through functions of single instructions, in loops, with products. Compared with the same in C++.
#include "upload.h"

#include <vector>

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __forceinline__ u32 add_cc(u32 a, u32 b) {
  u32 r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ u32 addc_cc(u32 a, u32 b) {
  u32 r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ u32 addc(u32 a, u32 b) {
  u32 r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ u32 sub_cc(u32 a, u32 b) {
  u32 r;
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ u32 subc(u32 a, u32 b) {
  u32 r;
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ u32 subc_cc(u32 a, u32 b) {
  u32 r;
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ u32 mad_lo_cc(u32 a, u32 b, u32 c) {
  u32 r;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ __forceinline__ u32 madc_hi(u32 a, u32 b, u32 c) {
  u32 r;
  asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ u64 pair(u32 low, u32 high) { return (u64)high << 32 | low; }

// Statement after statement.
__global__ void sums(const u32 *a, const u32 *b, u32 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  u32 s0, s1, s2, over;
  const u32 *x = a + 3 * i, *y = b + 3 * i;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(s0) : "r"(x[0]), "r"(y[0]));
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(s1) : "r"(x[1]), "r"(y[1]));
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(s2) : "r"(x[2]), "r"(y[2]));
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(over));
  const u64 low = pair(x[0], x[1]) + pair(y[0], y[1]);
  const u64 high = (u64)x[2] + y[2] + (low < pair(x[0], x[1]));
  out[4 * i] = s0 - (u32)low;
  out[4 * i + 1] = s1 - (u32)(low >> 32);
  out[4 * i + 2] = s2 - (u32)high;
  out[4 * i + 3] = over - (u32)(high >> 32);
}

// Through functions, and one that is made of them.
__device__ void difference(u32 *r, const u32 *x, const u32 *y) {
  r[0] = sub_cc(x[0], y[0]);
  r[1] = subc_cc(x[1], y[1]);
  r[2] = subc(x[2], y[2]);
}
__global__ void differences(const u32 *a, const u32 *b, u32 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  u32 r[3];
  difference(r, a + 3 * i, b + 3 * i);
  const u64 product = (u64)a[3 * i] * b[3 * i] + pair(r[0], r[1]);
  const u32 low = mad_lo_cc(a[3 * i], b[3 * i], r[0]);
  const u32 high = madc_hi(a[3 * i], b[3 * i], r[1]);
  out[4 * i] = r[0];
  out[4 * i + 1] = r[1];
  out[4 * i + 2] = r[2];
  out[4 * i + 3] = product != pair(low, high);
}

// In a loop: the flag lives on from round to round.
template <int Words> __global__ void loops(const u32 *a, const u32 *b, u32 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  u32 r[Words];
  r[0] = add_cc(a[Words * i], b[Words * i]);
  for (int k = 1; k < Words; ++k)
    r[k] = addc_cc(a[Words * i + k], b[Words * i + k]);
  const u32 over = addc(0, 0);
  for (int k = 0; k < Words; ++k)
    out[Words * i + k] = r[k] + over;
}

// What the kernels found different from C++.
static bool is_zero(const u32 *values, int count, int step) {
  std::vector<u32> copy(count);
  cudaMemcpy(copy.data(), values, count * sizeof(u32), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i += step)
    if (copy[i] != 0)
      return false;
  return true;
}

int main() {
  const int n = 6000;
  std::vector<u32> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i % 7 ? 0xffffffffu - i % 3 : (u32)i * 2654435761u;
    b[i] = i % 5 ? (u32)i % 4 : (u32)i * 40503u;
  }
  u32 *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<u32>(2 * n));
  bool wrong = false;
  for (int size : {1, 129, 700}) {
    sums<<<(size + 63) / 64, 64>>>(d_a, d_b, d_out, size);
    wrong |= !is_zero(d_out, 4 * size, 1);
    differences<<<(size + 32) / 33, 33>>>(d_a, d_b, d_out, size);
    wrong |= !is_zero(d_out + 3, 4 * size - 3, 4);
    loops<8><<<(size + 63) / 64, 64>>>(d_a, d_b, d_out, size);
  }
  return cudaDeviceSynchronize() == cudaSuccess && !wrong ? 0 : 1;
}
