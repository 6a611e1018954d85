// 2-D texture objects: every address mode, filter and kind of coordinate, inside and outside, over
// images whose sizes fit nothing; what a nearest fetch and a few means must be is checked as well.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kWidth = 37, kHeight = 23, kColumns = 131, kRows = 61;

__global__ void sample(cudaTextureObject_t image, float *out, float scale_x, float scale_y,
                       float first) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kColumns || y >= kRows)
    return;
  out[y * kColumns + x] = tex2D<float>(image, first + x * scale_x, first + y * scale_y);
}

// Coordinates that are loaded, with some that no image has, and only for some lanes.
__global__ void sample_at(cudaTextureObject_t image, const float2 *where, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && where[i].x != 7.0f) {
    float value;
    tex2D(&value, image, where[i].x, where[i].y);
    out[i] = value;
  }
}

// A small blur around whole texels, as filters do it.
__global__ void blur(cudaTextureObject_t image, float *out, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kWidth || y >= kHeight)
    return;
  float sum = 0;
  for (int j = -radius; j <= radius; ++j)
    for (int i = -radius; i <= radius; ++i)
      sum += tex2DLod<float>(image, x + i + 0.5f, y + j + 0.5f, 0);
  out[y * kWidth + x] = sum;
}

static int wrapped(int i, int n, cudaTextureAddressMode mode, bool normalized) {
  if (mode == cudaAddressModeBorder)
    return i < 0 || i >= n ? -1 : i;
  if (normalized && mode == cudaAddressModeWrap)
    return (i % n + n) % n;
  if (normalized && mode == cudaAddressModeMirror) {
    const int k = (i % (2 * n) + 2 * n) % (2 * n);
    return k < n ? k : 2 * n - 1 - k;
  }
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

int main() {
  std::vector<float> image(kWidth * kHeight);
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = float(i * 37 % 101) - 50.0f;
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &desc, kWidth, kHeight);
  cudaMemcpy2DToArray(array, 0, 0, image.data(), kWidth * sizeof(float), kWidth * sizeof(float),
                      kHeight, cudaMemcpyHostToDevice);
  std::vector<float2> where(1000);
  for (size_t i = 0; i < where.size(); ++i)
    where[i] = make_float2(float(i * 7919 % 1009) / 10.0f - 30.0f, float(i * 104729 % 997) / 15.0f);
  where[3].x = INFINITY;
  where[4].y = -INFINITY;
  where[5].x = NAN;
  where[6] = make_float2(3e30f, -3e30f);
  where[9].x = 7.0f;
  float *out = nullptr;
  float2 *coordinates = nullptr;
  cudaMalloc(&out, kColumns * kRows * sizeof(float));
  cudaMalloc(&coordinates, where.size() * sizeof(float2));
  cudaMemcpy(coordinates, where.data(), where.size() * sizeof(float2), cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  int wrong = 0;
  std::vector<float> got(kColumns * kRows);
  for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; ++mode)
    for (int filter = 0; filter < 2; ++filter)
      for (int normalized = 0; normalized < 2; ++normalized) {
        cudaTextureDesc how = {};
        how.addressMode[0] = cudaTextureAddressMode(mode);
        how.addressMode[1] = cudaTextureAddressMode((mode + (filter ? 1 : 0)) % 4);
        how.filterMode = cudaTextureFilterMode(filter);
        how.readMode = cudaReadModeElementType;
        how.normalizedCoords = normalized;
        how.borderColor[0] = -1000.0f;
        cudaTextureObject_t object = 0;
        if (cudaCreateTextureObject(&object, &resource, &how, nullptr) != cudaSuccess)
          return 1;
        const dim3 block(32, 4), grid((kColumns + 31) / 32, (kRows + 3) / 4);
        // In steps of half a texel (exact where there are so many bits), from outside to outside.
        const float step_x = normalized ? 0.5f / 32 : 0.5f, step_y = normalized ? 0.5f / 16 : 0.5f;
        sample<<<grid, block>>>(object, out, step_x, step_y, normalized ? -0.875f : -7.25f);
        cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
        for (int y = 0; y < kRows && !filter; ++y)
          for (int x = 0; x < kColumns; ++x) {
            float u = normalized ? (-0.875f + x * step_x) * kWidth : -7.25f + x * step_x;
            float v = normalized ? (-0.875f + y * step_y) * kHeight : -7.25f + y * step_y;
            const int i = wrapped(int(std::floor(u)), kWidth, how.addressMode[0], normalized);
            const int j = wrapped(int(std::floor(v)), kHeight, how.addressMode[1], normalized);
            // Mirrored texel edges belong to either side.
            const bool edge = normalized && (u == std::floor(u) || v == std::floor(v));
            const float expected = i < 0 || j < 0 ? -1000.0f : image[j * kWidth + i];
            wrong += got[y * kColumns + x] != expected && !edge;
          }
        sample_at<<<8, 128>>>(object, coordinates, out, int(where.size()));
        blur<<<dim3(5, 6), dim3(8, 4)>>>(object, out, 1);
        if (cudaDestroyTextureObject(object) != cudaSuccess)
          return 1;
      }
  cudaFree(out);
  cudaFree(coordinates);
  cudaFreeArray(array);
  std::printf("%d wrong\n", wrong);
  return cudaDeviceSynchronize() == cudaSuccess && wrong == 0 ? 0 : 1;
}
