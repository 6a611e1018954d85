// The same memory under several names: updates in place, several pointers into one allocation,
// loads after stores of the same lane, one element stored more than once.
#include "upload.h"

#include <vector>

__global__ void in_place(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 0.5f + 1.0f;
}

__global__ void halves(int *low, int *high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int old = low[i];
  low[i] = high[i] + 1;
  high[i] = old - 1;
}

// Each lane swaps two elements of one array; the middle one stays.
__global__ void reverse_in_place(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    const int t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
  }
}

__global__ void store_then_load(int *a, int *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = i * 2;
  b[i] = a[i] + 1; // b may be a
  a[i] += b[i];
  if (i % 3 == 0)
    a[i] = -a[i];
  b[i] ^= a[i];
}

__global__ void same_element_twice(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = 1;
  if (i & 1)
    a[i] = 2;
  if (i & 2)
    a[i] = a[i] * 10 + 3;
  for (int k = 0; k < i % 4; ++k)
    a[i] = a[i] + k;
}

// Each lane owns a row and accumulates in memory.
__global__ void rows(float *matrix, int columns, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float *row = matrix + r * columns;
  for (int c = 1; c < columns; ++c)
    row[c] += row[c - 1];
  row[0] = row[columns - 1];
}

// Through a barrier, one block may read what another of its threads has stored in global memory.
__global__ void shift_by_block(int *a, int n) {
  const int base = blockIdx.x * blockDim.x, i = base + threadIdx.x;
  const int v = i < n ? a[i] : 0;
  __syncthreads();
  const int to = base + (threadIdx.x + 1) % blockDim.x;
  if (to < n && i < n)
    a[to] = v;
  __syncthreads();
  if (i < n && threadIdx.x == 0)
    a[i] += 1000;
}

int main() {
  const int size = 2000;
  std::vector<int> a(size);
  std::vector<float> x(5 * size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 41 - 20;
  for (int i = 0; i < 5 * size; ++i)
    x[i] = float(i % 37) - 9.0f;
  int *d_a = upload(a);
  float *d_x = upload(x);
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    in_place<<<c.blocks, c.threads>>>(d_x, c.n);
    halves<<<c.blocks, c.threads>>>(d_a, d_a + c.n, c.n);
    reverse_in_place<<<c.blocks, c.threads>>>(d_a, c.n);
    store_then_load<<<c.blocks, c.threads>>>(d_a, d_a, c.n);
    store_then_load<<<c.blocks, c.threads>>>(d_a, d_a + c.n, c.n);
    same_element_twice<<<c.blocks, c.threads>>>(d_a, c.n);
    rows<<<c.blocks, c.threads>>>(d_x, 7, c.n);
    shift_by_block<<<c.blocks, c.threads>>>(d_a, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
