// Heat diffusion by a five-point stencil: a tile with its halo in shared memory, fixed edges.
// usage: stencil [width [height [steps]]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
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

#define TILE_X 32
#define TILE_Y 8

__global__ void diffuse(const float *in, float *out, int width, int height, float rate) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x, tx = threadIdx.x + 1;
  const int y = blockIdx.y * TILE_Y + threadIdx.y, ty = threadIdx.y + 1;
  const bool inside = x < width && y < height;

  if (inside) {
    tile[ty][tx] = in[y * width + x];
    if (threadIdx.x == 0 && x > 0)
      tile[ty][0] = in[y * width + x - 1];
    if (threadIdx.x == TILE_X - 1 && x + 1 < width)
      tile[ty][TILE_X + 1] = in[y * width + x + 1];
    if (threadIdx.y == 0 && y > 0)
      tile[0][tx] = in[(y - 1) * width + x];
    if (threadIdx.y == TILE_Y - 1 && y + 1 < height)
      tile[TILE_Y + 1][tx] = in[(y + 1) * width + x];
  }
  __syncthreads();
  if (!inside)
    return;

  const float center = tile[ty][tx];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[y * width + x] = center;
    return;
  }
  const float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  out[y * width + x] = center + rate * (around - 4.0f * center);
}

static void diffuse_on_host(const std::vector<double> &in, std::vector<double> &out, int width,
                            int height, double rate) {
  out = in;
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x) {
      const size_t i = size_t(y) * width + x;
      const double around = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
      out[i] = in[i] + rate * (around - 4 * in[i]);
    }
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 203;
  const int height = argc > 2 ? std::atoi(argv[2]) : 131;
  const int steps = argc > 3 ? std::atoi(argv[3]) : 4;
  if (width < 1 || height < 1 || steps < 0) {
    std::fprintf(stderr, "usage: %s [width [height [steps]]]\n", argv[0]);
    return 2;
  }
  const float rate = 0.2f;
  const size_t size = size_t(width) * height, bytes = size * sizeof(float);
  std::vector<float> field(size);
  for (size_t i = 0; i < size; ++i)
    field[i] = float((i * 4241) % 997) / 10.0f;
  std::vector<double> expected(field.begin(), field.end()), next;

  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, field.data(), bytes, cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  const dim3 block(TILE_X, TILE_Y);
  const dim3 grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  CUDA_CHECK(cudaEventRecord(start, 0));
  for (int step = 0; step < steps; ++step) {
    diffuse<<<grid, block>>>(d_in, d_out, width, height, rate);
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_in, d_out);
    diffuse_on_host(expected, next, width, height, rate);
    std::swap(expected, next);
  }
  CUDA_CHECK(cudaEventRecord(stop, 0));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CUDA_CHECK(cudaMemcpy(field.data(), d_in, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));

  double error = 0;
  for (size_t i = 0; i < size; ++i)
    error = std::max(error, std::fabs(field[i] - expected[i]));
  const bool ok = error < 1e-4;
  std::printf("stencil: %d x %d, %d steps, %.3f ms\n", width, height, steps, milliseconds);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
