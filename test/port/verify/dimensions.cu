// One-, two- and three-dimensional grids and blocks: every coordinate, its linear number, and
// ragged masks in each dimension.
#include "upload.h"

#include <vector>

__global__ void coordinates(int *out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int *o = out + 8 * (block * threads + thread);
  o[0] = threadIdx.x;
  o[1] = threadIdx.y;
  o[2] = threadIdx.z;
  o[3] = blockIdx.x;
  o[4] = blockIdx.y;
  o[5] = blockIdx.z;
  o[6] = blockDim.x + 100 * blockDim.y + 10000 * blockDim.z;
  o[7] = gridDim.x + 100 * gridDim.y + 10000 * gridDim.z;
}

__global__ void volume(const float *x, float *out, int width, int height, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= width || j >= height || k >= depth)
    return;
  const int at = (k * height + j) * width + i;
  out[at] = x[at] + float(i) - float(j) * 0.5f + float(k) * 0.25f;
}

// The axes of memory in another order than those of the threads.
__global__ void permuted(const float *x, float *out, int width, int height, int depth) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < width && j < height && k < depth)
    out[(i * depth + k) * height + j] = x[(k * height + j) * width + i];
}

// Only some of the axes matter: lanes of the others would write the same, so one of them does.
__global__ void planes(const int *a, int *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width && threadIdx.y == blockDim.y - 1)
    out[blockIdx.y * width + x] = a[x] * int(blockIdx.y + 1);
}

int main() {
  struct {
    dim3 grid, block;
  } const shapes[] = {
      {{1, 1, 1}, {1, 1, 1}},  {{1, 1, 1}, {5, 3, 7}},   {{7, 1, 1}, {1, 33, 1}},
      {{3, 5, 2}, {4, 1, 3}},  {{1, 129, 1}, {3, 2, 1}}, {{130, 2, 1}, {2, 1, 2}},
      {{2, 3, 50}, {1, 2, 3}}, {{5, 60, 1}, {1, 1, 2}},  {{1, 1, 1}, {32, 8, 4}},
      {{1, 1, 1}, {1, 1, 64}}, {{200, 2, 3}, {1, 1, 1}}, {{127, 3, 1}, {3, 1, 1}},
  };
  int *d_out = upload(std::vector<int>(8 * 2400, -1));
  for (const auto &s : shapes)
    coordinates<<<s.grid, s.block>>>(d_out);

  std::vector<float> x(6000);
  for (int i = 0; i < int(x.size()); ++i)
    x[i] = float((i * 37) % 101) / 64.0f;
  float *d_x = upload(x), *d_y = upload(std::vector<float>(x.size(), -1.0f));
  struct {
    int width, height, depth;
    dim3 block;
  } const volumes[] = {{1, 1, 1, {1, 1, 1}},    {17, 13, 11, {4, 4, 4}}, {129, 3, 5, {32, 2, 1}},
                       {3, 131, 7, {2, 16, 3}}, {5, 4, 133, {5, 2, 8}},  {16, 8, 4, {16, 8, 4}}};
  for (const auto &v : volumes) {
    const dim3 &b = v.block;
    const dim3 grid((v.width + b.x - 1) / b.x, (v.height + b.y - 1) / b.y,
                    (v.depth + b.z - 1) / b.z);
    volume<<<grid, b>>>(d_x, d_y, v.width, v.height, v.depth);
    const dim3 turned((v.height + b.x - 1) / b.x, (v.depth + b.y - 1) / b.y,
                      (v.width + b.z - 1) / b.z);
    permuted<<<turned, b>>>(d_x, d_y, v.width, v.height, v.depth);
  }
  planes<<<dim3(3, 5), dim3(7, 3)>>>(d_out, d_out + 1000, 20);
  planes<<<dim3(9, 140), dim3(1, 2)>>>(d_out, d_out + 1000, 9);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
