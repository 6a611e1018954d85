// A kernel that launches a kernel is not ported; its file is.
__global__ void good(int *x) { x[threadIdx.x] += 3; }

__global__ void bad(int *x) {
  if (threadIdx.x == 0)
    good<<<1, 32>>>(x); // expect: NFY4006
}

int main() {
  int *x = nullptr;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  good<<<1, 32>>>(x);
  bad<<<1, 32>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
