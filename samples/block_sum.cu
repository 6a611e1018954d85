// Sum of a vector by a tree in shared memory: per block, then over the blocks' sums.
// usage: block_sum [elements]
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

constexpr int kBlock = 256;

// One element per thread, static shared memory.
__global__ void block_sum(const float *x, float *sums, int n) {
  __shared__ float s[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = s[0];
}

// One block over any number of elements, dynamic shared memory, any power of two of threads.
__global__ void total_sum(const float *x, float *total, int n) {
  extern __shared__ float partial[];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int i = tid; i < n; i += blockDim.x)
    sum += x[i];
  partial[tid] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k)
      partial[tid] += partial[tid + k];
    __syncthreads();
  }
  if (tid == 0)
    *total = partial[0];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  if (n < 1) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  std::vector<float> x(n);
  double expected = 0, magnitude = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = float((i * 61) % 1009) / 1009.0f - 0.25f;
    expected += x[i];
    magnitude += std::fabs(x[i]);
  }

  const int blocks = (n + kBlock - 1) / kBlock;
  float *d_x, *d_sums, *d_total;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_total, sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_total, 0, sizeof(float)));

  block_sum<<<blocks, kBlock>>>(d_x, d_sums, n);
  CUDA_CHECK(cudaGetLastError());
  const int threads = 128;
  total_sum<<<1, threads, threads * sizeof(float)>>>(d_sums, d_total, blocks);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  float total = 0;
  CUDA_CHECK(cudaMemcpy(&total, d_total, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sums));
  CUDA_CHECK(cudaFree(d_total));

  const double error = std::fabs(total - expected) / magnitude;
  const bool ok = error < 1e-6;
  std::printf("block_sum: n = %d, %d blocks, sum %.6g, expected %.6g\n", n, blocks, total,
              expected);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
