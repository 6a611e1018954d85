// 64-bit integers as data (not as an index or a size) stop a kernel.
__global__ void bad(const long long *a, long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] * 3; // expect: NFY4003
}

// The lanes' pointers differ once they have left the loop, and their difference is 64 bits wide.
__global__ void search(const int *a, int *out, int wanted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int *p = a + i, *end = a + n;
  while (p != end && *p != wanted)
    ++p;
  out[i] = p == end ? -1 : int(p - a); // expect: NFY4003
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
  bad<<<1, 128>>>((long long *)a, (long long *)a + 50, 50);
  search<<<1, 128>>>(a, a + 100, 1, 50);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
