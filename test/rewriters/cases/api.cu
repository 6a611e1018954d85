#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <vector>
#include <device_launch_parameters.h> // goes

template <typename T> T *allocate(size_t n) {
  T *p = nullptr;
  if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess)
    return nullptr;
  return p;
}

static void check(cudaError_t error) {
  if (error == cudaErrorInvalidValue)
    printf("cudaErrorInvalidValue: %s\n", cudaGetErrorString(error));
}

int main() {
  struct cudaDeviceProp prop;
  std::vector<cudaStream_t> streams(2);
  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  check(::cudaGetDeviceProperties(&prop, 0));
  cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking);
  CUstream_st *raw = streams[0];
  cudaStreamSynchronize(raw);
  float4 v = make_float4(1, 2, 3, 4);
  float4 *p = allocate<float4>(1);
  check(cudaMemcpyAsync(p, &v, sizeof v, kind, streams[0]));
  auto copy = &cudaMemcpy;
  copy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
  using Error = cudaError_t;
  Error last = static_cast<cudaError_t>(cudaGetLastError());
  check(last);
#ifdef __CUDACC__
  printf("compiled for the device\n");
#endif
}
