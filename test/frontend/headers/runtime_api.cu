#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));             \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

__constant__ float weights[16];
__device__ int counter;
__managed__ int managed;

__global__ void kernel(float *x, int n) {
  if ((int)threadIdx.x < n)
    x[threadIdx.x] = weights[threadIdx.x] + (float)counter + (float)managed;
}

int main() {
  int count = 0, device = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaSetDevice(device));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device));
  printf("%s %zu %d.%d %d\n", properties.name, properties.totalGlobalMem, properties.major,
         properties.minor, properties.maxGridSize[0]);
  float *x, *pinned, *unified;
  void *raw;
  size_t pitch;
  CHECK(cudaMalloc(&x, 64));
  CHECK(cudaMalloc((void **)&x, 64));
  CHECK(cudaMalloc(&raw, 64));
  CHECK(cudaMallocHost(&pinned, 64));
  CHECK(cudaHostAlloc(&pinned, 64, cudaHostAllocDefault));
  CHECK(cudaMallocManaged(&unified, 64));
  CHECK(cudaMallocPitch(&x, &pitch, 64, 4));
  CHECK(cudaMemset(x, 0, 64));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMemcpyAsync(x, pinned, 64, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyToSymbol(weights, pinned, 64));
  CHECK(cudaMemcpyFromSymbol(pinned, counter, sizeof(int), 0, cudaMemcpyDeviceToHost));
  CHECK(cudaGetSymbolAddress(&raw, counter));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventDisableTiming));
  CHECK(cudaEventRecord(start));
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  int n = 16, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&grid, kernel, 128, 0));
  kernel<<<grid, block, 0, stream>>>(x, n);
  void *arguments[] = {&x, &n};
  CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(16), arguments, 0, stream));
  CHECK(cudaLaunchKernel(kernel, dim3(1), dim3(16), arguments));
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaGetLastError());
  CHECK(cudaPeekAtLastError());
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(pinned, x, 64, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy2D(pinned, 16, x, pitch, 16, 4, cudaMemcpyDefault));
  CHECK(cudaMemPrefetchAsync(unified, 64, device));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(x));
  CHECK(cudaDeviceReset());
  const float4 v = make_float4(1, 2, 3, 4);
  const dim3 shape(2, 3);
  std::vector<int> values(shape.x * shape.y * shape.z);
  return (int)v.w + managed + (int)values.size();
}
