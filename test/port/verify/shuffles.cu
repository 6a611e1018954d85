// Warp shuffles: down, up, xor and by index, with every width, for int, unsigned and float, in
// blocks of one and two dimensions, with sources from the lane, from host scalars and from data.
#include "upload.h"

#include <vector>

const unsigned full = 0xffffffffu;

template <typename T> __global__ void fixed(const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T v = i < n ? x[i] : T(-1);
  const T r[8] = {__shfl_down_sync(full, v, 1), __shfl_down_sync(full, v, 16),
                  __shfl_up_sync(full, v, 1),   __shfl_up_sync(full, v, 7),
                  __shfl_xor_sync(full, v, 1),  __shfl_xor_sync(full, v, 31),
                  __shfl_sync(full, v, 0),      __shfl_sync(full, v, 13)};
  if (i < n)
    for (int k = 0; k < 8; ++k)
      y[k * n + i] = r[k];
}

template <int Width> __global__ void widths(const int *a, int *out, int delta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? a[i] : -1;
  const int down = __shfl_down_sync(full, v, delta, Width);
  const int up = __shfl_up_sync(full, v, delta, Width);
  const int by_xor = __shfl_xor_sync(full, v, delta, Width);
  const int by_index = __shfl_sync(full, v, delta, Width);
  if (i < n) {
    out[0 * n + i] = down;
    out[1 * n + i] = up;
    out[2 * n + i] = by_xor;
    out[3 * n + i] = by_index;
  }
}

// Sources that differ from lane to lane.
__global__ void computed(const int *a, const int *source, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int v = i < n ? a[i] : -1;
  const int wanted = i < n ? source[i] : 0;
  const int rotated = __shfl_sync(full, v, (lane + 5) % 32);
  const int reversed = __shfl_sync(full, v, 31 - lane);
  const int gathered = __shfl_sync(full, v, wanted);
  const int gathered8 = __shfl_sync(full, v, wanted, 8);
  if (i < n) {
    out[0 * n + i] = rotated;
    out[1 * n + i] = reversed;
    out[2 * n + i] = gathered;
    out[3 * n + i] = gathered8;
  }
}

// Inclusive scan of a warp, then sums of the warps through shared memory.
__global__ void scan(const unsigned *a, unsigned *out, int n) {
  __shared__ unsigned sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned v = i < n ? a[i] : 0;
  for (int k = 1; k < 32; k *= 2) {
    const unsigned before = __shfl_up_sync(full, v, k);
    if (lane >= k)
      v += before;
  }
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  for (int w = 0; w < warp; ++w)
    v += sums[w];
  if (i < n)
    out[i] = v;
}

// Lanes are counted over x, then y, then z.
__global__ void in_three_dimensions(const float *x, float *y) {
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int i = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + thread;
  float v = x[i];
  v += __shfl_xor_sync(full, v, 4);
  v -= __shfl_down_sync(full, v, 3, 16) * 0.5f;
  y[i] = v + __shfl_sync(full, v, thread / 32);
}

// Only the first warp of each block shuffles; blocks of less than a warp name the lanes they have.
__global__ void some_warps(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? a[i] : 0;
  if (threadIdx.x < 32)
    for (int k = 16; k > 0; k >>= 1)
      v = max(v, __shfl_down_sync(full, v, k));
  if (i < n)
    out[i] = v;
}

__global__ void half_warp(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? a[i] : 0;
  for (int k = 8; k > 0; k >>= 1)
    v += __shfl_xor_sync(0xffffu, v, k, 16);
  if (i < n)
    out[i] = v;
}

int main() {
  const int size = 4200;
  std::vector<int> a(size), source(size);
  std::vector<unsigned> u(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 33554393 - 16777000;
    source[i] = (i * 11) % 71 - 20; // taken modulo the width
    u[i] = unsigned(i) * 2654435761u;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
  }
  int *d_a = upload(a), *d_source = upload(source), *d_out = upload(std::vector<int>(8 * size));
  unsigned *d_u = upload(u), *d_v = upload(std::vector<unsigned>(8 * size));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(8 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 32, 32}, {1, 32, 1}, {3, 96, 250}, {129, 32, 4100}, {2, 1024, 2040}};
  for (const auto &c : cases) {
    fixed<int><<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    fixed<unsigned><<<c.blocks, c.threads>>>(d_u, d_v, c.n);
    fixed<float><<<c.blocks, c.threads>>>(d_x, d_y, c.n);
    for (int delta : {0, 1, 3}) {
      widths<2><<<c.blocks, c.threads>>>(d_a, d_out, delta, c.n);
      widths<4><<<c.blocks, c.threads>>>(d_a, d_out, delta, c.n);
      widths<8><<<c.blocks, c.threads>>>(d_a, d_out, delta, c.n);
      widths<16><<<c.blocks, c.threads>>>(d_a, d_out, delta + 9, c.n);
      widths<32><<<c.blocks, c.threads>>>(d_a, d_out, delta + 17, c.n);
    }
    computed<<<c.blocks, c.threads>>>(d_a, d_source, d_out, c.n);
    scan<<<c.blocks, c.threads>>>(d_u, d_v, c.n);
    some_warps<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
  }
  in_three_dimensions<<<5, dim3(8, 4, 3)>>>(d_x, d_y);
  in_three_dimensions<<<130, dim3(16, 2)>>>(d_x, d_y);
  in_three_dimensions<<<7, dim3(5, 32)>>>(d_x, d_y);
  half_warp<<<200, 16>>>(d_a, d_out, 3190);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
