// Values that are the same for all lanes, for all lanes of a block, or of a row: host scalars,
// scalars loaded from memory, and what is computed from them.
#include "upload.h"

#include <cstdint>
#include <vector>

struct Options {
  float scale;
  int8_t shift;
  bool negate;
  uint16_t stride;
};

__global__ void host_scalars(const float *x, float *y, Options o, float s, int8_t small, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float t = s * o.scale + float(o.shift);
  const int k = (o.stride * small) >> 1;
  y[i] = (o.negate ? -x[i] : x[i]) * t + float(k) + s / 3.0f;
}

__global__ void loaded_scalars(const float *x, const float *parameters, const int *length, float *y,
                               int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = parameters[0], b = parameters[1];
  if (i < length[0] && i < n)
    y[i] = a * x[i] + b;
  else if (i < n)
    y[i] = a * b;
}

__global__ void block_scalars(const float *x, const float *per_block, const int *start, float *y,
                              int n) {
  const float scale = per_block[blockIdx.x];
  const int first = start[blockIdx.x], last = start[blockIdx.x + 1];
  float largest = -1000.0f;
  for (int k = first; k < last; ++k) // bounds from data, the same for a block
    largest = x[k] > largest ? x[k] : largest;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * scale + largest;
}

__global__ void loaded_bound(const int *a, const int *bound, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < bound[0]; ++k)
    sum += a[(i + k) % n] * k;
  out[i] = sum;
}

// One thread of the grid works for all.
__global__ void single(const int *a, int *out, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    unsigned sum = 0;
    for (int k = 0; k < n; ++k)
      sum = sum * 3u + unsigned(a[k]);
    out[0] = int(sum);
  }
}

int main() {
  const int size = 1000;
  std::vector<int> a(size), start(301);
  std::vector<float> x(size), per_block(300);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 13 - 6;
    x[i] = float((i * 37) % 101) - 50.0f;
  }
  for (int i = 0; i < 300; ++i) {
    per_block[i] = float(i % 7) - 3.0f;
    start[i + 1] = start[i] + i % 5;
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size)), *d_start = upload(start);
  int *d_length = upload(std::vector<int>{17, 3, -4});
  float *d_x = upload(x), *d_per_block = upload(per_block), *d_y = upload(std::vector<float>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    host_scalars<<<c.blocks, c.threads>>>(d_x, d_y, Options{0.5f, -3, true, 65535}, 1.25f, -7, c.n);
    host_scalars<<<c.blocks, c.threads>>>(d_x, d_y, Options{-2.0f, 127, false, 1}, 0.1f, 100, c.n);
    loaded_scalars<<<c.blocks, c.threads>>>(d_x, d_per_block, d_length, d_y, c.n);
    block_scalars<<<c.blocks, c.threads>>>(d_x, d_per_block, d_start, d_y, c.n);
    for (int k = 0; k < 3; ++k)
      loaded_bound<<<c.blocks, c.threads>>>(d_a, d_length + k, d_out, c.n);
    single<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
