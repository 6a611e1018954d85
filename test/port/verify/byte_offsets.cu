// Addresses counted in bytes, also below their base, as code that packs several arrays into one
// allocation computes them.
#include "upload.h"

#include <vector>

__global__ void around(const int *middle, const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int bytes = a[i] * 4; // negative for half of them
  const char *base = reinterpret_cast<const char *>(middle);
  out[i] = *reinterpret_cast<const int *>(base + bytes) +
           *reinterpret_cast<const int *>(base - bytes) +
           *reinterpret_cast<const short *>(base + a[i] * 2) + base[a[i]];
}

__global__ void scattered(char *middle, const int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    *reinterpret_cast<int *>(middle + a[i] * 8) = i * 3;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size), distinct(size), table(4 * size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 601 - 300;
    distinct[i] = (i * 387) % size - size / 2;
  }
  for (int i = 0; i < 4 * size; ++i)
    table[i] = i * 2654435761u;
  int *d_a = upload(a), *d_distinct = upload(distinct), *d_table = upload(table);
  int *d_out = upload(std::vector<int>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 256}, {129, 5, 641}, {300, 3, 900}};
  for (const auto &c : cases) {
    around<<<c.blocks, c.threads>>>(d_table + 2 * size, d_a, d_out, c.n);
    scattered<<<c.blocks, c.threads>>>(reinterpret_cast<char *>(d_table + 2 * size), d_distinct,
                                       c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
