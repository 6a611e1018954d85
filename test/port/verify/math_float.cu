// The float functions over their whole range, with zeros, subnormals, infinities and NaN: each
// within its documented bound of the original, and special values in the same places.
#include "upload.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

__global__ void exact(const float *x, const float *z, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = fabsf(x[i]);
  y[1 * n + i] = floorf(x[i]);
  y[2 * n + i] = ceilf(x[i]);
  y[3 * n + i] = fmaxf(x[i], z[i]);
  y[4 * n + i] = fminf(x[i], z[i]);
  y[5 * n + i] = fmaxf(x[i], 0.0f) + fminf(z[i], 1.0f);
  y[6 * n + i] = floorf(x[i] * 0.5f) - ceilf(z[i] - 0.5f);
}

__global__ void roots(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = sqrtf(x[i]);
  y[1 * n + i] = rsqrtf(x[i]);
  y[2 * n + i] = 1.0f / x[i];
}

__global__ void exponentials(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = expf(x[i]);
  y[1 * n + i] = logf(x[i]);
  y[2 * n + i] = tanhf(x[i]);
}

__global__ void waves(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = sinf(x[i]);
  y[1 * n + i] = cosf(x[i]);
}

__global__ void powers(const float *x, const float *z, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = powf(x[i], z[i]);
}

// One function on lanes that take a branch, so that the others' arguments must not matter.
__global__ void guarded(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (x[i] > 0.0f)
    y[i] = logf(x[i]) + sqrtf(x[i]);
  else if (x[i] < 0.0f)
    y[i] = expf(x[i]);
}

int main() {
  const int size = 3000;
  std::vector<float> any = {
      0.0f,  -0.0f, 1.0f,           -1.0f,         1e-45f,   -1e-45f,    1e-40f,      -1e-40f,
      0.5f,  -0.5f, 1.1754944e-38f, 3.4028235e38f, -3.4e38f, INFINITY,   -INFINITY,   NAN,
      88.7f, 88.8f, -87.4f,         -103.9f,       -104.1f,  8388609.0f, -8388609.5f, 0.99999994f};
  for (uint32_t i = 0; int(any.size()) < size; ++i) {
    const uint32_t bits = i * 2654435761u; // any exponent, any sign
    float v;
    std::memcpy(&v, &bits, 4);
    any.push_back(i % 3 ? v : float(int(bits >> 8) - (1 << 23)) / 65536.0f);
  }
  std::vector<float> angles(size), bases(size), exponents(size), other(size);
  for (int i = 0; i < size; ++i) {
    angles[i] =
        i < 24 ? any[i] * (std::fabs(any[i]) > 1e5f ? 0.0f : 1.0f) : float(i - 1500) * 0.073f;
    bases[i] = i < 24 ? std::fabs(any[i]) : float(i % 97 + 1) / 16.0f;
    exponents[i] = float(i % 41 - 20) * 0.25f;
    other[i] = any[(i * 7 + 3) % size];
  }
  float *d_any = upload(any), *d_angles = upload(angles), *d_bases = upload(bases);
  float *d_exponents = upload(exponents), *d_other = upload(other);
  float *d_y = upload(std::vector<float>(7 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {3, 1000, 2999}};
  for (const auto &c : cases) {
    exact<<<c.blocks, c.threads>>>(d_any, d_other, d_y, c.n);
    roots<<<c.blocks, c.threads>>>(d_any, d_y, c.n);
    exponentials<<<c.blocks, c.threads>>>(d_any, d_y, c.n);
    waves<<<c.blocks, c.threads>>>(d_angles, d_y, c.n);
    powers<<<c.blocks, c.threads>>>(d_bases, d_exponents, d_y, c.n);
    guarded<<<c.blocks, c.threads>>>(d_any, d_y, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
