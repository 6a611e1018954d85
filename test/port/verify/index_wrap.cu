// Unsigned index arithmetic wraps at 32 bits before it becomes an address: i - 1 at 0, differences
// below zero, hashes used as indices, and bounds checks that rely on it.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void before_first(const int *a, int *out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  if (i - 1 < n) // false at 0, where i - 1 is 2^32 - 1
    sum += a[i - 1];
  if (i + 1 < n)
    sum += 3 * a[i + 1];
  out[i] = sum;
}

// A two-dimensional window test with one comparison per axis.
__global__ void window(const int *a, int *out, int left, int top, unsigned side, int width,
                       int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const bool inside = unsigned(x - left) < side && unsigned(y - top) < side;
  out[y * width + x] = inside ? a[(y - top) * int(side) + x - left] : -1;
}

__global__ void differences(const int *a, int *out, unsigned base, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned far = i - base; // wraps for i < base
  out[i] = a[(far + base) % n];  // and back
  out[n + i] = int(far / 3u) ^ int(far >> 28);
  out[2 * n + i] = a[(far & 0xffu) % n];
}

__global__ void hashed(const int *a, int *out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned slot = (i * 2654435761u) >> 22; // 0 .. 1023
  out[i] = a[slot] + a[(i * 0x80000001u) & 1023u];
}

// Small unsigned counters wrap at their own width.
__global__ void bytes(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint8_t b = uint8_t(i * 3);
  const uint16_t h = uint16_t(i * 1000);
  out[i] = a[b] + a[uint8_t(b - 7)] * 2 + a[h % 1024];
}

// The sum of two lane numbers passes 2^32 for some lanes only.
__global__ void partial(const int *a, int *out, unsigned offset, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned at = i + offset; // wraps in the middle of the grid
  out[i] = at < n ? a[at] : -3;
}

int main() {
  const int size = 1024;
  std::vector<int> a(size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 2311 - 1111;
  int *d_a = upload(a), *d_out = upload(std::vector<int>(3 * size, 9));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    before_first<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    differences<<<c.blocks, c.threads>>>(d_a, d_out, 100, c.n);
    hashed<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    bytes<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    partial<<<c.blocks, c.threads>>>(d_a, d_out, 0u - 10u, c.n);
    partial<<<c.blocks, c.threads>>>(d_a, d_out, 0u - unsigned(c.n / 2), c.n);
  }
  window<<<dim3(5, 7), dim3(8, 4)>>>(d_a, d_out, 9, 4, 11, 37, 26);
  window<<<dim3(130, 3), dim3(1, 2)>>>(d_a, d_out, -3, -2, 7, 130, 5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
