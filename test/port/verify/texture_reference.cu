// Texture and surface references: global variables that host code binds, and binds again.
#include <cstdio>
#include <vector>

constexpr int kWidth = 41, kHeight = 29;

texture<float, 2> image;
texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> pixels;
static texture<int> table;
surface<void, 2> target;

__global__ void smooth(float *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kWidth && y < kHeight)
    out[y * kWidth + x] = tex2D(image, x + 0.75f, y + 0.25f);
}

__global__ void look_up(const int *index, int *out, float4 *colours, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = tex1Dfetch(table, index[i]) + tex1Dfetch(table, i);
    colours[i] = tex1Dfetch(pixels, n - 1 - i);
  }
}

__global__ void write(float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kWidth && y < kHeight) {
    float value;
    surf2Dread(&value, target, x * sizeof(float), y);
    surf2Dwrite(value * scale, target, x * sizeof(float), y);
  }
}

int main() {
  const int n = kWidth * kHeight;
  std::vector<float> values(n);
  std::vector<int> index(n);
  for (int i = 0; i < n; ++i) {
    values[i] = float(i * 31 % 53);
    index[i] = i * 17 % (n + 9) - 3;
  }
  float *out = nullptr;
  int *ints = nullptr;
  cudaMalloc(&out, 4 * n * sizeof(float));
  cudaMalloc(&ints, 3 * n * sizeof(int));
  cudaMemcpy(ints, index.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(ints + n, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaArray *array = nullptr;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &desc, kWidth, kHeight, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(array, 0, 0, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 8), grid((kWidth + 15) / 16, (kHeight + 7) / 8);
  image.addressMode[0] = cudaAddressModeWrap;
  image.addressMode[1] = cudaAddressModeClamp;
  for (int round = 0; round < 2; ++round) {
    image.filterMode = round ? cudaFilterModeLinear : cudaFilterModePoint;
    image.normalized = false;
    if (cudaBindTextureToArray(image, array, desc) != cudaSuccess)
      return 1;
    smooth<<<grid, block>>>(out);
  }
  size_t offset = 7;
  if (cudaBindTexture(&offset, table, ints + n, n * sizeof(int)) != cudaSuccess || offset != 0)
    return 1;
  if (cudaBindTexture(NULL, pixels, ints, n * sizeof(uchar4)) != cudaSuccess)
    return 1;
  look_up<<<(n + 127) / 128, 128>>>(ints, ints + 2 * n, (float4 *)out, n);
  if (cudaBindSurfaceToArray(target, array) != cudaSuccess)
    return 1;
  write<<<grid, block>>>(3.0f);
  std::vector<float> got(n);
  cudaMemcpy2DFromArray(got.data(), kWidth * sizeof(float), array, 0, 0, kWidth * sizeof(float),
                        kHeight, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += got[i] != 3.0f * values[i];
  cudaUnbindTexture(image);
  cudaFreeArray(array);
  cudaFree(out);
  cudaFree(ints);
  std::printf("%d wrong\n", wrong);
  return cudaDeviceSynchronize() == cudaSuccess && wrong == 0 ? 0 : 1;
}
