// A call through a pointer that is loaded or chosen at run time stops a kernel.
__device__ int twice(int v) { return 2 * v; }
__device__ int thrice(int v) { return 3 * v; }

__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int (*table[2])(int) = {twice, thrice};
  if (i < n)
    a[i] = table[a[i] & 1](a[i]); // expect-file: NFY4004
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
  bad<<<1, 128>>>(a, 100);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
