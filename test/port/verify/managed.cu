// __managed__ variables: host and device code name the same memory, by name and by address.
#include <cuda_runtime.h>

#include <cstdio>

__managed__ int counter = 5;
__device__ __managed__ float results[300];
__managed__ float *rows[3];
static __managed__ struct {
  int first;
  double second;
} pair = {3, 0.5};

__global__ void work(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    results[i] = results[i] * 2 + counter + pair.first;
}

__global__ void finish(int n) {
  counter = n;
  pair.second = pair.second + 1;
}

__global__ void by_address(const float *from, float *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[n - 1 - i];
}

// Through pointers in a managed variable, of which one points to another.
__global__ void by_loaded_address(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    rows[i % 3][i] += i;
  if (i < n)
    atomicAdd(&counter, 1);
}

int main() {
  const int n = 143;
  float copied[4] = {1, 2, 3, 4};
  int wrong = cudaMemcpy(results, copied, sizeof copied, cudaMemcpyHostToDevice) != cudaSuccess;
  wrong += results[2] != 3;
  for (int i = 0; i < 300; ++i)
    results[i] = i * 0.25f;
  work<<<3, 64>>>(n);
  finish<<<1, 1>>>(n);
  cudaDeviceSynchronize();
  wrong += counter != n || pair.second != 1.5;
  for (int i = 0; i < 300; ++i)
    wrong += results[i] != (i < n ? i * 0.5f + 8 : i * 0.25f);
  counter = -1;
  work<<<3, 64>>>(n);
  by_address<<<3, 64>>>(results, results + 150, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    wrong += results[150 + i] != results[n - 1 - i];
  for (int r = 0; r < 2; ++r)
    cudaMalloc(&rows[r], 300 * sizeof(float));
  rows[2] = results;
  const float before = results[5], between = results[6];
  cudaMemset(rows[0], 0, 300 * sizeof(float));
  cudaMemset(rows[1], 0, 300 * sizeof(float));
  by_loaded_address<<<129, 3>>>(n);
  cudaDeviceSynchronize();
  wrong += results[5] != before + 5 || results[6] != between || counter != n - 1;
  wrong += cudaFree(results) == cudaSuccess;
  cudaDeviceReset();
  counter = 1;
  finish<<<1, 1>>>(7);
  cudaDeviceSynchronize();
  wrong += counter != 7;
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
