// Double precision in data stops a kernel; the others in the file are ported.
__global__ void in_memory(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 2.0; // expect: NFY4001
}

__global__ void in_between(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 0.1; // expect: NFY4001
}

__global__ void good(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 0.1f;
}

int main() {
  double *d = nullptr;
  float *f = nullptr;
  cudaMalloc(&d, 2 * 100 * sizeof(double));
  cudaMalloc(&f, 2 * 100 * sizeof(float));
  in_memory<<<1, 128>>>(d, d + 100, 100);
  in_between<<<1, 128>>>(f, f + 100, 100);
  good<<<1, 128>>>(f, f + 100, 100);
  return 0;
}
