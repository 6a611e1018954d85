// Barriers of grids that are more than one wave: tiles, masks, local arrays and shared memory of
// every wave outlive them. And what the host may ask: how many blocks such a grid can have.
#include "upload.h"

#include <cooperative_groups.h>
#include <cstdio>

#include <vector>

namespace cg = cooperative_groups;

// What lives across the barriers: a register, an array with computed indices, a predicate, shared
// memory of each block.
__global__ void keep(const int *x, int *y, int *marks, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const int total = gridDim.x * blockDim.x;
  int own[4];
  for (int k = 0; k < 4; ++k)
    own[k] = i < n ? x[(i + k) % n] : k;
  s[t] = own[i & 3];
  const bool odd = own[0] & 1;
  marks[i] = own[1];
  cg::this_grid().sync();
  int sum = own[(i >> 2) & 3] + s[blockDim.x - 1 - t];
  for (int r = 0; r < 3; ++r) {
    const int other = marks[(i * 7 + r * 13 + 1) % total];
    cg::this_grid().sync();
    if (odd)
      marks[i] = other + r;
    else
      sum += other;
    cg::this_grid().sync();
  }
  if (i < n)
    y[i] = sum + marks[total - 1 - i];
}

// The order of atomics between two barriers is that of blocks and threads on both sides.
__global__ void tickets(int *counter, int *order, int rounds) {
  const int i = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x * blockDim.x +
                blockIdx.x * blockDim.x + threadIdx.x;
  int last = 0;
  for (int r = 0; r < rounds; ++r) {
    last = last * 3 + atomicAdd(counter, 1 + (i & 1));
    cg::this_grid().sync();
  }
  order[i] = last;
}

// A loop that ends when the chip says so.
__global__ void halve(int *values, int *rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count = 0;
  while (values[0] > 1) {
    cg::this_grid().sync();
    if (i < n)
      values[i] /= 2;
    ++count;
    cg::this_grid().sync();
  }
  if (i < n)
    rounds[i] = count;
}

__global__ void said(int *x) {
  if (threadIdx.x == 1 && blockIdx.x % 64 == 3)
    printf("before %d\n", x[blockIdx.x]);
  cg::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x % 64 == 3)
    printf("behind %d\n", x[blockIdx.x + 1]);
}

static bool run(const void *kernel, dim3 grid, dim3 block, void **arguments) {
  return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, 0, 0) == cudaSuccess;
}

int main() {
  const int size = 1 << 16;
  std::vector<int> x(size);
  for (int i = 0; i < size; ++i)
    x[i] = i * 7919 % 1009 + 3;
  int *d_x = upload(x), *d_y = upload(std::vector<int>(size, 5));
  int *d_marks = upload(std::vector<int>(size)), *d_counter = upload(std::vector<int>(1));
  bool ok = true;
  struct {
    int blocks, threads, n;
  } const cases[] = {{129, 5, 641}, {300, 3, 900}, {257, 64, 16000}, {131, 33, 1}};
  for (auto c : cases) {
    void *arguments[] = {&d_x, &d_y, &d_marks, &c.n};
    ok &= run((void *)keep, c.blocks, c.threads, arguments);
    int *d_values = upload(x);
    void *of_halve[] = {&d_values, &d_y, &c.n};
    ok &= run((void *)halve, c.blocks, c.threads, of_halve);
  }
  int rounds = 3;
  void *of_tickets[] = {&d_counter, &d_y, &rounds};
  ok &= run((void *)tickets, dim3(50, 3, 2), 6, of_tickets);
  void *of_said[] = {&d_x};
  ok &= run((void *)said, 200, 2, of_said);

  int processors = 0, blocks = 0, cooperative = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, keep, 64, 0);
  int n = 100;
  void *arguments[] = {&d_x, &d_y, &d_marks, &n};
  ok &= cooperative == 1 && blocks > 0;
  int *d_many = upload(std::vector<int>(size_t(processors) * blocks * 64));
  void *as_large_as_can_be[] = {&d_x, &d_y, &d_many, &n};
  ok &= run((void *)keep, processors * blocks, 64, as_large_as_can_be);
  ok &= cudaLaunchCooperativeKernel((void *)keep, processors * blocks + 1, 64, arguments, 0, 0) ==
        cudaErrorCooperativeLaunchTooLarge;
  ok &= cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge;
  return ok && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
