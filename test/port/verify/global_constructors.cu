// Constructors of global objects launch kernels and use variables of the device, wherever they
// stand in the file.
#include "upload.h"

#include <cstdio>

__device__ int table[8] = {1, 2, 3};

__global__ void twice(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i * 2;
}

__global__ void count(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = table[i];
  table[i] += 5;
}

struct Early {
  int *memory, last;
  explicit Early(int n) {
    memory = upload(std::vector<int>(n));
    twice<<<n / 64 + 1, 64>>>(memory, n);
    cudaMemcpy(&last, memory + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  }
  ~Early() { cudaFree(memory); }
};

static Early one(1), many(129 * 64 + 5);

static const int found = [] {
  int *memory = upload(std::vector<int>(8)), value;
  count<<<1, 13>>>(memory, 8);
  cudaMemcpy(&value, memory + 2, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return value;
}();

int main() {
  int values[8];
  cudaMemcpyFromSymbol(values, table, sizeof values);
  const bool right = one.last == 0 && many.last == 2 * (129 * 64 + 4) && found == 3 &&
                     values[0] == 6 && values[7] == 5;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
