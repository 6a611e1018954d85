// Double precision that would be computed in single stops a kernel; the others in the file are
// ported.

// options: --fp64=error
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

__global__ void compared(const double *x, const double *y, int *less, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    less[i] = x[i] < y[i]; // expect: NFY4001
}

// Moves, and float operations that are written in double, lose nothing.
__global__ void good(const float *x, const double *a, double *b, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] * 0.5;
  b[i] = x[i] > 0.1 ? a[i] : x[i];
}

int main() {
  double *d = nullptr;
  float *f = nullptr;
  cudaMalloc(&d, 2 * 100 * sizeof(double));
  cudaMalloc(&f, 2 * 100 * sizeof(float));
  in_memory<<<1, 128>>>(d, d + 100, 100);
  in_between<<<1, 128>>>(f, f + 100, 100);
  compared<<<1, 128>>>(d, d + 100, (int *)f, 100);
  good<<<1, 128>>>(f, d, d + 100, f + 100, 100);
  return 0;
}
