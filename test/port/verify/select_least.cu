// A choice between a number of the host and the least integer, whose literal C++ takes for a long.
#include <climits>
#include <cuda_runtime.h>

__global__ void least(const int *x, int *out, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = x[i] > 3 ? k : INT_MIN;
  out[i + n] = x[i] > 5 ? INT_MIN : k + 1;
  out[i + 2 * n] = x[i] > 7 ? x[i] : INT_MIN;
  long long wide = k;
  if (n > 33)
    wide = (long long)k * n;
  const long long chosen = x[i] > 4 ? wide : -2147483648ll;
  out[i + 3 * n] = (int)chosen;
  long long made = -2147483648ll; // of which only the low word is asked for
  if (x[i] > 3) {
    made = 7;
    for (int j = 0; j < k; ++j)
      made = made * n + j;
  }
  out[i + 4 * n] = (int)made;
}

int main() {
  for (int n : {1, 33, 129, 1000}) {
    int *x, *out, host[1000];
    for (int i = 0; i < n; ++i)
      host[i] = i * 7 % 11;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&out, 5 * n * sizeof(int));
    cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 5 * n * sizeof(int));
    least<<<(n + 63) / 64, 64>>>(x, out, n, n - 500);
    cudaFree(x);
    cudaFree(out);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
