// The address of shared memory, which has none that memory could hold, stops a kernel.
__global__ void bad(int **rows, int n) {
  __shared__ int s[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i;
  if (i < n)
    rows[i] = &s[threadIdx.x]; // expect: NFY4008
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
  bad<<<1, 128>>>((int **)a, 0);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
