// Stores under every kind of mask: none, all, boxes, unions and differences of boxes, periodic
// ones, ones from data. Everything outside the mask must keep its value, also in the same row.
#include "upload.h"

#include <vector>

__global__ void boxes(const int *a, int *out, int width, int height, int left, int right, int top,
                      int bottom) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= left && x < right && x < width && y >= top && y < bottom && y < height)
    out[y * width + x] = a[y * width + x] + 1;
}

__global__ void frame(int *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height && (x == 0 || y == 0 || x == width - 1 || y == height - 1))
    out[y * width + x] = 1000 + x;
}

__global__ void patterns(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 3 == 0)
    out[0 * n + i] = a[i];
  if (i & 1)
    out[1 * n + i] = a[i];
  if (threadIdx.x == 0)
    out[2 * n + i] = a[i];
  if (threadIdx.x == blockDim.x - 1)
    out[3 * n + i] = a[i];
  if (blockIdx.x % 2 == 1)
    out[4 * n + i] = a[i];
  if (!(i > 5 && i < 30) || i == 17)
    out[5 * n + i] = a[i];
  if ((threadIdx.x ^ blockIdx.x) & 1)
    out[6 * n + i] = a[i];
  if (i == n / 2)
    out[7 * n + i] = a[i];
}

__global__ void from_data(const int *a, int *out, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] < limit)
    out[i] = a[i];
  if (i < n && a[i] > limit && i % 2 == 0)
    out[n + i] = -a[i];
  if (i < n && (a[i] & 1) != (i & 1))
    out[2 * n + i] += 5;
}

// Masks that depend on the block only, and on a host scalar only.
__global__ void coarse(const int *a, int *out, unsigned first_block, bool enabled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (blockIdx.x >= first_block)
    out[i] = a[i];
  if (enabled)
    out[n + i] = a[i] * 2;
  if (enabled && blockIdx.x == 0)
    out[2 * n + i] = 3;
}

// One condition loaded from memory, the same for all lanes.
__global__ void uniform_data(const int *flag, const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag[0] > 0) {
    if (i < n)
      out[i] = a[i] + flag[1];
  } else if (i < n) {
    out[n + i] = a[i] - flag[1];
  }
  if (i < flag[2] && i < n)
    out[2 * n + i] = 1;
}

int main() {
  const int size = 1000;
  std::vector<int> a(2000);
  for (int i = 0; i < 2000; ++i)
    a[i] = (i * 7919) % 41 - 20;
  int *d_a = upload(a), *d_out = upload(std::vector<int>(8 * size, -77));
  int *d_yes = upload(std::vector<int>{1, 5, 11}), *d_no = upload(std::vector<int>{0, 6, -1});
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 0}, {129, 5, 641}, {300, 3, 900}, {3, 32, 96}};
  for (const auto &c : cases) {
    patterns<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    for (int limit : {-100, 0, 7, 100})
      from_data<<<c.blocks, c.threads>>>(d_a, d_out, limit, c.n);
    coarse<<<c.blocks, c.threads>>>(d_a, d_out, 0, false, c.n);
    coarse<<<c.blocks, c.threads>>>(d_a, d_out, 2, true, c.n);
    uniform_data<<<c.blocks, c.threads>>>(d_yes, d_a, d_out, c.n);
    uniform_data<<<c.blocks, c.threads>>>(d_no, d_a, d_out, c.n);
  }
  const struct {
    dim3 grid, block;
    int width, height;
  } planes[] = {{{5, 6}, {8, 4}, 37, 23}, {{130, 2}, {1, 5}, 129, 9}, {{1, 130}, {11, 1}, 11, 130}};
  for (const auto &p : planes) {
    boxes<<<p.grid, p.block>>>(d_a, d_out, p.width, p.height, 0, p.width, 0, p.height);
    boxes<<<p.grid, p.block>>>(d_a, d_out, p.width, p.height, 3, 9, 2, 7);
    boxes<<<p.grid, p.block>>>(d_a, d_out, p.width, p.height, 5, 5, 0, 9);
    boxes<<<p.grid, p.block>>>(d_a, d_out, p.width, p.height, 10, 11, 8, 9);
    frame<<<p.grid, p.block>>>(d_out, p.width, p.height);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
