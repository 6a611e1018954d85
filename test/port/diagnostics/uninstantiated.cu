// A kernel template that nothing instantiates is reported.
template <typename T> __global__ void never(T *a, int n) { // expect: NFY1004
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = T(0);
}

__global__ void other(int *a, int n) {
  if (threadIdx.x < n)
    a[threadIdx.x] = 3;
}

__global__ void good(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + 1;
}

int main() {
  int *a = nullptr;
  cudaMalloc(&a, 2 * 100 * sizeof(int));
  cudaMemset(a, 0, 2 * 100 * sizeof(int));
  other<<<1, 128>>>(a, 100);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
