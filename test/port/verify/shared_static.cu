// Static shared memory: several arrays of several types, two dimensions with padding, reversed and
// strided views, broadcasts, parts that only some lanes fill.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void several(const float *x, const int *a, float *y, int *out, int n) {
  __shared__ float f[64];
  __shared__ int k[64];
  __shared__ uint8_t b[65];
  __shared__ int16_t h[2][32];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, last = blockDim.x - 1;
  f[t] = i < n ? x[i] : -1.0f;
  k[last - t] = i < n ? a[i] : 7;
  b[t + 1] = uint8_t(t * 5);
  if (t == 0)
    b[0] = 200;
  h[t & 1][t >> 1] = int16_t(i < n ? a[i] * 3 : -3);
  __syncthreads();
  if (i < n) {
    y[i] = f[last - t] + f[0] * 0.5f;
    out[i] = k[t] + b[t] * 1000 + h[(t + 1) & 1 & last][t >> 1];
  }
}

__global__ void padded(const int *in, int *out, int rows, int columns) {
  __shared__ int tile[8][9];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < columns && y < rows ? in[y * columns + x] : -1;
  __syncthreads();
  const int tx = blockIdx.y * 8 + threadIdx.x, ty = blockIdx.x * 8 + threadIdx.y;
  if (tx < rows && ty < columns)
    out[ty * rows + tx] = tile[threadIdx.x][threadIdx.y];
}

// Read by every lane: one element, a row, with loops over all of them.
__global__ void broadcast(const float *x, float *y, int n) {
  __shared__ float s[40];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < blockDim.x; ++k)
    sum = sum * 0.5f + s[k];
  for (int k = t; k < blockDim.x; ++k)
    sum += s[k] * s[k - t];
  if (i < n)
    y[i] = sum;
}

// Elements that no lane of this round writes keep what an earlier one wrote.
__global__ void parts(const int *a, int *out, int n) {
  __shared__ int s[96];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = t; k < 96; k += blockDim.x)
    s[k] = k;
  __syncthreads();
  if (t % 3 == 1 && i < n)
    s[3 * t % 96] = a[i];
  if (t < 3)
    s[t] += 100;
  __syncthreads();
  if (i < n)
    out[i] = s[t] + s[95 - t] * 3;
}

// One scalar per block.
__global__ void scalar(const float *x, float *y, int n) {
  __shared__ float scale;
  __shared__ bool enabled;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == blockDim.x / 2) {
    scale = i < n ? x[i] : 3.0f;
    enabled = blockIdx.x % 2 == 0;
  }
  __syncthreads();
  if (i < n && enabled)
    y[i] = x[i] * scale;
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
  } const cases[] = {{1, 1, 1},      {1, 2, 1},     {1, 34, 20},
                     {129, 8, 1031}, {300, 4, 900}, {20, 40, 800}};
  for (const auto &c : cases) {
    several<<<c.blocks, c.threads>>>(d_x, d_a, d_y, d_out, c.n);
    broadcast<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
    if (c.threads >= 4)
      parts<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    scalar<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
  }
  padded<<<dim3(3, 5), dim3(8, 8)>>>(d_a, d_out, 37, 19);
  padded<<<dim3(1, 17), dim3(8, 8)>>>(d_a, d_out, 131, 5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
