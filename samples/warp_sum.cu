// Sums by warp shuffles: one warp per row of a matrix, and one block per row with a second stage.
// usage: warp_sum [rows [columns]]
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

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarp = 32;

template <typename T> __device__ T warp_reduce_down(T value) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(kFullMask, value, offset);
  return value; // the sum in lane 0
}

template <typename T> __device__ T warp_reduce_xor(T value) {
  for (int mask = kWarp / 2; mask > 0; mask >>= 1)
    value += __shfl_xor_sync(kFullMask, value, mask);
  return value; // the sum in every lane
}

// Four warps per block, each sums one row; the grid need not divide the rows.
__global__ void row_sum_warp(const int *matrix, int *sums, int rows, int columns) {
  const int lane = threadIdx.x % kWarp;
  const int row = blockIdx.x * (blockDim.x / kWarp) + threadIdx.x / kWarp;
  if (row >= rows)
    return; // a whole warp leaves at once
  int sum = 0;
  for (int column = lane; column < columns; column += kWarp)
    sum += matrix[row * columns + column];
  sum = warp_reduce_down(sum);
  if (lane == 0)
    sums[row] = sum;
}

// One block per row: warps, then the first warp over the warps' sums.
__global__ void row_sum_block(const float *matrix, float *sums, int columns) {
  __shared__ float warp_sums[kWarp];
  const float *row = matrix + size_t(blockIdx.x) * columns;
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    sum += row[column];
  sum = warp_reduce_xor(sum);
  if (lane == 0)
    warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / kWarp ? warp_sums[lane] : 0.0f;
    sum = warp_reduce_xor(sum);
    if (lane == 0)
      sums[blockIdx.x] = sum;
  }
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 131;
  const int columns = argc > 2 ? std::atoi(argv[2]) : 517;
  if (rows < 1 || columns < 1) {
    std::fprintf(stderr, "usage: %s [rows [columns]]\n", argv[0]);
    return 2;
  }
  const size_t size = size_t(rows) * columns;
  std::vector<int> integers(size);
  std::vector<float> floats(size);
  for (size_t i = 0; i < size; ++i) {
    integers[i] = int(unsigned(i) * 2654435761u >> 12) - (1 << 19);
    floats[i] = float((i * 193) % 257) / 257.0f;
  }

  int *d_integers, *d_integer_sums;
  float *d_floats, *d_float_sums;
  CUDA_CHECK(cudaMalloc(&d_integers, size * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_floats, size * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_integer_sums, rows * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_float_sums, rows * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_integers, integers.data(), size * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_floats, floats.data(), size * sizeof(float), cudaMemcpyHostToDevice));

  const int warps_per_block = 4;
  row_sum_warp<<<(rows + warps_per_block - 1) / warps_per_block, warps_per_block * kWarp>>>(
      d_integers, d_integer_sums, rows, columns);
  CUDA_CHECK(cudaGetLastError());
  row_sum_block<<<rows, 192>>>(d_floats, d_float_sums, columns);
  CUDA_CHECK(cudaGetLastError());

  std::vector<int> integer_sums(rows);
  std::vector<float> float_sums(rows);
  CUDA_CHECK(
      cudaMemcpy(integer_sums.data(), d_integer_sums, rows * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(
      cudaMemcpy(float_sums.data(), d_float_sums, rows * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_integers));
  CUDA_CHECK(cudaFree(d_floats));
  CUDA_CHECK(cudaFree(d_integer_sums));
  CUDA_CHECK(cudaFree(d_float_sums));

  int wrong = 0;
  double error = 0;
  for (int r = 0; r < rows; ++r) {
    int integer_sum = 0;
    double float_sum = 0;
    for (int c = 0; c < columns; ++c) {
      integer_sum += integers[size_t(r) * columns + c];
      float_sum += floats[size_t(r) * columns + c];
    }
    wrong += integer_sum != integer_sums[r];
    error = std::max(error, std::fabs(float_sums[r] - float_sum) / columns);
  }
  const bool ok = wrong == 0 && error < 1e-6;
  std::printf("warp_sum: %d x %d, %d wrong integer sums\n", rows, columns, wrong);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
