// Inline PTX as libraries of device code write it: shuffles with their predicate and with lanes of
// their own to stop at, loads and stores with cache operators, sums of floats under a predicate.
// Every result is compared with the same in C++ where there is one.
#include "upload.h"

#include <vector>

__device__ int summed_up(int value, int delta, int first) {
  int out;
  asm volatile("{"
               "  .reg .s32 r0;"
               "  .reg .pred p;"
               "  shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
               "  @p add.s32 r0, r0, %4;"
               "  mov.s32 %0, r0;"
               "}"
               : "=r"(out)
               : "r"(value), "r"(delta), "r"(first), "r"(value), "r"(0xffffffffu));
  return out;
}
__device__ float summed_down(float value, int delta, int last) {
  float out;
  asm volatile("{ .reg .f32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %1, %2, %3, %4;"
               "  @p add.f32 r0, r0, %1; mov.f32 %0, r0; }"
               : "=f"(out)
               : "f"(value), "r"(delta), "r"(last), "r"(0xffffffffu));
  return out;
}
__device__ int by_lane(int value, int lane, int control, int &inside) {
  int out;
  asm volatile("{ .reg .pred p; shfl.sync.idx.b32 %0|p, %2, %3, %4, %5; selp.s32 %1, 1, 0, p; }"
               : "=r"(out), "=r"(inside)
               : "r"(value), "r"(lane), "r"(control), "r"(0xffffffffu));
  return out;
}
__device__ unsigned across(unsigned value, int lanes, int control) {
  unsigned out;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
               : "=r"(out)
               : "r"(value), "r"(lanes), "r"(control), "r"(0xffffffffu));
  return out;
}
__device__ double sum64(double value) {
  double out;
  asm volatile("{ .reg .u32 lo; .reg .u32 hi; .reg .pred p; .reg .f64 r0;"
               "  mov.b64 %0, %1; mov.b64 {lo, hi}, %1;"
               "  shfl.sync.down.b32 lo|p, lo, 4, 31, %2; shfl.sync.down.b32 hi|p, hi, 4, 31, %2;"
               "  mov.b64 r0, {lo, hi}; @p add.f64 %0, %0, r0; }"
               : "=d"(out)
               : "d"(value), "r"(0xffffffffu));
  return out;
}

// Ladders in segments of each size, as CUB makes them.
template <int Width> __global__ void ladders(const int *x, const float *f, int *out, float *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int scan = x[i], plain = x[i];
  float sum = f[i];
  for (int delta = 1; delta < Width; delta *= 2) {
    scan = summed_up(scan, delta, (32 - Width) << 8);
    const int other = __shfl_up_sync(0xffffffffu, plain, delta, Width);
    if (threadIdx.x % Width >= delta)
      plain += other;
    sum = summed_down(sum, delta, (32 - Width) << 8 | (Width - 1));
  }
  out[i] = scan;
  out[n + i] = scan - plain; // nothing
  sums[i] = sum;
}

// Segments that end before their last lane: what a warp holds only in part.
__global__ void cut_short(const int *x, const float *f, int *out, float *sums, int valid) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const int lane = threadIdx.x % 32, last = min(valid, 32) - 1;
  float sum = f[i];
  for (int delta = 1; delta < 32; delta *= 2)
    sum = summed_down(sum, delta, last);
  int inside = 0, inside8 = 0;
  out[i] = by_lane(x[i], x[i] & 31, last, inside) + inside * 1000;
  out[n + i] = by_lane(x[i], lane * 5 + 3, 24 << 8 | 5, inside8) + inside8 * 1000;
  out[2 * n + i] = across(x[i], 5, last) - across(x[i], 12, 24 << 8 | 31) * 3;
  out[3 * n + i] = summed_up(x[i], x[i] & 3, 16 << 8 | 2);
  sums[i] = sum;
}

// Distances that the chip computes.
__global__ void far(const int *x, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int by = x[i] & 15;
  out[i] = __shfl_down_sync(0xffffffffu, x[i], by) + __shfl_up_sync(0xffffffffu, x[i], by, 16) * 3 -
           __shfl_xor_sync(0xffffffffu, x[i], by, 8) * 5;
}

__global__ void wide(const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sum64(x[i]);
}

// Loads and stores.
__global__ void moved(const int *x, const unsigned char *bytes, const short *shorts, int *out,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a, b, c, d, e, g;
  unsigned short h;
  short s;
  long long l;
  asm volatile("ld.ca.s32 %0, [%1];" : "=r"(a) : "l"(x + i));
  asm volatile("ld.global.nc.s32 %0, [%1+8];" : "=r"(b) : "l"(x + i));
  asm volatile("ld.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(c), "=r"(d), "=r"(e), "=r"(g)
               : "l"(x + i / 4 * 4));
  asm volatile("{ .reg .u8 datum; ld.cs.u8 datum, [%1]; cvt.u16.u8 %0, datum; }"
               : "=h"(h)
               : "l"(bytes + i));
  asm volatile("ld.relaxed.gpu.u16 %0, [%1];" : "=h"(s) : "l"(shorts + i));
  asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(l) : "l"(x + i / 2 * 2));
  asm volatile("st.wt.s32 [%0], %1;" ::"l"(out + 6 * i), "r"(a + b * 3) : "memory");
  asm volatile("st.global.v2.s32 [%0+8], {%1, %2};" ::"l"(out + 6 * i), "r"(c ^ d), "r"(e - g));
  out[6 * i + 1] = h * 7 + s;
  out[6 * i + 4] = (int)(l >> 32);
  out[6 * i + 5] = (int)l;
}

int main() {
  const int n = 2048;
  std::vector<int> x(n + 4);
  std::vector<float> f(n);
  std::vector<double> d(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i * 7919 % 1009 - 300;
    f[i] = float(i * 37 % 101) / 64.0f;
    d[i] = i * 0.25 - 7;
  }
  int *d_x = upload(x), *d_out = upload(std::vector<int>(6 * n));
  float *d_f = upload(f), *d_sums = upload(std::vector<float>(n));
  double *d_d = upload(d), *d_y = upload(std::vector<double>(n));
  ladders<32><<<3, 64>>>(d_x, d_f, d_out, d_sums);
  ladders<8><<<1, 32>>>(d_x, d_f, d_out, d_sums);
  ladders<2><<<63, 32>>>(d_x, d_f, d_out, d_sums);
  std::vector<int> differences(63 * 32);
  cudaMemcpy(differences.data(), d_out + 63 * 32, 63 * 32 * sizeof(int), cudaMemcpyDeviceToHost);
  bool same = true;
  for (int difference : differences)
    same &= difference == 0;
  for (int valid : {1, 13, 32})
    cut_short<<<5, 96>>>(d_x, d_f, d_out, d_sums, valid);
  far<<<5, 96>>>(d_x, d_out, n);
  wide<<<3, 64>>>(d_d, d_y);
  for (int size : {1, 129, 1000})
    moved<<<(size + 63) / 64, 64>>>(d_x, (unsigned char *)d_f, (short *)d_f, d_out, size);
  return same && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
