// Control flow with two entries into a loop stops a kernel.
__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = a[i], k = 0;
  if (v & 1)
    goto middle;
top:
  v += 3;
  ++k;
middle:
  v ^= k;
  k += 2;
  if (v < 50 && k < 40)
    goto top;
  a[i] = v; // expect-file: NFY4007
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
