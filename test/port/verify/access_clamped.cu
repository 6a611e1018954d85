// Addresses that are computed from the lane but not affine: clamped, wrapped, mirrored, divided.
#include "upload.h"

#include <vector>

__global__ void clamped(const float *x, float *y, int reach, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int d = -reach; d <= reach; ++d) {
    int at = i + d;
    at = at < 0 ? 0 : at;
    at = at > n - 1 ? n - 1 : at;
    sum += x[at] * float(d + 10);
  }
  y[i] = sum + x[min(2 * i, n - 1)] - x[max(i - 5, 0)];
}

__global__ void wrapped(const int *a, int *out, int shift, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = a[(i + shift) % n] - a[(i + n - 1) % n] * 2 + a[(i * 3) % n] + a[i & 7];
}

__global__ void mirrored(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int j = i - 3;
  const int left = j < 0 ? -j - 1 : j;
  const int right = i + 4 >= n ? 2 * n - 1 - (i + 4) : i + 4;
  out[i] = a[left] * 3 + (right >= 0 ? a[right] : -1);
}

// A linear number taken apart into coordinates, as flat kernels over tensors do.
__global__ void divided(const float *x, const float *bias, float *y, int width, int height, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int column = i % width, row = i / width % height, plane = i / (width * height);
  y[(plane * width + column) * height + row] = x[i] + bias[plane] * float(row - column);
}

__global__ void upsampled(const float *x, float *y, int width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int column = i % width, row = i / width;
  y[i] = x[(row / 2) * ((width + 1) / 2) + column / 2];
}

__global__ void swizzled(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int partner = i ^ 5;
  if (i < n && partner < n)
    out[i] = a[partner];
  const int interleaved = (i >> 1) + (i & 1) * ((n + 1) / 2);
  if (i < n)
    out[n + interleaved] = a[i];
}

int main() {
  const int size = 2000;
  std::vector<int> a(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(2 * size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    clamped<<<c.blocks, c.threads>>>(d_x, d_y, 2, c.n);
    wrapped<<<c.blocks, c.threads>>>(d_a, d_out, 7, c.n);
    mirrored<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    upsampled<<<c.blocks, c.threads>>>(d_x, d_y, 13, c.n);
    swizzled<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
  }
  divided<<<4, 96>>>(d_x, d_x, d_y, 7, 5, 7 * 5 * 9);
  divided<<<130, 8>>>(d_x, d_x, d_y, 32, 2, 32 * 2 * 16);
  divided<<<1, 3>>>(d_x, d_x, d_y, 3, 1, 3);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
