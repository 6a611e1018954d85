#include <cuda_runtime.h>
#include <cstdio>

#if defined(__CUDACC__) && !defined(NOT_SET)
#define DEVICE __device__
#else
#define DEVICE
#endif
#define KERNEL __global__ void
#define BOUNDED(n) __launch_bounds__(n) __global__
#define GRID(n) (n) / THREADS + 1, THREADS
#define THREADS 128
#define CONFIG(n) dim3((n) / THREADS + 1), dim3(THREADS), 0, stream
#define CALL(f, ...) f(__VA_ARGS__)
#define STEP(k)                                                                                    \
  k<<<GRID(n)>>>(x, n);                                                                            \
  if (cudaGetLastError() != cudaSuccess)                                                           \
  return 1
#define TIMES_TWO(what)                                                                            \
  do {                                                                                             \
    what;                                                                                          \
    what;                                                                                          \
  } while (0)

DEVICE float helper(float x) { return x; }

KERNEL first(float *x, int n) {
  if (n > 0)
    x[0] = helper(x[0]);
}
BOUNDED(128) void second(float *x, int n) { x[n - 1] = 0; }

#ifdef __CUDACC__
static int compiled_as_cuda() { return 1; }
#endif

int run(float *x, int n, cudaStream_t stream) {
  STEP(first);
  STEP(second);
  first<<<GRID(n)>>>(x, n);
  second<<<CONFIG(n)>>>(x, n);
  TIMES_TWO((first<<<1, THREADS>>>(x, n)));
  TIMES_TWO(cudaDeviceSynchronize(); cudaGetLastError());
  return CALL(printf, "%s\n", cudaGetErrorString(CALL(cudaGetLastError))) + compiled_as_cuda();
}
