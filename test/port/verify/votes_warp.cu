// Votes, ballots, matches and reductions of warps and blocks, in blocks of any size, under
// divergence, with member masks that are whole, parts, and computed; special registers.
#include "upload.h"

#include <vector>

const unsigned full = 0xffffffffu;

__global__ void votes(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool big = i < n && a[i] > 3;
  const unsigned set = __ballot_sync(full, big);
  const int any = __any_sync(full, big), all = __all_sync(full, big || i >= n);
  const int uniform = __uni_sync(full, i < n && a[i] > -100);
  if (i < n) {
    out[0 * n + i] = int(set);
    out[1 * n + i] = any * 100 + all * 10 + uniform;
    out[2 * n + i] = __popc(set & ((1u << threadIdx.x % 32) - 1)); // rank among them
  }
}

__global__ void blocks(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? a[i] : 0;
  const int count = __syncthreads_count(v > 2);
  const int any = __syncthreads_or(v == 5), all = __syncthreads_and(v < 15);
  if (i < n)
    out[i] = count * 100 + any * 10 + all;
}

__global__ void divergent(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int v = a[i];
  int r = 0;
  if (v > 0) {
    const unsigned here = __activemask();
    r = int(__ballot_sync(here, v & 1)) ^ __popc(here);
    if (__any_sync(here, v > 12))
      r += 7;
    r ^= int(__match_any_sync(here, v % 3));
    r += int(__reduce_add_sync(here, unsigned(v)));
  } else if (__all_sync(__activemask(), v < -2)) {
    r = -1;
  }
  out[i] = r;
}

// The sides of a branch ask on one line, as macros do.
#define SIDE(bit) __ballot_sync(__activemask(), (v >> bit) & 1) ^ (bit * 0x5555u)
__global__ void sides(const int *a, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? a[i] : 0;
  unsigned alone = 0;
  // clang-format off
  if (v % 3 == 0) alone = __activemask(); else alone = __activemask();
  // clang-format on
  const unsigned vote = v & 1 ? SIDE(1) : v & 4 ? SIDE(2) : SIDE(0);
  if (i < n)
    out[i] = alone * 3 + vote;
}

// Parts of a warp with masks of their own.
__global__ void parts(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int v = i < n ? a[i] : 0;
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  const int low = __any_sync(half, v > 9), sum = __reduce_add_sync(half, v);
  const int least = __reduce_min_sync(half, v);
  int odd = 0;
  if (lane % 2 == 1)
    odd = int(__ballot_sync(0xaaaaaaaau, v > 0)) + __reduce_max_sync(0xaaaaaaaau, v);
  __syncwarp();
  if (i < n) {
    out[0 * n + i] = low * 1000 + sum;
    out[1 * n + i] = least;
    out[2 * n + i] = odd;
  }
}

__global__ void matches(const int *a, const float *x, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? a[i] : -1;
  const unsigned same = __match_any_sync(full, v),
                 same_float = __match_any_sync(full, i < n ? x[i] : 0.0f);
  int all = 0, one = 0;
  const unsigned everybody = __match_all_sync(full, v, &all);
  const unsigned always = __match_all_sync(full, 5, &one);
  if (i < n) {
    out[0 * n + i] = int(same);
    out[1 * n + i] = int(same_float);
    out[2 * n + i] = int(everybody) + all;
    out[3 * n + i] = int(always) + one;
  }
}

__global__ void reductions(const int *a, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? a[i] * 123456789 : 0;
  const unsigned u = unsigned(v);
  const unsigned sum = __reduce_add_sync(full, u), low = __reduce_min_sync(full, u),
                 high = __reduce_max_sync(full, u), both = __reduce_and_sync(full, u | 0xff00u),
                 some = __reduce_or_sync(full, u), odd = __reduce_xor_sync(full, u);
  const int least = __reduce_min_sync(full, v), most = __reduce_max_sync(full, v);
  if (i < n) {
    out[0 * n + i] = sum ^ low * 3 ^ high * 5;
    out[1 * n + i] = both ^ some * 3 ^ odd * 5;
    out[2 * n + i] = unsigned(least) ^ unsigned(most) * 3;
  }
}

__global__ void matches64(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long v = i < n ? (a[i] & 3) * 5000000000ll : -1;
  int all = 0;
  const unsigned same = __match_any_sync(full, v), everybody = __match_all_sync(full, v, &all);
  if (i < n) {
    out[0 * n + i] = int(same);
    out[1 * n + i] = int(everybody) + all;
    out[2 * n + i] = int(__fns(same, threadIdx.x % 32, 2));
    out[3 * n + i] = int(__fns(unsigned(a[i]) * 2654435761u, 31, -(i % 4)));
  }
}

// One atomic operation per warp for all that want a place.
__global__ void aggregated(const int *a, int *count, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool wants = i < n && a[i] > 0;
  const unsigned set = __ballot_sync(full, wants);
  int base = 0;
  if (lane == 0 && set)
    base = atomicAdd(count, __popc(set));
  base = __shfl_sync(full, base, 0);
  if (wants)
    out[base + __popc(set & ((1u << lane) - 1))] = a[i];
}

__global__ void registers(unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane, less, mine, upto, above, from;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(mine));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(upto));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(above));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(from));
  if (i < n)
    out[i] = lane + 3 * less + 5 * mine + 7 * upto + 11 * above + 13 * from;
}

int main() {
  const int size = 3000;
  std::vector<int> a(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = i < 64 ? 4 : (i * 7919) % 23 - 7;
    x[i] = float(i * 31 % 5);
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(4 * size)), *d_count = nullptr;
  float *d_x = upload(x);
  unsigned *d_u = upload(std::vector<unsigned>(4 * size));
  cudaMalloc(&d_count, sizeof(int));
  struct {
    int blocks;
    dim3 threads;
    int n;
  } const cases[] = {{1, 1, 1},      {1, 32, 32},     {3, 64, 150},          {129, 5, 641},
                     {40, 33, 1290}, {2, 1000, 1999}, {7, dim3(5, 7, 3), 35}};
  for (const auto &c : cases) {
    cudaMemset(d_count, 0, sizeof(int));
    votes<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    blocks<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    if (c.threads.y == 1) {
      divergent<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
      sides<<<c.blocks, c.threads>>>(d_a, d_u, c.n);
      parts<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
      matches<<<c.blocks, c.threads>>>(d_a, d_x, d_out, c.n);
      matches64<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
      reductions<<<c.blocks, c.threads>>>(d_a, d_u, c.n);
      aggregated<<<c.blocks, c.threads>>>(d_a, d_count, d_out, c.n);
    }
    registers<<<c.blocks, c.threads>>>(d_u, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
