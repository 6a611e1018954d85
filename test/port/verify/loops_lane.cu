// Loops whose trip count differs from lane to lane: known from the lane, loaded, or found on the
// way.
#include "upload.h"

#include <vector>

__global__ void by_lane(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < i % 13; ++k)
    sum = sum * 3 + a[k];
  for (int k = i; k < n; k += 101)
    sum += a[k];
  out[i] = sum;
}

__global__ void by_data(const int *count, const float *x, float *out, int *rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  int k = 0;
  for (; k < count[i]; ++k)
    sum += x[(i + k) % n];
  out[i] = sum;
  rounds[i] = k;
}

// Rows of a sparse matrix: start and end are loaded.
__global__ void rows(const int *start, const int *column, const float *value, const float *x,
                     float *y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0.0f;
  for (int k = start[row]; k < start[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void collatz(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned v = a[i];
  int steps = 0;
  while (v > 1u) {
    v = v % 2u ? 3u * v + 1u : v / 2u;
    ++steps;
  }
  out[i] = steps;
}

__global__ void gcd(const int *a, const int *b, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = a[i], y = b[i];
  while (y) {
    const int rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}

// Newton's method until it no longer moves: a do-while that ends on a float.
__global__ void newton(const float *x, float *out, int *steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float target = x[i] * x[i] + 0.5f;
  float guess = 1.0f, old;
  int count = 0;
  do {
    old = guess;
    guess = guess - 0.25f * (guess * guess - target) * (guess < 2.0f ? 1.0f : 0.5f);
    ++count;
  } while (fabsf(guess - old) > 0.001f && count < 20);
  out[i] = guess;
  steps[i] = count;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size), b(size), count(size), start(size + 1), column;
  std::vector<float> x(size), value;
  for (int i = 0; i < size; ++i) {
    a[i] = 1 + (i * 7919) % 97;
    b[i] = (i * 31) % 89;
    count[i] = i % 7 == 0 ? 0 : i % 7 == 1 ? -3 : (i * 13) % 11;
    x[i] = float((i * 37) % 101) / 64.0f - 0.75f;
    start[i] = int(column.size());
    for (int k = 0; k < (i * 5) % 9; ++k) {
      column.push_back((i * 17 + k * 211) % (i + 1));
      value.push_back(float(k) - 1.5f);
    }
  }
  start[size] = int(column.size());
  int *d_a = upload(a), *d_b = upload(b), *d_count = upload(count), *d_start = upload(start);
  int *d_column = upload(column), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_value = upload(value), *d_y = upload(std::vector<float>(size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    by_lane<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    by_data<<<c.blocks, c.threads>>>(d_count, d_x, d_y, d_out, c.n);
    rows<<<c.blocks, c.threads>>>(d_start, d_column, d_value, d_x, d_y, c.n);
    collatz<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    gcd<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    newton<<<c.blocks, c.threads>>>(d_x, d_y, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
