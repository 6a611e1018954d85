// The __-fast functions and fast division, in the ranges where CUDA documents them as accurate.
#include "upload.h"

#include <vector>

__global__ void fast(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float v = x[i]; // -3 .. 3
  const float positive = v * v + 0.5f;
  y[0 * n + i] = __expf(v);
  y[1 * n + i] = __logf(positive + 2.0f);
  y[2 * n + i] = __sinf(v);
  y[3 * n + i] = __cosf(v);
  y[4 * n + i] = __fdividef(v, positive);
  y[5 * n + i] = __powf(positive, v * 0.5f);
  y[6 * n + i] = 1.0f / (1.0f + __expf(-v));
}

int main() {
  const int size = 1000;
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i)
    x[i] = float((i * 37) % 1009) / 1009.0f * 6.0f - 3.0f;
  float *d_x = upload(x), *d_y = upload(std::vector<float>(7 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases)
    fast<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
