// Softmax over the rows of a matrix, one block per row.
// usage: softmax [rows [columns]]
#include <cuda_runtime.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(status));                                                    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

struct Max {
  static constexpr float identity = -FLT_MAX;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Sum {
  static constexpr float identity = 0.0f;
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Combines one value per thread through shared memory; every thread gets the result.
template <typename Op> __device__ float block_reduce(float value, float *scratch, Op op) {
  const unsigned tid = threadIdx.x;
  scratch[tid] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      scratch[tid] = op(scratch[tid], scratch[tid + stride]);
    __syncthreads();
  }
  const float result = scratch[0];
  __syncthreads(); // scratch may be used again
  return result;
}

__global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int columns) {
  extern __shared__ float scratch[];
  const float *x = in + size_t(blockIdx.x) * columns;
  float *y = out + size_t(blockIdx.x) * columns;

  float largest = Max::identity;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    largest = fmaxf(largest, x[c]);
  largest = block_reduce(largest, scratch, Max());

  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float e = expf(x[c] - largest);
    y[c] = e;
    sum += e;
  }
  sum = block_reduce(sum, scratch, Sum());

  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[c] /= sum;
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 129;
  const int columns = argc > 2 ? std::atoi(argv[2]) : 501;
  if (rows < 1 || columns < 1) {
    std::fprintf(stderr, "usage: %s [rows [columns]]\n", argv[0]);
    return 2;
  }
  const size_t size = size_t(rows) * columns, bytes = size * sizeof(float);
  std::vector<float> in(size), out(size);
  for (size_t i = 0; i < size; ++i)
    in[i] = 20.0f * float((i * 7919) % 4099) / 4099.0f - 10.0f;

  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
  const int threads = 128;
  softmax<<<rows, threads, threads * sizeof(float)>>>(d_in, d_out, columns);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));

  double error = 0;
  for (int r = 0; r < rows; ++r) {
    const float *x = &in[size_t(r) * columns], *y = &out[size_t(r) * columns];
    const double largest = *std::max_element(x, x + columns);
    double sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += std::exp(x[c] - largest);
    for (int c = 0; c < columns; ++c) {
      const double expected = std::exp(x[c] - largest) / sum;
      error = std::max(error, std::fabs(y[c] - expected) / expected);
    }
  }
  const bool ok = error < 1e-5;
  std::printf("softmax: %d x %d\n", rows, columns);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
