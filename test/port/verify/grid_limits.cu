// Grids from one block to far more than the chip's partitions, blocks from one thread to 1,024.
#include <vector>

__global__ void fill(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i * 3 + int(blockIdx.x);
}

__global__ void columns(int *out, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n)
    out[i] = i ^ int(blockIdx.y);
}

__global__ void layers(int *out, int n) {
  const int i = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < n)
    out[i] += i - int(blockIdx.z);
}

__global__ void reverse_block(int *out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? out[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = s[blockDim.x - 1 - t];
}

int main() {
  const int size = 70001;
  int *out = nullptr;
  cudaMalloc(&out, size * sizeof(int));
  cudaMemset(out, 0xff, size * sizeof(int));
  for (int threads : {1, 2, 31, 128, 1000, 1024})
    fill<<<(size + threads - 1) / threads, threads>>>(out, size);
  fill<<<1, 1024>>>(out, 1024);
  fill<<<69, 1024>>>(out, 3); // all blocks but one find nothing to do
  columns<<<dim3(1, 65535), dim3(1, 1)>>>(out, 65535);
  columns<<<dim3(1, 300), dim3(1, 7)>>>(out, 2099);
  layers<<<dim3(1, 1, 1000), dim3(1, 1, 64)>>>(out, 63999);
  for (int threads : {1, 7, 128, 999, 1024})
    reverse_block<<<(2500 + threads - 1) / threads, threads>>>(out, 2500);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
