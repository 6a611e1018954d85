// y = a * x + y for any element type, with a grid-stride loop.
// usage: saxpy [elements]
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

template <typename T> __global__ void saxpy(int n, T a, const T *x, T *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

// Runs saxpy<T> on n elements and returns the largest error relative to the terms of the sum.
template <typename T> double run(const char *type, int n, T a, int blocks) {
  std::vector<T> x(n), y(n), result(n);
  for (int i = 0; i < n; ++i) {
    x[i] = T((i * 37) % 100003) - T(50001);
    y[i] = T((i * 91) % 65537) / T(3);
  }

  T *d_x, *d_y;
  const size_t bytes = n * sizeof(T);
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  saxpy<<<blocks, 256>>>(n, a, d_x, d_y);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));

  CUDA_CHECK(cudaMemcpy(result.data(), d_y, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));

  double error = 0;
  for (int i = 0; i < n; ++i) {
    const double product = double(a) * double(x[i]), expected = product + double(y[i]);
    const double scale = std::fabs(product) + std::fabs(double(y[i])) + 1;
    error = std::max(error, std::fabs(double(result[i]) - expected) / scale);
  }
  std::printf("saxpy<%s>: n = %d, %.3f ms, largest error %.3g\n", type, n, milliseconds, error);
  return error;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100003;
  if (n < 1) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  const int blocks = std::min((n + 255) / 256, 16 * properties.multiProcessorCount);

  const double float_error = run<float>("float", n, 2.5f, blocks);
  const double int_error = run<int>("int", n, -31416, blocks);
  const bool ok = float_error < 1e-6 && int_error == 0;
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", std::max(float_error, int_error));
  return ok ? 0 : 1;
}
