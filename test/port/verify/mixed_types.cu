// Integers and floats in one expression, lane numbers as floats, sums of converted values.
#include "upload.h"

#include <cstdint>
#include <vector>

__global__ void ramp(float *y, float start, float step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[0 * n + i] = start + i * step;
  y[1 * n + i] = float(threadIdx.x) / 8.0f - blockIdx.x * 0.25f;
  y[2 * n + i] = (i - n / 2) * (1.0f / 64.0f);
  y[3 * n + i] = float(unsigned(i) * 2654435761u);
}

__global__ void quantize(const float *x, uint8_t *q, int16_t *wide, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float v = x[i] * scale + 128.0f;
  q[i] = v < 0.0f ? 0 : v > 255.0f ? 255 : uint8_t(v);
  wide[i] = int16_t(floorf(x[i] * 100.0f + 0.5f));
}

__global__ void dequantize(const uint8_t *q, const int16_t *wide, float *y, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k)
    sum += float(q[(i + k) % n] - 128) * scale;
  y[i] = sum + wide[i];
}

__global__ void average(const uint8_t *q, uint8_t *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0, count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
        sum += q[(y + dy) * width + x + dx];
        ++count;
      }
  out[y * width + x] = uint8_t((sum + count / 2) / count);
}

int main() {
  const int size = 1000;
  std::vector<float> x(size);
  for (int i = 0; i < size; ++i)
    x[i] = float((i * 37) % 1009) / 16.0f - 31.0f;
  float *d_x = upload(x), *d_y = upload(std::vector<float>(4 * size));
  uint8_t *d_q = upload(std::vector<uint8_t>(size)), *d_r = upload(std::vector<uint8_t>(size));
  int16_t *d_wide = upload(std::vector<int16_t>(size));
  struct {
    int blocks, threads, n;
  } const cases[] = {{1, 1, 1},     {1, 33, 20},   {4, 64, 0},
                     {129, 5, 641}, {300, 3, 900}, {1, 1000, 999}};
  for (const auto &c : cases) {
    ramp<<<c.blocks, c.threads>>>(d_y, -1.0f, 0.1f, c.n);
    quantize<<<c.blocks, c.threads>>>(d_x, d_q, d_wide, 5.0f, c.n);
    dequantize<<<c.blocks, c.threads>>>(d_q, d_wide, d_y, 0.2f, c.n);
  }
  average<<<dim3(5, 6), dim3(8, 4)>>>(d_q, d_r, 37, 23);
  average<<<dim3(130, 1), dim3(1, 7)>>>(d_q, d_r, 129, 7);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
