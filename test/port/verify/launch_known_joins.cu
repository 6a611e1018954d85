// Variables that coordinates decide, inside branches and loops that data decide.
#include <cuda_runtime.h>

#include <vector>

template <class T> static T *upload(const std::vector<T> &values) {
  T *device;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

__global__ void integers(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int offset = 0, kept = 7;
  if (a[i] > 0) {
    if (blockIdx.x & 1)
      kept = a[i] * 3;
    else
      offset = threadIdx.x + 3;
  } else if (threadIdx.x % 3 == 1) {
    offset = 5;
  }
  out[i] = a[(i + offset) % n] + offset * 100 + kept;
}

__global__ void truths(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bool odd = false;
  int count = 0;
  if (a[i] != 2) {
    bool inner = false;
    if (threadIdx.x & 1) {
      count = a[i];
      inner = true;
    } else if (blockIdx.x % 3 == 0) {
      count = 2 - a[i];
    } else {
      inner = threadIdx.x % 4 == 0;
    }
    odd = inner;
  }
  const int picked = odd ? threadIdx.x : blockIdx.x + 9; // launch-known by a launch-known truth
  out[i] = picked * 1000 + count;
}

__global__ void loops(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int steps = -1, sum = 0;
  if (a[i] & 1) {
    int k = 0;
    for (; k < int(threadIdx.x & 7); ++k) { // lanes leave apart, as coordinates say
      if (k * 2 > int(blockIdx.x % 5) + 4)
        break;
      sum += a[(i + k) % n];
    }
    steps = k;
  }
  out[i] = sum * 10 + steps;
}

// What the loop writes under a mask that starts as known and is the chip's from the second round.
__global__ void repeats(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = 0;
  if (i < n)
    do {
      out[i] += a[i] + k;
      ++k;
    } while (k < (a[i] & 3));
}

// Numbers beyond 32 bits among the launch-known ones.
__global__ void wide(const int *a, long long *out, long long big, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long picked = big;
  if (threadIdx.x % 3 == 1)
    picked = 0x123456789abcLL;
  else if (blockIdx.x & 1)
    picked = big * big + threadIdx.x;
  out[i] = picked % (threadIdx.x == 2 ? big : 1000003LL) + a[i];
}

int main() {
  const int size = 1200;
  std::vector<int> a(size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 13 - 6;
  long long *d_wide = upload(std::vector<long long>(size));
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 256},  {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    integers<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    truths<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    loops<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    wide<<<c.blocks, c.threads>>>(d_a, d_wide, 2654435761LL, c.n);
    repeats<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
