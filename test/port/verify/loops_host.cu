// Loops whose trip counts are host scalars: up, down, by steps, by doubling and halving, nested,
// with no rounds at all, and left early on a host-scalar condition.
#include "upload.h"

#include <vector>

__global__ void counted(const float *x, float *out, int length, int step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float up = 0.0f, down = 1.0f, stepped = 0.0f;
  for (int k = 0; k < length; ++k)
    up += x[i + k] * float(k);
  for (int k = length - 1; k >= 0; --k)
    down = down * 0.5f + x[i + k];
  for (int k = 3; k < length; k += step)
    stepped -= x[i + k];
  out[0 * n + i] = up;
  out[1 * n + i] = down;
  out[2 * n + i] = stepped;
}

__global__ void doubling(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0, rounds = 0;
  for (int k = 1; k < length; k *= 2)
    sum += a[i + k] * (k + 1);
  for (unsigned k = unsigned(length) / 2; k > 0; k >>= 1) {
    sum ^= a[i + k];
    ++rounds;
  }
  for (int k = length; k > 1; k = (k + 2) / 3)
    sum += k;
  out[i] = sum * 64 + rounds;
}

__global__ void nested(const int *a, int *out, int rows, int columns, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int r = 0; r < rows; ++r) {
    int row = r;
    for (int c = r; c < columns; ++c)
      row = row * 3 + a[i + c];
    for (int c = 0; c < r; ++c)
      row -= a[i + c] * c;
    sum ^= row;
  }
  out[i] = sum;
}

__global__ void other_forms(const float *x, float *out, int length, int stop, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f, largest = x[i];
  int k = 0;
  do {
    sum += x[i + k];
    ++k;
  } while (k < length);
  while (k-- > 0) {
    if (k == stop)
      break;
    if (k % 3 == 1)
      continue;
    largest = x[i + k] > largest ? x[i + k] : largest;
  }
  for (int first = 0, last = length - 1; first < last; ++first, --last)
    sum += x[i + first] * x[i + last];
  out[0 * n + i] = sum;
  out[1 * n + i] = largest;
  out[2 * n + i] = float(k);
}

// Values carried around the loop that swap and shift, and a store in every round.
__global__ void carried(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int p = a[i], q = a[i + 1], r = i;
  for (int k = 0; k < length; ++k) {
    const int old = p;
    p = q;
    q = r - old;
    r = old ^ k;
    out[k * n + i] = p + 2 * q + 3 * r;
  }
  if (length > 0)
    out[i] += p;
}

int main() {
  const int size = 1000, longest = 17;
  std::vector<int> a(size + 64);
  std::vector<float> x(size + 64);
  for (int i = 0; i < size + 64; ++i) {
    a[i] = (i * 7919) % 23 - 11;
    x[i] = float((i * 37) % 101) / 128.0f - 0.25f;
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(longest * size, 9));
  float *d_x = upload(x), *d_floats = upload(std::vector<float>(3 * size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}};
  for (const auto &c : cases)
    for (int length : {0, 1, 2, 5, longest}) {
      counted<<<c.blocks, c.threads>>>(d_x, d_floats, length, 4, c.n);
      doubling<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
      nested<<<c.blocks, c.threads>>>(d_a, d_out, length / 2, length, c.n);
      other_forms<<<c.blocks, c.threads>>>(d_x, d_floats, length, 2, c.n);
      carried<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
    }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
