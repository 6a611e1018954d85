// Kernels that need more of a partition than a whole block may have: their blocks run in parts.
#include <vector>

#define EIGHT(f, k) f(k##0) f(k##1) f(k##2) f(k##3) f(k##4) f(k##5) f(k##6) f(k##7)
#define SEVENTY_TWO(f)                                                                             \
  EIGHT(f, 1)                                                                                      \
  EIGHT(f, 2) EIGHT(f, 3) EIGHT(f, 4) EIGHT(f, 5) EIGHT(f, 6) EIGHT(f, 7) EIGHT(f, 8) EIGHT(f, 9)

#define READ(k) const float v##k = x[(i + k) % n];
#define UP(k) sum = sum * 0.5f + v##k;
#define DOWN(k) sum = sum - v##k * float(k);

/// 72 values that are live at once.
__global__ void many_values(const float *x, float *y, int n) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  SEVENTY_TWO(READ)
  float sum = 0;
  SEVENTY_TWO(UP)
  SEVENTY_TWO(DOWN)
  y[i] = sum;
}

#define NEXT(k) const int w##k = (seed * k + 7) ^ (seed >> (k & 7));
#define MIX(k) mixed = mixed * 31 + w##k;

/// The same in place, in three dimensions: a part that ran twice would show.
__global__ void in_place(int *x, int n) {
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int i = block * int(blockDim.x * blockDim.y * blockDim.z) + thread;
  if (i >= n || (i & 15) == 3)
    return;
  const int seed = x[i];
  SEVENTY_TWO(NEXT)
  int mixed = seed;
  SEVENTY_TWO(MIX)
  SEVENTY_TWO(MIX)
  x[i] = mixed;
}

/// A long local array with computed indices.
__global__ void long_array(const int *x, int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int table[200];
  for (int k = 0; k < 200; ++k)
    table[k] = k * i;
  if (i >= n)
    return;
  for (int k = 0; k < 3; ++k)
    table[(x[i] + k) & 127] += k - i;
  y[i] = table[x[i] & 127] + table[(x[i] + 1) & 127] + table[199];
}

#define SHUFFLE(k) const float s##k = __shfl_xor_sync(0xffffffffu, v##k, k & 31);
#define ADD(k) sum += s##k * v##k;

/// Warps stay together: whole ones in each part.
__global__ void warps(const float *x, float *y, int n) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int i = blockIdx.x * int(blockDim.x * blockDim.y) + thread;
  SEVENTY_TWO(READ)
  SEVENTY_TWO(SHUFFLE)
  float sum = __shfl_down_sync(0xffffffffu, v10, 3) + float(thread & 31);
  SEVENTY_TWO(ADD)
  SEVENTY_TWO(DOWN)
  if (i < n)
    y[i] = sum;
}

int main() {
  const int n = 10001;
  std::vector<float> values(n);
  std::vector<int> integers(n);
  for (int k = 0; k < n; ++k) {
    values[k] = float((k * 37) % 101) / 8 - 5;
    integers[k] = k * 7919 - 20000;
  }
  float *x, *y;
  int *a, *b;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemcpy(x, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(a, integers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(int));

  for (dim3 block : {dim3(1), dim3(1023), dim3(1024), dim3(31, 33), dim3(64, 16)})
    many_values<<<2, block>>>(x, y, 1600);
  many_values<<<129, 3>>>(x, y, n);
  many_values<<<300, 33>>>(x, y, 9876);
  in_place<<<1, 1>>>(a, n);
  in_place<<<dim3(3, 1, 2), dim3(8, 4, 32)>>>(a, n);
  in_place<<<dim3(2, 3, 1), dim3(5, 7, 9)>>>(a, 1800);
  in_place<<<300, dim3(1, 1, 5)>>>(a, n);
  in_place<<<3, 1024>>>(a, 3000);
  long_array<<<1, 1>>>(a, b, n);
  long_array<<<1, 1023>>>(a, b, 1000);
  long_array<<<129, 3>>>(a, b, n);
  warps<<<1, 1>>>(x, y, n);
  warps<<<2, 1024>>>(x, y, n);
  warps<<<3, 1000>>>(x, y, 2999);
  warps<<<2, dim3(48, 20)>>>(x, y, n);
  warps<<<2, dim3(16, 62)>>>(x, y, n);
  warps<<<129, 33>>>(x, y, 129 * 33 - 5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
