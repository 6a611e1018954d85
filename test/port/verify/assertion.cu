// assert in kernels: one that holds costs nothing, one that fails ends the launch in the original
// and in the port, and CUDA's error stays.
#undef NDEBUG
#include <cassert>
#include <cstdio>

__global__ void check(const int *x, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(blockDim.x == 64);
  if (i < n) {
    assert(x[i] >= 0 && "non-negative");
    out[i] = x[i] + 1;
  }
}

int main() {
  int *x = nullptr;
  cudaMalloc(&x, 200 * sizeof(int));
  cudaMemset(x, 0, 200 * sizeof(int));
  check<<<2, 64>>>(x, x + 100, 100);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  cudaMemset(x + 71, 0xff, sizeof(int));
  check<<<2, 64>>>(x, x + 100, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  return error == cudaErrorAssert && cudaMemset(x, 0, 4) == cudaErrorAssert ? 0 : 1;
}
