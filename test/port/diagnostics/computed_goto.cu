// A jump to a label that is a value stops a kernel, in the kernel and in what it calls.
__global__ void bad(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  static const void *const places[] = {&&top, &&middle, &&end};
  int v = a[i];
top:
  v += 3;
  goto *places[v % 3]; // expect-file: NFY4007
middle:
  v *= 2;
  if (v < 100)
    goto top;
end:
  a[i] = v;
}

__device__ int choose(int v) {
  static const void *const places[] = {&&even, &&odd};
  goto *places[v & 1];
even:
  return v / 2;
odd:
  return 3 * v + 1;
}

__global__ void calls(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = choose(a[i]); // expect: NFY4004
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
  calls<<<1, 128>>>(a, 100);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
