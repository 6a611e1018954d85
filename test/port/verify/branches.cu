// if and else, nested and in chains, early return, ternaries, and short circuits that guard a load.
#include "upload.h"

#include <vector>

__global__ void nested(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int r = 0;
  if (a[i] > 0) {
    r = 1;
    if (a[i] % 2 == 0) {
      r += 10;
      if (i % 3 == 0)
        r *= 7;
      else
        r -= 5;
    } else if (a[i] > 50) {
      r += 100;
    }
    r += a[i];
  } else if (a[i] < -50) {
    r = -a[i];
  } else {
    r = i;
  }
  out[i] = r;
}

// Stores on both sides, to different places, and none on a third path.
__global__ void stores(const int *a, int *even, int *odd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (a[i] == 7)
      return;
    if (a[i] & 1)
      odd[i] = a[i];
    else
      even[i] = a[i] + 1;
    even[i] += 2;
  }
}

__global__ void early_returns(const int *a, int *out, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = 1;
  if (a[i] < limit)
    return;
  out[i] = 2;
  if (i & 4)
    return;
  out[i] = 3;
  if (a[i] > 2 * limit) {
    out[i] += a[i];
    return;
  }
  out[i] -= a[i];
}

__global__ void short_circuits(const int *a, const int *index, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int r = 0;
  if (i > 0 && a[i - 1] > a[i])
    r |= 1;
  if (i + 1 >= n || a[i + 1] > a[i])
    r |= 2;
  if (index[i] >= 0 && index[i] < n && a[index[i]] > 0) // a bad index is never used
    r |= 4;
  if ((a[i] > 10 || i % 5 == 0) && !(a[i] < 20 && i % 2))
    r |= 8;
  out[i] = r;
}

__global__ void ternaries(const float *x, const int *a, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float v = a[i] > 0 ? x[i] : -x[i];
  const float w = v > 1.0f ? v * v : v < -1.0f ? -v : i % 2 ? 0.5f : v;
  const float *source = a[i] & 2 ? x : x + n; // two buffers in one allocation
  out[i] = w + source[i];
}

// Values that live through a branch that only some lanes take, and that change inside it.
__global__ void merges(const int *a, int *out, bool flag, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = 5, y = i;
  if (i < n) {
    x = a[i];
    if (flag) {
      y += x;
      if (x < 0)
        x = 0;
    } else {
      y -= x;
    }
  }
  const int z = x * 3 + y;
  if (i < n)
    out[i] = z;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size), index(size);
  std::vector<float> x(2 * size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 211 - 105;
    index[i] = (i * 31) % 1500 - 250;
  }
  for (int i = 0; i < 2 * size; ++i)
    x[i] = float((i * 37) % 101) / 20.0f - 2.5f;
  int *d_a = upload(a), *d_index = upload(index);
  int *d_out = upload(std::vector<int>(size, -1)), *d_more = upload(std::vector<int>(size, -2));
  float *d_x = upload(x), *d_floats = upload(std::vector<float>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    nested<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    stores<<<c.blocks, c.threads>>>(d_a, d_out, d_more, c.n);
    early_returns<<<c.blocks, c.threads>>>(d_a, d_out, 10, c.n);
    short_circuits<<<c.blocks, c.threads>>>(d_a, d_index, d_out, c.n);
    if (c.n <= size)
      ternaries<<<c.blocks, c.threads>>>(d_x, d_a, d_floats, c.n);
    merges<<<c.blocks, c.threads>>>(d_a, d_out, false, c.n);
    merges<<<c.blocks, c.threads>>>(d_a, d_out, true, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
