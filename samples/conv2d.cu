// 2-D convolution with weights in constant memory; pixels outside the image repeat its edge.
// usage: conv2d [width [height]]
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

constexpr int kMaxRadius = 4;
constexpr int kMaxSide = 2 * kMaxRadius + 1;

__constant__ float weights[kMaxSide * kMaxSide];
__constant__ float background = 0.125f;

__device__ int clamp(int value, int low, int high) { return min(max(value, low), high); }

__global__ void conv2d(const float *in, float *out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int side = 2 * radius + 1;
  float sum = background;
  for (int dy = -radius; dy <= radius; ++dy) {
    const int row = clamp(y + dy, 0, height - 1);
    for (int dx = -radius; dx <= radius; ++dx) {
      const int column = clamp(x + dx, 0, width - 1);
      sum += weights[(dy + radius) * side + dx + radius] * in[row * width + column];
    }
  }
  out[y * width + x] = sum;
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 173;
  const int height = argc > 2 ? std::atoi(argv[2]) : 131;
  const int radius = 2, side = 2 * radius + 1;
  if (width < 1 || height < 1) {
    std::fprintf(stderr, "usage: %s [width [height]]\n", argv[0]);
    return 2;
  }
  const size_t size = size_t(width) * height, bytes = size * sizeof(float);
  std::vector<float> in(size), out(size), kernel(side * side);
  for (size_t i = 0; i < size; ++i)
    in[i] = float((i * 1103) % 509) / 509.0f;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      kernel[(dy + radius) * side + dx + radius] = std::exp(-0.4f * float(dx * dx + dy * dy));

  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpyToSymbol(weights, kernel.data(), kernel.size() * sizeof(float)));

  const dim3 block(32, 4);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  conv2d<<<grid, block>>>(d_in, d_out, width, height, radius);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));

  double error = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double expected = 0.125;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
          const int row = std::min(std::max(y + dy, 0), height - 1);
          const int column = std::min(std::max(x + dx, 0), width - 1);
          expected += double(kernel[(dy + radius) * side + dx + radius]) *
                      double(in[size_t(row) * width + column]);
        }
      error = std::max(error, std::fabs(out[size_t(y) * width + x] - expected));
    }
  const bool ok = error < 1e-5;
  std::printf("conv2d: %d x %d, radius %d\n", width, height, radius);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
