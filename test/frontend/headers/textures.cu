// Textures and surfaces: objects, references, arrays.
texture<float, cudaTextureType2D> image;
texture<uchar4, 2, cudaReadModeNormalizedFloat> pixels;
texture<int, cudaTextureType1D> table;
static texture<float4, cudaTextureType3D, cudaReadModeElementType> volume;
surface<void, cudaSurfaceType2D> target;
struct pair_of {
  short a, b;
};

__global__ void fetch_from_objects(cudaTextureObject_t t, float *out, uchar4 *bytes) {
  const int i = threadIdx.x;
  float2 pair;
  tex2D(&pair, t, i, 0.5f);
  out[i] = tex1Dfetch<float>(t, i) + tex1D<float>(t, i + 0.5f) + tex2D<float>(t, i, 1) +
           tex3D<float4>(t, i, 1, 2.f).z + tex1DLayered<float>(t, 0.5f, 3) +
           tex2DLayered<short2>(t, 0.5f, 0.25f, i).y + tex2DLod<float>(t, i, i, 0) + pair.y;
  bytes[i] = tex2D<uchar4>(t, i, i);
}

__global__ void fetch_from_references(float *out, float4 *colours, cudaTextureObject_t cube) {
  const int i = threadIdx.x;
  out[i] = tex2D(image, i, 2) + float(tex1Dfetch(table, i)) + tex3D(volume, i, i, i).w +
           texCubemap<float>(cube, 1, 0, 0) + tex2Dgather<float4>(cube, 0.5f, 0.5f, 1).x;
  colours[i] = tex2D(pixels, 0.5f, 0.5f);
}

__global__ void surfaces(cudaSurfaceObject_t s, unsigned char *bytes) {
  const int i = threadIdx.x;
  float4 value = surf2Dread<float4>(s, i * 16, 1, cudaBoundaryModeClamp);
  surf1Dread(&bytes[i], s, i, cudaBoundaryModeZero);
  surf2Dwrite(value.x, s, i * 4, 2);
  surf3Dwrite(value, s, i * 16, 2, 3);
  surf2Dwrite(make_uchar4(1, 2, 3, 4), target, i * 4, 0);
  surf2DLayeredwrite(pair_of{1, 2}, s, 0, 0, 0);
}

int main() {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &desc, 64, 64, cudaArraySurfaceLoadStore);
  float rows[64] = {};
  cudaMemcpy2DToArray(array, 0, 0, rows, sizeof rows, sizeof rows, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeWrap;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 1;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &how, nullptr);
  image.addressMode[0] = cudaAddressModeClamp;
  image.filterMode = cudaFilterModeLinear;
  image.normalized = false;
  cudaBindTextureToArray(image, array, desc);
  cudaBindTextureToArray(image, array);
  cudaBindTexture(nullptr, table, rows, sizeof rows);
  cudaBindTexture2D(nullptr, pixels, rows, 64, 1, 256);
  cudaBindSurfaceToArray(target, array);
  cudaUnbindTexture(image);
  cudaDestroyTextureObject(object);
  return cudaFreeArray(array);
}
