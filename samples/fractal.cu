// Escape times of the Mandelbrot set: a loop whose length differs from thread to thread.
// usage: fractal [width [height [iterations]]]
#include <cuda_runtime.h>

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

struct View {
  float left, top, step; // the complex number of the first pixel, and the distance of two pixels
};

__host__ __device__ int escape_time(float cr, float ci, int limit) {
  float zr = 0.0f, zi = 0.0f;
  int iteration = 0;
  while (iteration < limit) {
    const float rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0f)
      break;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
    ++iteration;
  }
  return iteration;
}

__global__ void escape_times(int *image, int width, int height, View view, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  image[y * width + x] = escape_time(view.left + x * view.step, view.top + y * view.step, limit);
}

// Maps escape times to grey levels with a few bands of different brightness.
__global__ void shade(const int *image, unsigned char *grey, int pixels, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels)
    return;
  const int time = image[i];
  unsigned char level;
  if (time >= limit) {
    level = 0;
  } else {
    switch (time & 3) {
    case 0:
      level = 255 - time;
      break;
    case 1:
      level = 2 * time;
      break;
    case 2:
      level = 128 ^ time;
      break;
    default:
      level = time;
    }
  }
  grey[i] = level;
}

int main(int argc, char **argv) {
  const int width = argc > 1 ? std::atoi(argv[1]) : 157;
  const int height = argc > 2 ? std::atoi(argv[2]) : 103;
  const int limit = argc > 3 ? std::atoi(argv[3]) : 48;
  if (width < 1 || height < 1 || limit < 1) {
    std::fprintf(stderr, "usage: %s [width [height [iterations]]]\n", argv[0]);
    return 2;
  }
  const int pixels = width * height;
  const View view{-2.0f, -1.25f, 2.5f / height};
  std::vector<int> image(pixels);
  std::vector<unsigned char> grey(pixels);

  int *d_image;
  unsigned char *d_grey;
  CUDA_CHECK(cudaMalloc(&d_image, pixels * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_grey, pixels));
  const dim3 block(16, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  escape_times<<<grid, block>>>(d_image, width, height, view, limit);
  CUDA_CHECK(cudaGetLastError());
  shade<<<(pixels + 127) / 128, 128>>>(d_image, d_grey, pixels, limit);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(image.data(), d_image, pixels * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(grey.data(), d_grey, pixels, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_image));
  CUDA_CHECK(cudaFree(d_grey));

  // A GPU may fuse multiply and add, which moves a few pixels near the edge of the set.
  int different = 0, wrong_grey = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int time = image[y * width + x];
      different += time != escape_time(view.left + x * view.step, view.top + y * view.step, limit);
      const int bands[4] = {255 - time, 2 * time, 128 ^ time, time};
      const int level = time >= limit ? 0 : bands[time & 3];
      wrong_grey += grey[y * width + x] != (unsigned char)level;
    }
  const bool ok = different <= pixels / 200 && wrong_grey == 0;
  std::printf("fractal: %d x %d, %d iterations, %d pixels differ\n", width, height, limit,
              different);
  std::printf("%s: largest error %.3g of the pixels\n", ok ? "PASS" : "FAIL",
              double(different + wrong_grey) / pixels);
  return ok ? 0 : 1;
}
