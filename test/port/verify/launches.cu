// Every way to launch: through macros, templates, dependent expressions, function pointers and
// cudaLaunchKernel; overloads, namespaces, extern "C", static kernels; dim3 arithmetic; streams.
#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float *x, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= s;
}

__global__ void scale(int *x, int s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= s;
}

namespace first {
__global__ void add(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
} // namespace first

namespace second {
namespace {
__global__ void add(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 2;
}
} // namespace
} // namespace second

extern "C" __global__ void negate(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = -x[i];
}

static __global__ void touch(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] ^= 1; }

__global__ void nothing() {}

template <typename T> __global__ void fill(T *x, T value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value;
}

template <int Block, bool Reverse> __global__ void reverse(int *x, int n) {
  __shared__ int s[Block];
  const int i = blockIdx.x * Block + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n)
    x[i] = s[Reverse ? Block - 1 - threadIdx.x : threadIdx.x];
}

struct Runner {
  template <typename T> __host__ static void run(T *x, T value, int n) {
    fill<T><<<(n + 63) / 64, 64>>>(x, value, n);
  }
};

#define BLOCKS(n, t) (((n) + (t) - 1) / (t))
#define LAUNCH(kernel, n, ...) kernel<<<BLOCKS(n, 96), 96>>>(__VA_ARGS__, n)

template <int Block> void reverse_both(int *x, int n) {
  reverse<Block, true><<<BLOCKS(n, Block), Block>>>(x, n);
  reverse<Block, false><<<BLOCKS(n, Block), Block>>>(x, n);
}

using Kernel = void (*)(int *, int);

int main() {
  const int n = 777;
  int *a = nullptr;
  float *x = nullptr;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc((void **)&x, n * sizeof(float));
  Runner::run(a, 5, n);
  Runner::run(x, 0.5f, n);
  scale<<<BLOCKS(n, 96), 96>>>(x, 1.5f, n);
  scale<<<BLOCKS(n, 33), 33>>>(a, 7, n);
  LAUNCH(first::add, n, a);
  LAUNCH(negate, n, a);
  second::add<<<BLOCKS(n, 128), 128, 0, 0>>>(a, n);
  nothing<<<1, 1>>>();

  for (Kernel kernel : {first::add, negate, static_cast<Kernel>(second::add)})
    kernel<<<dim3(13), dim3(64)>>>(a, n);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  dim3 block(32), grid((n + block.x - 1) / block.x);
  grid.y = grid.z = 1;
  touch<<<grid.x - 1, block, 0, stream>>>(a);
  int count = n;
  void *arguments[] = {&a, &count};
  cudaLaunchKernel((const void *)negate, grid, block, arguments, 0, stream);
  float factor = -2.0f;
  void *more[] = {&x, &factor, &count};
  void (*const scale_floats)(float *, float, int) = scale;
  cudaLaunchKernel(reinterpret_cast<const void *>(scale_floats), grid, block, more, 0, stream);
  cudaStreamSynchronize(stream);
  reverse_both<32>(a, n);
  reverse_both<7>(a, 500);
  cudaStreamDestroy(stream);
  const bool ok = cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(a);
  cudaFree(x);
  return ok ? 0 : 1;
}
