// out = activation(x + bias[channel]) + residual on an image batch (N, C, H, W), on a 3-D grid.
// usage: bias_act [width [height [channels [images]]]]
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

struct Shape {
  int width, height, channels, images;
  __host__ __device__ size_t size() const { return size_t(width) * height * channels * images; }
  __host__ __device__ size_t at(int plane, int y, int x) const {
    return (size_t(plane) * height + y) * width + x;
  }
};

struct LeakyRelu {
  float slope;
  __host__ __device__ float operator()(float v) const { return v > 0.0f ? v : slope * v; }
};

struct HardSwish {
  __host__ __device__ float operator()(float v) const {
    const auto clamp = [](float low, float value, float high) {
      return value < low ? low : value > high ? high : value;
    };
    return v * clamp(0.0f, v + 3.0f, 6.0f) * 0.16666667f;
  }
};

// grid.z runs over the planes: channels of the first image, then of the second, ...
template <typename Activation>
__global__ void bias_act(const float *x, const float *bias, const float *residual, float *out,
                         Shape shape, Activation activation) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int plane = blockIdx.z * blockDim.z + threadIdx.z;
  if (column < shape.width && row < shape.height && plane < shape.channels * shape.images) {
    const size_t i = shape.at(plane, row, column);
    out[i] = activation(x[i] + bias[plane % shape.channels]) + residual[i];
  }
}

// Runs one activation and returns its largest error.
template <typename Activation>
double run(const char *name, const Shape &shape, Activation activation) {
  const size_t size = shape.size();
  std::vector<float> x(size), residual(size), out(size), bias(shape.channels);
  for (size_t i = 0; i < size; ++i) {
    x[i] = float((i * 271) % 911) / 91.0f - 5.0f;
    residual[i] = float((i * 83) % 127) / 127.0f;
  }
  for (int c = 0; c < shape.channels; ++c)
    bias[c] = 0.25f * float(c) - 0.5f;

  float *d_x, *d_bias, *d_residual, *d_out;
  CUDA_CHECK(cudaMalloc(&d_x, size * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_bias, bias.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_residual, size * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, size * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), size * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_bias, bias.data(), bias.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_residual, residual.data(), size * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(16, 4, 2);
  dim3 grid;
  grid.x = (shape.width + block.x - 1) / block.x;
  grid.y = (shape.height + block.y - 1) / block.y;
  grid.z = (shape.channels * shape.images + block.z - 1) / block.z;
  bias_act<<<grid, block>>>(d_x, d_bias, d_residual, d_out, shape, activation);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, size * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_bias));
  CUDA_CHECK(cudaFree(d_residual));
  CUDA_CHECK(cudaFree(d_out));

  double error = 0;
  for (int plane = 0; plane < shape.channels * shape.images; ++plane)
    for (int row = 0; row < shape.height; ++row)
      for (int column = 0; column < shape.width; ++column) {
        const size_t i = shape.at(plane, row, column);
        const float expected = activation(x[i] + bias[plane % shape.channels]) + residual[i];
        error = std::max(error, std::fabs(double(out[i]) - expected));
      }
  std::printf("bias_act<%s>: largest error %.3g\n", name, error);
  return error;
}

int main(int argc, char **argv) {
  Shape shape;
  shape.width = argc > 1 ? std::atoi(argv[1]) : 45;
  shape.height = argc > 2 ? std::atoi(argv[2]) : 29;
  shape.channels = argc > 3 ? std::atoi(argv[3]) : 5;
  shape.images = argc > 4 ? std::atoi(argv[4]) : 3;
  if (shape.width < 1 || shape.height < 1 || shape.channels < 1 || shape.images < 1) {
    std::fprintf(stderr, "usage: %s [width [height [channels [images]]]]\n", argv[0]);
    return 2;
  }
  const double error =
      std::max(run("LeakyRelu", shape, LeakyRelu{0.1f}), run("HardSwish", shape, HardSwish{}));
  const bool ok = error < 1e-5;
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
