// bool in memory, in parameters and in arithmetic; logical operators with and without short
// circuit.
#include "upload.h"

#include <cmath>
#include <cstdint>
#include <vector>

__global__ void logic(const bool *a, const bool *b, bool *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i] && b[i];
  out[1 * n + i] = a[i] || b[i];
  out[2 * n + i] = !a[i];
  out[3 * n + i] = a[i] != b[i];
  out[4 * n + i] = a[i] == b[i];
  out[5 * n + i] = a[i] & !b[i];
  out[6 * n + i] = a[i] ? b[i] : i % 3 == 0;
  out[7 * n + i] = i % 2;
}

__global__ void arithmetic(const bool *a, const bool *b, const float *x, int *ints, float *floats,
                           bool add, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  ints[0 * n + i] = a[i] + b[i];
  ints[1 * n + i] = a[i] * 7 - b[i] * 3;
  ints[2 * n + i] = -int(a[i]);
  floats[0 * n + i] = add ? x[i] + a[i] : x[i] - a[i];
  floats[1 * n + i] = a[i] ? x[i] : -x[i];
  floats[2 * n + i] = b[i] * x[i];
}

__global__ void from_numbers(const float *x, const int *k, bool *out, bool flag, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = x[i];
  out[1 * n + i] = k[i];
  out[2 * n + i] = x[i] > 0.5f && k[i] != 3;
  out[3 * n + i] = flag || k[i] > 2;
  out[4 * n + i] = flag && x[i] < 0.0f;
  bool any = false;
  for (int j = 0; j < 3; ++j)
    any |= (k[i] >> j) & 1;
  out[5 * n + i] = any;
}

int main() {
  const int size = 1000;
  std::vector<uint8_t> a(size), b(size);
  std::vector<float> x(size);
  std::vector<int> k(size);
  const float specials[] = {0.0f, -0.0f, 1e-45f, 0.75f, -3.5f, INFINITY, NAN};
  for (int i = 0; i < size; ++i) {
    a[i] = i * 7 % 3 == 0;
    b[i] = i * 5 % 7 < 3;
    x[i] = specials[i % 7];
    k[i] = i % 11 == 0 ? 0 : i * 13 % 9 - 4;
  }
  const bool *d_a = reinterpret_cast<const bool *>(upload(a));
  const bool *d_b = reinterpret_cast<const bool *>(upload(b));
  bool *d_out = reinterpret_cast<bool *>(upload(std::vector<uint8_t>(8 * size)));
  float *d_x = upload(x), *d_floats = upload(std::vector<float>(3 * size));
  int *d_k = upload(k), *d_ints = upload(std::vector<int>(3 * size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    logic<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    for (bool flag : {false, true}) {
      arithmetic<<<c.blocks, c.threads>>>(d_a, d_b, d_x, d_ints, d_floats, flag, c.n);
      from_numbers<<<c.blocks, c.threads>>>(d_x, d_k, d_out, flag, c.n);
    }
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
