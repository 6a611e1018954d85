// Small arrays of each thread: indexed by constants, by host scalars, by the lane and by data.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void constant_indices(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float m[3][3], v[3] = {1.0f, -2.0f, 0.5f};
#pragma unroll
  for (int r = 0; r < 3; ++r)
#pragma unroll
    for (int c = 0; c < 3; ++c)
      m[r][c] = x[(i + r * 3 + c) % n];
  float determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                      m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                      m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  for (int r = 0; r < 3; ++r)
    determinant += m[r][0] * v[0] + m[r][1] * v[1] + m[r][2] * v[2];
  y[i] = determinant;
}

// The loop is not unrolled: the index is a host scalar.
__global__ void host_indices(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int window[8];
  for (int k = 0; k < 8; ++k)
    window[k] = k * 100;
  for (int k = 0; k < length; ++k)
    window[k & 7] = a[(i + k) % n] - window[(k + 3) & 7];
  int sum = 0;
  for (int k = 7; k >= 0; --k)
    sum = sum * 2 + window[k];
  out[i] = sum;
}

__global__ void lane_indices(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t[5] = {a[i], 11, 22, 33, 44};
  t[i % 5] += 1000;
  t[(i + 1) % 5] = t[(i + 2) % 5] - i;
  out[i] = t[0] + 2 * t[1] + 3 * t[2] + 4 * t[3] + 5 * t[4];
}

__global__ void data_indices(const uint8_t *b, int *out, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint16_t counts[8] = {};
  for (int k = 0; k < rounds; ++k)
    ++counts[b[(i + k) % n] & 7];
  int best = 0;
  for (int k = 1; k < 8; ++k)
    if (counts[k] > counts[best])
      best = k;
  out[i] = best * 100 + counts[best];
}

// Insertion sort: a loop whose end depends on the data moves elements of the array.
__global__ void sorted(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int s[6];
  for (int k = 0; k < 6; ++k) {
    const int v = a[(i * 5 + k) % n];
    int j = k;
    while (j > 0 && s[j - 1] > v) {
      s[j] = s[j - 1];
      --j;
    }
    s[j] = v;
  }
  out[i] = s[0] + s[2] * 3 - s[5];
}

// Only some lanes change the array, and only in part.
__global__ void masked(const int *a, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float f[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  if (a[i] > 0) {
    f[2] = float(a[i]);
    if (i % 3 == 0)
      f[a[i] & 3] *= -1.0f;
  }
  y[i] = f[i & 3] + f[2];
}

// What the host decides is stored to each lane's own element, then picked by data.
__global__ void host_stores(const int *a, int *out, int first, int second, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int local[3] = {1, first, i};
  unsigned v = unsigned(a[i]);
  if (first != 0) {
    local[0] = 7;
    if (second != 0) {
      v = unsigned(a[n - 1 - i]);
      local[1] = second;
    }
  }
  out[i] = local[v % 3u];
}

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  std::vector<float> x(size);
  std::vector<uint8_t> b(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    x[i] = float((i * 37) % 101) / 64.0f - 0.75f;
    b[i] = uint8_t(i * 73 >> 2);
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  uint8_t *d_b = upload(b);
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    constant_indices<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
    for (int length : {0, 3, 11})
      host_indices<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
    for (int first : {0, 5})
      for (int second : {0, -3})
        host_stores<<<c.blocks, c.threads>>>(d_a, d_out, first, second, c.n);
    lane_indices<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    data_indices<<<c.blocks, c.threads>>>(d_b, d_out, 13, c.n);
    sorted<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    masked<<<c.blocks, c.threads>>>(d_a, d_y, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
