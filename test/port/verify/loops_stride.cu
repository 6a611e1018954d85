// Block-stride and grid-stride loops: full rounds, a ragged last one, none, and two dimensions.
#include "upload.h"

#include <vector>

__global__ void grid_stride(const float *x, float *y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

__global__ void grid_stride_sum(const int *a, int *sums, int n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n);
       i += gridDim.x * blockDim.x)
    sum += a[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void block_stride(const float *x, float *y, float *sums, int length) {
  const float *row = x + blockIdx.x * length;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < length; c += blockDim.x) {
    y[blockIdx.x * length + c] = row[c] * 2.0f;
    sum += row[c];
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Long counters, a first element that is not the lane, and a step that is not the block.
__global__ void offsets(const int *a, int *out, int first, int n) {
  for (long long i = first + (long long)(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += (long long)(gridDim.x) * blockDim.x)
    out[i] = a[i] - int(i);
  for (int i = threadIdx.x * 2; i < n; i += 2 * blockDim.x)
    if (blockIdx.x == 0)
      out[n + i / 2] = a[i];
}

__global__ void two_dimensions(const int *a, int *out, int width, int height) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
      out[y * width + x] = a[y * width + x] * 10 + x - y;
}

// Blocks over rows, threads over columns, each row from the last column back.
__global__ void backwards(const int *a, int *out, int rows, int columns) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int c = columns - 1 - int(threadIdx.x); c >= 0; c -= blockDim.x)
      out[r * columns + columns - 1 - c] = a[r * columns + c];
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
  float *d_sums = upload(std::vector<float>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 3},    {1, 1, 0},      {1, 33, 20},    {2, 32, 64},
                     {3, 7, 1999}, {129, 5, 1801}, {300, 3, 1000}, {5, 96, 480}};
  for (const auto &c : cases) {
    grid_stride<<<c.blocks, c.threads>>>(d_x, d_y, 1.5f, c.n);
    grid_stride_sum<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    block_stride<<<c.blocks, c.threads>>>(d_x, d_y, d_sums, c.n / c.blocks);
    offsets<<<c.blocks, c.threads>>>(d_a, d_out, c.n / 5, c.n);
    backwards<<<c.blocks, c.threads>>>(d_a, d_out, c.n / 40, 37);
  }
  two_dimensions<<<dim3(2, 3), dim3(5, 4)>>>(d_a, d_out, 53, 37);
  two_dimensions<<<dim3(7, 1), dim3(8, 2)>>>(d_a, d_out, 20, 99);
  two_dimensions<<<dim3(40, 20), dim3(2, 3)>>>(d_a, d_out, 41, 47);
  two_dimensions<<<dim3(1, 1), dim3(1, 1)>>>(d_a, d_out, 3, 2);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
