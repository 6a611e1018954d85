// Arithmetic in integers of fewer than 32 bits: nothing promotes these.
#include <cuda_runtime.h>

#include <vector>

template <int bits> __global__ void narrow(const int *a, const int *b, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  using Signed = signed _BitInt(bits);
  using Unsigned = unsigned _BitInt(bits);
  const Signed x = Signed(a[i]), y = Signed(b[i]);
  const Unsigned u = Unsigned(a[i]), v = Unsigned(b[i]);
  int *mine = out + i * 10;
  mine[0] = y == 0 || y == -1 ? 0 : int(x / y);
  mine[1] = y == 0 || y == -1 ? 0 : int(x % y);
  mine[2] = v == 0 ? 0 : int(u / v);
  mine[3] = v == 0 ? 0 : int(u % v);
  mine[4] = int(x >> (v & 7));
  mine[5] = int(u >> (v & 7));
  mine[6] = int(Unsigned(u << (v & 7)));
  mine[7] = int(x < y) + 2 * int(u < v) + 4 * int(x <= y) + 8 * int(u == v);
  mine[8] = int(Unsigned(u * v + u)) - int(Unsigned(u - v));
  mine[9] = int(float(x) * 2.0f + float(u));
}

int main() {
  const int size = 900;
  std::vector<int> a(size), b(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 521 - 256;
    b[i] = i % 7 == 0 ? i % 3 : (i * 104729) % 70001 - 35000;
  }
  int *d_a, *d_b, *d_out;
  cudaMalloc(&d_a, size * sizeof(int));
  cudaMalloc(&d_b, size * sizeof(int));
  cudaMalloc(&d_out, size * 10 * sizeof(int));
  cudaMemcpy(d_a, a.data(), size * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), size * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, size * 10 * sizeof(int));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 256}, {129, 5, 641}, {300, 3, 900}};
  for (const auto &c : cases) {
    narrow<8><<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    narrow<16><<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
