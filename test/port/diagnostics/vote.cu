// Matches of 64-bit values stop a kernel.
__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned set = __match_any_sync(0xffffffffu, i * 1ll << 40); // expect: NFY4002
  if (i < n)
    a[i] = int(set);
}

__global__ void good(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned set = __ballot_sync(0xffffffffu, i < n && a[i] > 0);
  if (i < n)
    out[i] = int(set);
}

int main() {
  int *a = nullptr;
  cudaMalloc(&a, 2 * 100 * sizeof(int));
  cudaMemset(a, 0, 2 * 100 * sizeof(int));
  bad<<<1, 128>>>(a, 100);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
