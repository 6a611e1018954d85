// More shared memory and live values than a partition holds stop a kernel.
__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t[512]; // 1,024 threads of 2 KiB each are 2 MiB in one partition
  for (int k = 0; k < 512; ++k)
    t[k] = a[(i + k) % n];
  int sum = 0;
  for (int k = 0; k < 512; ++k)
    sum += t[t[k] & 511];
  if (i < n)
    a[n + i] = sum; // expect-file: NFY4011
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
