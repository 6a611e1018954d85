// Values of 8 and 16 bits against constants whose upper bit is set, unsigned and signed, from
// memory and as arguments: what an enumeration of a small type is compared with.
#include <cuda_runtime.h>

#include <vector>

enum class Small : unsigned char { none, few = 5, most = 200 };
enum class Medium : unsigned short { low = 1, high = 65000 };
enum class Signed : short { low = -3, high = 30000 };

template <typename E> __device__ int compared(E x, E y, E low, E high) {
  int bits = x > low;
  bits |= (x <= high) << 1;
  bits |= (x == high) << 2;
  bits |= (x != low) << 3;
  bits |= (x < y) << 4;
  return bits;
}

template <typename E, E low, E high>
__global__ void compare(int *out, const E *x, E argument, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bits = compared(x[i], argument, low, high) | compared(argument, x[i], low, high) << 5;
  switch (x[i]) {
  case high:
    bits += 1 << 10;
    break;
  case low:
    bits += 1 << 11;
    break;
  default:
    bits += 1 << 12;
  }
  switch (argument) {
  case low:
    bits += 1 << 13;
    break;
  case high:
    bits += 1 << 14;
    break;
  }
  out[i] = bits;
}

template <typename E, E low, E high> void run(const std::vector<E> &values) {
  const int n = int(values.size());
  E *x = nullptr;
  int *out = nullptr;
  cudaMalloc(&x, n * sizeof(E));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(x, values.data(), n * sizeof(E), cudaMemcpyHostToDevice);
  for (E argument : {low, high, E(-1), E(0)})
    compare<E, low, high><<<(n + 127) / 128, 128>>>(out, x, argument, n);
  cudaFree(x);
  cudaFree(out);
}

template <typename E> std::vector<E> values(std::vector<int> common) {
  std::vector<E> result;
  for (int i = 0; i < 333; ++i)
    result.push_back(E(i % 3 ? common[i % common.size()] : i * 197));
  return result;
}

int main() {
  run<Small, Small::few, Small::most>(values<Small>({200, 5, 0, 255, 127, 128, 199, 201}));
  run<Medium, Medium::low, Medium::high>(values<Medium>({65000, 1, 0, 65535, 32767, 32768}));
  run<Signed, Signed::low, Signed::high>(values<Signed>({30000, -3, 0, -1, 32767, -32768}));
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
