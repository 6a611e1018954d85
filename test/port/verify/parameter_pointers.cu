// Pointers and numbers in arguments by value, at places per block and per lane.
#include "upload.h"

struct Buffers {
  float *b[5];
  int n[5];
  unsigned char which[10];
  short small[3];
  long long large[2];
};

__global__ void by_block(Buffers s, float v) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n[blockIdx.y])
    s.b[blockIdx.y][i] = s.b[blockIdx.y][i] * 2 + v;
}

// As optimizers do that work on many tensors in one launch.
__global__ void chunks(Buffers s) {
  const int t = s.which[blockIdx.x];
  float *p = s.b[t];
  const int half = s.n[t] / 2, first = blockIdx.x < 5 ? 0 : half;
  const int last = blockIdx.x < 5 ? half : s.n[t];
  for (int i = first + threadIdx.x; i < last; i += blockDim.x)
    p[i] += t * 0.5f;
}

__global__ void by_lane(Buffers s, float *out, int *sums, long long *wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = s.b[i % 5] ? s.b[i % 5][i / 5 % 7] + s.n[i % 5] : -1;
  if (s.b[(i + 1) % 5])
    atomicAdd(&sums[i % 2], s.small[i % 3] * 3);
  wide[i] = s.large[i & 1] + s.small[(i + 1) % 3];
}

// The chip computes which.
__global__ void by_value(Buffers s, const int *which, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && s.b[which[i]])
    out[i] = s.b[which[i]][i % 7] - s.n[which[i]];
}

void run(Buffers s, int n, int threads) {
  const int blocks = (n + threads - 1) / threads;
  by_block<<<dim3((700 + threads - 1) / threads, 5), threads>>>(s, 0.5f);
  chunks<<<10, threads>>>(s);
  float *out = upload(std::vector<float>(n));
  int *sums = upload(std::vector<int>(2));
  long long *wide = upload(std::vector<long long>(n));
  by_lane<<<blocks, threads>>>(s, out, sums, wide, n);
  std::vector<int> which(n);
  for (int i = 0; i < n; ++i)
    which[i] = i * 7 % 5;
  by_value<<<blocks, threads>>>(s, upload(which), out, n);
}

int main() {
  Buffers s;
  for (int k = 0; k < 5; ++k) {
    s.n[k] = k == 3 ? 0 : 150 * k + 7;
    s.b[k] = k == 3 ? nullptr : upload(std::vector<float>(s.n[k], k));
  }
  for (int k = 0; k < 10; ++k)
    s.which[k] = k * 3 % 5;
  s.small[0] = -32768;
  s.small[1] = 5;
  s.small[2] = 32767;
  s.large[0] = -5000000000;
  s.large[1] = 1ll << 62;
  run(s, 1, 1);
  run(s, 129, 1);
  run(s, 700, 61);
  run(s, 3000, 256);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
