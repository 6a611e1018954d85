// 64-bit integers in memory: strides, gathers, scatters, masks, shared and local arrays, structs,
// warps.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void copies(const long long *a, long long *out, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[n - 1 - i] = a[i] + a[(i * stride) % n];
}

__global__ void gather_scatter(const uint64_t *a, const int *from, const int64_t *to, uint64_t *out,
                               int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[to[i]] = a[from[i]] * 3;
}

__global__ void masked(const long long *a, const int *flags, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (flags[i] > 0)
    out[i] = a[i] - 1;
  if (a[i] > 1000000000000)
    out[n + i] = 77;
  if (flags[i] < -1000)
    out[2 * n + i] = a[i] << 33;
}

// Indices that are 64 bits wide in memory, and chains of them.
__global__ void linked(const unsigned long long *next, unsigned long long *out, int steps, int n) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long at = i;
  for (int k = 0; k < steps; ++k)
    at = next[at];
  out[i] = at;
}

__global__ void reversed_in_shared(const long long *a, long long *out, int n) {
  __shared__ long long s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : -1;
  __syncthreads();
  if (i < n)
    out[i] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void block_sums(const long long *a, long long *out, int n) {
  extern __shared__ long long partial[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? a[i] : 0;
  for (int k = 1; k < blockDim.x; k *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * k) == 0 && threadIdx.x + k < blockDim.x)
      partial[threadIdx.x] += partial[threadIdx.x + k];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = partial[0];
}

__global__ void data_in_shared(const long long *a, const int *where, long long *out, int n) {
  __shared__ long long s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = s[unsigned(where[i]) % blockDim.x];
}

__global__ void local_array(const int *which, const long long *a, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long values[4];
  for (int k = 0; k < 4; ++k)
    values[k] = a[i] >> (k * 16);
  values[which[i] & 3] += 5000000000;
  out[i] = values[(which[i] >> 2) & 3];
}

struct Particle {
  long long id;
  float weight;
  int cell;
  unsigned long long key;
};

__global__ void fields(Particle *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle q = p[i];
  q.key = q.key * 31 + (unsigned long long)q.id;
  q.id -= q.cell;
  if (q.weight > 0)
    p[i] = q;
}

struct Settings {
  long long offset;
  int scale;
  unsigned long long limit;
};

__global__ void from_settings(const long long *a, long long *out, Settings s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (unsigned long long)a[i] < s.limit ? a[i] * s.scale + s.offset : s.offset;
}

__global__ void shuffled(const long long *a, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long x = i < n ? a[i] : 0;
  const long long up = __shfl_up_sync(~0u, x, 1), down = __shfl_down_sync(~0u, x, 3);
  const long long other = __shfl_xor_sync(~0u, x, 5), first = __shfl_sync(~0u, x, 0);
  const long long any = __shfl_sync(~0u, x, int(x & 31));
  if (i < n) {
    out[0 * n + i] = up;
    out[1 * n + i] = down;
    out[2 * n + i] = other ^ first;
    out[3 * n + i] = any;
  }
}

__device__ unsigned long long table[8] = {1, 0x100000000, 3, 0xffffffffffffffff,
                                          5, 6,           7, 1ull << 63};
__constant__ long long weights[4] = {-1, 5000000000, 7, -5000000000};

__global__ void from_symbols(const int *which, unsigned long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[which[i] & 7] + weights[(which[i] >> 3) & 3] + weights[i & 3];
}

int main() {
  const int shapes[][2] = {{1, 1}, {1, 64}, {129, 3}, {300, 33}};
  for (const auto &[blocks, threads] : shapes) {
    const int n = blocks * threads > 1 ? blocks * threads - 1 : 1;
    std::vector<long long> a(n), out(4 * n, -9);
    std::vector<int64_t> permuted(n);
    std::vector<unsigned long long> next(n);
    std::vector<int> words(n), from(n);
    std::vector<Particle> particles(n);
    unsigned long long state = 99;
    for (int i = 0; i < n; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      a[i] = (long long)state >> state % 60;
      words[i] = int(state >> 33) - (1 << 30);
      from[i] = int((state >> 20) % n);
      permuted[i] = n - 1 - i;
      next[i] = (state >> 11) % n;
      particles[i] = {(long long)state, float(i % 3) - 1.0f, i, state ^ 0x5555};
    }
    auto *da = upload(a), *dout = upload(out);
    auto *dpermuted = upload(permuted);
    auto *dnext = upload(next);
    auto *dwords = upload(words), *dfrom = upload(from);
    auto *dparticles = upload(particles);
    auto *uout = (unsigned long long *)dout;
    copies<<<blocks, threads>>>(da, dout, 3, n);
    gather_scatter<<<blocks, threads>>>((uint64_t *)da, dfrom, dpermuted, (uint64_t *)dout, n);
    masked<<<blocks, threads>>>(da, dwords, dout, n);
    linked<<<blocks, threads>>>(dnext, uout, 3, n);
    reversed_in_shared<<<blocks, threads>>>(da, dout, n);
    block_sums<<<blocks, threads, threads * sizeof(long long)>>>(da, dout, n);
    data_in_shared<<<blocks, threads>>>(da, dwords, dout, n);
    local_array<<<blocks, threads>>>(dwords, da, dout, n);
    fields<<<blocks, threads>>>(dparticles, n);
    from_settings<<<blocks, threads>>>(da, dout, {-5000000000, 7, 1ull << 62}, n);
    shuffled<<<blocks, threads>>>(da, dout, n);
    from_symbols<<<blocks, threads>>>(dwords, uout, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
  }
  return 0;
}
