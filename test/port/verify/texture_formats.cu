// Every element type of one, two and four components, read as it is and as numbers of [0, 1] or
// [-1, 1], at coordinates that differ from lane to lane.
#include <cstdio>
#include <vector>

constexpr int kWidth = 53, kHeight = 19, kCount = 1003;

__device__ int texel(int i) { return (i * 7) % (kWidth * kHeight); }

template <class T> __global__ void read(cudaTextureObject_t image, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2D<T>(image, texel(i) % kWidth + 0.25f, texel(i) / kWidth + 0.5f);
}

template <class T>
int check(int bits, int components, cudaChannelFormatKind kind, bool to_float, bool linear) {
  const int bytes = bits / 8 * components;
  std::vector<unsigned char> image(size_t(kWidth) * kHeight * bytes);
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = (unsigned char)(i * 151 + i / 256 * 13);
  if (kind == cudaChannelFormatKindFloat)
    for (size_t i = 0; i < image.size() / 4; ++i)
      ((float *)image.data())[i] = float(i) / 8.0f - 100.0f;
  cudaChannelFormatDesc desc = {bits, components > 1 ? bits : 0, components > 2 ? bits : 0,
                                components > 3 ? bits : 0, kind};
  cudaArray_t array = nullptr;
  if (cudaMallocArray(&array, &desc, kWidth, kHeight) != cudaSuccess)
    return 1;
  cudaMemcpyToArray(array, 0, 0, image.data(), image.size(), cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = to_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &resource, &how, nullptr) != cudaSuccess)
    return 1;
  T *out = nullptr;
  cudaMalloc(&out, kCount * sizeof(T));
  read<T><<<8, 128>>>(object, out, kCount);
  std::vector<T> got(kCount);
  cudaMemcpy(got.data(), out, kCount * sizeof(T), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kCount && !to_float && !linear; ++i) {
    const unsigned char *a = (const unsigned char *)&got[i];
    const unsigned char *b = image.data() + size_t((i * 7) % (kWidth * kHeight)) * bytes;
    for (int k = 0; k < bytes; ++k)
      wrong += a[k] != b[k];
  }
  cudaDestroyTextureObject(object);
  cudaFree(out);
  cudaFreeArray(array);
  return wrong;
}

template <class T1, class T2, class T4> int check_all(int bits, cudaChannelFormatKind kind) {
  return check<T1>(bits, 1, kind, false, false) + check<T2>(bits, 2, kind, false, false) +
         check<T4>(bits, 4, kind, false, false);
}

int check_normalized(int bits, cudaChannelFormatKind kind) {
  int wrong = 0;
  for (int linear = 0; linear < 2; ++linear)
    wrong += check<float>(bits, 1, kind, true, linear) +
             check<float2>(bits, 2, kind, true, linear) +
             check<float4>(bits, 4, kind, true, linear);
  return wrong;
}

int main() {
  const auto is_signed = cudaChannelFormatKindSigned, is_unsigned = cudaChannelFormatKindUnsigned;
  const int wrong = check_all<signed char, char2, char4>(8, is_signed) +
                    check_all<unsigned char, uchar2, uchar4>(8, is_unsigned) +
                    check_all<short, short2, short4>(16, is_signed) +
                    check_all<unsigned short, ushort2, ushort4>(16, is_unsigned) +
                    check_all<int, int2, int4>(32, is_signed) +
                    check_all<unsigned, uint2, uint4>(32, is_unsigned) +
                    check_all<float, float2, float4>(32, cudaChannelFormatKindFloat) +
                    check_normalized(8, is_signed) + check_normalized(8, is_unsigned) +
                    check_normalized(16, is_signed) + check_normalized(16, is_unsigned) +
                    check<float4>(32, 4, cudaChannelFormatKindFloat, false, true);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
