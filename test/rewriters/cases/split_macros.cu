// Macros that hold parts of kernels and launches, or launch several kernels by one text.
#include "cuda_runtime.h"

#define CONFIGURATION <<<2, 64>>>
#define CONFIGURED(grid, block) <<<grid, block>>>
#define OPEN <<<
#define CLOSE >>>
#define ARGUMENTS (d, 100)
#define KERNEL(name) __global__ void name(float *x, int n)
#define BEGIN {
#define KERNEL_OPEN(name) __global__ void name(float *x, int n) {
#define END }
#define PASTE(a, b) a##b
#define CALL(name, grid, block) PASTE(name, _kernel)<<<grid, block>>>
#define FILL(value) do { fill<<<2, 64>>>(value, d); } while (0)
#define APPLY(value) apply<<<2, 64>>>([=] __device__(float v) { return v * value; }, d, 100)

KERNEL(first) { x[threadIdx.x] = n; }
KERNEL_OPEN(second)
  x[threadIdx.x] += n;
END
KERNEL(third) BEGIN x[threadIdx.x] -= n; }
__global__ void copy_kernel(float *x) { x[threadIdx.x] += 1; }
template <typename T> __global__ void fill(T v, float *x, int n = 100) { x[n] = v; }
template <typename F> __global__ void apply(F f, float *x, int n) { x[n] = f(x[n]); }

// Names that the port needs for itself.
__global__ void nki(float *x) { *x = 1; }
struct neuronify { int nki; };
namespace split_macros_kernels {
__global__ void own(float *x) { *x = 2; }
} // namespace split_macros_kernels

int main() {
  float *d;
  cudaMalloc(&d, 404);
  first CONFIGURATION (d, 100);
  second CONFIGURED(2, 64)(d, 100);
  third OPEN 2, 64 CLOSE (d, 100);
  third<<<2, 64>>> ARGUMENTS;
  CALL(copy, 1, 32)(d);
  FILL(1);
  FILL(2.0f);
  APPLY(2);
  APPLY(3.0f);
  nki<<<1, 1>>>(d);
  split_macros_kernels::own<<<1, 1>>>(d);
  neuronify one = {2};
  return cudaFree(d) == cudaSuccess ? one.nki - 2 : 1;
}
