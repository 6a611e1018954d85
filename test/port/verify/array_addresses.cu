// Addresses of shared and local arrays as numbers: tested for alignment, chosen among, stored,
// mixed with addresses of device memory.
#include "upload.h"

#include <cstdint>

__global__ void aligned(const float *a, float *out, int n) {
  extern __shared__ float dynamic[];
  __shared__ float fixed[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *mine = &dynamic[threadIdx.x];
  if ((reinterpret_cast<uintptr_t>(mine) & 3) == 0)
    *mine = i < n ? a[i] : 0.0f;
  fixed[threadIdx.x % 64] = 0;
  __syncthreads();
  if (reinterpret_cast<uintptr_t>(&fixed[threadIdx.x % 64]) % 4 == 0)
    fixed[threadIdx.x % 64] =
        float(reinterpret_cast<size_t>(&dynamic[5]) - reinterpret_cast<size_t>(&dynamic[2]));
  __syncthreads();
  if (i < n)
    out[i] = dynamic[blockDim.x - 1 - threadIdx.x] + fixed[threadIdx.x % 64];
}

// A pointer that moves through a loop, each lane's between two arrays of its own choice.
__global__ void moving(const int *in, int *out, int rounds, int n) {
  __shared__ int a[128], b[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  a[t] = t * 3;
  b[t] = 1000 - t;
  __syncthreads();
  if (i >= n)
    return;
  const int *p = in[i] % 2 ? a : b;
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    sum = sum * 2 + p[(t + r) % blockDim.x];
    if ((sum + in[i]) % 3 == 0)
      p = p == a ? b : a;
  }
  out[i] = sum;
}

// Three kinds of memory behind one pointer.
__global__ void any_memory(const int *in, int *global, int *out, int n) {
  __shared__ int shared[128];
  int local[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  shared[t] = t + 7;
  for (int k = 0; k < 4; ++k)
    local[k] = i + in[k];
  __syncthreads();
  if (i >= n)
    return;
  int *p = nullptr;
  for (int k = 0; k <= in[i] % 5; ++k) {
    if (k == 1)
      p = &shared[t];
    else if (k == 2)
      p = &local[in[i] % 4];
    else if (k == 3)
      p = &global[i];
    else if (k == 4)
      p = nullptr;
  }
  if (p) {
    *p += 5;
    out[i] = *p * 2 + local[1] + shared[t];
  } else {
    out[i] = -1;
  }
}

// Two at a time where a computed index allows that.
__global__ void pairs(const short *in, const int *which, int *out, short *copies, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const short *p = in + which[i];
  short *q = copies + which[which[i] % n] % n;
  if (reinterpret_cast<uintptr_t>(p) % 4 == 0 && i % 3)
    out[i] = *reinterpret_cast<const int *>(p);
  else
    out[i] = p[0];
  if (reinterpret_cast<uintptr_t>(q) % 4 == 0)
    *reinterpret_cast<int *>(q) = 0x30004;
}

struct Stack {
  int *slots[3];
  int count;
};

// Pointers that shared memory and a local array hold.
__global__ void stored(const int *in, int *out, int n) {
  __shared__ int values[96];
  __shared__ int *order[96];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  const int last = min(int(blockDim.x), n - int(blockIdx.x * blockDim.x)) - 1;
  if (i < n) {
    values[t] = in[i];
    order[last - t] = &values[t];
  }
  __syncthreads();
  if (i >= n)
    return;
  Stack stack;
  stack.count = 0;
  for (int k = 0; k < 3; ++k)
    if ((in[i] + k) % 2)
      stack.slots[stack.count++] = order[(t + k) % (last + 1)];
  int sum = 0;
  while (stack.count > 0)
    sum = sum * 7 + *stack.slots[--stack.count];
  out[i] = sum + int(order[t] - values);
}

__global__ void counted(const int *in, int *bins, int n) {
  __shared__ int near[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t < 8)
    near[t] = 0;
  __syncthreads();
  if (i < n) {
    int *bin = near;
    for (int k = 0; k < in[i] % 3; ++k)
      bin = bins + 8 * k;
    atomicAdd(&bin[in[i] % 8], 1 + i % 2);
  }
  __syncthreads();
  if (t < 8)
    atomicAdd(&bins[16 + t], near[t]);
}

__global__ void wide(const double *in, const int *which, double *out, long long *sums, int n) {
  __shared__ long long longs[64];
  __shared__ unsigned char bytes[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  longs[t] = (long long)i << 33;
  bytes[t] = 200 + t;
  __syncthreads();
  if (i >= n)
    return;
  const long long *l = longs;
  const unsigned char *b = bytes;
  for (int k = 0; k < which[i] % 3; ++k) {
    l = sums + n;
    b = reinterpret_cast<const unsigned char *>(which);
  }
  sums[i] = l[t] + b[t];
  out[i] = in[i];
}

void run(int n, int threads) {
  const int blocks = (n + threads - 1) / threads;
  std::vector<int> numbers(n + 8);
  std::vector<float> floats(n);
  std::vector<double> doubles(n);
  for (int i = 0; i < n + 8; ++i)
    numbers[i] = i * 37 % 101;
  for (int i = 0; i < n; ++i)
    doubles[i] = floats[i] = float(i % 50) * 0.5f;
  const int *in = upload(numbers);
  float *out;
  int *ints, *global = upload(numbers);
  long long *sums;
  double *copies;
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&ints, n * sizeof(int));
  cudaMalloc(&copies, n * sizeof(double));
  cudaMalloc(&sums, (n + 64) * sizeof(long long));
  cudaMemset(sums, 1, (n + 64) * sizeof(long long));
  aligned<<<blocks, threads, threads * sizeof(float) + 32>>>(upload(floats), out, n);
  std::vector<short> shorts(110);
  for (int i = 0; i < 110; ++i)
    shorts[i] = short(i * 1111);
  short *pair_copies;
  cudaMalloc(&pair_copies, (n + 2) * sizeof(short));
  cudaMemset(pair_copies, 0, (n + 2) * sizeof(short));
  pairs<<<blocks, threads>>>(upload(shorts), in, ints, pair_copies, n);
  moving<<<blocks, threads>>>(in, ints, 5, n);
  any_memory<<<blocks, threads>>>(in, global, ints, n);
  if (threads <= 96)
    stored<<<blocks, threads>>>(in, ints, n);
  int *bins;
  cudaMalloc(&bins, 24 * sizeof(int));
  cudaMemset(bins, 0, 24 * sizeof(int));
  counted<<<blocks, threads>>>(in, bins, n);
  if (threads <= 64)
    wide<<<blocks, threads>>>(upload(doubles), in, copies, sums, n);
  cudaDeviceSynchronize();
}

int main() {
  run(1, 1);
  run(20, 32);
  run(129, 1);
  run(300, 61);
  run(1500, 128);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
