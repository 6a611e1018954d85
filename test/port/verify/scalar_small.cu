// 8- and 16-bit integers: loads extend, arithmetic is in int, stores keep the low bits.
#include "upload.h"

#include <cstdint>
#include <vector>

template <typename T> __global__ void arithmetic(const T *a, const T *b, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const T x = a[i], y = b[i];
  out[0 * n + i] = T(x + y);
  out[1 * n + i] = T(x - y);
  out[2 * n + i] = T(uint32_t(x) * uint32_t(y));
  out[3 * n + i] = T(~x);
  out[4 * n + i] = T((x & y) | (x ^ 0x5a));
  out[5 * n + i] = x < y ? x : y;
  out[6 * n + i] = T(x >> 3);
  out[7 * n + i] = T(x << 5);
  T sum = x;
  sum += y;
  sum += y;
  ++sum;
  out[8 * n + i] = sum;
}

// What an int sees of a small value: zero or sign extension.
template <typename T> __global__ void widen(const T *a, const T *b, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = a[i];
  out[1 * n + i] = int32_t(uint32_t(a[i]) * uint32_t(b[i]));
  out[2 * n + i] = a[i] - b[i];
  out[3 * n + i] = (a[i] < b[i]) + 2 * (a[i] == b[i]) + 4 * (a[i] > T(100));
  out[4 * n + i] = T(a[i] + b[i]) + 1;
}

template <typename T> void run() {
  const int edges[] = {0, 1, -1, 2, 5, 100, 127, 128, -128, 255, 256, 32767, -32768, 65535};
  std::vector<T> a, b;
  for (int x : edges)
    for (int y : edges)
      a.push_back(T(x)), b.push_back(T(y));
  for (uint32_t i = 0; a.size() < 2000; ++i)
    a.push_back(T(i * 2654435761u >> 9)), b.push_back(T(i * 2246822519u >> 11));
  T *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<T>(9 * 2000));
  int32_t *d_wide = upload(std::vector<int32_t>(5 * 2000));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {2, 1000, 1999}};
  for (const auto &c : cases) {
    arithmetic<<<c.blocks, c.threads>>>(d_a, d_b, d_out, c.n);
    widen<<<c.blocks, c.threads>>>(d_a, d_b, d_wide, c.n);
  }
}

int main() {
  run<int8_t>();
  run<uint8_t>();
  run<int16_t>();
  run<uint16_t>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
