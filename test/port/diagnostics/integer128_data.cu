// Integers of more than 64 bits as data stop a kernel.
__global__ void bad(const unsigned long long *a, unsigned long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (unsigned long long)((unsigned __int128)a[i] * a[i] % 1000000007u); // expect: NFY4003
}

__global__ void good(const long long *a, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + 1;
}

int main() {
  long long *a = nullptr;
  cudaMalloc(&a, 2 * 100 * sizeof(long long));
  cudaMemset(a, 0, 2 * 100 * sizeof(long long));
  bad<<<1, 128>>>((unsigned long long *)a, (unsigned long long *)a + 100, 50);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
