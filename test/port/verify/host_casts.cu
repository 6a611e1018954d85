// Conversions of values that are the same for all lanes: the host computes them.
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

__global__ void to_floats(float *out, int i, unsigned u, int8_t c, uint8_t b, int16_t s, bool t,
                          float f) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  float *mine = out + lane * 12;
  mine[0] = float(i);
  mine[1] = float(u);
  mine[2] = float(c);
  mine[3] = float(b);
  mine[4] = float(s);
  mine[5] = float(t);
  mine[6] = float(i < 7);           // a truth of scalars as a number
  mine[7] = float(!(u > 100u)) + f; // and in a sum
  mine[8] = float(int8_t(i));
  mine[9] = float(uint16_t(i));
  mine[10] = float(blockDim.x > 32) * f;
  mine[11] = -float(i == int(u));
}

__global__ void to_integers(int *out, int i, unsigned u, bool t, float f) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  int *mine = out + lane * 10;
  mine[0] = int(f);
  mine[1] = int(unsigned(f < 0 ? -f : f));
  mine[2] = int8_t(i);
  mine[3] = uint8_t(i);
  mine[4] = int16_t(u);
  mine[5] = t;
  mine[6] = bool(i);
  mine[7] = bool(f);
  mine[8] = -int(i > 3);
  mine[9] = int(int8_t(f)) + (f != f);
}

// Division, remainder and shifts of every width, by numbers and of numbers, where a zero is
// possible.
template <class T> __global__ void arithmetic(long long *out, T a, T b) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  long long *mine = out + lane * 8;
  mine[0] = b == 0 ? -1 : T(T(100) / b);
  mine[1] = b == 0 ? -1 : T(T(100) % b);
  mine[2] = b == 0 || (b == T(-1) && T(-1) < T(0)) ? -1 : T(a / b);
  mine[3] = b == 0 || (b == T(-1) && T(-1) < T(0)) ? -1 : T(a % b);
  mine[4] = T(T(1) << (b & 7));
  mine[5] = T(a >> (b & 7));
  mine[6] = T(a / T(7)) + T(a % T(13));
  mine[7] = (a < b ? a : b) - (a < T(50) ? T(50) : a);
}

template <class T> static void arithmetic_of(long long *out, int blocks, int threads) {
  for (int a : {0, 1, 50, 101, -1, -128})
    for (int b : {0, 1, 3, -1, 127})
      arithmetic<T><<<blocks, threads>>>(out, T(a), T(b));
}

int main() {
  const int most = 300 * 3;
  float *floats;
  int *integers;
  cudaMalloc(&floats, most * 12 * sizeof(float));
  cudaMalloc(&integers, most * 10 * sizeof(int));
  cudaMemset(floats, 0, most * 12 * sizeof(float));
  cudaMemset(integers, 0, most * 10 * sizeof(int));
  struct {
    int blocks, threads;
  } const shapes[] = {{1, 1}, {2, 33}, {129, 2}, {300, 3}};
  struct {
    int i;
    unsigned u;
    float f;
  } const values[] = {
      {0, 0u, 0.0f},           {-1, 4294967295u, -0.75f},        {16777217, 16777217u, 1.5f},
      {2147483647, 7u, 99.5f}, {-2147483647 - 1, 128u, -128.0f}, {-129, 65535u, 1e-40f}};
  for (const auto &s : shapes)
    for (const auto &v : values) {
      to_floats<<<s.blocks, s.threads>>>(floats, v.i, v.u, int8_t(v.i), uint8_t(v.u), int16_t(v.i),
                                         v.u & 1u, v.f);
      to_integers<<<s.blocks, s.threads>>>(integers, v.i, v.u, v.u & 1u, v.f);
    }
  long long *wide;
  cudaMalloc(&wide, 33 * 8 * sizeof(long long));
  cudaMemset(wide, 0, 33 * 8 * sizeof(long long));
  arithmetic_of<int8_t>(wide, 1, 1);
  arithmetic_of<uint8_t>(wide, 1, 33);
  arithmetic_of<int16_t>(wide, 11, 3);
  arithmetic_of<uint16_t>(wide, 1, 2);
  arithmetic_of<int32_t>(wide, 3, 1);
  arithmetic_of<uint32_t>(wide, 1, 5);
  arithmetic_of<int64_t>(wide, 2, 2);
  arithmetic_of<uint64_t>(wide, 1, 3);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
