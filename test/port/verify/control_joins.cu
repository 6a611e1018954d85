// What variables are after control flow has met again: each kernel is wrong if one rule of joins,
// exits or simultaneous assignments is.
#include <cuda_runtime.h>

#include <vector>

// Variables that change places every round: the host's, the chip's, and three in a ring.
__global__ void exchanges(const int *a, int *out, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int p = 1, q = rounds + 5;
  int x = a[i], y = a[(i + 1) % n], z = a[(i + 2) % n];
  unsigned total = 0;
  for (int k = 0; k < rounds; ++k) {
    total = total * 31u + unsigned(p) * 7u + unsigned(x);
    const int host = p;
    p = q;
    q = host;
    const int chip = x;
    x = y;
    y = z;
    z = chip;
  }
  out[i] = int(total) + x * 3 + y * 5 + z * 7 + p;
}

// Truth values that two edges bring, with effects on the way so that they stay edges.
__global__ void truths(const int *a, int *out, int *log, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bool positive = false, third = true;
  if (a[i] > 0) {
    log[i] = a[i];
    positive = true;
  }
  if (threadIdx.x % 3 == 2) {
    log[i] += 100;
    third = false;
  }
  out[i] = (positive ? a[i] * 2 : 7) + (third ? 1000 : 0);
}

// A branch of the host inside one of the chip: its sides are for the chip's lanes only.
__global__ void host_in_chip(const int *a, int *out, int *log, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = -5;
  if (a[i] > 1) {
    if (b > 2) {
      log[i] = b;
      value = a[(i + b) % n];
    } else {
      log[i] = -b;
      for (int k = 0; k < b; ++k)
        value += a[(i + k) % n];
    }
    value += 3;
  }
  out[i] = value;
}

// The loop ends by a counter of the host, but lanes get to the question in different rounds.
__global__ void skipped_exits(const int *a, int *out, int *log, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = 0, seen = 0;
  while (k < 40) {
    ++k;
    if (a[(i + k) % n] > 2)
      continue;
    ++seen;
    log[i] = k; // keeps the question apart from the one before it
    if (k > b)
      break;
  }
  out[i] = k * 100 + seen;
}

// The same with no other way out, so that only the rounds tell lanes apart.
__global__ void late_exits(const int *a, int *out, int *log, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = 0;
  while (true) {
    ++k;
    if (a[(i + k) % n] > 2)
      continue;
    log[i] += k;
    if (k > b)
      break;
  }
  out[i] = k;
}

// Two exits, values of both, and what is the same for all lanes before lanes differ.
__global__ void two_exits(const int *a, int *out, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int step = 1, k = 0;
  for (; k < 12; ++k) {
    if (a[(i + k) % n] == 6)
      break;
    step += b;
    if (a[(i + 2 * k) % n] == -6)
      break;
    step ^= k;
  }
  out[i] = step * 16 + k;
}

__device__ static int guarded(int a, int b) { return b == 0 || b == -1 ? a : a % b; }

// One side of the outer guard can never be: the inner result is a remainder of -1.
__global__ void impossible_sides(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = guarded(1, guarded(-1, a[i] & 255)) + guarded(a[i], guarded(7, 0));
}

__device__ static bool noted(int *log, int i, bool wanted) {
  if (!wanted)
    return false;
  log[i] += i;
  return true;
}

// What a function answers is only which way it was left.
__global__ void answers(const int *a, int *out, int *log, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = noted(log, i, a[i] > 1) ? a[i] * 2 : 7;
  if (a[i] & 1)
    value += noted(log, i, threadIdx.x % 3 == 1) ? 1000 : a[i];
  value += 5000 * int(noted(log, i, a[i] < 0)) + 20000 * int(noted(log, i, threadIdx.x & 1));
  out[i] = value;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 13 - 6;
  int *d_a, *d_out, *d_log;
  cudaMalloc(&d_a, size * sizeof(int));
  cudaMalloc(&d_out, size * sizeof(int));
  cudaMalloc(&d_log, size * sizeof(int));
  cudaMemcpy(d_a, a.data(), size * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, size * sizeof(int));
  cudaMemset(d_log, 0, size * sizeof(int));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 256}, {129, 5, 641}, {300, 3, 900}};
  for (const auto &c : cases)
    for (int b : {0, 1, 2, 5}) {
      exchanges<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
      truths<<<c.blocks, c.threads>>>(d_a, d_out, d_log, c.n);
      host_in_chip<<<c.blocks, c.threads>>>(d_a, d_out, d_log, b, c.n);
      skipped_exits<<<c.blocks, c.threads>>>(d_a, d_out, d_log, b, c.n);
      answers<<<c.blocks, c.threads>>>(d_a, d_out, d_log, c.n);
      impossible_sides<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
      late_exits<<<c.blocks, c.threads>>>(d_a, d_out, d_log, b, c.n);
      two_exits<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
    }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
