// Integer min, max and abs in their overloads, and __ldg of every type.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void min_max(const int *a, const int *b, int *out, int s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[0 * n + i] = min(a[i], b[i]);
  out[1 * n + i] = max(a[i], b[i]);
  out[2 * n + i] = abs(a[i]);
  out[3 * n + i] = min(a[i], s) / 4 - max(b[i] / 2, s / 2) / 2;
  out[4 * n + i] = int(min(unsigned(a[i]), unsigned(b[i])));
  out[5 * n + i] = int(max(unsigned(a[i]), 0x80000001u));
  out[6 * n + i] = max(min(i, 30), 7) + abs(i - 15);
}

template <typename T> __global__ void read_only(const T *__restrict__ x, T *__restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __ldg(&x[n - 1 - i]);
}

struct Case {
  int blocks, threads, n;
};
const Case cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};

template <typename T> void run() {
  std::vector<T> x(1000);
  for (int i = 0; i < 1000; ++i)
    x[i] = T((i * 7919) % 251 - 100);
  T *d_x = upload(x), *d_y = upload(std::vector<T>(1000));
  for (const Case &c : cases)
    read_only<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
}

int main() {
  const int edges[] = {0,        1,          -1,          16777217,  -16777217,
                       16777216, 2147483647, -2147483647, -123456789};
  std::vector<int> a, b;
  for (int x : edges)
    for (int y : edges)
      a.push_back(x), b.push_back(y);
  for (unsigned i = 0; a.size() < 1000; ++i) {
    a.push_back(int(i * 2654435761u | 1u));
    b.push_back(int(i * 2246822519u | 1u));
  }
  int *d_a = upload(a), *d_b = upload(b), *d_out = upload(std::vector<int>(7 * 1000));
  for (const Case &c : cases)
    for (int s : {0, 16777217, -2147483647})
      min_max<<<c.blocks, c.threads>>>(d_a, d_b, d_out, s, c.n);
  run<float>();
  run<int>();
  run<unsigned>();
  run<uint8_t>();
  run<int16_t>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
