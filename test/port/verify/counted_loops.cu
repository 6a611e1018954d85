// Loops of launch-known rounds, few and many, whose counter moves addresses; what they carry.
#include <cstdio>
#include <vector>

__global__ void pairs(const float *x, const float *m, float *f, int n, float softening) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float xi = x[i];
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    const float d = x[j] - xi;
    sum += m[j] * d / (d * d + softening);
  }
  f[i] = sum;
}

__global__ void matrix_vector(const float *a, const float *x, float *y, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0.0f;
    for (int c = 0; c < columns; c++)
      sum += a[r * columns + c] * x[c];
    y[r] = sum;
  }
}

// Steps of more than one, values of the round before, stores in each round, an end that is reached.
__global__ void differences(const int *a, int *y, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < columns) {
    int sum = 0, last = 0, before = 0;
    for (int r = 1; r <= rows - 1; r += 2) {
      const int value = a[r * columns + c];
      sum += value - last + 3 * before;
      before = last;
      last = value;
      y[columns + r * columns + c] = sum;
    }
    y[c] = sum;
  }
}

// Two values change places in each round; a product of counters is no address of one counter.
__global__ void swapped(const int *a, int *y, int n) {
  int p = a[threadIdx.x], q = a[0];
  for (int k = 0; k < n; ++k) {
    const int t = p;
    p = q + a[k];
    q = t;
  }
  for (int k = 0; k < n; ++k)
    for (int j = k; j < n; j += 7)
      q ^= a[(k * j) % n];
  y[blockIdx.x * blockDim.x + threadIdx.x] = p - 2 * q;
}

// Two counters in one address, the next value of a counter in one, elements of several words.
__global__ void table(const int *a, int *y, int rows, int columns) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      sum += a[r * columns + c] * (i + 1);
  y[i] = sum;
  for (int r = 0; r < rows; ++r)
    y[columns + (r + 1) * columns + i] = a[i + r * columns];
}

__global__ void wide(const float4 *a, float2 *y, int n, float limit, float step) {
  float2 sum = {0.0f, 0.0f};
  for (int k = 0; k < n; ++k)
    sum = {sum.x + a[k].x * a[k].w, sum.y + a[k].z};
  // What ends a loop is known when it is traced, by whatever way it gets there.
  for (float t = 0.0f; t < limit; t += step)
    sum.x += t;
  const unsigned before = threadIdx.x - 5u; // wraps
  y[threadIdx.x] = sum;
  if (before < blockDim.x)
    y[before].y += sum.x;
}

template <class T> T *device(const std::vector<T> &values) {
  T *memory;
  cudaMalloc(&memory, values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

int main() {
  for (int rows : {1, 5, 17, 100, 131})
    for (int columns : {1, 16, 33, 129}) {
      std::vector<float> values(rows * columns + rows + columns);
      std::vector<int> numbers(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = (i * 37 % 101) * 0.25f - 9;
        numbers[i] = int(i * 2654435761u % 2001) - 1000;
      }
      float *a = device(values), *y = device(values);
      int *n = device(numbers);
      int *z = device(std::vector<int>(rows * columns + 3 * columns + 512));
      if (columns == 16)
        pairs<<<(rows + 31) / 32, 32>>>(a, a + rows, y, rows, 0.01f);
      matrix_vector<<<(rows + 63) / 64, 64>>>(a, a + 1, y, rows, columns);
      differences<<<(columns + 63) / 64, 64>>>(n, z, rows, columns);
      swapped<<<2, columns>>>(n, z, rows);
      table<<<1, columns>>>(n, z, rows, columns);
      wide<<<1, columns>>>(reinterpret_cast<float4 *>(a), reinterpret_cast<float2 *>(z),
                           rows * columns / 4, 2.0f, 0.25f);
      cudaFree(a), cudaFree(y), cudaFree(n), cudaFree(z);
    }
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
