// The numbers of addresses: alignment checks of arguments and of pointers that differ by lane.
#include <cstdint>

__global__ void by_argument(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (((uintptr_t)x & 15) == 0)
    y[i] = x[i] * 2.0f;
  else
    y[i] = x[i] * 3.0f;
}

__global__ void by_lane(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *p = x + i;
  y[i] = ((uintptr_t)p & 15) == 0 ? x[i] : -1.0f;
}

// Goes on to the next aligned element.
__global__ void to_alignment(const unsigned char *x, const int *start, int *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned char *p = x + start[i], *end = x + n;
  int skipped = 0;
  while (p < end && ((uintptr_t)p & 3)) {
    skipped += *p++;
  }
  y[i] = skipped + int(p - x);
}

struct Span {
  const float *first;
  int count;
};

__global__ void by_field(Span x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < x.count)
    y[i] = (size_t)x.first % 32 == 4 ? x.first[i] : -x.first[i];
}

int main() {
  const int size = 10000;
  float *x, *y;
  int *start, *numbers = new int[size];
  cudaMalloc(&x, size * sizeof(float));
  cudaMalloc(&y, size * sizeof(float));
  cudaMalloc(&start, size * sizeof(int));
  for (int i = 0; i < size; ++i)
    numbers[i] = i * 7 % 1000;
  cudaMemcpy(start, numbers, size * sizeof(int), cudaMemcpyHostToDevice);
  for (int i = 0; i < size; ++i)
    numbers[i] = 0x3f800000 + i * 1000;
  cudaMemcpy(x, numbers, size * sizeof(float), cudaMemcpyHostToDevice);
  delete[] numbers;
  const int shapes[][2] = {{1, 1}, {1, 64}, {129, 3}, {300, 33}};
  for (const auto &[blocks, threads] : shapes)
    for (int shift = 0; shift < 3; ++shift) {
      const int n = blocks * threads > 1 ? blocks * threads - 1 : 1;
      by_argument<<<blocks, threads>>>(x + shift, y, n);
      by_lane<<<blocks, threads>>>(x + shift, y, n);
      to_alignment<<<blocks, threads>>>((unsigned char *)x + shift, start, (int *)y,
                                        n < 1010 ? n : 1010);
      by_field<<<blocks, threads>>>({x + shift, n}, y);
    }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
