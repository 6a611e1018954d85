// Loops that each lane counts by itself, with many rounds: the NKI form runs those in the middle on
// the chip.
#include "upload.h"

#include <vector>

// What a lane adds up, and the largest that it saw; full and ragged last rounds.
__global__ void sums(const float *x, float *sum_of, float *largest_of, int n) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f, largest = -1e30f;
  for (int i = lane; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i];
    largest = fmaxf(largest, x[i]);
  }
  sum_of[lane] = sum;
  largest_of[lane] = largest;
}

// Each round reads what the one before wrote.
__global__ void running(const int *a, int *out, int n) {
  const int step = gridDim.x * blockDim.x;
  for (int i = step + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = out[i - step] + a[i];
}

// Bytes, wide elements, elements apart, a start that is not the lane, an end that is reached.
__global__ void elements(const unsigned char *bytes, const float2 *pairs, const long long *wide,
                         unsigned char *some, float *every, long long *moved, int n) {
  for (unsigned i = 3 + threadIdx.x; i <= unsigned(n); i += blockDim.x) {
    some[i] = bytes[i] + 1;
    every[2 * i + 1] = pairs[i].x - pairs[i].y;
    moved[i - 3] = wide[i] ^ 5;
  }
}

// Lanes that the launch leaves out, and lanes that leave at different times.
__global__ void guarded(const float *x, float *y, float *z, int n, int width) {
  const int row = blockIdx.x, lane = threadIdx.x;
  if (lane % 3 != 1 && row != 1)
    for (int c = lane; c < width - row * 2; c += blockDim.x)
      y[row * width + c] = x[row * width + c] * 0.5f;
  for (int i = lane + row * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    for (int k = 0; k < 3; ++k)
      z[i] = z[i] * 0.25f + x[i];
}

// What data decides: loads that only some lanes may do, and stores.
__global__ void by_data(const float *x, const int *ask, float *y, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float next = 0.0f;
    if (ask[i] > 0)
      next = x[i + 1];
    sum += next;
    if (ask[i] < 0)
      y[i] = sum;
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (ask[i] > 0)
      sum -= x[i + 1];
  y[n + threadIdx.x] = sum;
}

int main() {
  const int size = 6000;
  std::vector<float> x(size);
  std::vector<int> a(size), ask(size);
  std::vector<unsigned char> bytes(size);
  std::vector<long long> wide(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
    bytes[i] = (unsigned char)(i * 31);
    wide[i] = (long long)(i) << 33 | i;
    ask[i] = i % 7 < 3 ? 1 : i % 7 - 4;
  }
  float *d_x = upload(x), *d_y = upload(std::vector<float>(2 * size, 1.0f));
  float *d_z = upload(std::vector<float>(size, 2.0f));
  int *d_a = upload(a), *d_out = upload(a), *d_ask = upload(ask);
  unsigned char *d_bytes = upload(bytes), *d_some = upload(bytes);
  long long *d_wide = upload(wide), *d_moved = upload(std::vector<long long>(size, 1));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 19},           {1, 1, 40},   {1, 33, 1000},  {2, 32, 64 * 18},
                     {2, 32, 64 * 20 + 1}, {3, 7, 1999}, {129, 2, 5999}, {5, 96, 480}};
  for (const auto &c : cases) {
    sums<<<c.blocks, c.threads>>>(d_x, d_y, d_z, c.n);
    running<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    elements<<<1, c.threads>>>(d_bytes, (const float2 *)d_x, d_wide, d_some, d_y, d_moved, c.n / 3);
    guarded<<<c.blocks, c.threads>>>(d_x, d_y, d_z, c.n, c.n / c.blocks);
    by_data<<<1, c.threads>>>(d_x, d_ask, d_y, c.n / 2);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
