// switch on data, on the lane and on a host scalar; dense, sparse, with fall-through and returns.
#include "upload.h"

#include <vector>

__global__ void dense(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int r = i;
  switch (a[i]) {
  case 0:
    r += 1;
    break;
  case 1:
    r *= 3;
    // fall through
  case 2:
    r -= 7;
    break;
  case 3:
  case 4:
    r = a[i] * 100;
    break;
  case 5:
    out[i] = -5;
    return;
  default:
    r = -r;
  }
  out[i] = r;
}

__global__ void sparse(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (a[i] * 16777217) {
  case -16777217:
    out[i] = 1;
    break;
  case 16777217:
    out[i] = 2;
    break;
  case 50331651:
    out[i] = 3;
    break;
  case 100663302:
    out[i] = out[i] + 4;
  }
}

__global__ void by_lane(const float *x, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float r;
  switch (threadIdx.x & 3) {
  case 0:
    r = x[i] + 1.0f;
    break;
  case 1:
    r = x[i] * 2.0f;
    break;
  case 2:
    r = x[(i + 1) % n];
    break;
  default:
    r = -x[i];
    break;
  }
  out[i] = r;
}

enum class Mode { copy, add, scale, zero };

__global__ void by_scalar(const float *x, float *out, Mode mode, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  switch (mode) {
  case Mode::copy:
    out[i] = x[i];
    break;
  case Mode::add:
    out[i] += x[i];
    break;
  case Mode::scale:
    out[i] *= 0.5f;
    break;
  case Mode::zero:
    out[i] = 0.0f;
  }
}

// A small state machine: a switch inside a loop, with continue and break out of both.
__global__ void machine(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int state = a[i] & 3, count = 0;
  for (int step = 0; step < 12; ++step) {
    bool stop = false;
    switch (state) {
    case 0:
      state = (i + step) & 1 ? 1 : 2;
      continue;
    case 1:
      state = 3;
      count += 10;
      break;
    case 2:
      stop = step > 6;
      state = step & 3;
      break;
    default:
      state = 0;
    }
    if (stop)
      break;
    ++count;
  }
  out[i] = count * 4 + state;
}

int main() {
  const int size = 1000;
  std::vector<int> a(size);
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i) {
    a[i] = (i * 7919) % 11 - 2;
    x[i] = float((i * 37) % 101) / 20.0f - 2.5f;
  }
  int *d_a = upload(a), *d_out = upload(std::vector<int>(size, 9));
  float *d_x = upload(x), *d_floats = upload(std::vector<float>(size, 1.0f));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    dense<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    sparse<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
    by_lane<<<c.blocks, c.threads>>>(d_x, d_floats, c.n);
    for (Mode mode : {Mode::add, Mode::scale, Mode::copy, Mode::add, Mode::zero})
      by_scalar<<<c.blocks, c.threads>>>(d_x, d_floats, mode, c.n);
    machine<<<c.blocks, c.threads>>>(d_a, d_out, c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
