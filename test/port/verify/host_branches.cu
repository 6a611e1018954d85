// Branches that the host decides, with sides that do not simply meet again: lanes leave from
// inside, and what follows joins more than two ways.
#include <cuda_runtime.h>

#include <vector>

__global__ void in_loop(const int *a, int *out, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = a[i], other = a[i] - 3;
  for (int k = 2; k > 0; --k) {
    if (b != 0) { // always asked, and no way out of the loop
      switch (unsigned(other <= k) % 5u) {
      case 0:
        value = 2;
        break;
      case 1:
        other += k;
        break;
      default:
        value >>= 3;
        break;
      }
    } else {
      if (a[(i + k) % n] > 1)
        continue;
      value += k;
    }
  }
  out[i] = value * 100 + other;
}

__global__ void in_lane_loop(const int *a, int *out, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = 0;
  for (int k = 0; k < (a[i] & 7); ++k) {
    if (b > 1) {
      if (a[(i + k) % n] < 0)
        break;
      value += 3;
    } else if (b > 0) {
      if (a[(i + k) % n] == 2)
        continue;
      value += 5;
    } else {
      value ^= k;
    }
    value *= 2;
  }
  out[i] = value;
}

__global__ void before_return(const int *a, int *out, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = a[i];
  if (b & 1) {
    if (value < 0)
      return;
    value += 10;
  } else {
    if (value == 3) {
      out[i] = -1;
      return;
    }
    value -= 10;
  }
  out[i] = value;
}

// A host scalar that more than two ways give a value.
__global__ void three_ways(const int *a, int *out, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int step, shift = 1;
  switch (b) {
  case 0:
    step = 1;
    break;
  case 1:
    step = 5;
    shift = 3;
    break;
  case 4:
    shift = 2; // falls through
  default:
    step = 9 + shift;
    break;
  }
  int value = 0;
  for (int k = 0; k < 12; k += step)
    value += a[(i + k) % n] << shift;
  out[i] = value;
}

__global__ void leaving_at_once(const int *a, int *out, int b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? a[i] : 0;
  for (int k = 0; k < 6; ++k) {
    if (k == b)
      break;
    if (b == 4)
      value += 1;
    else
      value -= a[(i + k) % n];
    if (value > 40)
      break;
  }
  if (i < n)
    out[i] = value;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  for (int i = 0; i < size; ++i)
    a[i] = (i * 7919) % 13 - 6;
  int *d_a, *d_out;
  cudaMalloc(&d_a, size * sizeof(int));
  cudaMalloc(&d_out, size * sizeof(int));
  cudaMemcpy(d_a, a.data(), size * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, size * sizeof(int));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {4, 64, 256}, {129, 5, 641}, {300, 3, 900}};
  for (const auto &c : cases)
    for (int b = 0; b < 6; ++b) {
      in_loop<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
      in_lane_loop<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
      before_return<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
      three_ways<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
      leaving_at_once<<<c.blocks, c.threads>>>(d_a, d_out, b, c.n);
    }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
