// Division, square root and fused multiply-add: a few ULP by default, bit for bit with
// --precise-math (this file is verified both ways).
#include "upload.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

__global__ void divisions(const float *a, const float *b, float *y, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = a[i] / b[i];
  y[1 * n + i] = a[i] / s;
  y[2 * n + i] = s / b[i];
  y[3 * n + i] = 1.0f / b[i];
  y[4 * n + i] = a[i] / 3.0f;
}

__global__ void fused(const float *a, const float *b, float *y, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = fmaf(a[i], b[i], s);
  y[1 * n + i] = fmaf(a[i], s, b[i]);
  // Terms that cancel; by default an infinity would meet a product that overflows.
  const float near = fminf(fmaxf(1.0f - a[i] * b[i], -3e38f), 3e38f);
  y[2 * n + i] = fmaf(a[i], b[i], near);
}

__global__ void square_roots(const float *a, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = sqrtf(a[i]);
  y[1 * n + i] = sqrtf(fabsf(a[i]));
}

int main() {
  const float edges[] = {0.0f,      -0.0f,  1.0f,           -1.0f,         3.0f,          1e-45f,
                         -1e-40f,   1e-38f, 1.1754944e-38f, 1.7014118e38f, 3.4028235e38f, INFINITY,
                         -INFINITY, NAN};
  std::vector<float> a, b;
  for (float x : edges)
    for (float y : edges)
      a.push_back(x), b.push_back(y);
  for (uint32_t i = 0; a.size() < 3000; ++i) {
    const uint32_t u = i * 2654435761u, v = i * 2246822519u + 374761393u;
    float x, y;
    std::memcpy(&x, &u, 4);
    std::memcpy(&y, &v, 4);
    if (i % 2) { // nearby exponents, where the quotient is an ordinary number
      x = 1.0f + float(u >> 9) / 8388608.0f;
      y = 1.0f + float(v >> 9) / 8388608.0f;
    }
    a.push_back(x), b.push_back(y);
  }
  float *d_a = upload(a), *d_b = upload(b), *d_y = upload(std::vector<float>(5 * 3000));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {3, 1000, 2999}};
  for (const auto &c : cases) {
    divisions<<<c.blocks, c.threads>>>(d_a, d_b, d_y, 0.7f, c.n);
    fused<<<c.blocks, c.threads>>>(d_a, d_b, d_y, -1.3f, c.n);
    square_roots<<<c.blocks, c.threads>>>(d_a, d_y, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
