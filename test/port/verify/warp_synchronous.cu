// Lanes of a warp that read from each other through shared memory without a barrier.
#include "upload.h"

#include <algorithm>
#include <cstdio>

__global__ void transposed(const float *x, float *out, int n) {
  __shared__ float data[8][8 * 9];
  const int lane = threadIdx.x % 8, group = threadIdx.x / 8;
  const int first = (blockIdx.x * (blockDim.x / 8) + group) * 64;
  for (int i = 0; i < 8; ++i)
    data[group][i * 9 + lane] = first + i * 8 + lane < n ? x[first + i * 8 + lane] : 0.0f;
  for (int i = 0; i < 8; ++i) {
    const float value = data[group][lane * 9 + i];
    if (first + i * 8 + lane < n)
      out[first + i * 8 + lane] = value;
  }
}

__global__ void shifted(const int *x, int *out, int n) {
  __shared__ int row[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x;
  row[lane] = x[min(i, n - 1)];
  const int before = row[(lane + 31) % 32];
  row[lane] = before * 3;
  if (i < n)
    out[i] = row[(lane + 1) % 32] + before;
}

__global__ void reduced(const int *x, int *out, int n) {
  __shared__ volatile int sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x;
  sums[lane] = i < n ? x[i] : 0;
  for (int k = 16; k > 0; k /= 2)
    if (lane < k)
      sums[lane] += sums[lane + k];
  if (lane == 0)
    out[blockIdx.x] = sums[0];
}

int main() {
  const int size = 5000;
  std::vector<int> x(size);
  std::vector<float> f(size);
  for (int i = 0; i < size; ++i)
    f[i] = 0.5f * (x[i] = (i * 7919) % 1009 - 500);
  int *d_x = upload(x), *d_out = upload(std::vector<int>(size));
  float *d_f = upload(f), *d_g = upload(std::vector<float>(size));
  for (int n : {1, 64, 1000, 4999}) {
    transposed<<<(n + 511) / 512, 64>>>(d_f, d_g, n);
    shifted<<<(n + 31) / 32, 32>>>(d_x, d_out, n);
    reduced<<<(n + 31) / 32, 32>>>(d_x, d_out, n);
  }
  // What comes out is what the program means, too.
  std::vector<int> sums((4999 + 31) / 32);
  cudaMemcpy(sums.data(), d_out, sums.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int block = 0; block < int(sums.size()); ++block) {
    int sum = 0;
    for (int i = block * 32; i < std::min(4999, block * 32 + 32); ++i)
      sum += x[i];
    if (sum != sums[block])
      return std::printf("block %d: %d, not %d\n", block, sums[block], sum), 1;
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
