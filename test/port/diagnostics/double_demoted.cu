// Double precision that is computed in single is said once per kernel, where it begins.
__global__ void computed(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double copy = x[i];
  y[i] = copy * 2.0; // expect: NFY2002
  y[i] += 1.0;
}

__global__ void in_function(const double *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = exp(x[i]); // expect: NFY2002
}

__global__ void added_up(const double *x, double *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, x[i]); // expect: NFY2002
}

__global__ void good(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}

int main() {
  double *d = nullptr;
  float *f = nullptr;
  cudaMalloc(&d, 2 * 100 * sizeof(double));
  cudaMalloc(&f, 100 * sizeof(float));
  computed<<<1, 128>>>(d, d + 100, 100);
  in_function<<<1, 128>>>(d, f, 100);
  added_up<<<1, 128>>>(d, d + 100, 100);
  good<<<1, 128>>>(d, d + 100, 100);
  return 0;
}
