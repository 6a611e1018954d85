// Volumes, lines and layers: linear and nearest, every address mode, filled by 3-D copies.
#include <cstdio>
#include <vector>

constexpr int kWidth = 13, kHeight = 7, kDepth = 5, kCount = 900;

__global__ void volume(cudaTextureObject_t t, const float4 *where, float2 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex3D<float2>(t, where[i].x, where[i].y, where[i].z);
}

__global__ void line(cudaTextureObject_t t, const float4 *where, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1D<float>(t, where[i].x);
}

__global__ void layers(cudaTextureObject_t t, const float4 *where, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2DLayered<float>(t, where[i].x, where[i].y, i % 7 - 1) +
             tex2DLayered<float>(t, where[i].x, where[i].y, 2);
}

__global__ void lines(cudaTextureObject_t t, const float4 *where, short2 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1DLayered<short2>(t, where[i].y, i % 4);
}

cudaArray_t fill(cudaChannelFormatDesc desc, cudaExtent extent, unsigned flags,
                 std::vector<float> &values) {
  cudaArray_t array = nullptr;
  if (cudaMalloc3DArray(&array, &desc, extent, flags) != cudaSuccess)
    return nullptr;
  const size_t texel = (desc.x + desc.y) / 8;
  cudaMemcpy3DParms copy = {};
  const size_t rows = extent.height ? extent.height : 1;
  copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * texel, extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, extent.depth ? extent.depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  return cudaMemcpy3D(&copy) == cudaSuccess ? array : nullptr;
}

int main() {
  std::vector<float> values(4 * kWidth * kHeight * kDepth);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i * 29 % 97) * 0.25f;
  std::vector<float4> where(kCount);
  for (int i = 0; i < kCount; ++i)
    where[i] =
        make_float4(i * 31 % 89 / 4.0f - 4, i * 17 % 71 / 6.0f - 2, i * 13 % 53 / 6.0f - 2, 0);
  float4 *coordinates = nullptr;
  float2 *out = nullptr;
  cudaMalloc(&coordinates, kCount * sizeof(float4));
  cudaMalloc(&out, kCount * sizeof(float2));
  cudaMemcpy(coordinates, where.data(), kCount * sizeof(float4), cudaMemcpyHostToDevice);
  cudaArray_t arrays[] = {
      fill(cudaCreateChannelDesc<float2>(), make_cudaExtent(kWidth, kHeight, kDepth), 0, values),
      fill(cudaCreateChannelDesc<float>(), make_cudaExtent(kWidth, 0, 0), 0, values),
      fill(cudaCreateChannelDesc<float>(), make_cudaExtent(kWidth, kHeight, kDepth),
           cudaArrayLayered, values),
      fill(cudaCreateChannelDesc<short2>(), make_cudaExtent(kWidth, 0, 3), cudaArrayLayered,
           values)};
  for (int mode = 0; mode < 4; ++mode)
    for (int filter = 0; filter < 2; ++filter)
      for (int which = 0; which < 4; ++which) {
        if (!arrays[which])
          return 1;
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[which];
        cudaTextureDesc how = {};
        for (int axis = 0; axis < 3; ++axis)
          how.addressMode[axis] = cudaTextureAddressMode((mode + axis) % 4);
        how.filterMode = which == 3 ? cudaFilterModePoint : cudaTextureFilterMode(filter);
        how.readMode = cudaReadModeElementType;
        how.normalizedCoords = mode % 2 == 0;
        cudaTextureObject_t t = 0;
        if (cudaCreateTextureObject(&t, &resource, &how, nullptr) != cudaSuccess)
          return 1;
        if (which == 0)
          volume<<<15, 64>>>(t, coordinates, out, kCount);
        else if (which == 1)
          line<<<15, 64>>>(t, coordinates, (float *)out, kCount);
        else if (which == 2)
          layers<<<15, 64>>>(t, coordinates, (float *)out, kCount);
        else
          lines<<<15, 64>>>(t, coordinates, (short2 *)out, kCount);
        cudaDestroyTextureObject(t);
      }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
