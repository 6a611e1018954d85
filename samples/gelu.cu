// Gaussian error linear unit (tanh form) over a vector, in chunks on two streams.
// usage: gelu [elements]
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(status));                                                    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

constexpr int kThreads = 256;
constexpr int kStreams = 2;
constexpr int kChunks = 5;

__device__ __forceinline__ float gelu(float x) {
  const float kSqrt2OverPi = 0.7978845608f;
  return 0.5f * x * (1.0f + tanhf(kSqrt2OverPi * (x + 0.044715f * x * x * x)));
}

__global__ void gelu_kernel(const float *__restrict__ in, float *__restrict__ out, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = gelu(__ldg(&in[i]));
}

int main(int argc, char **argv) {
  const long elements = argc > 1 ? std::atol(argv[1]) : 100003;
  if (elements < 1) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  const size_t n = elements;

  float *in, *out; // pinned, so that the copies overlap with the kernels
  CUDA_CHECK(cudaMallocHost(&in, n * sizeof(float)));
  CUDA_CHECK(cudaMallocHost(&out, n * sizeof(float)));
  for (size_t i = 0; i < n; ++i)
    in[i] = 16.0f * float((i * 7919) % n) / float(n) - 8.0f;

  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  cudaStream_t streams[kStreams];
  for (cudaStream_t &stream : streams)
    CUDA_CHECK(cudaStreamCreate(&stream));

  const size_t chunk = (n + kChunks - 1) / kChunks;
  for (int c = 0; c < kChunks; ++c) {
    const size_t first = c * chunk;
    if (first >= n)
      break;
    const size_t count = std::min(chunk, n - first);
    cudaStream_t stream = streams[c % kStreams];
    CUDA_CHECK(cudaMemcpyAsync(d_in + first, in + first, count * sizeof(float),
                               cudaMemcpyHostToDevice, stream));
    const unsigned blocks = (count + kThreads - 1) / kThreads;
    gelu_kernel<<<blocks, kThreads, 0, stream>>>(d_in + first, d_out + first, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(out + first, d_out + first, count * sizeof(float),
                               cudaMemcpyDeviceToHost, stream));
  }
  for (cudaStream_t &stream : streams) {
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
  }

  double error = 0;
  for (size_t i = 0; i < n; ++i) {
    const double x = in[i];
    const double expected =
        0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    error = std::max(error, std::fabs(double(out[i]) - expected));
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFreeHost(in));
  CUDA_CHECK(cudaFreeHost(out));

  const bool ok = error < 4e-6;
  std::printf("gelu: n = %zu\n", n);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
