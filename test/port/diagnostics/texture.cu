// A texture or surface function that has no counterpart stops the kernel that calls it.
__global__ void bad(cudaTextureObject_t cube, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = texCubemap<float>(cube, 1, i, 0); // expect: NFY4014
}

// Which texture it is depends on the lane.
__global__ void bad_handle(const cudaTextureObject_t *textures, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2D<float>(textures[i], 1, 2); // expect: NFY4014
}

__global__ void good(const int *a, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + 1;
}

int main() {
  int *a = nullptr;
  cudaMipmappedArray_t levels = nullptr; // expect: NFY5002
  cudaFreeMipmappedArray(levels);        // expect: NFY5001
  cudaMalloc(&a, 2 * 100 * sizeof(int));
  cudaMemset(a, 0, 2 * 100 * sizeof(int));
  bad<<<1, 128>>>(0, (float *)a, 100);
  bad_handle<<<1, 128>>>((cudaTextureObject_t *)a, (float *)a, 2);
  good<<<1, 128>>>(a, a + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
