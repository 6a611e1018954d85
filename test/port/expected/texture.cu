// Texture and surface objects: one statement per component, the modes at launch.
__global__ void brighten(cudaTextureObject_t image, cudaSurfaceObject_t out, float gain, int width,
                         int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const float2 pixel = tex2D<float2>(image, x + 0.5f, y + 0.5f);
    surf2Dwrite(make_float2(pixel.x * gain, pixel.y), out, x * 8, y);
  }
}

void run(cudaTextureObject_t image, cudaSurfaceObject_t out, int width, int height) {
  brighten<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, out, 1.25f, width,
                                                                          height);
}
