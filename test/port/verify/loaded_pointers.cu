// Pointers that a kernel loads from memory: tables of rows, by block and by lane, members of
// structs in memory, lists; read, written, updated, stored and compared.
#include "upload.h"

#include <vector>

__device__ float *gptr;
__constant__ const int *table_of_two[2];
__device__ int hidden[40];

struct Vector {
  float *data;
  int length;
};
struct Node {
  int value;
  Node *next;
};

__global__ void by_block(float **rows, const float *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    rows[blockIdx.y][i] = in[i] * 2 + blockIdx.y;
}

__global__ void by_lane(float *const *rows, const int *which, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *row = rows[which[i]]; // null for some
  out[i] = row ? row[i % 5] : -1.0f;
}

__global__ void structs(Vector *vectors, int count) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= count)
    return;
  float sum = 0;
  for (int i = 0; i < vectors[v].length; ++i)
    sum += vectors[v].data[i];
  for (float *p = vectors[v].data, *end = p + vectors[v].length; p != end; ++p)
    *p = sum;
}

__global__ void through_variable(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    gptr[n - 1 - i] = table_of_two[i & 1][i / 2] + hidden[i % 40];
}

// Results that are rounded: they compare as what the pointers point to.
__global__ void rounded(Vector *vectors, float **rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    vectors[6].data[i] = sinf(vectors[5].data[i]) / 3;
  if (i < n)
    rows[0][i] = expf(rows[0][i] * -0.1f);
  if (i < n)
    gptr[i] = logf(2 + gptr[i]);
}

__global__ void lists(Node *const *heads, int *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0, steps = 0;
  for (const Node *node = heads[i]; node; node = node->next) {
    sum = sum * 3 + node->value;
    ++steps;
  }
  sums[i] = sum + steps;
}

__global__ void link(Node *nodes, Node **heads, int n, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Node *last = nullptr;
  for (int k = 0; k < i % (length + 1); ++k) {
    Node *node = &nodes[i * length + k];
    node->value = i + k;
    node->next = last;
    last = node;
  }
  heads[i] = last;
}

__global__ void atomics(unsigned **bins, const int *in, int *old, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned *bin = bins[in[i] % 3];
  atomicAdd(&bin[in[i] % count], 2u);
  old[i] = atomicMax((int *)bins[i % 3] + count, i) < i;
}

__global__ void wide(long long **rows, short **shorts, unsigned char *const *bytes, double **d,
                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  rows[i % 2][i] = (long long)bytes[1][i] << 33 | bytes[0][i];
  shorts[1 - i % 2][i] = short(shorts[i % 2][i] + 1);
  d[i % 2][i + 1] = d[i % 2][i + 1] * 0.5;
}

__global__ void shared_rows(float *const *rows, float *out) {
  __shared__ float s[64];
  const float *row = rows[blockIdx.x];
  s[threadIdx.x] = threadIdx.x % 3 ? row[threadIdx.x] : 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void swapped(float **pair, int rounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *from = pair[0], *to = pair[1];
  for (int r = 0; r < rounds; ++r) {
    if (i < n)
      to[i] = from[i] + 1;
    float *other = from;
    from = to;
    to = other;
  }
}

float *numbers(int n) {
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = float(i * 37 % 101) * 0.25f;
  return upload(host);
}
int *integers(int n, int below) {
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i * 29 % below;
  return upload(host);
}

template <class T> T **rows_of(T *data, int rows, int pitch, bool with_null = false) {
  T *host[200];
  for (int r = 0; r < rows; ++r)
    host[r] = with_null && r % 3 == 1 ? nullptr : data + r * pitch;
  T **device;
  cudaMalloc(&device, rows * sizeof(T *));
  cudaMemcpy(device, host, rows * sizeof(T *), cudaMemcpyHostToDevice);
  return device;
}

void run(int n, int threads) {
  const int blocks = (n + threads - 1) / threads;
  float *in = numbers(n), *data = numbers(7 * (n + 8)), *out;
  int *which = integers(n, 7), *old;
  cudaMalloc(&out, blocks * threads * sizeof(float));
  cudaMalloc(&old, n * sizeof(int));
  cudaMemset(out, 0, blocks * threads * sizeof(float));
  by_block<<<dim3(blocks, 7), threads>>>(rows_of(data, 7, n + 8), in, n);
  by_lane<<<blocks, threads>>>(rows_of(data, 7, n, true), which, out, n);

  Vector vectors[7];
  for (int v = 0; v < 7; ++v)
    vectors[v] = {v == 3 ? nullptr : data + v * n, v == 3 ? 0 : v < n ? v : n};
  Vector *on_device;
  cudaMalloc(&on_device, sizeof vectors);
  cudaMemcpy(on_device, vectors, sizeof vectors, cudaMemcpyHostToDevice);
  const int at_least_eight = threads < 8 ? 8 : threads;
  structs<<<1, at_least_eight>>>(on_device, 7);

  const int *two[2] = {which, integers(n, 1000)};
  cudaMemcpyToSymbol(table_of_two, two, sizeof two);
  cudaMemcpyToSymbol(gptr, &out, sizeof out);
  through_variable<<<blocks, threads>>>(n);

  rounded<<<blocks, threads>>>(on_device, rows_of(numbers(n), 1, n), n);

  Node *nodes, **heads;
  cudaMalloc(&nodes, n * 4 * sizeof(Node));
  cudaMalloc(&heads, n * sizeof(Node *));
  cudaMemset(nodes, 0, n * 4 * sizeof(Node));
  link<<<blocks, threads>>>(nodes, heads, n, 4);
  lists<<<blocks, threads>>>(heads, old, n);

  unsigned *bins;
  cudaMalloc(&bins, 3 * 64 * sizeof(unsigned));
  cudaMemset(bins, 0, 3 * 64 * sizeof(unsigned));
  atomics<<<blocks, threads>>>(rows_of(bins, 3, 64), which, old, n, 5);

  long long *longs;
  short *shorts;
  unsigned char *bytes;
  double *doubles;
  cudaMalloc(&longs, 2 * n * sizeof(long long));
  cudaMalloc(&shorts, 2 * n * sizeof(short));
  cudaMalloc(&bytes, 2 * n);
  cudaMalloc(&doubles, 2 * (n + 1) * sizeof(double));
  cudaMemset(longs, 0, 2 * n * sizeof(long long));
  cudaMemset(shorts, 7, 2 * n * sizeof(short));
  cudaMemset(bytes, 201, 2 * n);
  cudaMemset(doubles, 0, 2 * (n + 1) * sizeof(double));
  wide<<<blocks, threads>>>(rows_of(longs, 2, n), rows_of(shorts, 2, n), rows_of(bytes, 2, n),
                            rows_of(doubles, 2, n + 1), n);
  const int together = threads < 64 ? threads : 64;
  if (blocks <= 200)
    shared_rows<<<blocks, together>>>(rows_of(data, blocks, 1), out);
  swapped<<<blocks, threads>>>(rows_of(data, 2, n), 3, n);
  cudaDeviceSynchronize();
}

int main() {
  run(1, 1);
  run(129, 1);
  run(300, 32);
  run(1000, 61);
  run(4097, 128);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
