// Dynamic shared memory: one array, several carved out of one stretch, sizes that depend on the
// launch, and a stretch that is larger than the block.
#include "upload.h"

#include <cstdint>
#include <vector>

extern __shared__ unsigned char raw[];

__global__ void carved(const float *x, const int *a, float *y, int n) {
  float *f = reinterpret_cast<float *>(raw);
  int *k = reinterpret_cast<int *>(f + blockDim.x);
  uint8_t *b = reinterpret_cast<uint8_t *>(k + 2 * blockDim.x);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  f[t] = i < n ? x[i] : 1.0f;
  k[2 * t] = i < n ? a[i] : 2;
  k[2 * t + 1] = t;
  b[t] = uint8_t(t * 7);
  __syncthreads();
  const int other = blockDim.x - 1 - t;
  if (i < n)
    y[i] = f[other] + float(k[other]) * 0.5f - float(k[2 * other + 1] + b[other]);
}

__global__ void window(const float *x, float *y, int radius, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x, base = blockIdx.x * blockDim.x, width = blockDim.x + 2 * radius;
  for (int k = t; k < width; k += blockDim.x) {
    const int at = base + k - radius;
    s[k] = at >= 0 && at < n ? x[at] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int d = 0; d <= 2 * radius; ++d)
    sum += s[t + d] * float(d + 1);
  if (base + t < n)
    y[base + t] = sum;
}

template <typename T> struct Shared {
  __device__ static T *get() {
    extern __shared__ unsigned char bytes[];
    return reinterpret_cast<T *>(bytes);
  }
};

template <typename T> __global__ void typed(const T *x, T *y, int n) {
  T *s = Shared<T>::get();
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : T(0);
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    T v = t >= k ? s[t - k] : T(0);
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n)
    y[i] = s[t];
}

// Both kinds of shared memory in one kernel.
__global__ void both(const int *a, int *out, int n) {
  __shared__ int fixed[16];
  int *variable = reinterpret_cast<int *>(raw);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    fixed[t] = t * t;
  variable[t] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = fixed[t & 15 & (blockDim.x - 1)] + variable[blockDim.x - 1 - t];
}

int main() {
  const int size = 1200;
  std::vector<int> a(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},      {1, 32, 20},   {4, 64, 0},
                     {129, 8, 1031}, {300, 4, 900}, {1, 1024, 1023}};
  for (const auto &c : cases) {
    const size_t threads = c.threads;
    carved<<<c.blocks, c.threads, threads * 13>>>(d_x, d_a, d_y, c.n);
    window<<<c.blocks, c.threads, (threads + 6) * sizeof(float)>>>(d_x, d_y, 3, c.n);
    typed<float><<<c.blocks, c.threads, threads * sizeof(float)>>>(d_x, d_y, c.n);
    typed<int><<<c.blocks, c.threads, threads * sizeof(int)>>>(d_a, d_out, c.n);
    both<<<c.blocks, c.threads, threads * sizeof(int)>>>(d_a, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
