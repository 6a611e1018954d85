// __constant__ data: arrays, scalars, structs and tables with initial values; replaced in whole and
// in part between launches; indexed by host scalars, lanes and data. __device__ arrays beside them.
#include "upload.h"

#include <cstdint>
#include <vector>

struct Filter {
  float scale;
  int16_t taps;
  float weights[9];
};

__constant__ float coefficients[16];
__constant__ int offset = -7;
__constant__ uint8_t table[8] = {3, 1, 4, 1, 5, 9, 2, 250};
__constant__ Filter filter;
namespace detail {
__constant__ int limits[2] = {-500, 500};
}
__device__ int scratch[1000];
__device__ float gain = 0.5f;

__global__ void by_host_scalar(const float *x, float *y, int degree, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = coefficients[degree];
  for (int k = degree - 1; k >= 0; --k)
    sum = sum * x[i] + coefficients[k];
  y[i] = sum * gain;
}

__global__ void by_lane_and_data(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int v = a[i] + offset;
  out[i] = table[i % 8] * 1000 + table[v & 7];
  scratch[i] = v < detail::limits[0] ? detail::limits[0] : min(v, detail::limits[1]);
}

__global__ void from_scratch(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scratch[n - 1 - i] * 3;
}

__global__ void filtered(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < filter.taps; ++k)
    sum += filter.weights[k] * x[min(i + k, n - 1)];
  y[i] = sum * filter.scale;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  std::vector<float> x(size), c16(16);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 64.0f - 0.75f;
  }
  for (int i = 0; i < 16; ++i)
    c16[i] = float(i % 5) - 1.5f;
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  Filter f{0.25f, 3, {1, -2, 3, -4, 5, -6, 7, -8, 9}};
  for (const auto &c : cases) {
    cudaMemcpyToSymbol(coefficients, c16.data(), 16 * sizeof(float));
    by_host_scalar<<<c.blocks, c.threads>>>(d_x, d_y, 5, c.n);
    const float two[2] = {10.0f, -10.0f};
    cudaMemcpyToSymbol(coefficients, two, sizeof(two), 2 * sizeof(float));
    by_host_scalar<<<c.blocks, c.threads>>>(d_x, d_y, 0, c.n);
    by_host_scalar<<<c.blocks, c.threads>>>(d_x, d_y, 3, c.n);
    by_lane_and_data<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    from_scratch<<<c.blocks, c.threads>>>(d_out, c.n);
    ++f.taps;
    cudaMemcpyToSymbol(filter, &f, sizeof(f));
    filtered<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
  }
  const float new_gain = -3.0f;
  cudaMemcpyToSymbol(gain, &new_gain, sizeof(float));
  by_host_scalar<<<3, 64>>>(d_x, d_y, 2, 190);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
