// Variables that only device code has a name for: tables of more than a lane can hold, static
// variables that are written, and ones that live on from launch to launch.
#include "upload.h"

#include <vector>

struct Powers {
  unsigned of[4096] = {};
  constexpr Powers() {
    unsigned value = 1;
    for (int i = 0; i < 4096; ++i, value *= 5)
      of[i] = value;
  }
};

class Curve {
  static constexpr double kOf[200] = {0.5, -1.25, 1e-300, 3.75};

public:
  static __device__ double of(int i) { return kOf[i % 200]; }
};

__device__ unsigned power(int i) {
  static constexpr Powers powers;
  return powers.of[i & 4095];
}

template <int N> __device__ short of_template(int i) {
  static const short table[700] = {N, -N, N * 3};
  return table[i % 700];
}

__device__ float kept(int i, float value) {
  static __device__ float last[1000] = {1.5f, -2.5f};
  const float before = last[i];
  last[i] = value;
  return before;
}

__global__ void tables(unsigned *out, double *curve, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char letters[1100] = "abc";
  if (i >= n)
    return;
  out[i] = out[i] * 3 + power(i * 7) + power(i) - of_template<7>(i) * of_template<300>(i * 3) +
           letters[(i * 13) % 1100];
  curve[i] = Curve::of(i);
}

__global__ void counted(int *out, float *values, int n) {
  __device__ static int count = 3;
  __device__ static unsigned char flags[77];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = atomicAdd(&count, 2) + flags[i % 77];
  values[i] = kept(i, values[i] + 1.0f);
}

// Two kernels with one variable, and lanes that choose it.
__device__ int *shared_counter() {
  static __device__ int hidden[40] = {5, 6, 7};
  return hidden;
}
__global__ void bump(int n) {
  const int i = threadIdx.x;
  if (i < n)
    shared_counter()[i] += i;
}
__global__ void choose(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int *p = a[i] & 1 ? shared_counter() : a;
  out[i] = p[i % 40];
}

int main() {
  const int n = 1000;
  std::vector<int> a(n);
  for (int i = 0; i < n; ++i)
    a[i] = i * 7919 % 1009;
  int *d_a = upload(a), *d_out = upload(std::vector<int>(n));
  double *d_curve = upload(std::vector<double>(n));
  float *d_values = upload(std::vector<float>(n, 0.25f));
  for (int size : {1, 129, 1000}) {
    tables<<<(size + 96) / 97, 97>>>((unsigned *)d_out, d_curve, size);
    counted<<<(size + 63) / 64, 64>>>(d_out, d_values, size);
    bump<<<1, 64>>>(size < 40 ? size : 40);
    choose<<<(size + 128) / 128, 128>>>(d_a, d_out, size);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
