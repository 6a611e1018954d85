// break, continue and return out of loops, at different rounds in different lanes; values that
// leave a loop keep what they were when the lane left.
#include "upload.h"

#include <vector>

__global__ void breaks(const int *a, int *position, int *value, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k, last = -1;
  for (k = 0; k < length; ++k) {
    last = a[(i + k) % n];
    if (last > 9)
      break;
  }
  position[i] = k;
  value[i] = last;
}

__global__ void continues(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < length; ++k) {
    const int v = a[(i + k) % n];
    if (v < 0)
      continue;
    if (v % 2) {
      sum += 1000;
      continue;
    }
    sum += v;
  }
  out[i] = sum;
}

__global__ void returns(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < length; ++k) {
    if (a[(i + k) % n] == 5) {
      out[i] = k;
      return;
    }
    if (a[(i + k) % n] < -8)
      return;
  }
  out[i] = -1;
}

// Two exits that give different values, and code after the loop that needs to know which.
__global__ void two_exits(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = i, why = 0;
  for (int k = 0; k < length; ++k) {
    sum += a[(i + k) % n];
    if (sum > 40 + i) {
      why = 1;
      break;
    }
    sum -= k;
    if (sum < i - 20) {
      why = 2;
      sum = -sum;
      break;
    }
  }
  out[i] = why == 1 ? sum : why == 2 ? sum * 100 : -7;
}

__global__ void nested(const int *a, int *out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int found = 0, inner_rounds = 0;
  for (int j = 0; j < length; ++j) {
    if ((i + j) % 4 == 3)
      continue;
    int k = 0;
    while (true) {
      ++inner_rounds;
      const int v = a[(i + 3 * j + k) % n];
      if (v > 8)
        break;
      if (v == -3) {
        found = found * 10 + k;
        goto next;
      }
      if (++k > i % 5)
        break;
    }
    found += j;
    if (found > 500)
      break;
  next:;
  }
  out[i] = found * 256 + inner_rounds;
}

// The inner loop's bounds depend on the outer one and on the lane.
__global__ void triangular(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int j = 0; j < i % 7; ++j)
    for (int k = j; k < (a[i] & 7); ++k) {
      if ((j ^ k) == 2)
        continue;
      sum += a[(j * 8 + k) % n] + j;
      for (int m = k; m > j; m -= 2)
        sum ^= m;
    }
  out[i] = sum;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 23 - 11;
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size, 9));
  int *d_more = upload(std::vector<int>(size, 8));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 0}, {129, 5, 641}, {300, 3, 900}};
  for (const auto &c : cases)
    for (int length : {0, 1, 9}) {
      breaks<<<c.blocks, c.threads>>>(d_a, d_out, d_more, length, c.n);
      continues<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
      returns<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
      two_exits<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
      nested<<<c.blocks, c.threads>>>(d_a, d_out, length, c.n);
      triangular<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
