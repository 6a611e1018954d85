// Layer normalisation with scale and shift, one block per row, moments by warp shuffles.
// usage: layernorm [rows [columns]]
#include <algorithm>
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

struct LayerNorm {
  const float *x;
  const float *gamma;
  const float *beta;
  float *y;
  int columns;
  float epsilon;
};

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// The sum over the block in every thread; at most 32 warps.
__device__ float block_sum(float value) {
  __shared__ float partial[32];
  __shared__ float total;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  value = warp_sum(value);
  if (lane == 0)
    partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = warp_sum(lane < warps ? partial[lane] : 0.0f);
    if (lane == 0)
      total = value;
  }
  __syncthreads();
  const float result = total;
  __syncthreads(); // the next call writes the same memory
  return result;
}

__global__ void layernorm(LayerNorm p) {
  const float *x = p.x + blockIdx.x * p.columns;
  float *y = p.y + blockIdx.x * p.columns;

  float sum = 0.0f;
  for (int c = threadIdx.x; c < p.columns; c += blockDim.x)
    sum += x[c];
  const float mean = block_sum(sum) / p.columns;

  float squares = 0.0f;
  for (int c = threadIdx.x; c < p.columns; c += blockDim.x) {
    const float d = x[c] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(block_sum(squares) / p.columns + p.epsilon);

  for (int c = threadIdx.x; c < p.columns; c += blockDim.x)
    y[c] = (x[c] - mean) * scale * p.gamma[c] + p.beta[c];
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 130;
  const int columns = argc > 2 ? std::atoi(argv[2]) : 387;
  if (rows < 1 || columns < 1) {
    std::fprintf(stderr, "usage: %s [rows [columns]]\n", argv[0]);
    return 2;
  }
  const size_t size = size_t(rows) * columns;
  std::vector<float> x(size), y(size), gamma(columns), beta(columns);
  for (size_t i = 0; i < size; ++i)
    x[i] = 3.0f + 4.0f * float((i * 6151) % 2053) / 2053.0f;
  for (int c = 0; c < columns; ++c) {
    gamma[c] = 0.5f + float(c % 17) / 16.0f;
    beta[c] = float(c % 5) - 2.0f;
  }

  float *d_x, *d_y, *d_gamma, *d_beta;
  CUDA_CHECK(cudaMalloc(&d_x, size * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_y, size * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_gamma, columns * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_beta, columns * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), size * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_gamma, gamma.data(), columns * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_beta, beta.data(), columns * sizeof(float), cudaMemcpyHostToDevice));

  const LayerNorm parameters{d_x, d_gamma, d_beta, d_y, columns, 1e-5f};
  layernorm<<<rows, 128>>>(parameters);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(y.data(), d_y, size * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_gamma));
  CUDA_CHECK(cudaFree(d_beta));

  double error = 0;
  for (int r = 0; r < rows; ++r) {
    const float *row = &x[size_t(r) * columns];
    double mean = 0, variance = 0;
    for (int c = 0; c < columns; ++c)
      mean += row[c];
    mean /= columns;
    for (int c = 0; c < columns; ++c)
      variance += (row[c] - mean) * (row[c] - mean);
    variance /= columns;
    for (int c = 0; c < columns; ++c) {
      const double expected =
          (row[c] - mean) / std::sqrt(variance + 1e-5) * double(gamma[c]) + double(beta[c]);
      error = std::max(error, std::fabs(y[size_t(r) * columns + c] - expected));
    }
  }
  const bool ok = error < 2e-5;
  std::printf("layernorm: %d x %d\n", rows, columns);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
