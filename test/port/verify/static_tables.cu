// Constant tables that live inside of functions and classes.
#include <cuda_runtime.h>

template <int N> struct Squares {
  int of[N] = {};
  constexpr Squares() {
    for (int i = 0; i < N; ++i)
      of[i] = i * i;
  }
};

class Weights {
  static constexpr float kOf[4] = {0.5f, -1.25f, 2.0f, 3.75f};

public:
  static __device__ float of(int i) { return kOf[i & 3]; }
};

__device__ int of_function(int i) {
  static const int table[5] = {9, 8, 7, 6, 5};
  static constexpr Squares<100> squares;
  return table[i % 5] * squares.of[i % 100];
}

template <int N> __device__ int of_template(int i) {
  static const short table[3] = {N, -N, N * N};
  return table[i % 3];
}

__global__ void tables(int *out, float *weighted, int n) {
  static const unsigned char letters[] = "tables";
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] += of_function(i) + of_template<7>(i) - of_template<150>(out[i] & 3) + letters[i % 6];
  weighted[i] *= Weights::of(i);
}

int main() {
  const int n = 1000;
  int *out = nullptr;
  float *weighted = nullptr;
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&weighted, n * sizeof(float));
  cudaMemset(out, 1, n * sizeof(int));
  cudaMemset(weighted, 62, n * sizeof(float));
  tables<<<(n + 127) / 128, 128>>>(out, weighted, n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
