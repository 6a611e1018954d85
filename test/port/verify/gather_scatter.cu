// Addresses from data: gathers, scatters to distinct places, both masked, through two tables, in
// loops and for every element size.
#include "upload.h"

#include <cstdint>
#include <vector>

template <typename T> __global__ void gather(const T *x, const int *index, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[index[i]];
}

template <typename T> __global__ void scatter(const T *x, const int *index, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[index[i]] = x[i];
}

// Lanes whose index is out of range take no part: no load, no store.
template <typename T> __global__ void masked(const T *x, const int *index, T *y, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int at = index[i] * 3 - 1000;
  if (at >= 0 && at < limit)
    y[at] = x[at] + x[i];
  else
    y[limit + i] = x[i];
}

__global__ void chained(const int *first, const int *second, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[first[second[first[i]]]] = first[second[i]] * 2;
}

// A walk through a linked list, as long as the data says.
__global__ void walk(const int *next, const float *x, float *y, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  int at = i;
  for (int k = 0; k < steps && at >= 16; ++k) {
    sum += x[at];
    at = next[at];
  }
  y[i] = sum + float(at);
}

// Rows by index, columns by lane: the base is loaded, the rest is affine.
__global__ void embedding(const float *table, const int *row, float *out, int columns) {
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    out[blockIdx.x * columns + c] = table[row[blockIdx.x] * columns + c];
}

// A small table, indexed by bytes.
__global__ void lookup(const uint8_t *code, const float *table, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[code[i]] + table[code[n - 1 - i] >> 1];
}

const int size = 1009; // a prime, so that multiples of anything are a permutation
struct Case {
  int blocks, threads, n;
};
const Case cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                      {129, 5, 641}, {300, 3, 900}, {2, 505, size}};

template <typename T> void run(const int *d_index) {
  std::vector<T> x(size);
  for (int i = 0; i < size; ++i)
    x[i] = T((i * 7919) % 251 - 50);
  const T *d_x = upload(x);
  T *d_y = upload(std::vector<T>(2 * size, T(99)));
  for (const Case &c : cases) {
    gather<<<c.blocks, c.threads>>>(d_x, d_index, d_y, c.n);
    scatter<<<c.blocks, c.threads>>>(d_x, d_index, d_y, c.n);
    masked<<<c.blocks, c.threads>>>(d_x, d_index, d_y, size, c.n);
  }
}

int main() {
  std::vector<int> index(size), other(size), next(size), row(300);
  std::vector<float> x(size), table(300 * 21);
  std::vector<uint8_t> code(size);
  for (int i = 0; i < size; ++i) {
    index[i] = (i * 617 + 3) % size;
    other[i] = (i * 88 + 500) % size;
    next[i] = (i * 5) / 7;
    x[i] = float(i % 19) - 9.0f;
    code[i] = uint8_t(i * 73);
  }
  for (int i = 0; i < 300; ++i)
    row[i] = (i * 7) % 300;
  for (int i = 0; i < int(table.size()); ++i)
    table[i] = float(i) * 0.5f;
  int *d_index = upload(index), *d_other = upload(other), *d_next = upload(next);
  int *d_row = upload(row), *d_out = upload(std::vector<int>(size, -1));
  float *d_x = upload(x), *d_table = upload(table), *d_y = upload(std::vector<float>(300 * 21));
  uint8_t *d_code = upload(code);
  run<float>(d_index);
  run<int>(d_index);
  run<uint8_t>(d_index);
  run<int16_t>(d_index);
  for (const Case &c : cases) {
    chained<<<c.blocks, c.threads>>>(d_index, d_other, d_out, c.n);
    walk<<<c.blocks, c.threads>>>(d_next, d_x, d_y, 9, c.n);
    lookup<<<c.blocks, c.threads>>>(d_code, d_table, d_y, c.n);
  }
  embedding<<<300, 8>>>(d_table, d_row, d_y, 21);
  embedding<<<1, 32>>>(d_table, d_row, d_y, 7);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
