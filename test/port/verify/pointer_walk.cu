// Pointers that move: bumped in loops, compared with an end, subtracted, two in step, through a
// struct.
#include "upload.h"

#include <vector>

__global__ void bumped(const float *x, float *y, int columns, int rows) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns)
    return;
  const float *from = x + c;
  float *to = y + c;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) {
    sum += *from;
    *to = sum;
    from += columns;
    to += columns;
  }
}

__global__ void to_the_end(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  int sum = 0;
  for (const int *p = a + i, *end = a + n; p < end; p += stride)
    sum += *p;
  out[i] = sum;
}

__global__ void post_increment(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int *p = a + i;
  int *q = out + i * length;
  for (int k = 0; k < length; ++k)
    *q++ = *p++ * 3;
  out[n * length + i] = int(p - a) - int(q - out);
}

struct Cursor {
  const int *at;
  int left;
  __device__ int next() {
    --left;
    return *at++;
  }
};

__global__ void cursor(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Cursor c{a + i, min(5, n - i)};
  int r = 0;
  while (c.left > 0)
    r = r * 5 + c.next();
  out[i] = r;
}

// Two buffers that change places in every round.
__global__ void ping_pong(int *a, int *b, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *from = a, *to = b;
  for (int k = 0; k < rounds; ++k) {
    to[i] = from[i] * 3 + k;
    int *old = from;
    from = to;
    to = old;
  }
}

int main() {
  const int size = 1100;
  std::vector<int> a(size);
  std::vector<float> x(10 * size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 41 - 20;
  for (int i = 0; i < 10 * size; ++i)
    x[i] = float(i % 37) - 9.0f;
  int *d_a = upload(a), *d_out = upload(std::vector<int>(10 * size, 9));
  int *d_b = upload(a), *d_c = upload(std::vector<int>(size, 0));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(10 * size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    bumped<<<c.blocks, c.threads>>>(d_x, d_y, c.n, 9);
    to_the_end<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    post_increment<<<c.blocks, c.threads>>>(d_a, d_out, 4, c.n);
    cursor<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    ping_pong<<<c.blocks, c.threads>>>(d_b, d_c, 3, c.n);
    ping_pong<<<c.blocks, c.threads>>>(d_b, d_c, 0, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
