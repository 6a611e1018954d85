// Sums of doubles in memory: by atomicAdd on global and shared memory, with and without use of the
// old value, and by the compare-and-swap loop that older code has.
#include <vector>

__global__ void one_sum(const double *x, double *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, x[i]);
}

__global__ void bins(const double *x, double *sums, double *before, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    before[i] = atomicAdd(&sums[i % 7], x[i]);
}

__global__ void block_sums(const double *x, double *sums, int n) {
  __shared__ double sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum, x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(&sums[blockIdx.x % 2], sum);
}

__device__ double add(double *address, double value) {
  unsigned long long *word = (unsigned long long *)address;
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void by_swaps(const double *x, double *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add(&sums[i % 3], x[i]);
}

int main() {
  for (int n : {1, 33, 130}) {
    std::vector<double> x(n);
    for (int i = 0; i < n; ++i)
      x[i] = (i * 37 % 101) / 8.0 + 1; // sums are exact in float too
    double *dx, *sums, *before;
    cudaMalloc(&dx, n * sizeof(double));
    cudaMalloc(&sums, 8 * sizeof(double));
    cudaMalloc(&before, n * sizeof(double));
    cudaMemcpy(dx, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemset(sums, 0, 8 * sizeof(double));
    cudaMemset(before, 0, n * sizeof(double));
    const int grid = (n + 31) / 32;
    one_sum<<<grid, 32>>>(dx, sums, n);
    bins<<<grid, 32>>>(dx, sums, before, n);
    block_sums<<<grid, 32>>>(dx, sums, n);
    by_swaps<<<grid, 32>>>(dx, sums, n);
    cudaDeviceSynchronize();
    cudaFree(dx);
    cudaFree(sums);
    cudaFree(before);
  }
  return 0;
}
