// Groups cut from blocks and warps: tiles passed as plain groups, sizes that are no constants,
// groups of threads that agree, values of several words between threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct Triple {
  float a;
  int b;
  short c;
};

__device__ int sum(cg::thread_group group, int *room, int value) {
  const int rank = group.thread_rank();
  for (int step = group.size() / 2; step > 0; step /= 2) {
    room[rank] = value;
    group.sync();
    if (rank < step)
      value += room[rank + step];
    group.sync();
  }
  return value;
}

__global__ void plain_groups(const int *k, int *out, int n, int size) {
  __shared__ int room[192];
  cg::thread_block block = cg::this_thread_block();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = i < n ? k[i] : 0;
  auto tile = cg::tiled_partition<16>(block);
  int result = sum(tile, room + threadIdx.x / 16 * 16, value);
  if (i < n && tile.thread_rank() == 0)
    out[i] = result;
  block.sync();
  cg::thread_group any = cg::tiled_partition(block, size);
  result = sum(any, room + threadIdx.x / size * size, value);
  if (i < n && any.thread_rank() == 0)
    out[n + i] = result;
}

__global__ void agreeing(const int *k, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = i < n ? k[i] : 0;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto odd = cg::binary_partition(warp, (value & 1) != 0);
  auto alike = cg::labeled_partition(warp, value % 5);
  const int first = cg::reduce(odd, value, cg::plus<int>()) * 7 + alike.shfl(value, 0);
  if (i < n) {
    out[4 * i] = odd.size();
    out[4 * i + 1] = odd.thread_rank();
    out[4 * i + 2] = alike.size() * 100 + alike.thread_rank();
    out[4 * i + 3] = first;
  }
}

__global__ void wide_values(const int *k, Triple *out, double *numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = i < n ? k[i] : 0;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  Triple mine = {value * 0.5f, value, (short)(value % 100)}, other = tile.shfl_xor(mine, 3);
  Triple up = tile.shfl_up(mine, 1);
  const double number = tile.shfl_down((double)value, 2);
  if (i < n) {
    out[2 * i] = {other.a, other.b, other.c};
    out[2 * i + 1] = {up.a, up.b, up.c};
    numbers[i] = number;
  }
}

int main() {
  for (int n : {1, 96, 500}) {
    int *k, *out, *host = new int[n];
    Triple *triples;
    double *numbers;
    cudaMalloc(&k, n * sizeof(int));
    cudaMalloc(&out, 4 * n * sizeof(int));
    cudaMalloc(&triples, 2 * n * sizeof(Triple));
    cudaMalloc(&numbers, n * sizeof(double));
    cudaMemset(out, 0, 4 * n * sizeof(int));
    cudaMemset(triples, 0, 2 * n * sizeof(Triple));
    for (int i = 0; i < n; ++i)
      host[i] = i * 7919 % 1013;
    cudaMemcpy(k, host, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int size : {4, 32})
      plain_groups<<<(n + 95) / 96, 96>>>(k, out, n, size);
    agreeing<<<(n + 63) / 64, 64>>>(k, out, n);
    wide_values<<<(n + 127) / 128, 128>>>(k, triples, numbers, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
    delete[] host;
    for (void *p : {(void *)k, (void *)out, (void *)triples, (void *)numbers})
      cudaFree(p);
  }
  return 0;
}
