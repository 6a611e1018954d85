// 64-bit indices and sizes: size_t, long long, negative offsets, comparisons and products in 64
// bits, and 32-bit values that are extended with and without sign.
#include "upload.h"

#include <cstddef>
#include <cstdint>
#include <vector>

__global__ void size_type(const float *x, float *y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t k = i; k < n; k += stride)
    y[k] = x[n - 1 - k] + x[k / 2];
}

__global__ void signed64(const int *a, int *out, long long first, long long n) {
  const long long i = (long long)(blockIdx.x) * blockDim.x + threadIdx.x + first;
  if (i < 0 || i >= n)
    return;
  out[i] = a[n - 1 - i] - a[i % 7] + int(i);
}

__global__ void negative(const int *a, int *out, ptrdiff_t back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *end = a + n;
  if (i >= n)
    return;
  out[i] = end[-1 - i] + *(end - back + i % back);
}

// A pitch in 64 bits, rows whose byte offsets pass 32 bits before they are taken back.
__global__ void large(const int *a, int *out, int64_t pitch, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int64_t far = pitch * (i + 1);
  out[i] = a[far - pitch * i - pitch + i];
  const uint64_t big = uint64_t(i) * 0x100000001ull;
  out[n + i] = a[big & 0x3f] + int(big >> 32);
}

// (size_t)int extends the sign, (size_t)unsigned does not.
__global__ void extended(const int *a, int *out, const int *offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int o = offset[i]; // -5 .. 5
  const int *middle = a + 16;
  out[i] = middle[o] + middle[(long long)(o)] + middle[size_t(unsigned(o + 5))];
  const int16_t narrow = int16_t(o);
  out[n + i] = middle[narrow];
}

__global__ void compare64(const int *a, int *out, int64_t limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int64_t scaled = int64_t(i) * 3000000000ll;
  out[i] = scaled < limit ? a[i] : -a[i];
  if (scaled / 3000000000ll == i && scaled % 7 == 3)
    out[i] += 1000;
}

int main() {
  const int size = 1100;
  std::vector<int> a(size), offset(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 2311 - 1111;
    offset[i] = (i * 5) % 11 - 5;
    x[i] = float(i % 37) - 9.0f;
  }
  int *d_a = upload(a), *d_offset = upload(offset), *d_out = upload(std::vector<int>(2 * size, 9));
  float *d_x = upload(x), *d_y = upload(std::vector<float>(size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    size_type<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
    signed64<<<c.blocks, c.threads>>>(d_a, d_out, 0, c.n);
    signed64<<<c.blocks, c.threads>>>(d_a, d_out, -11, c.n);
    negative<<<c.blocks, c.threads>>>(d_a, d_out, c.n < 5 ? 1 : 5, c.n);
    large<<<c.blocks, c.threads>>>(d_a, d_out, 5000000000ll, c.n);
    extended<<<c.blocks, c.threads>>>(d_a, d_out, d_offset, c.n);
    compare64<<<c.blocks, c.threads>>>(d_a, d_out, 300ll * 3000000000ll, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
