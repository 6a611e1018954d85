// Casts between bool, the six small and 32-bit integer types and float. A float that does not fit
// the integer type is undefined in C++, so floats stay in range here.
#include "upload.h"

#include <cmath>
#include <cstdint>
#include <vector>

template <typename From>
__global__ void from_integer(const From *a, uint8_t *bytes, uint16_t *halves, uint32_t *words,
                             float *floats, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const From x = a[i];
  bytes[0 * n + i] = uint8_t(int8_t(x));
  bytes[1 * n + i] = uint8_t(x);
  bytes[2 * n + i] = bool(x);
  halves[0 * n + i] = uint16_t(int16_t(x));
  halves[1 * n + i] = uint16_t(x);
  words[0 * n + i] = uint32_t(int32_t(x));
  words[1 * n + i] = uint32_t(x);
  words[2 * n + i] = uint32_t(int32_t(int8_t(x)));
  words[3 * n + i] = uint32_t(int32_t(int16_t(x)));
  floats[i] = float(x);
}

__global__ void from_float(const float *a, uint8_t *bytes, uint16_t *halves, uint32_t *words,
                           int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = a[i];
  if (x > -128.5f && x < 127.5f)
    bytes[0 * n + i] = uint8_t(int8_t(x));
  if (x > -0.9f && x < 255.5f)
    bytes[1 * n + i] = uint8_t(x);
  bytes[2 * n + i] = bool(x);
  if (x > -32768.5f && x < 32767.5f)
    halves[0 * n + i] = uint16_t(int16_t(x));
  if (x > -0.9f && x < 65535.5f)
    halves[1 * n + i] = uint16_t(x);
  if (x >= -2147483648.0f && x < 2147483648.0f)
    words[0 * n + i] = uint32_t(int32_t(x));
  if (x > -0.9f && x < 4294967296.0f)
    words[1 * n + i] = uint32_t(x);
}

// Round trips inside one expression.
__global__ void chains(const int32_t *a, int32_t *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int32_t x = a[i];
  out[0 * n + i] = int32_t(float(x & 0xffffff)) + 1;
  out[1 * n + i] = int32_t(float(x >> 4) * 0.5f);
  out[2 * n + i] = int8_t(uint8_t(x) + 200);
  out[3 * n + i] = uint16_t(int16_t(x) >> 2);
  out[4 * n + i] = int32_t(uint32_t(x) >> 1);
  out[5 * n + i] = int32_t(float(uint8_t(x)) / 16.0f);
}

struct Case {
  int blocks, threads, n;
};
const Case cases[] = {{1, 1, 1}, {1, 33, 20}, {129, 5, 641}, {2, 600, 1199}};
const int size = 1200;

template <typename From>
void run(uint8_t *bytes, uint16_t *halves, uint32_t *words, float *floats) {
  const uint32_t edges[] = {0u,          1u,          2u,          127u,        128u,
                            255u,        256u,        32767u,      32768u,      65535u,
                            65536u,      16777215u,   16777217u,   33554435u,   0x7fffff7fu,
                            0x7fffffffu, 0x80000000u, 0x80000081u, 0xff000001u, 0xfffffff0u,
                            0xffffffffu, 0xffffff7fu, 0xfeffffffu};
  std::vector<From> a;
  for (uint32_t x : edges)
    a.push_back(From(x));
  for (uint32_t i = 0; int(a.size()) < size; ++i)
    a.push_back(From(i * 2654435761u >> (i % 25)));
  const From *d_a = upload(a);
  for (const Case &c : cases)
    from_integer<<<c.blocks, c.threads>>>(d_a, bytes, halves, words, floats, c.n);
}

int main() {
  uint8_t *bytes = upload(std::vector<uint8_t>(3 * size));
  uint16_t *halves = upload(std::vector<uint16_t>(2 * size));
  uint32_t *words = upload(std::vector<uint32_t>(6 * size));
  float *floats = upload(std::vector<float>(size));
  run<int8_t>(bytes, halves, words, floats);
  run<uint8_t>(bytes, halves, words, floats);
  run<int16_t>(bytes, halves, words, floats);
  run<uint16_t>(bytes, halves, words, floats);
  run<int32_t>(bytes, halves, words, floats);
  run<uint32_t>(bytes, halves, words, floats);

  std::vector<float> a = {
      0.0f,          -0.0f,          0.5f,          -0.5f,         1.5f,       2.5f,        -1.5f,
      -2.5f,         0.99f,          -0.99f,        127.49f,       -128.4f,    254.5f,      255.25f,
      32767.0f,      -32768.0f,      65534.5f,      65535.25f,     8388607.5f, 16777217.0f, 1e-40f,
      2147483520.0f, -2147483648.0f, 2147483648.0f, 4294967040.0f, NAN,        INFINITY};
  for (int i = 0; int(a.size()) < size; ++i)
    a.push_back(float(i - 600) * (i % 3 ? 0.37f : 1234567.0f));
  const float *d_a = upload(a);
  std::vector<int32_t> k(size);
  for (int i = 0; i < size; ++i)
    k[i] = int32_t(uint32_t(i) * 2654435761u);
  const int32_t *d_k = upload(k);
  for (const Case &c : cases) {
    from_float<<<c.blocks, c.threads>>>(d_a, bytes, halves, words, c.n);
    chains<<<c.blocks, c.threads>>>(d_k, reinterpret_cast<int32_t *>(words), c.n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
