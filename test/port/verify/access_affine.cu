// Loads and stores at addresses that are affine in the lane: offsets, strides, reversed, several
// rows at once, transposed. Elements between those that are stored keep their values.
#include "upload.h"

#include <cstdint>
#include <vector>

template <typename T> __global__ void linear(const T *x, T *y, int offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i + offset] = x[i] + x[i + 2 * offset];
}

template <typename T> __global__ void strided(const T *x, T *y, int load, int store, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i * store + 1] = x[i * load];
}

template <typename T> __global__ void reversed(const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[n - 1 - i];
    y[3 * n - 1 - i] = x[i];
  }
}

// Thread-major: neighbouring threads are far apart, each thread's elements are together.
template <typename T> __global__ void chunks(const T *x, T *y, int chunk, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < chunk; ++k) {
    const int at = i * chunk + k;
    if (at < n)
      y[at] = x[at] * T(2) + T(k);
  }
}

// Block-major: a hole after each block's stretch.
template <typename T> __global__ void pitched(const T *x, T *y, int pitch) {
  const int at = blockIdx.x * pitch + threadIdx.x;
  y[at] = x[blockIdx.x * blockDim.x + threadIdx.x];
}

template <typename T> __global__ void transposed(const T *x, T *y, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < columns)
    y[c * rows + r] = x[r * columns + c];
}

template <typename T> __global__ void neighbours(const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    y[i] = x[i - 1] + x[i + 1] - x[i];
}

template <typename T> void run() {
  const int size = 6000;
  std::vector<T> x(size);
  for (int i = 0; i < size; ++i)
    x[i] = T((i * 37) % 101);
  const T *d_x = upload(x);
  T *d_y = upload(std::vector<T>(size, T(77)));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {2, 96, 192}};
  for (const auto &c : cases) {
    linear<<<c.blocks, c.threads>>>(d_x, d_y, 0, c.n);
    linear<<<c.blocks, c.threads>>>(d_x, d_y, 17, c.n);
    strided<<<c.blocks, c.threads>>>(d_x, d_y, 2, 3, c.n);
    strided<<<c.blocks, c.threads>>>(d_x, d_y, 0, 5, c.n);
    reversed<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
    chunks<<<c.blocks, c.threads>>>(d_x, d_y, 3, c.n);
    pitched<<<c.blocks, c.threads>>>(d_x, d_y, c.threads + 3);
    neighbours<<<c.blocks, c.threads>>>(d_x, d_y, c.n);
  }
  transposed<<<dim3(3, 5), dim3(8, 4)>>>(d_x, d_y, 19, 23);
  transposed<<<dim3(130, 2), dim3(1, 3)>>>(d_x, d_y, 5, 130);
  transposed<<<dim3(1, 9), dim3(7, 16)>>>(d_x, d_y, 141, 7);
}

int main() {
  run<float>();
  run<int>();
  run<uint8_t>();
  run<int16_t>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
