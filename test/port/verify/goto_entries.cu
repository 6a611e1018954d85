// Loops that `goto` enters in several places: lanes meet in one of them, whichever way they came.
// The host computes the same.
#include "upload.h"

#include <cstdio>

// Two places, by lane; odd and even go round separately.
__host__ __device__ int two(int v) {
  int k = 0;
  if (v & 1)
    goto middle;
top:
  v += 3;
  ++k;
middle:
  v ^= k;
  k += 2;
  if (v < 50 && k < 40)
    goto top;
  return v * 64 + k;
}

// Three, from each to each.
__host__ __device__ int three(int a) {
  int s = 0, i = 0;
  if (a & 1)
    goto second;
  if (a & 2)
    goto third;
first:
  s += 3;
  ++i;
second:
  s = s * 5 + i++;
  if (i > a % 23)
    return s;
  if (s & 4)
    goto second;
third:
  if (s & 2)
    goto first;
  s ^= 0x55;
  i += 2;
  if (i < 40)
    goto first;
  return s + 1;
}

// In a loop, with a loop inside that leads out of both.
__host__ __device__ int nested(int a) {
  int s = a;
  for (int round = 0; round < 3; ++round) {
    int i = 0;
    if ((s >> round) & 1)
      goto inside;
    for (; i < 5; ++i) {
      s += i;
    inside:
      for (int j = 0; j < (s & 3); ++j) {
        s = s * 3 + j;
        if (s % 11 == 7)
          goto next;
        if (s % 13 == 5)
          return -s;
      }
    }
    s ^= round;
  next:;
  }
  return s;
}

__global__ void by_lane(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[3 * i] = two(in[i]);
  out[3 * i + 1] = three(in[i]);
  out[3 * i + 2] = nested(in[i]);
}

// A whole block goes one way, so that there may be barriers.
__global__ void by_block(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int thread = threadIdx.x, threads = blockDim.x;
  int rounds = n + blockIdx.x % 3;
  s[thread] = in[blockIdx.x * threads + thread];
  __syncthreads();
  int value = 0;
  if (blockIdx.x & 1)
    goto shift;
turn:
  value = s[threads - 1 - thread];
  __syncthreads();
  s[thread] = value;
  __syncthreads();
shift:
  value = s[(thread + 1) % threads];
  __syncthreads();
  s[thread] = value + 1;
  __syncthreads();
  if (rounds-- > 0)
    goto turn;
  out[blockIdx.x * threads + thread] = s[thread];
}

static void expect_block(std::vector<int> &s, int block, int rounds) {
  const size_t threads = s.size();
  for (bool turn = block % 2 == 0;; turn = true) {
    std::vector<int> old = s;
    for (size_t t = 0; turn && t < threads; ++t)
      s[t] = old[threads - 1 - t];
    old = s;
    for (size_t t = 0; t < threads; ++t)
      s[t] = old[(t + 1) % threads] + 1;
    if (rounds-- <= 0)
      return;
  }
}

int main() {
  int wrong = 0;
  for (int blocks : {1, 3, 129})
    for (int threads : {1, 5, 33, 64}) {
      const int n = blocks * threads;
      std::vector<int> in(n), out(3 * n), blocked(n);
      for (int i = 0; i < n; ++i)
        in[i] = i * 2654435761u >> 24;
      int *from = upload(in), *to = upload(out), *block = upload(blocked);
      by_lane<<<blocks, threads>>>(from, to, n);
      by_block<<<blocks, threads>>>(from, block, 3);
      cudaMemcpy(out.data(), to, 3 * n * sizeof(int), cudaMemcpyDeviceToHost);
      cudaMemcpy(blocked.data(), block, n * sizeof(int), cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; ++i)
        wrong += out[3 * i] != two(in[i]) || out[3 * i + 1] != three(in[i]) ||
                 out[3 * i + 2] != nested(in[i]);
      for (int b = 0; b < blocks; ++b) {
        std::vector<int> s(in.begin() + b * threads, in.begin() + (b + 1) * threads);
        expect_block(s, b, 3 + b % 3);
        for (int t = 0; t < threads; ++t)
          wrong += blocked[b * threads + t] != s[t];
      }
      cudaFree(from), cudaFree(to), cudaFree(block);
    }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
