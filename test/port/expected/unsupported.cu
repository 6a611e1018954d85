// A kernel that cannot be ported stands beside one that can.
__global__ void half_sum(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 0.5 * x[i];
    __nanosleep(clock() % 2 ? (unsigned)__isGlobal(x) : 0);
  }
}

__global__ void increment(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ++x[i];
}

void run(const double *x, double *y, int *counts, int n) {
  half_sum<<<(n + 255) / 256, 256>>>(x, y, n);
  increment<<<(n + 255) / 256, 256>>>(counts, n);
}
