// Lanes that choose a variable that host code cannot name, which has no place, stop a kernel.
class Settings {
  static __device__ int hidden[40];
  friend __global__ void bad(const int *a, int *out, int n);
};
__device__ int Settings::hidden[40];

__global__ void bad(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int *p = a;
  for (int k = 0; k < a[i]; ++k)
    p = p == a ? Settings::hidden : a; // expect: NFY4008
  out[i] = p[i % 40];
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
  bad<<<1, 128>>>(a, a + 100, 0);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
