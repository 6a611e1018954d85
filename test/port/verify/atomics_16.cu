// Compare-and-swap of 16 bits: once for each lane, and in loops that add and take the maximum where
// many lanes meet in one word, in global and in shared memory.
#include "upload.h"

__global__ void once(unsigned short *words, unsigned short *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    found[i] = atomicCAS(&words[i], (unsigned short)(i % 3 ? 0xfff0 : 7), (unsigned short)i);
}

// All on one word: the first lane of all wins.
__global__ void first(unsigned short *word, unsigned short *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    found[i] = atomicCAS(word, (unsigned short)0xfff0, (unsigned short)(i + 1));
}

__device__ unsigned short largest(unsigned short *word, unsigned short value) {
  unsigned short old = *word, assumed;
  do {
    assumed = old;
    if (assumed >= value)
      break;
    old = atomicCAS(word, assumed, value);
  } while (assumed != old);
  return old;
}

__global__ void maxima(unsigned short *words, const unsigned short *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    largest(&words[i % m], x[i]);
}

__global__ void counts(unsigned short *out, int n) {
  __shared__ unsigned short words[5];
  if (threadIdx.x < 5)
    words[threadIdx.x] = 65530;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned short old = words[threadIdx.x % 5], assumed;
    do {
      assumed = old;
      old = atomicCAS(&words[threadIdx.x % 5], assumed, (unsigned short)(assumed + 3));
    } while (assumed != old);
  }
  __syncthreads();
  if (threadIdx.x < 5)
    out[blockIdx.x * 5 + threadIdx.x] = words[threadIdx.x];
}

int main() {
  for (int n : {1, 71, 301}) { // an odd number: the last word is half of 32 bits
    std::vector<unsigned short> x(n), words(n, 0xfff0);
    for (int i = 0; i < n; ++i) {
      x[i] = i * 40503u;
      words[i] = i % 2 ? 0xfff0 : 7;
    }
    unsigned short *values = upload(x), *in = upload(words), *found, *out;
    cudaMalloc(&found, n * sizeof(short));
    cudaMalloc(&out, 5 * 10 * sizeof(short));
    once<<<(n + 63) / 64, 64>>>(in, found, n);
    first<<<(n + 63) / 64, 64>>>(in + n - 1, found, n);
    maxima<<<(n + 63) / 64, 64>>>(in, values, n, n > 9 ? 9 : n);
    counts<<<(n + 63) / 64, 64>>>(out, n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
