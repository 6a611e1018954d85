// printf in kernels: every kind of value and conversion, uniform, per lane and computed on the
// chip, under conditions, in loops, on both sides of barriers, from several blocks. What the
// original and the port print is compared like memory.
#include <cstdio>
#include <vector>

__global__ void values(const int *x, const float *y, const long long *z, const double *d, int n,
                       float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  printf("%d: %d %u 0x%08x %5d|%-6d|%+d|%c\n", i, x[i], unsigned(x[i]), x[i], x[i] % 100, x[i] % 10,
         i - 3, 'a' + i % 26);
  printf("%f %.3f %8.2f %e %g\n", y[i], y[i] * scale, double(i) / 4, y[i], scale);
  printf("%lld %llu %ld %lx\n", z[i], (unsigned long long)z[i], (long)i * n, (unsigned long)z[i]);
  printf("%g %.17g %f\n", d[i], d[i], d[i] * 2);
  printf("%s %s %%\t%5s|%*d|%.*f\n", "text", x[i] % 2 ? "odd" : "even", n > 3 ? "many" : "few", 6,
         i, 2, y[i]);
}

// Only for some lanes; which, only the chip knows.
__global__ void some(const int *x, int n, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 7 == 3) {
    for (int k = 0; k < x[i] % 3; ++k)
      printf("lane %d round %d\n", i, k);
    counts[i] = printf("block (%d,%d) has %d\n", blockIdx.x, blockIdx.y, x[i]);
  }
}

// Two dimensions; threads take turns at the barrier.
__global__ void exchange(int *out) {
  __shared__ int tile[12];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  tile[t] = t * t + blockIdx.x;
  printf("before %d.%d\n", blockIdx.x, t);
  __syncthreads();
  printf("after %d.%d: %d\n", blockIdx.x, t, tile[(t + 1) % 12]);
  if (t == 0)
    printf("block done\n");
  out[blockIdx.x * 12 + t] = tile[11 - t];
}

__global__ void nothing(int n) {
  if (n > 1000)
    printf("never\n");
}

int main() {
  const int n = 37;
  std::vector<int> ints(n);
  std::vector<float> floats(n);
  std::vector<long long> longs(n);
  std::vector<double> doubles(n);
  for (int i = 0; i < n; ++i) {
    ints[i] = (i * 7919) % 1013 - 300;
    floats[i] = 1.0f / (i + 1) - 0.25f;
    longs[i] = (long long)(i - 5) * 123456789012345;
    doubles[i] = 1.0 / (i + 3);
  }
  int *x = nullptr, *out = nullptr;
  float *y = nullptr;
  long long *z = nullptr;
  double *d = nullptr;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(long long));
  cudaMalloc(&d, n * sizeof(double));
  cudaMalloc(&out, 200 * sizeof(int));
  cudaMemset(out, 0, 200 * sizeof(int));
  cudaMemcpy(x, ints.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(y, floats.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(z, longs.data(), n * sizeof(long long), cudaMemcpyHostToDevice);
  cudaMemcpy(d, doubles.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  values<<<5, 8>>>(x, y, z, d, n, 1.5f);
  some<<<2, 32>>>(x, n, out);
  exchange<<<3, dim3(4, 3)>>>(out);
  nothing<<<1, 32>>>(n);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
