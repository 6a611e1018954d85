// Host code around kernels: allocation, copies of every kind, memset, streams, events, properties,
// errors. The program checks what it can see from the host and fails if anything is off.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)
#define OK(call) CHECK((call) == cudaSuccess)

__constant__ int addend;
__device__ int total[4];

__global__ void add(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + addend;
  if (i < 4)
    total[i] = in[i] * 10;
}

static void CUDART_CB count(void *calls) { ++*static_cast<int *>(calls); }

int main() {
  const int n = 1001;
  const size_t bytes = n * sizeof(int);
  int devices = 0, device = -1;
  OK(cudaGetDeviceCount(&devices));
  CHECK(devices >= 1);
  OK(cudaSetDevice(0));
  OK(cudaGetDevice(&device));
  CHECK(device == 0);
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, device));
  CHECK(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
  CHECK(properties.multiProcessorCount > 0 && std::strlen(properties.name) > 0);

  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * i;
  int *d_in = nullptr, *d_out = nullptr, *d_copy = nullptr;
  OK(cudaMalloc(&d_in, bytes));
  OK(cudaMalloc(&d_out, bytes));
  OK(cudaMalloc(&d_copy, bytes));
  OK(cudaMemset(d_out, 0xff, bytes));
  OK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  CHECK(out[0] == -1 && out[n - 1] == -1);

  cudaStream_t stream;
  cudaEvent_t start, stop;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  const int value = 7;
  OK(cudaMemcpyToSymbol(addend, &value, sizeof(int)));
  OK(cudaEventRecord(start, stream));
  OK(cudaMemcpyAsync(d_in, in.data(), bytes, cudaMemcpyHostToDevice, stream));
  add<<<(n + 127) / 128, 128, 0, stream>>>(d_in, d_out, n);
  OK(cudaGetLastError());
  OK(cudaMemcpyAsync(d_copy, d_out, bytes, cudaMemcpyDeviceToDevice, stream));
  OK(cudaMemsetAsync(d_out, 0, bytes / 2, stream));
  OK(cudaEventRecord(stop, stream));
  OK(cudaEventSynchronize(stop));
  OK(cudaStreamSynchronize(stream));
  float milliseconds = -1.0f;
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0.0f);

  OK(cudaMemcpy(out.data(), d_copy, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    CHECK(out[i] == i * i + 7);
  OK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  CHECK(out[0] == 0 && out[n - 1] == (n - 1) * (n - 1) + 7);
  int totals[4] = {};
  OK(cudaMemcpyFromSymbol(totals, total, sizeof(totals)));
  CHECK(totals[1] == 10 && totals[3] == 90);

  OK(cudaMemcpy(d_in + 10, d_copy + 500, 100 * sizeof(int), cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(out.data(), d_in + 9, 3 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(out[0] == 81 && out[1] == 500 * 500 + 7);

  // Errors are returned, remembered once and then forgotten.
  CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  const cudaError_t error = cudaGetLastError();
  CHECK(error == cudaErrorInvalidDevice);
  CHECK(std::strlen(cudaGetErrorString(error)) > 0 && std::strlen(cudaGetErrorName(error)) > 0);
  OK(cudaGetLastError());

  int calls = 0;
#if CUDART_VERSION >= 10000
  OK(cudaLaunchHostFunc(stream, count, &calls));
#endif
  OK(cudaStreamSynchronize(stream));
  CHECK(calls == 1);

  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(stop));
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(d_in));
  OK(cudaFree(d_out));
  OK(cudaFree(d_copy));
  OK(cudaFree(nullptr));
  OK(cudaDeviceSynchronize());
  std::puts("PASS");
  return 0;
}
