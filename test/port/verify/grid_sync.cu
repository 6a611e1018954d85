// Barriers of the whole grid in cooperative launches: between phases, in loops, after loads that
// say how many rounds there are, and with values in registers and shared memory that outlive them.
#include "upload.h"

#include <cooperative_groups.h>

#include <tuple>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

// Each block leaves its sum; behind the barrier every block adds up all of them.
__global__ void normalise(const int *x, int *sums, int *y, int n) {
  cg::grid_group grid = cg::this_grid();
  __shared__ int part;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = i < n ? x[i] : 0;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  atomicAdd(&part, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part;
  grid.sync();
  int total = 0;
  for (int b = 0; b < gridDim.x; ++b)
    total += sums[b];
  if (i < n)
    y[i] = mine * 3 - total + part;
}

// Rounds of a stencil from one buffer into the other and back.
__global__ void relax(float *a, float *b, int n, int rounds) {
  auto grid = cg::this_grid();
  const int size = (int)grid.size();
  for (int r = 0; r < rounds; ++r) {
    float *from = r % 2 ? b : a, *to = r % 2 ? a : b;
    for (int i = (int)grid.thread_rank(); i < n; i += size) {
      const float left = i > 0 ? from[i - 1] : 0.0f, right = i + 1 < n ? from[i + 1] : 1.0f;
      to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
    }
    grid.sync();
  }
}

// As many rounds as it takes until nothing changes any more: the grid decides together.
__global__ void spread(int *labels, const int *links, int *changed, int n) {
  auto grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (;;) {
    grid.sync();
    if (i == 0)
      *changed = 0;
    grid.sync();
    int best = 0;
    if (i < n) {
      best = min(labels[i], labels[links[i]]);
      if (best < labels[i])
        *changed = 1;
    }
    grid.sync();
    if (i < n)
      labels[i] = best;
    if (*changed == 0)
      break;
  }
}

// Blocks in two dimensions, words and warps, and a helper that holds the barrier.
__device__ void meet(const cg::grid_group &grid) { cg::sync(grid); }
__global__ void turn(const unsigned *x, unsigned *y, int width, int height) {
  const cg::grid_group grid = cg::this_grid();
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned value = 7;
  if (column < width && row < height)
    value = x[row * width + column];
  const unsigned before = __shfl_xor_sync(0xffffffffu, value, 1);
  if (column < width && row < height)
    y[column * height + row] = value + before;
  meet(grid);
  unsigned sum = 0;
  if (column < width && row < height)
    sum = y[(width - 1 - column) * height + (height - 1 - row)];
  meet(grid);
  if (column < width && row < height)
    y[column * height + row] = sum ^ value ^ (unsigned)grid.block_rank();
}

template <class... P, class... A>
static bool launch(void (*kernel)(P...), dim3 grid, dim3 block, A... arguments) {
  std::tuple<P...> values(arguments...);
  return std::apply(
      [&](P &...value) {
        void *addresses[] = {&value...};
        return cudaLaunchCooperativeKernel((void *)kernel, grid, block, addresses, 0, 0) ==
               cudaSuccess;
      },
      values);
}

int main() {
  const int size = 4096;
  std::vector<int> x(size), links(size), labels(size);
  std::vector<float> a(size);
  for (int i = 0; i < size; ++i) {
    x[i] = i * 7919 % 1009 - 300;
    a[i] = float(i * 37 % 101) / 64.0f;
    links[i] = i % 5 ? i - 1 : i;
    labels[i] = i * 31 % 257;
  }
  int *d_x = upload(x), *d_y = upload(std::vector<int>(size, 5)), *d_links = upload(links);
  int *d_sums = upload(std::vector<int>(300)), *d_changed = upload(std::vector<int>(1, 1));
  float *d_a = upload(a), *d_b = upload(std::vector<float>(size, 9.0f));
  bool ok = true;
  for (auto [blocks, threads, n] :
       {std::tuple(1, 1, 1), {1, 33, 20}, {5, 64, 301}, {128, 7, 890}}) {
    ok &= launch(normalise, blocks, threads, d_x, d_sums, d_y, n);
    int *d_labels = upload(labels);
    ok &= launch(spread, blocks, threads, d_labels, d_links, d_changed, n);
    for (int rounds : {0, 1, 4})
      ok &= launch(relax, blocks, threads, d_a, d_b, n + 17, rounds);
  }
  for (auto [width, height] : {std::pair(32, 8), {45, 19}, {1, 1}})
    ok &= launch(turn, dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4), (unsigned *)d_x,
                 (unsigned *)d_y, width, height);
  return ok && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
