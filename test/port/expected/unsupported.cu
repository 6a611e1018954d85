// A kernel that cannot be ported stands beside one that can.
__global__ void half_sum(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicCAS((unsigned short *)y, (unsigned short)0, (unsigned short)(0.5 * x[i]));
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
