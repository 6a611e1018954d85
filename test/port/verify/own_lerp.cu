// A function that C++20's <math.h> has too, as helper_math.h declares it, beside the one in std.
#include "upload.h"

#include <cmath>

inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ float2 lerp(float2 a, float2 b, float t) {
  return make_float2(lerp(a.x, b.x, t), lerp(a.y, b.y, t));
}

struct Ramp {
  float from, to;
  __host__ __device__ float lerp(float t) const { return ::lerp(from, to, t); }
};

template <class T> __global__ void blend(const T *x, const T *y, T *out, Ramp ramp, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = lerp(x[i], y[i], ramp.lerp(0.25f * (i & 3)));
}

int main() {
  const int size = 1000;
  std::vector<float> x(2 * size), y(2 * size);
  for (int i = 0; i < 2 * size; ++i)
    x[i] = (i * 7919) % 1009 * 0.5f, y[i] = lerp(x[i], 3.0f, 0.5f);
  float *d_x = upload(x), *d_y = upload(y), *d_out = upload(std::vector<float>(2 * size));
  for (int n : {1, 33, 1000}) {
    blend<<<(n + 63) / 64, 64>>>(d_x, d_y, d_out, Ramp{0.5f, 2.0f}, n);
    blend<<<(n + 63) / 64, 64>>>((const float2 *)d_x, (const float2 *)d_y, (float2 *)d_out,
                                 Ramp{-1.0f, 1.0f}, n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
