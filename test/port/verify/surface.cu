// Surface objects: reads and writes of elements of one to sixteen bytes in one, two and three
// dimensions and layers, with the three kinds of boundary.
#include <cstdio>
#include <vector>

constexpr int kWidth = 35, kHeight = 21, kDepth = 3;

template <class T> __global__ void copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kWidth && y < kHeight)
    surf2Dwrite(surf2Dread<T>(from, (kWidth - 1 - x) * sizeof(T), y), to, x * sizeof(T), y);
}

// Shifted: some reads and writes lie outside.
__global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int by) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kWidth || y >= kHeight)
    return;
  const int a = surf2Dread<int>(from, (x + by) * 4, y - by, cudaBoundaryModeZero);
  const int b = surf2Dread<int>(from, (x - by) * 4, y + by, cudaBoundaryModeClamp);
  surf2Dwrite(a + 3 * b, to, (x + 1) * 4, y, cudaBoundaryModeZero);
}

__global__ void scatter(const int2 *where, cudaSurfaceObject_t to, int *seen, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  seen[i] = surf2Dread<int>(to, where[i].x * 4, where[i].y, cudaBoundaryModeZero);
  if (where[i].y != 5)
    surf2Dwrite(i, to, where[i].x * 4, where[i].y, cudaBoundaryModeZero);
}

__global__ void slices(cudaSurfaceObject_t volume, cudaSurfaceObject_t line, float *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= kWidth)
    return;
  float sum = 0;
  for (int z = 0; z < kDepth; ++z) {
    const float2 value = surf3Dread<float2>(volume, x * 8, y, z);
    surf3Dwrite(make_float2(value.y, value.x), volume, x * 8, y, z);
    sum += value.x - value.y + surf2DLayeredread<float2>(volume, x * 8, y, z).x;
  }
  out[y * kWidth + x] = sum;
  if (y == 0)
    surf1Dwrite((unsigned short)(x * 3), line, x * 2);
}

cudaSurfaceObject_t make(cudaArray_t &array, cudaChannelFormatDesc desc, cudaExtent extent) {
  cudaSurfaceObject_t object = 0;
  if (cudaMalloc3DArray(&array, &desc, extent, cudaArraySurfaceLoadStore) != cudaSuccess)
    return 0;
  const size_t texel = (desc.x + desc.y + desc.z + desc.w) / 8;
  const size_t rows = (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1);
  std::vector<unsigned char> bytes(extent.width * rows * texel);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = (unsigned char)(i % 4 == 3 ? 0x40 + i % 3 : i * 37 + 11);
  cudaMemcpyToArray(array, 0, 0, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return cudaCreateSurfaceObject(&object, &resource) == cudaSuccess ? object : 0;
}

const cudaExtent plane = make_cudaExtent(kWidth, kHeight, 0);
const dim3 block(16, 4), grid((kWidth + 15) / 16, (kHeight + 3) / 4);

template <class T> int check() {
  cudaArray_t a = nullptr, b = nullptr;
  cudaSurfaceObject_t from = make(a, cudaCreateChannelDesc<T>(), plane);
  cudaSurfaceObject_t to = make(b, cudaCreateChannelDesc<T>(), plane);
  copy<T><<<grid, block>>>(from, to);
  std::vector<T> before(kWidth * kHeight), after(kWidth * kHeight);
  const size_t row = kWidth * sizeof(T);
  cudaMemcpy2DFromArray(before.data(), row, a, 0, 0, row, kHeight, cudaMemcpyDeviceToHost);
  cudaMemcpy2DFromArray(after.data(), row, b, 0, 0, row, kHeight, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const char *p = (const char *)&before[y * kWidth + kWidth - 1 - x];
      const char *q = (const char *)&after[y * kWidth + x];
      for (size_t k = 0; k < sizeof(T); ++k)
        wrong += p[k] != q[k];
    }
  cudaDestroySurfaceObject(from);
  cudaDestroySurfaceObject(to);
  cudaFreeArray(a);
  cudaFreeArray(b);
  return wrong;
}

int main() {
  int wrong = check<unsigned char>() + check<short>() + check<uchar4>() + check<float>() +
              check<float2>() + check<int4>() + check<ushort4>();
  cudaArray_t a = nullptr, b = nullptr, volume = nullptr, line = nullptr;
  cudaSurfaceObject_t from = make(a, cudaCreateChannelDesc<int>(), plane);
  cudaSurfaceObject_t to = make(b, cudaCreateChannelDesc<int>(), plane);
  for (int by : {0, 1, 40})
    shift<<<grid, block>>>(from, to, by);
  const int n = 700;
  std::vector<int2> where(n);
  for (int i = 0; i < n; ++i) // each place once
    where[i] = make_int2(i % (kWidth + 5) - 2, i / (kWidth + 5) - 1);
  int2 *places = nullptr;
  float *out = nullptr;
  cudaMalloc(&places, n * sizeof(int2));
  cudaMalloc(&out, kWidth * kHeight * sizeof(float));
  cudaMemcpy(places, where.data(), n * sizeof(int2), cudaMemcpyHostToDevice);
  scatter<<<6, 128>>>(places, to, (int *)out, n);
  cudaSurfaceObject_t solid =
      make(volume, cudaCreateChannelDesc<float2>(), make_cudaExtent(kWidth, kHeight, kDepth));
  cudaSurfaceObject_t row =
      make(line, cudaCreateChannelDesc<unsigned short>(), make_cudaExtent(kWidth, 0, 0));
  slices<<<dim3(2, kHeight), 32>>>(solid, row, out);
  std::printf("%d wrong\n", wrong);
  return cudaDeviceSynchronize() == cudaSuccess && wrong == 0 ? 0 : 1;
}
