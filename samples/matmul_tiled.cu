// C = A * B with 16 x 16 tiles in shared memory and ragged edges, launched by cudaLaunchKernel.
// usage: matmul_tiled [M [N [K]]]
#include <cuda_runtime.h>

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

constexpr int kTile = 16;

// A is M x K, B is K x N, C is M x N, all row-major.
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];

  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;

  for (int k0 = 0; k0 < K; k0 += kTile) {
    const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = kb < K && column < N ? B[kb * N + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k)
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }

  if (row < M && column < N)
    C[row * N + column] = sum;
}

int main(int argc, char **argv) {
  int M = argc > 1 ? std::atoi(argv[1]) : 129;
  int N = argc > 2 ? std::atoi(argv[2]) : 101;
  int K = argc > 3 ? std::atoi(argv[3]) : 67;
  if (M < 1 || N < 1 || K < 1) {
    std::fprintf(stderr, "usage: %s [M [N [K]]]\n", argv[0]);
    return 2;
  }
  std::vector<float> A(size_t(M) * K), B(size_t(K) * N), C(size_t(M) * N);
  for (size_t i = 0; i < A.size(); ++i)
    A[i] = float((i * 31) % 101) / 101.0f - 0.5f;
  for (size_t i = 0; i < B.size(); ++i)
    B[i] = float((i * 17) % 103) / 103.0f - 0.5f;

  float *d_A, *d_B, *d_C;
  CUDA_CHECK(cudaMalloc((void **)&d_A, A.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&d_B, B.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&d_C, C.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_A, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_B, B.data(), B.size() * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(kTile, kTile);
  const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
  void *arguments[] = {&d_A, &d_B, &d_C, &M, &N, &K};
  CUDA_CHECK(cudaLaunchKernel((const void *)matmul_tiled, grid, block, arguments, 0, 0));
  CUDA_CHECK(cudaDeviceSynchronize());

  CUDA_CHECK(cudaMemcpy(C.data(), d_C, C.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_A));
  CUDA_CHECK(cudaFree(d_B));
  CUDA_CHECK(cudaFree(d_C));

  double error = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      double expected = 0;
      for (int k = 0; k < K; ++k)
        expected += double(A[size_t(i) * K + k]) * double(B[size_t(k) * N + j]);
      error = std::max(error, std::fabs(C[size_t(i) * N + j] - expected));
    }
  const bool ok = error < 1e-6 * K;
  std::printf("matmul_tiled: %d x %d x %d\n", M, N, K);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
