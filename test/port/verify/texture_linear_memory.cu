// Textures over plain memory: tex1Dfetch by affine and by loaded indices, inside and outside, and
// pitched planes.
#include <cstdio>
#include <vector>

constexpr int kCount = 1500;

__global__ void fetch(cudaTextureObject_t t, float *out, int n, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch<float>(t, i + shift);
}

__global__ void fetch_indexed(cudaTextureObject_t t, const int *index, int4 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && index[i] != 11)
    out[i] = tex1Dfetch<int4>(t, index[i]);
}

__global__ void fetch_bytes(cudaTextureObject_t t, float4 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch<float4>(t, 3 * i - 20);
}

__global__ void fetch_same(cudaTextureObject_t t, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = -1; k < 3; ++k)
      sum += tex1Dfetch<float>(t, k);
    out[i] = sum;
  }
}

__global__ void transpose(cudaTextureObject_t plane, int *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = tex2D<int>(plane, x, y);
}

cudaTextureObject_t make(void *memory, size_t bytes, cudaChannelFormatDesc desc,
                         cudaTextureReadMode mode) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.sizeInBytes = bytes;
  resource.res.linear.desc = desc;
  cudaTextureDesc how = {};
  how.readMode = mode;
  cudaTextureObject_t object = 0;
  return cudaCreateTextureObject(&object, &resource, &how, nullptr) == cudaSuccess ? object : 0;
}

int main() {
  std::vector<int> numbers(4 * kCount), index(kCount);
  for (int i = 0; i < 4 * kCount; ++i)
    numbers[i] = i * 77777 - 5;
  for (int i = 0; i < kCount; ++i)
    index[i] = (i * 7919) % (kCount + 40) - 20;
  int *ints = nullptr, *indices = nullptr;
  float4 *out = nullptr;
  cudaMalloc(&ints, numbers.size() * sizeof(int));
  cudaMalloc(&indices, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(float4));
  cudaMemset(out, 0, kCount * sizeof(float4));
  cudaMemcpy(ints, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(indices, index.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  cudaTextureObject_t quads =
      make(ints, kCount * sizeof(int4), cudaCreateChannelDesc<int4>(), cudaReadModeElementType);
  cudaTextureObject_t pixels = make(ints, kCount * sizeof(uchar4), cudaCreateChannelDesc<uchar4>(),
                                    cudaReadModeNormalizedFloat);
  fetch_indexed<<<12, 128>>>(quads, indices, (int4 *)out, kCount);
  std::vector<int4> got(kCount);
  cudaMemcpy(got.data(), out, kCount * sizeof(int4), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    const bool inside = index[i] >= 0 && index[i] < kCount && index[i] != 11;
    wrong += got[i].z != (inside ? numbers[4 * index[i] + 2] : 0);
  }
  fetch_bytes<<<12, 128>>>(pixels, out, kCount);
  std::vector<float> floats(kCount);
  for (int i = 0; i < kCount; ++i)
    floats[i] = i * 0.5f - 3;
  cudaMemcpy(ints, floats.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
  cudaTextureObject_t line =
      make(ints, kCount * sizeof(float), cudaCreateChannelDesc<float>(), cudaReadModeElementType);
  for (int shift : {0, -7, 5})
    fetch<<<12, 128>>>(line, (float *)out, kCount, shift);
  fetch_same<<<3, 96>>>(line, (float *)out, 1000);

  const int width = 45, height = 33;
  size_t pitch = 0;
  int *plane = nullptr;
  cudaMallocPitch(&plane, &pitch, width * sizeof(int), height);
  cudaMemcpy2D(plane, pitch, numbers.data(), width * sizeof(int), width * sizeof(int), height,
               cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = plane;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &resource, &how, nullptr) != cudaSuccess)
    return 1;
  transpose<<<dim3(6, 5), dim3(8, 8)>>>(object, (int *)out, width, height);
  std::vector<int> turned(width * height);
  cudaMemcpy(turned.data(), out, turned.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += turned[x * height + y] != numbers[y * width + x];
  std::printf("%d wrong\n", wrong);
  return cudaDeviceSynchronize() == cudaSuccess && wrong == 0 ? 0 : 1;
}
