// 16-bit floats stop a kernel.
__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __fp16 *h = reinterpret_cast<const __fp16 *>(a);
  if (i < n)
    a[i] = int(float(h[i]) * 2.0f); // expect: NFY4009
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
  bad<<<1, 128>>>(a, 10);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
